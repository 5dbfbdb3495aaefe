"""Matches in memory: as many as so many bytes hold; what was played in them long ago is packed before any is let go."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from bot.messages.serialization import read_event
from engine.match.events import Event
from engine.match.evolve import replay
from engine.match.snapshot.keep import MOST_LATELY, read, write
from engine.match.snapshot.line import Line
from engine.match.state import Match
from engine.value import value
from storage.store import Record

MOST: Final = 28 << 20
"""Bytes that matches in memory may take, about; a commit notices when one is out of date."""
MANY: Final = 20 << 20
"""Bytes from which on they are packed, until they take less."""
OF_MATCH, OF_PLY, OF_PACKED = 3_500, 1_100, 80
"""Bytes that a match takes, each of its plies, and each packed one besides its data: measured, much the same in all
games."""


@value(frozen=True, slots=True)
class Loaded:
    """A match in memory."""

    match: Match
    uncredited: tuple[Event, ...] = ()
    """What has happened to it by itself since it was last written: credits for outages."""
    last: int = 0
    """When its last event was; 0 = not known."""
    weight: int = 0
    """Bytes that it takes, about."""
    calendars: tuple[object, ...] = ()
    """What that follows from besides the log, where other processes may change it."""


class AtHand:
    """A copy of what is committed."""

    def __init__(self, keep: Callable[[str, int, bytes], None]) -> None:
        self._keep = keep
        """Stores a match as it stood after so many events, some time."""
        self._matches: OrderedDict[str, Loaded] = OrderedDict()
        self._long: OrderedDict[str, None] = OrderedDict()
        """Those long enough to be packed, so that not all are searched for them at every turn."""
        self._packing: asyncio.Task[None] | None = None
        self.held = 0
        """What they weigh."""

    def get(self, number: str) -> Loaded | None:
        """Returns a match that somebody asks for."""
        known = self._matches.get(number)
        if known is not None:
            self._matches.move_to_end(number)
            if number in self._long:
                self._long.move_to_end(number)
        return known

    def length(self, number: str) -> int | None:
        """Returns how many events a match has; nobody asks for the match itself."""
        known = self._matches.get(number)
        return None if known is None else known.match.length

    def hold(
        self, match: Match, last: int, uncredited: tuple[Event, ...] = (), calendars: tuple[object, ...] = ()
    ) -> Loaded:
        """Have a match at hand; those that were not asked for longest make room for it."""
        self.forget(match.id)
        loaded = self._matches[match.id] = Loaded(match, uncredited, last, _weight(match), calendars)
        self.held += loaded.weight
        if last and not uncredited and _is_long(match):
            self._long[match.id] = None
        while self.held > MOST and len(self._matches) > 1:
            self.forget(next(iter(self._matches)))
        if self.held > MANY and self._long and self._packing is None:
            self._packing = asyncio.get_running_loop().create_task(self.pack(MANY))
            self._packing.add_done_callback(self._packed)
        return loaded

    def forget(self, number: str) -> None:
        """Load a match again next time."""
        self._long.pop(number, None)
        known = self._matches.pop(number, None)
        self.held -= known.weight if known else 0

    def clear(self) -> None:
        """Load every match again."""
        self._matches.clear()
        self._long.clear()
        self.held = 0

    async def pack(self, most: int) -> None:
        """Pack matches until they weigh no more than that, those first that were not asked for longest.

        The work of each is done beside the loop, and is stored too.
        """
        for number in [*self._long]:
            if self.held <= most:
                break
            if (loaded := self._matches.get(number)) is None:
                continue
            data = await asyncio.to_thread(write, loaded.match, loaded.last)
            found = read(data) if data else None
            if self._matches.get(number) is not loaded:  # it went on meanwhile
                continue
            self._long.pop(number, None)
            if data is None or found is None:
                continue
            self._keep(number, loaded.match.length, data)
            packed = replace(loaded, match=found[0], weight=_weight(found[0]))
            self._matches[number] = packed
            self.held += packed.weight - loaded.weight

    def _packed(self, done: asyncio.Task[None]) -> None:
        self._packing = None
        if not done.cancelled():
            done.result()


def replayed(log: Sequence[Record]) -> Match:
    """Returns a match as its log leaves it."""
    match = replay((read_event(record.body) for record in log), check=True)
    assert match is not None, "there is at least one event"
    return match


def resumed(data: bytes, log: Sequence[Record]) -> tuple[Match, int] | None:
    """Returns a match from where it was kept, and when its last event was; None where another program has kept it."""
    kept = read(data)
    if kept is None:
        return None
    match = replay((read_event(record.body) for record in log), check=True, match=kept[0])
    assert match is not None, "it goes on from a match"
    return match, max((kept[1], *(record.at for record in log)))


def _is_long(match: Match) -> bool:
    """Whether enough was played lately for packing to be worth it."""
    plies = match.plies
    return len(plies.lately if isinstance(plies, Line) else plies) > MOST_LATELY // 2


def _weight(match: Match) -> int:
    plies = match.plies
    if isinstance(plies, Line):
        return OF_MATCH + OF_PLY * len(plies.lately) + plies.old.weight + OF_PACKED * plies.old.count
    return OF_MATCH + OF_PLY * len(plies)
