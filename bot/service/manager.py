"""From a message heard to a change committed: one transaction each, decided again if somebody else was faster."""

import errno
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Self

import structlog

from bot.commands.context import Context, Effect, whisper
from bot.commands.handlers import FITTING, HANDLERS, example_command, make_turn
from bot.commands.spec import BY_NAME, ParsedCommand, PlainText, read, read_turn
from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Picture, Place, Span
from bot.messages.narrator import Draft, narrate
from bot.messages.serialization import channel_address, lane, message_key, read_address, write_event, write_message
from bot.repository import Repository, summarize
from engine.game import NotationError
from engine.match.alarms import alarms
from engine.match.commands import AlarmFired, Command, Credit, Player
from engine.match.decide import LONGEST_TEXT, decide
from engine.match.events import Refusal
from engine.match.evolve import evolve
from engine.match.state import Match
from engine.text import Code
from storage.store import Alarm, Change, Conflict, OutboxMessage, Store, Summary

log = structlog.get_logger()

TRIES = 8
"""How often a message is decided again because its match has changed under it."""

SORRY = (
    "Something went wrong here, and it is a mistake of Riposte's, not yours. Nothing was changed. "
    "Whoever runs Riposte finds it in the log."
)
"""What earns whoever meets a bug."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What sets a transaction off: a message, or an alarm that nobody wrote."""

    id: str
    at: int
    who: Person | None = None
    where: Place | None = None
    text: str = ""
    match: str = ""
    """The match that an alarm is about."""
    accounts: tuple[Player, ...] = ()
    """All that the speaker is known by."""
    receipt: str = ""

    @classmethod
    def of(cls, heard: IncomingMessage, accounts: tuple[Player, ...]) -> Self:
        """A message as a cause."""
        who, where = heard.who, heard.where
        return cls(heard.id, heard.at, who, where, heard.text, accounts=accounts, receipt=heard.receipt)


