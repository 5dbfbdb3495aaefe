"""Notes regularly that the bot runs, and credits players with the time in which it did not: off, or suspended."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from storage.store import Change, Store

INTERVAL = 60_000
"""Milliseconds between two notes."""
OUTAGE = 600_000
"""Milliseconds without a note after which players are credited with the time."""

T = TypeVar("T")
R = TypeVar("R")

log = structlog.get_logger(__name__)


class Downtime:
    """Checked before anything that depends on time: nobody may lose because the machine was suspended."""

    def __init__(self, store: Store, credit: Callable[[int, int], Awaitable[None]], now: Callable[[], int]):
        self._store = store
        self._credit = credit
        self._now = now
        self._seen = 0
        """When the bot was last known to run; 0 = not yet looked up."""
        self._lock = asyncio.Lock()

    async def check(self) -> None:
        """Credit an outage if there was one, and note that the bot runs. Raises OSError if that cannot be stored."""
        async with self._lock:
            now = self._now()
            if not self._seen:
                self._seen = int(await self._store.setting("riposte", "alive") or now - INTERVAL)
            away = now - self._seen
            if away >= OUTAGE:
                log.info("was away, so clocks are credited", minutes=away // 60_000)
                await self._credit(self._seen, now)
            if not 0 <= away < INTERVAL:
                await self._store.commit(Change(settings=(("riposte", "alive", str(now)),)))
                self._seen = now

    def before(self, work: Callable[[T], Awaitable[R]]) -> Callable[[T], Awaitable[R]]:
        """Returns some work with a check in front."""

        async def checked(cause: T) -> R:
            await self.check()
            return await work(cause)

        return checked

    async def run(self) -> None:
        """Check regularly, until cancelled."""
        while True:
            try:
                await self.check()
            except OSError as error:
                log.error("cannot note that Riposte runs", error=error.strerror or str(error))
            await asyncio.sleep(INTERVAL / 1000)
