"""Told time: nothing passes until a test says so."""

import asyncio

PATIENT = 60
"""Seconds after which something has gone wrong for good: a busy disk alone can take some for a few commits."""


class Clock:
    """What `now` and `wait` are to the outbox relay and the scheduler under test."""

    def __init__(self, now: int = 1_800_000_000_000):
        self.ms = now
        self._sleepers: set[asyncio.Event] = set()
        self._news = asyncio.Event()

    def now(self) -> int:
        return self.ms

    async def wait(self, event: asyncio.Event, seconds: float) -> None:
        """Sleep until nudged or until the clock is told to move; nobody minds waking too early."""
        if seconds <= 0:
            return
        self._sleepers.add(event)
        self._news.set()
        try:
            await event.wait()
        finally:
            self._sleepers.discard(event)

    def pass_(self, seconds: float) -> None:
        """So much time goes by."""
        self.ms += int(seconds * 1000)
        for event in self._sleepers:
            event.set()

    async def asleep(self) -> None:
        """Until somebody sleeps whom nobody has nudged: all that there was to do now is done."""
        async with asyncio.timeout(PATIENT):
            while all(event.is_set() for event in self._sleepers):
                self._news.clear()
                await self._news.wait()
