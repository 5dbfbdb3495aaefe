"""Told time: nothing passes until a test says so."""

import asyncio


class Clock:
    """What `now` and `wait` are to the courier and the heartbeat under test."""

    def __init__(self, now: int = 1_800_000_000_000):
        self.ms = now
        self._sleepers: set[asyncio.Event] = set()

    def now(self) -> int:
        return self.ms

    async def wait(self, event: asyncio.Event, seconds: float) -> None:
        """Sleep until nudged or until the clock is told to move; nobody minds waking too early."""
        if seconds <= 0:
            return
        self._sleepers.add(event)
        try:
            await event.wait()
        finally:
            self._sleepers.discard(event)

    def pass_(self, seconds: float) -> None:
        """So much time goes by."""
        self.ms += int(seconds * 1000)
        for event in self._sleepers:
            event.set()
