"""Matches, people and settings at hand: a copy of what is committed."""

import asyncio
import errno
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TypeAlias

from bot.club.events import read_happening
from bot.club.state import Tournament
from bot.club.state import replayed as followed
from bot.logs import follow
from bot.messages.model import PARTNER, IncomingMessage
from bot.messages.serialization import read_event, read_message
from bot.ratings.results import KEY, read_result
from bot.ratings.standings import Standings
from bot.repository.at_hand import AtHand, Loaded, replayed, resumed
from bot.repository.people import CALENDAR, People, put
from bot.rests.calendars import rests_of
from bot.rests.outages import ABSENCES, credit, read_outages, were_away
from engine.dice import Dice
from engine.game import NotationError
from engine.match.alarms import deadline, patience_left
from engine.match.commands import Player, Rest
from engine.match.decide import decide
from engine.match.events import Event, Refusal
from engine.match.evolve import Decision
from engine.match.record.course import Course, follow_course
from engine.match.snapshot.keep import write
from engine.match.state import Match
from storage.deferred import forgiven
from storage.store import Change, Outgoing, Store, Summary

Setting: TypeAlias = tuple[str, str, str]
"""Owner, key and value; "" forgets it."""

Committed: TypeAlias = Callable[[Change, Sequence[Outgoing]], None]
"""Told what was committed, and its messages as they wait now."""

LONG = 20
"""Events of which it takes more than a millisecond or two to make a match: that is done beside the loop."""
COURSES = 32
"""Matches whose course is remembered: those that are being looked at."""
OUTAGES = ("riposte", "outages")
"""The setting that holds when Riposte was away."""


