"""Waits for an instant or for a nudge, whichever comes first."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias

Wait: TypeAlias = Callable[[asyncio.Event, float], Awaitable[object]]
"""Waits until the event is set or so many seconds have passed."""

SWEEP = 15.0
"""Seconds after which to look again in any case: the wall clock may have jumped."""


async def wait(event: asyncio.Event, seconds: float) -> None:
    """The `Wait` of the real world."""
    # Not `wait_for`: before Python 3.12 it forgets a cancellation that comes together with the event.
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


class Wake:
    """One sleeper. Look for work after `fresh`, then sleep: a nudge in between is not lost."""

    def __init__(self, now: Callable[[], int], wait: Wait = wait):
        self._now = now
        self._wait = wait
        self._event = asyncio.Event()

    def nudge(self) -> None:
        """Wake the sleeper: there may be work."""
        self._event.set()

    def fresh(self) -> int:
        """Forget earlier nudges, before looking for work. Returns what time it is."""
        self._event.clear()
        return self._now()

    async def until(self, instant: int | None) -> None:
        """Sleep until a nudge or the instant; now and then wake earlier."""
        seconds = SWEEP if instant is None else min(SWEEP, (instant - self._now()) / 1000)
        await self._wait(self._event, max(0.0, seconds))
