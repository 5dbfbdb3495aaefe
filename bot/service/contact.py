"""Reaches players another way where a channel or room takes no messages, and notes who cannot be reached."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import structlog

from bot.commands.context import Effect, whisper
from bot.messages.catalogue import language
from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Place, Undeliverable
from bot.messages.narrator import Draft, reopened
from bot.messages.serialization import address, channel_address, message_key, read_address, read_message, write_message
from bot.repository import Repository
from bot.service.cause import Cause
from bot.service.localization import localize
from bot.service.routing import Route
from bot.service.transaction import Transactions
from engine.match.alarms import told_late
from engine.match.commands import Command, Deliver, FindContact, LoseContact, Player
from engine.match.decide import decide
from engine.match.events import Refusal
from engine.match.state import Match
from engine.text import Text
from storage.store import OutboxMessage, Store

log = structlog.get_logger(__name__)

CLOSED = "closed"
"""The key under which it is noted of a place that it takes nothing: since when, and why."""
SHUT_OUT = "shut out"
"""The key under which it is noted of a channel or room which players others have put out of it."""
WRITES_AGAIN = Text("I can write here again; meanwhile the match went on elsewhere.")
PUT_OUT = Text("You have been put out of the place of match {match}, so for you the match goes on here.")
GOES_ON_HERE = Text("I cannot write to the place of match {match}, so the match goes on here.")

SHOWN = "shown"
"""The setting that lists the keys of the answers that somebody has had by a button last."""
REMEMBERED = 50
ASK_AGAIN = Text("Please ask again.")
HAD = (Text("You have had that already."), ASK_AGAIN)
KEPT_NO_LONGER = (Text("I have kept that no longer."), ASK_AGAIN)

INVITE = Text("Challenge them in a channel or room where we all are, or ask them to write to me first.")


class Contact:
    """The ways to the players of a match: its places, then each of their accounts in private.

    Everything is committed under an id that follows from the message: after a crash it happens once all the same.
    """

    def __init__(self, repository: Repository, store: Store, transactions: Transactions, now: Callable[[], int]):
        self._repository = repository
        self._store = store
        self._transactions = transactions
        self._now = now
        self._closed: dict[str, str] | None = None
        """By address of a closed place, what is noted of it; None until it is looked up."""
        self._out: dict[str, str] | None = None
        """By address of a channel or room, the accounts that were put out of it, with blanks between."""

    async def failed(self, message: OutgoingMessage, error: Undeliverable) -> None:
        """A message cannot be delivered, whyever: try the next way. Raises OSError if that cannot be stored."""
        number = message.where.thread
        if message.where.gallery:
            return
        try:
            match = await self._repository.match(number or message.about)
            if not number and message.only is None:
                await self._channel_closed(message, match)
            elif not number or match is None:
                return
            elif message.only is None:
                await self._place_closed(match, message, error)
            elif not message.answers:
                await self._account_closed(match, message, message.only)
        except OSError:
            raise
        except Exception:  # the messages behind it must not wait
            log.exception("another way could not be tried", key=message.key)

    async def arrived(self, message: OutgoingMessage) -> None:
        """A message was delivered: its place is open, its reader is reached, time begins. Raises OSError as above."""
        number = message.where.thread
        if not number or message.where.gallery:
            return
        known = message.only is None and address(message.where) not in await self._places()
        ordinary = message.only is not None and not message.instead
        try:
            if message.begins and await self._tells_late(message, number):
                cause = Cause(f"begins:{message.key}", self._now(), match=number)
                await self._decide(cause, number, Deliver(message.begins))
            if message.only is None:
                await self._tell_shut_out(message)
            match = None if known or ordinary else await self._repository.match(number)
            if match is not None:
                reached = [message.only] if message.only else await self._living_on(match, message.where.platform)
                await self._found(match, message, [person.key for person in reached])
        except OSError:
            raise
        except Exception:
            log.exception("contact could not be noted", key=message.key)

    async def _tells_late(self, message: OutgoingMessage, number: str) -> bool:
        """Whether it changes a match that a post arrives only now: of nearly all it does not, and little is asked."""
        match = await self._repository.match(number)
        late = match is not None and match.awaits == message.begins and told_late(match, self._now())
        return late or bool(await self._repository.uncredited(number))

    async def closed(self, platform: str) -> Sequence[Place]:
        """The places of matches on a platform that took nothing when they were tried last."""
        return [place for place in map(read_address, await self._places()) if place.platform == platform]

    async def opened(self, place: Place) -> None:
        """A closed place takes messages again: show there where its match stands."""
        key = address(place)
        noted = (await self._places()).get(key)
        match = await self._repository.match(place.thread)
        if noted is None or match is None or match.position is None:
            return
        cause = Cause(_reopening(place, noted), self._now(), match=match.id)
        draft = reopened(match, await self._repository.names(match), WRITES_AGAIN)
        board = await localize(
            self._repository, cause, Route(draft, place), key=message_key(cause.id, 0), at=self._now()
        )
        await self._commit(cause, Effect(messages=(_boxed(board),), match=match.id))

    async def shut_out(self, channel: Place, who: Person, event: str) -> None:
        """Somebody was put out of a channel or room: they are told in private where their matches there stand."""
        here, accounts = address(channel), await self._repository.accounts(who.key)
        out = (await self._shut_out()).get(here, "").split()
        noted = " ".join(dict.fromkeys((*out, who.key)))
        for summary in await self._repository.matches_of(accounts, "running"):
            match = await self._repository.match(summary.match)
            if match is None or here not in match.places or await self._hears_elsewhere(match, channel, accounts):
                continue
            cause = Cause(f"shut out:{event}:{match.id}", self._now(), match=match.id)
            draft = reopened(match, await self._repository.names(match), Text(PUT_OUT.template, match=match.id))
            route = Route(draft, Place(who.platform, "", match.id), who)
            board = await localize(self._repository, cause, route, key=message_key(cause.id, 0), at=self._now())
            board = replace(board, rings=tuple(one for one in board.rings if one.key == who.key), instead=here)
            effect = Effect(messages=(_boxed(board),), settings=((here, SHUT_OUT, noted),), match=match.id)
            await self._commit(cause, effect)
            (await self._shut_out())[here] = noted

    async def let_in(self, channel: Place, who: Person, event: str) -> None:
        """Somebody is in a channel or room again: what is told there, they read there."""
        here = address(channel)
        out = (await self._shut_out()).get(here, "").split()
        if who.key in out:
            noted = " ".join(key for key in out if key != who.key)
            await self._commit(Cause(f"let in:{event}", self._now()), Effect(settings=((here, SHUT_OUT, noted),)))
            (await self._shut_out())[here] = noted

    async def offered(self, message: IncomingMessage, key: str) -> bool:
        """Tell whom it is for, once, what no way could bring them; return whether it is theirs to have."""
        accounts = await self._repository.accounts(message.who.key)
        theirs = False

        async def told() -> Effect:
            nonlocal theirs
            found = [read_message(one.body) for one in await self._store.told([key])]
            reader = found[0].only if found else None
            if reader is not None and reader.key not in accounts:
                return whisper(message, Text("That is for {player} alone.", player=reader))
            theirs = True
            shown = (await self._repository.setting(message.who.key, SHOWN)).split()
            if key in shown:
                return whisper(message, *HAD)
            if not found or not found[0].text:
                return whisper(message, *KEPT_NO_LONGER)
            answer = replace(
                found[0],
                key=message_key(message.id, 0),
                only=message.who,
                answers=message.id,
                receipt=message.receipt,
                at=self._now(),
            )
            noted = " ".join((*shown[1 - REMEMBERED :], key))
            return Effect(messages=(_boxed(answer),), settings=((message.who.key, SHOWN, noted),))

        await self._transactions.run(Cause(message.id, message.at, message, accounts), told)
        return theirs

    # --- what follows -----------------------------------------------------------------------------------------
    async def _place_closed(self, match: Match, message: OutgoingMessage, error: Undeliverable) -> None:
        """Tell everybody in private who hears of the match nowhere else."""
        home, places = message.where, await self._places()
        since, _, _ = (noted := places.get(address(home), "")).partition(" ")
        people = await self._deaf(match, home)
        if noted and message.key == message_key(_reopening(home, noted), 0):
            since, people = "", []  # they have seen that board
        lost = None if error.closes == "person" else home
        copies = [await self._copied(message, person, match, lost, first=not noted) for person in people]
        note = f"{since or self._now()} {error}"
        cause = Cause(f"closed:{message.key}", self._now(), match=match.id)
        effect = Effect(messages=tuple(copies), settings=((address(home), CLOSED, note),), match=match.id)
        await self._commit(cause, effect)
        places[address(home)] = note

    async def _channel_closed(self, message: OutgoingMessage, match: Match | None) -> None:
        """Tell in private what a whole channel was to hear: whom it is about or rings, and who there has asked."""
        cause = Cause(f"closed:{message.key}", self._now(), match=match.id if match else "")
        if match is not None:
            people = await self._deaf(match, replace(message.where, thread=match.id))
            copies = [await self._copied(message, person, match, message.where, first=True) for person in people]
        else:
            asker = (message.asker,) if message.asker else ()
            copies = [_boxed(_aside(message, person)) for person in dict.fromkeys((*message.rings, *asker))]
        await self._commit(cause, Effect(messages=tuple(copies), match=match.id if match else ""))

    async def _tell_shut_out(self, message: OutgoingMessage) -> None:
        """Tell what was said in a place to the players of its match who were put out of there."""
        out = (await self._shut_out()).get(channel_address(message.where), "").split()
        match = await self._repository.match(message.where.thread) if out else None
        if match is None:
            return
        channel = replace(message.where, thread="")
        copies = []
        for key in out:
            accounts = await self._repository.accounts(key)
            if _player(match, accounts) and not await self._hears_elsewhere(match, channel, accounts):
                person = await self._repository.person(key)
                copies.append(await self._copied(message, person, match, channel, first=False))
        if copies:
            cause = Cause(f"shut out:{message.key}", self._now(), match=match.id)
            await self._commit(cause, Effect(messages=tuple(copies), match=match.id))

    async def _copied(
        self, message: OutgoingMessage, person: Person, match: Match, home: Place | None, *, first: bool
    ) -> OutboxMessage:
        copy = _copy(message, person, match, home, first=first)
        accounts = await self._repository.accounts(person.key)
        return _boxed(replace(copy, choices=tuple(one for one in copy.choices if one.mover not in accounts)))

    async def _account_closed(self, match: Match, message: OutgoingMessage, person: Person) -> None:
        """Try the next account of whom a message was for; after the last one they are out of contact."""
        tried = (*message.tried, person.key)
        accounts = await self._repository.accounts(person.key)
        cause = Cause(f"closed:{message.key}", self._now(), match=match.id)
        for account in accounts:
            if account not in tried:
                other = await self._repository.person(account)
                where = Place(other.platform, "", match.id)
                key = message_key(f"{message.key}/to/{account}", 0)
                rings = (other,) if message.rings else ()
                copy = replace(message, key=key, where=where, only=other, rings=rings, tried=tried)
                await self._commit(cause, Effect(messages=(_boxed(copy),), match=match.id))
                return
        if message.instead and (player := _player(match, accounts)):
            await self._decide(cause, match.id, LoseContact(player, message.at))
        elif match.status == "open" and person.key != match.challenger:
            fact = Text(
                "I may not write to {player}, who has not seen challenge {match}.", player=person, match=match.id
            )
            draft = Draft(((fact, INVITE),), only=match.challenger)
            await self._commit(cause, Effect(drafts=(draft,), match=match.id))

    async def _found(self, match: Match, message: OutgoingMessage, accounts: Sequence[Player]) -> None:
        places, here = await self._places(), address(message.where)
        if here in places:
            cause = Cause(f"opened:{message.key}", self._now(), match=match.id)
            await self._commit(cause, Effect(settings=((here, CLOSED, ""),), match=match.id))
            places.pop(here, None)
        for account in accounts:
            player = _player(match, await self._repository.accounts(account))
            if player in match.unreached:
                cause = Cause(f"reached:{message.key}:{player}", self._now(), match=match.id)
                await self._decide(cause, match.id, FindContact(player))

    async def _decide(self, cause: Cause, number: str, command: Command) -> None:
        async def decided() -> Effect:
            match = await self._repository.match(number)
            assert match is not None, "matches are never removed"
            decision = decide(match, command, cause.at, self._repository.dice(match))
            return Effect() if isinstance(decision, Refusal) else Effect(decision, match=number)

        # Nearly every post arrives in time, and then there is nothing to be changed.
        if (await decided()).decision.events or await self._repository.uncredited(number):
            await self._transactions.run(cause, decided)

    async def _commit(self, cause: Cause, effect: Effect) -> None:
        async def same() -> Effect:
            return effect

        await self._transactions.run(cause, same)

    # --- who and where ----------------------------------------------------------------------------------------
    async def _places(self) -> dict[str, str]:
        if self._closed is None:
            self._closed = dict(await self._store.owners(CLOSED))
        return self._closed

    async def _shut_out(self) -> dict[str, str]:
        if self._out is None:
            self._out = dict(await self._store.owners(SHUT_OUT))
        return self._out

    async def _hears_elsewhere(self, match: Match, channel: Place, accounts: Sequence[Player]) -> bool:
        """Whether some account reads of a match in a place of it that is open, other than this channel."""
        places = await self._places()
        homes = [read_address(place) for place in match.places if place != address(channel)]
        heard = {home.platform for home in homes if address(replace(home, thread=match.id)) not in places}
        return not heard.isdisjoint(account.partition(":")[0] for account in accounts)

    async def _deaf(self, match: Match, home: Place) -> list[Person]:
        """The players who read of a match in none of its other places, each by the account to try first."""
        places = await self._places()
        homes = [replace(read_address(place), thread=match.id) for place in match.places]
        others = {one.platform for one in homes if one != home and address(one) not in places}
        found = []
        for player in match.seats.values() or match.parties:
            accounts = await self._repository.accounts(player)
            platforms = {account.partition(":")[0] for account in accounts}
            if home.platform in platforms and not platforms & others:
                found.append(await self._repository.account_on(home.platform, player))
        return found

    async def _living_on(self, match: Match, platform: str) -> list[Person]:
        people = [await self._repository.account_on(platform, player) for player in match.seats.values()]
        return [person for person in people if person.platform == platform]


def _copy(
    message: OutgoingMessage, person: Person, match: Match, home: Place | None, *, first: bool
) -> OutgoingMessage:
    """A public message for one person, in private; `home` is the place that it could not be told in."""
    spoken = language(message.language)
    notice = (*spoken.lines(((Text(GOES_ON_HERE.template, match=match.id),),)), "\n") if first else ()
    return replace(
        _aside(message, person),
        where=Place(person.platform, "", match.id),
        text=(*notice, *message.text),
        instead=channel_address(home) if home else "",
    )


def _aside(message: OutgoingMessage, person: Person) -> OutgoingMessage:
    """A public message that is about no match, for one person, in private."""
    return replace(
        message,
        key=message_key(f"{message.key}/to/{person.key}", 0),
        where=Place(person.platform, ""),
        only=person,
        rings=tuple(one for one in message.rings if one.key == person.key),
        opening=(),
        asker=None,
    )


def _reopening(place: Place, noted: str) -> str:
    return f"reopened:{address(place)}:{noted.partition(' ')[0]}"


def _boxed(message: OutgoingMessage) -> OutboxMessage:
    return OutboxMessage(message.key, address(message.where), write_message(message), message)


def _player(match: Match, accounts: Sequence[Player]) -> Player:
    return next((player for player in match.seats.values() if player in accounts), "")