class Repository(People):
    """Read-only for commands: what it remembers is a copy of what is committed."""

    def __init__(self, store: Store, seed: Callable[[], bytes], opponents: int = 0, public: str = "") -> None:
        super().__init__(store)
        self.seed = seed
        """Returns 32 secret bytes for the dice of a new match."""
        self.opponents = opponents
        """In how many matches at a time Riposte plays itself; 0 = it does not."""
        self.public = public
        """The address of the pages that everybody can open; "" = there are none."""
        self.timed: Callable[[], AbstractContextManager[object]] = nullcontext
        """Wraps every commit, to time it."""
        self.forgotten: list[Callable[[], None]] = []
        """Told when everything is forgotten."""
        self.at_hand = AtHand(store.keep)
        self._courses: OrderedDict[str, Course] = OrderedDict()
        self._standings: dict[tuple[str, bool], Standings] = {}
        self._rated = 0
        """How often there was something new for them: what was read before that is not remembered."""
        self._forgotten = 0
        """How often everything was forgotten: what was read before that is not remembered."""

    async def match(self, number: str) -> Match | None:
        """Returns a match as it stands. Raises OSError for one that is damaged or cannot be replayed."""
        loaded = await self._loaded(number)
        return None if loaded is None else loaded.match

    async def uncredited(self, number: str) -> tuple[Event, ...]:
        """Returns the credits for outages in a match as `match` returns it that are not written down yet."""
        loaded = await self._loaded(number)
        return () if loaded is None else loaded.uncredited

    async def course(self, match: Match) -> Course:
        """Returns everything that has happened in a match, turn by turn."""
        course = self._courses.get(match.id, Course())
        known = course.match.length if course.match is not None else 0
        if known < match.length - len(await self.uncredited(match.id)):
            log = await self.store.load(match.id)
            for record in log[known:]:
                course = follow_course(course, read_event(record.body))
        self._courses[match.id] = course
        self._courses.move_to_end(match.id)
        while len(self._courses) > COURSES:
            self._courses.popitem(last=False)
        return course

    async def given(self, match: Match, message: IncomingMessage) -> int | None:
        """Returns the instant at which a command counts as given, if that is not when it was heard.

        While those who are awaited have not been told, nobody has run out of time.
        """
        if await self.untold(match, message.at):
            return deadline(match)
        if message.hearsay:
            noted = await self.setting(*OUTAGES), await self.store.setting(message.where.platform, ABSENCES)
            return message.sent if any(were_away(read_outages(text), message.sent) for text in noted) else None
        return message.sent or None

    async def untold(self, match: Match, at: int) -> bool:
        """Returns whether time would have run out, but the post with which it begins has yet to arrive."""
        due = deadline(match)
        if due is None or at <= due or at - match.awaited_since > patience_left(match):
            return False
        return any(read_message(one.body).begins == match.awaits for one in await self.store.unsent(match.id))

    async def _loaded(self, number: str) -> Loaded | None:
        known = self.at_hand.get(number)
        if known is not None and self.store.several:
            known = await self._compared(known)
        if known is not None:
            return known
        forgotten = self._forgotten
        try:
            match, last = await self._followed(number)
        except (KeyError, ValueError, NotationError) as error:
            raise OSError(
                errno.EPROTO,
                f"Match {number} cannot be replayed as it was written: its game is missing here, or its rules have "
                "changed. Start the version of Riposte that it was played with; all other matches can be played.",
            ) from error
        faster = self.at_hand.get(number)
        if match is None or faster is not None:
            return faster
        if forgotten != self._forgotten:
            return await self._loaded(number)
        return await self._credited(match, last)

    async def _credited(self, match: Match, last: int) -> Loaded:
        """Have a match at hand with what has happened to it by itself."""
        calendars = await self._calendars(match) if self.store.several else ()
        credited = credit(match, read_outages(await self.setting(*OUTAGES)), last)
        match = credited.after if credited.events else match
        credited += await self.rested(match)
        match = credited.after if credited.events else match
        return self.at_hand.hold(match, last, credited.events, calendars)

    async def _compared(self, known: Loaded) -> Loaded | None:
        """Returns a match at hand as it is now, where other processes write as well; None = it must be loaded again."""
        match = known.match
        if await self.store.length(match.id) == match.length - len(known.uncredited):
            if known.calendars == await self._calendars(match):
                return known
            if known.last and not known.uncredited:
                return await self._credited(match, known.last)
        if self.at_hand.get(match.id) is known:
            self.at_hand.forget(match.id)
        return None

    async def _calendars(self, match: Match) -> tuple[object, ...]:
        """What tells when a match's time rests, besides its log."""
        awaited = [match.seats[side] for side in match.sides_to_act] if match.status == "running" else []
        return await self.setting(*OUTAGES), *[await self.calendar(one) for one in awaited if one != PARTNER]

    async def _followed(self, number: str) -> tuple[Match | None, int]:
        """Returns a match as its log leaves it, from where it was last kept, and when its last event was."""
        forgotten = self._forgotten
        data, kept, log = await self.store.resume(number)
        if kept:
            work = partial(resumed, data, log)
            found = await asyncio.to_thread(work) if len(log) > LONG else work()
            if found is None:
                kept = 0
            else:
                match, last = found
        if not kept:
            log = await self.store.load(number)
            if not log:
                return None, 0
            match = await asyncio.to_thread(replayed, log) if len(log) > LONG else replayed(log)
            last = max(record.at for record in log)
        if (
            len(log) > LONG
            and (written := await asyncio.to_thread(write, match, last))
            and forgotten == self._forgotten
        ):
            self.store.keep(number, match.length, written)
        return match, last

    async def rested(self, match: Match) -> Decision:
        """Returns what the calendars of those who are awaited change of a match: when their time rests."""
        decision = Decision()
        for side in match.sides_to_act if match.status == "running" else ():
            player = match.seats[side]
            if player == PARTNER:
                continue
            weekends, vacation = rests_of(match, side, await self.calendar(player))
            if not (weekends or vacation or match.rests.get(player)):
                continue  # as for most people at most times: there is nothing to decide
            given = decide(match, Rest(player, weekends, vacation), match.runs_since, match.dice)
            assert not isinstance(given, Refusal), "nobody asked for it"
            if given.events:
                decision, match = decision + given, given.after
        return decision

    def length(self, number: str) -> int | None:
        """Returns how many events a match has, if it is in memory."""
        return self.at_hand.length(number)

    def afresh(self) -> None:
        """Ask again for whatever other processes may have changed meanwhile, before something is decided."""
        if self.store.several:
            self._settings = OrderedDict()

    def changed(self, settings: Sequence[tuple[str, str]] | None) -> None:
        """Forget what another process may have changed. By owner and key, what it has; None = it may be anything."""
        self._settings = OrderedDict()
        if settings is None or any(_counts(key) for _, key in settings):
            self._rated += 1
            self._standings.clear()

    async def standings(self, game: str, *, several: bool = False) -> Standings:
        """Returns what the results of a game say, and remembers it until a result or a link between accounts comes.

        `several`: those of matches of three and more, else those of matches of two.
        """
        while (known := self._standings.get((game, several))) is None:
            rated = self._rated
            linked = {owner: accounts.splitlines()[0] for owner, accounts in await self.store.owners("accounts")}
            results = [read_result(value) for _, value in await self.store.owners(KEY.format(game=game))]
            if rated == self._rated:
                for kind in (False, True):
                    self._standings[game, kind] = Standings(results, partial(_first, linked), by_several=kind)
        return known

    async def tournament(self, id_: str) -> Tournament | None:
        """Returns a tournament as it stands, None where there is none. Raises OSError for one that is damaged."""
        return followed(read_happening(record.body) for record in await self.store.load(id_))

    async def commit(self, match: Match | None, change: Change, committed: Committed) -> None:
        """Commit, remember it and tell it; to the end, even if whoever waits for that is cancelled. Raises Conflict."""

        async def written() -> None:
            with self.timed():
                waiting = await self.store.commit(change)
            follow("stored", match=change.match, posts=" ".join([one.message.key for one in waiting]))
            self.remember(match, change.settings, [at for at, _ in change.events])
            committed(change, waiting)

        writing = asyncio.create_task(written())
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            writing.add_done_callback(forgiven)
            raise

    def remember(self, match: Match | None, settings: tuple[Setting, ...], at: Iterable[int] = ()) -> None:
        """Remember what has just been committed; `at`: when the match's new events were."""
        self._rated += any(_counts(key) for _, key, _ in settings)
        for _, key, value in settings:
            if key == "accounts" or (not value and key.startswith(KEY.format(game=""))):
                self._standings.clear()  # a result that was lifted is found in no order
            elif match is not None and key == KEY.format(game=match.game.key):
                result = read_result(value)
                if table := self._standings.get((match.game.key, result.several)):
                    table.add(result)
        if match is not None:
            new, known = tuple(at), self.at_hand.get(match.id)
            before = known.last if known else 0
            whole = before or len(new) == match.length  # else there were events that nobody here remembers
            self.at_hand.hold(match, max(before, *new, 0) if whole else 0)
        if any(setting[:2] == OUTAGES or setting[1] in CALENDAR for setting in settings):
            self.at_hand.clear()  # each is credited, or rests, when it is next asked for
        for owner, key, value in settings:
            put(self._settings, (owner, key), value)

    def forget(self, number: str) -> None:
        """Load a match again next time: somebody else has changed it."""
        self.at_hand.forget(number)

    def forget_all(self) -> None:
        """Load everything again: people have been erased from it."""
        self._forgotten += 1
        self._rated += 1
        self._settings = OrderedDict()
        for kept in (self.at_hand, self._courses, self._standings, self._met):
            kept.clear()
        for forget in self.forgotten:
            forget()

    def dice(self, match: Match) -> Dice:
        """Returns the match's own dice, or new ones if it has not started."""
        return match.dice if match.seed else Dice(self.seed())


def summarize(match: Match, at: int) -> Summary:
    """Returns what lists of matches show of one."""
    players = tuple(match.seats.values()) or match.parties
    return Summary(
        match=match.id,
        game=match.game.key,
        status=match.status,
        players=players,
        to_act=tuple(match.seats[side] for side in match.sides_to_act),
        places=match.places,
        due=deadline(match) or 0,
        updated=at,
    )


def _first(linked: Mapping[Player, Player], player: Player) -> Player:
    """The account that stands for a person in tables."""
    return linked.get(player, player)


def _counts(key: str) -> bool:
    """Whether tables of ratings follow from a setting."""
    return key == "accounts" or key.startswith(KEY.format(game=""))
