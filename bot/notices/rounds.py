"""A look at the clock now and then, for what comes once a day."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import ClassVar, Final

import structlog

from bot.repository import Repository
from bot.service.transaction import Transactions
from bot.trouble import reason

EVERY: Final = 300.0
"""Seconds between two looks at the clock."""

log = structlog.get_logger(__name__)


class Rounds(ABC):
    """Runs until it is cancelled; if Riposte was down when something was due, the last day's is told on its return."""

    failure: ClassVar[str]
    """What the log says where the disk refuses."""

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
                log.error(self.failure, error=reason(error))
            await self._pause(EVERY)

    @abstractmethod
    async def tell(self) -> None:
        """Tell whoever's time has come today. Raises OSError where that cannot be stored."""
