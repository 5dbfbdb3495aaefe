"""Posts the riddle of the day in the channels that want one, once a day, whatever was started anew meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Final

import structlog

from bot.commands.learning.daily import DAILY, chosen, read_daily, told
from bot.repository import Repository
from bot.service.cause import Cause
from bot.service.transaction import Transactions

EVERY: Final = 300.0
"""Seconds between two looks at the clock."""
HOUR: Final = 8
"""From when on a day's riddle is posted, in UTC."""

log = structlog.get_logger(__name__)


class Dailies:
    """Runs until it is cancelled; what was missed because nothing ran is posted when it runs again, the last day's."""

    def __init__(
        self,
        repository: Repository,
        transactions: Transactions,
        now: Callable[[], int],
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._repository = repository
        self._transactions = transactions
        self._now = now
        self._pause = pause

    async def run(self) -> None:
        """Look at the clock now and then."""
        while True:
            try:
                await self.tell()
            except OSError as error:
                log.error("riddles of the day cannot be posted", error=error.strerror or str(error))
            await self._pause(EVERY)

    async def tell(self) -> None:
        """Post in every channel whose day has come. Raises OSError where that cannot be stored."""
        at = datetime.fromtimestamp(self._now() / 1000, UTC)
        if at.hour < HOUR:
            return
        day = at.date().isoformat()
        for channel, stored in await self._repository.store.owners(DAILY):
            before = read_daily(stored)
            if before is not None and before.day >= day:
                continue
            # It must not be foreseen, so it is drawn; whoever is second because of a crash draws in vain.
            seed = sha256(self._repository.seed() + channel.encode()).digest()
            new = await asyncio.to_thread(chosen, day, at.toordinal(), seed)
            cause = Cause(f"daily:{channel}:{day}", self._now())
            await self._transactions.run(cause, partial(told, self._repository, channel, before, new))
