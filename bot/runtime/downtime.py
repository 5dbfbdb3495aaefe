"""Notes that the bot is awake, and gives players back the time in which it was not: off, or its machine asleep."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog

from storage.store import Change, Store

BEAT = 60_000
"""Milliseconds between two notes."""
AWAY = 600_000
"""Milliseconds without one after which the players get the time back."""

T = TypeVar("T")
R = TypeVar("R")

log = structlog.get_logger(__name__)


class Downtime:
    """Asked before anything that depends on time: a machine that has slept must not flag anybody first."""

    def __init__(self, store: Store, credit: Callable[[int, int], Awaitable[None]], now: Callable[[], int]):
        self._store = store
        self._credit = credit
        self._now = now
        self._seen = 0
        """When we were last known to be awake; 0 = not yet looked up."""
        self._turn = asyncio.Lock()

    async def look(self) -> None:
        """See how long nobody has been here, and make up for it. Raises OSError if the disk will not have it noted."""
        async with self._turn:
            now = self._now()
            if not self._seen:
                self._seen = int(await self._store.setting("riposte", "alive") or now - BEAT)
            away = now - self._seen
            if away >= AWAY:
                log.info("was away; clocks are set back", minutes=away // 60_000)
                await self._credit(self._seen, now)
            if not 0 <= away < BEAT:
                await self._store.commit(Change(settings=(("riposte", "alive", str(now)),)))
                self._seen = now

    def first(self, deal: Callable[[T], Awaitable[R]]) -> Callable[[T], Awaitable[R]]:
        """Dealing with something after a look at the clock."""

        async def looking(cause: T) -> R:
            await self.look()
            return await deal(cause)

        return looking

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            try:
                await self.look()
            except OSError as trouble:
                log.error("that Riposte is awake cannot be noted", trouble=trouble.strerror or str(trouble))
            await asyncio.sleep(BEAT / 1000)
