"""Posts the riddle of the day in the channels that want one, once a day, whatever was started anew meanwhile."""

import asyncio
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Final

from bot.commands.learning.puzzles.daily import DAILY, chosen, read_daily, told
from bot.notices.rounds import Rounds
from bot.service.cause import Cause

HOUR: Final = 8
"""From when on a day's riddle is posted, in UTC."""


class Dailies(Rounds):
    """Posts a riddle a day in each channel that wants one."""

    failure = "riddles of the day cannot be posted"

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
