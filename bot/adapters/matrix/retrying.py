"""Waiting until a homeserver answers, or the disk takes what is to be written."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import structlog

from bot.messages.model import Retry
from bot.trouble import reason

log = structlog.get_logger(__name__)

PATIENCE: Final = (1.0, 2.0, 5.0, 15.0)
"""Seconds until something is tried again; the last one over and over."""

R = TypeVar("R")


async def patiently(work: Callable[[], Awaitable[R]]) -> R:
    """Do something again until the homeserver answers."""
    waits = iter(PATIENCE)
    while True:
        try:
            return await work()
        except Retry as later:
            pause = max(later.after, next(waits, PATIENCE[-1]))
            log.warning("the homeserver does not answer", again_in=pause)
            await asyncio.sleep(pause)


async def written(work: Callable[[], Awaitable[None]]) -> None:
    """Write something again until the disk takes it."""
    waits = iter(PATIENCE)
    while True:
        try:
            return await work()
        except OSError as trouble:
            pause = next(waits, PATIENCE[-1])
            log.error("what the homeserver has sent cannot be stored", error=reason(trouble), again_in=pause)
            await asyncio.sleep(pause)