class Manager:
    """Hears messages and alarms. Holds no state that a restart would miss."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], int],
        seed: Callable[[], bytes],
        nudge: Callable[[], None] = lambda: None,
    ) -> None:
        self.desk = Repository(store, seed)
        self._store = store
        self._now = now
        self._nudge = nudge
        """Called after every commit: there may be letters."""

    async def hear(self, heard: IncomingMessage) -> bool:
        """Deal with a message, once, whatever happens meanwhile; returns when it is committed.

        True if there is a whisper on its way that answers it.
        """
        accounts = await self.desk.accounts(heard.who.key)
        cause = Cause.of(heard, accounts)
        return await self._settle(cause, lambda: self._answer(heard, accounts))

    async def tell(self, heard: IncomingMessage, *text: Span) -> bool:
        """Answer a message with these words instead of dealing with it; returns as `hear` does."""
        accounts = await self.desk.accounts(heard.who.key)
        cause = Cause.of(heard, accounts)

        async def words() -> Effect:
            return whisper(heard, *text)

        return await self._settle(cause, words)

    async def chime(self, alarm: Alarm) -> None:
        """Deal with an alarm whose time has come."""
        now = self._now()
        cause = Cause(f"alarm:{alarm.match}:{alarm.kind}:{alarm.at}", now, match=alarm.match)
        await self._settle(cause, lambda: self._act(alarm.match, AlarmFired(alarm.kind), now))

    async def credit(self, since: int, until: int) -> None:
        """Give every running clock back the time that the bot was away: once, even if it dies halfway."""
        for summary in await self._store.matches(status="running"):

            def act(number: str = summary.match) -> Awaitable[Effect]:
                return self._act(number, Credit(until - since), until)

            try:
                await self._settle(Cause(f"away:{summary.match}:{since}", until, match=summary.match), act)
            except Exception:  # one match's trouble must not keep the house shut
                log.exception("a clock could not be set back", match=summary.match)

    # --- one transaction ----------------------------------------------------------------------------------
    async def _settle(self, cause: Cause, act: Callable[[], Awaitable[Effect]]) -> bool:
        """Decide and commit, again if somebody else was faster; whoever meets trouble is told of it.

        Whether there is something for the ears of whoever caused it.
        """
        apology: Effect | None = None
        for _ in range(TRIES):
            number = ""
            try:
                effect = apology or await act()
                number = effect.match
                before = await self.desk.match(number) if number else None
                after = before
                for event in effect.events:
                    after = evolve(after, event)
                says = await self._says(cause, effect, before, after)
                change = await self._change(cause, effect, says, before, after)
                if change is None:
                    return False
                await self._store.commit(change)
            except Conflict:  # heard before, or the match has moved on
                if await self._store.known(cause.id):
                    return False
                self.desk.forget(number)
            except Exception as trouble:
                apology = self._apology(cause, number, trouble) if apology is None else None
                if apology is None:
                    raise
            else:
                self.desk.keep(after, change.settings)
                self._nudge()
                return cause.who is not None and any(say.only in cause.accounts for say in says)
        raise OSError(errno.EAGAIN, f"Others were faster {TRIES} times in a row, so nothing was changed. Try again.")

    def _apology(self, cause: Cause, number: str, trouble: Exception) -> Effect | None:
        """What is said of trouble; None where nobody spoke, or where trying again later may help (the disk is full)."""
        if isinstance(trouble, OSError):
            if trouble.errno != errno.EBADMSG or cause.who is None:
                return None
            log.error("a damaged match was asked for", match=number or _named(cause), trouble=trouble.strerror)
            return Effect(says=(Draft((trouble.strerror or str(trouble),), only=cause.who.key),))
        if cause.where is None:
            return None
        number = number or _named(cause)
        log.exception("a message has met a bug", cause=cause.id, match=number, after=self.desk.length(number))
        return Effect(says=(Draft((SORRY,)),))

    async def _says(self, cause: Cause, effect: Effect, before: Match | None, after: Match | None) -> tuple[Draft, ...]:
        """All that is said: what has happened, and then what the command itself answers."""
        if not effect.events:
            return effect.says
        return (*narrate(before, effect.events, await self.desk.names(after, cause.who)), *effect.says)

    async def _change(
        self, cause: Cause, effect: Effect, says: tuple[Draft, ...], before: Match | None, after: Match | None
    ) -> Change | None:
        if not (says or effect.events or effect.settings):
            return None
        changed = after if effect.events else None
        return Change(
            heard=cause.id,
            match=effect.match if changed else "",
            expected=before.length if before else 0,
            events=tuple((event.at, write_event(event)) for event in effect.events),
            letters=await self._letters(cause, says, after),
            alarms=tuple(Alarm(changed.id, a.kind, a.at) for a in alarms(changed)) if changed else None,
            summary=summarize(changed, cause.at) if changed else None,
            settings=(*effect.settings, *await self._new_name(cause.who), *await self._lost_tokens(changed)),
        )

    async def _new_name(self, who: Person | None) -> tuple[tuple[str, str, str], ...]:
        if who is None or await self.desk.setting(who.key, "name") == who.name:
            return ()
        return ((who.key, "name", who.name),)

    async def _lost_tokens(self, match: Match | None) -> tuple[tuple[str, str, str], ...]:
        """Whoever has just lost the token they staked has none to stake any more."""
        givers = [giver for giver, _, _ in spoils(match)] if match is not None and match.result is not None else ()
        return tuple([((await self.desk.accounts(giver))[0], "token", "") for giver in givers])

    async def _letters(self, cause: Cause, says: tuple[Draft, ...], match: Match | None) -> tuple[OutboxMessage, ...]:
        letters: list[OutboxMessage] = []
        for say in says:
            for place, only in await self._addresses(cause, say, match):
                post = OutgoingMessage(
                    key=message_key(cause.id, len(letters)),
                    where=place,
                    text=await self._spelled(say.text, place),
                    only=only,
                    picture=await self._themed(say.picture, only, place),
                    choices=say.choices,
                    rings=tuple(
                        [await self.desk.on(place.platform, await self.desk.person(player)) for player in say.rings]
                    ),
                    opening=await self._spelled(say.opening, place) if channel_address(place) in say.opens else (),
                    answers=cause.id if only is not None and only == cause.who else "",
                    receipt=cause.receipt if only is not None and only == cause.who else "",
                    at=self._now(),
                )
                letters.append(OutboxMessage(post.key, lane(place), write_message(post)))
        return tuple(letters)

    async def _spelled(self, spans: tuple[Span, ...], place: Place) -> tuple[Span, ...]:
        """People are called by the account that they have where something is said."""
        there = place.platform
        return tuple([await self.desk.on(there, span) if isinstance(span, Person) else span for span in spans])

    async def _addresses(self, cause: Cause, say: Draft, match: Match | None) -> list[tuple[Place, Person | None]]:
        """Where something is said: an answer where it was asked for, news wherever the match lives."""
        if say.only is not None and cause.who is not None and cause.where is not None and say.only in cause.accounts:
            return [(cause.where, cause.who)]
        if match is None:
            assert cause.where is not None, "where nobody spoke, only matches have news"
            return [(cause.where, None)]
        homes = [read_address(place) for place in match.places]
        if say.only is not None:
            for home in homes:
                person = await self.desk.on(home.platform, await self.desk.person(say.only))
                if person.platform == home.platform:
                    return [(replace(home, thread=match.id), person)]
            person = await self.desk.person(say.only)
            return [(Place(person.platform, "", match.id), person)]  # nowhere here: to them directly
        return [(home if say.channel else replace(home, thread=match.id), None) for home in homes]

    async def _themed(self, shown: Picture | None, only: Person | None, place: Place) -> Picture | None:
        """The picture in the colours that its reader or its channel has chosen, unless it was asked for in others."""
        if shown is None or shown.theme:
            return shown
        owner = (await self.desk.accounts(only.key))[0] if only else channel_address(place)
        return replace(shown, theme=await self.desk.setting(owner, "theme") or "light")

    # --- what was meant -----------------------------------------------------------------------------------
    async def _answer(self, heard: IncomingMessage, accounts: tuple[Player, ...]) -> Effect:
        said = read(heard.text)
        if isinstance(said, PlainText):
            return await self._bare(heard, said, accounts)
        if said.match and not said.rest and heard.where.thread and said.command.name in ("secret", "move", "look"):
            said = replace(said, match="", rest=said.match)  # in a thread, a lone number is the answer itself
        number = said.match or heard.where.thread
        match = await self.desk.match(number) if number else None
        if said.command.scope == "match" and match is None:
            return await self._which(heard, said, accounts)
        if match is not None and said.command.stamped and said.ply not in (None, match.stamp):
            return whisper(heard, "That button is out of date: the match has gone on since. ",
                           Code(f"board {match.id}"), " shows where it stands.")  # fmt: skip
        return await HANDLERS[said.command.name](self.desk, Context(heard, said, match, accounts))

    async def _bare(self, heard: IncomingMessage, said: PlainText, accounts: tuple[Player, ...]) -> Effect:
        """In a match's thread, words are a turn if they can be one; anywhere else they are talk."""
        match = await self.desk.match(heard.where.thread) if heard.where.thread else None
        if match is not None and match.position is not None and (said.typo_of is None or _reads(match, said.text)):
            context = Context(heard, read_turn(said.text), match, accounts)
            effect = await make_turn(self.desk, context)
            aimed = said.addressed or _like_a_turn(said.text, alone=match.side_of(context.who) is not None)
            return effect if effect.events or aimed else Effect()
        if said.typo_of is not None:
            example = Code(example_command(said.typo_of, match))
            return whisper(heard, "Did you mean ", Code(said.typo_of.name), "? For example: ", example, ".")
        words = said.text.split()
        if words and (said.addressed or len(words) == 1):
            unknown: tuple[Span, ...] = ("There is no command ", Code(words[0][:40]), ". ")
            if number := await self._meant(said.text, accounts):
                turn = Code(f"{number}: {said.text}")
                return whisper(heard, *unknown, "A turn is written in its match's thread, or like this: ", turn, ".")
            return whisper(heard, *unknown, Code("help"), " lists them.")
        return Effect()

    async def _meant(self, text: str, accounts: tuple[Player, ...]) -> str:
        """The number of the match in which words said elsewhere would be a turn, "" if there is none."""
        due = [m for m in await self.desk.matches_of(accounts, "running") if not set(accounts).isdisjoint(m.to_act)]
        for summary in due[:10]:
            with suppress(OSError):  # a damaged one says so to whoever asks for it
                match = await self.desk.match(summary.match)
                if match is not None and _reads(match, text):
                    return match.id
        return ""

    async def _which(self, heard: IncomingMessage, said: ParsedCommand, accounts: tuple[Player, ...]) -> Effect:
        """A command about a match, but no match: the only one it can be, or a question."""
        name = said.command.name
        if said.match:
            return whisper(heard, f"There is no match {said.match}. ", Code("matches"), " lists yours.")
        mine = await self.desk.matches_of(accounts)
        fitting = [m for m in mine if m.status in FITTING.get(name, ("running",))]
        if name in ("accept", "decline"):  # rather others' challenges than one's own
            fitting = [m for m in fitting if m.status == "open" and m.players[0] not in accounts] or fitting
        if name == "accept" and not fitting:
            fitting = await self._free(heard)
        if len(fitting) == 1:
            match = await self.desk.match(fitting[0].match)
            return await HANDLERS[name](self.desk, Context(heard, said, match, accounts))
        if not fitting:
            example = BY_NAME["challenge"].example
            return whisper(heard, "You have no match for that. Begin one: ", Code(example), ".")
        numbers = ", ".join(m.match for m in fitting[:10])
        example = f"{name} {fitting[0].match} {said.rest}".strip()
        return whisper(heard, f"Which match ({numbers})? For example: ", Code(example), ".")

    async def _free(self, heard: IncomingMessage) -> list[Summary]:
        """The challenges in this channel that whoever comes first may accept."""
        here = channel_address(heard.where)
        waiting = {m.match: m for m in await self._store.matches(place=here, status="open")}
        matches = [match for number in waiting if (match := await self.desk.match(number)) is not None]
        return [waiting[m.id] for m in matches if len(m.parties) < len(m.game.seats(m.terms))]

    async def _act(self, number: str, command: Command, at: int) -> Effect:
        """A command that nobody typed."""
        match = await self.desk.match(number)
        if match is None:
            return Effect()
        decision = decide(match, command, at, self.desk.dice(match))
        return Effect() if isinstance(decision, Refusal) else Effect(decision, match=number)


def _named(cause: Cause) -> str:
    """The number of the match that a cause is about, as far as its words tell."""
    said = read(cause.text)
    return (said.match if isinstance(said, ParsedCommand) else "") or (
        cause.where.thread if cause.where else cause.match
    )


def _reads(match: Match, text: str) -> bool:
    """Whether words are a turn in the game's own words, although they resemble a command or stand elsewhere."""
    if len(text) > LONGEST_TEXT:
        return False
    try:
        match.game.read(read_turn(text).rest, match.position)
    except NotationError:
        return False
    return True


def _like_a_turn(text: str, *, alone: bool) -> bool:
    """Whether words look like an attempt at notation rather than like talk; `alone`: so does any single word."""
    words = text.split()
    return 0 < len(words) <= 6 and ((alone and len(words) == 1) or any(c.isdigit() or c in "$*~#@=" for c in text))
