"""Lets go of what has served its time, in small pieces beside everything else."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from bot.commands.people.privacy import HEARD_KEPT, WORDS_KEPT
from bot.messages.serialization import shortened
from bot.trouble import reason
from storage.store import Store

FIRST: Final = 3600.0
"""Seconds after the start until the first time: what was written meanwhile is read with all ids at hand."""
EVERY: Final = 86_400.0
PAUSE: Final = 0.05
"""Seconds between two pieces."""

log = structlog.get_logger(__name__)


class Pruning:
    """Runs until it is cancelled; what a stop cuts off is done the next time."""

    def __init__(
        self, store: Store, now: Callable[[], int], pause: Callable[[float], Awaitable[object]] = asyncio.sleep
    ):
        self._store = store
        self._now = now
        self._pause = pause

    async def run(self) -> None:
        """Prune once a day."""
        await self._pause(FIRST)
        while True:
            try:
                await self.prune()
            except OSError as error:
                log.error("what has served its time cannot be pruned", error=reason(error))
            await self._pause(EVERY)

    async def prune(self) -> None:
        """Prune all that has served its time by now. Raises OSError where that cannot be stored."""
        now = self._now()
        while await self._store.shorten(now - WORDS_KEPT, shortened):
            await self._pause(PAUSE)
        last = ""
        while last := await self._store.forget_heard(now - HEARD_KEPT, last):
            await self._pause(PAUSE)
