"""Holds alarms until what was written while Riposte was away has been dealt with: it may have been in time."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from bot.messages.serialization import read_address
from storage.store import Alarm, Store, Summary

LONGEST = 120_000
"""Milliseconds for which messages that were read may still wait; one that cannot be dealt with holds nothing longer."""


class Platform(Protocol):
    """One platform, which may not be connected, or not have told everything yet."""

    platform: str

    @property
    def caught_up(self) -> bool:
        """Whether all that was written while we were away has been read."""


class Readiness:
    """Knows whose messages may still be missing."""

    def __init__(
        self,
        store: Store,
        platforms: Sequence[Platform],
        now: Callable[[], int],
        anywhere: Callable[[float], Awaitable[set[str]]] | None = None,
    ):
        """`anywhere` tells what `missing` does for all processes, where there are several, as of seconds ago."""
        self._store = store
        self._platforms = platforms
        self._now = now
        self._anywhere = anywhere
        self._read_at: dict[str, int] = {}
        """By platform, since when all has been read."""
        self._ready: set[str] = set()

    async def held(self, alarm: Alarm) -> bool:
        """Whether something that was written in time may still make an alarm needless."""
        ago = max(0, self._now() - alarm.at) / 1000
        missing = await (self._anywhere(ago) if self._anywhere else self.missing())
        if not missing:
            return False
        summary = await self._store.summary(alarm.match)
        return summary is not None and not missing.isdisjoint(_platforms(summary))

    async def missing(self) -> set[str]:
        """Returns the platforms of this process on which something may still have to be read, or dealt with."""
        return {platform.platform for platform in self._platforms if not await self._is_ready(platform)}

    async def _is_ready(self, platform: Platform) -> bool:
        name = platform.platform
        if not platform.caught_up:
            self._read_at.pop(name, None)
            self._ready.discard(name)
            return False
        if name not in self._ready:
            since = self._read_at.setdefault(name, self._now())
            if self._now() - since < LONGEST and await self._store.arrived(name, 1):
                return False
            self._ready.add(name)
        return True


def _platforms(summary: Summary) -> set[str]:
    """Where people can act in a match."""
    places = {read_address(place).platform for place in summary.places}
    return places | {player.partition(":")[0] for player in summary.players}
