"""A platform's wing of the house: opened, opened again after what passes by itself, closed for good if it must be."""

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeAlias

import aiohttp
import structlog

from bot.messages.model import Adapter, OutgoingMessage, Receive, Retry, absent

Open: TypeAlias = Callable[[], Awaitable[Adapter]]
"""Makes a platform's adapter anew. Raises OSError with the fact and the remedy where that cannot be done, or Retry."""

AGAIN = (2.0, 5.0, 15.0, 60.0, 300.0)
"""Seconds until a wing is opened again; the last one over and over."""
STEADY = 600.0
"""Seconds after which a wing that closes counts as one that has worked: the waits begin anew."""
GOODBYE = 10.0
"""Seconds that a platform has to say goodbye."""
PASSING = (ConnectionError, TimeoutError, aiohttp.ClientError, socket.gaierror)
"""The network's troubles."""
MENDED = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EAGAIN, errno.EBUSY, errno.EMFILE, errno.ENFILE}
"""The machine's troubles that a host can mend while Riposte runs."""

log = structlog.get_logger(__name__)


class PlatformSupervisor:
    """One platform, to the house an adapter like any other: while it is closed, letters to it wait."""

    def __init__(self, platform: str, open_: Open, wait: Callable[[float], Awaitable[None]] = asyncio.sleep):
        self.platform = platform
        self._open = open_
        self._wait = wait
        self._adapter: Adapter | None = None
        self._closed = 0.0
        """Since when, by the loop's clock."""

    async def run(self, hear: Receive) -> None:
        """Keep the platform open until cancelled. Raises OSError with a sentence if it will never let us in."""
        again = iter(AGAIN)
        loop = asyncio.get_running_loop()
        self._closed = loop.time()
        while True:
            opened = loop.time()
            try:
                self._adapter = await self._open()
                await _until_goodbye(self._adapter, hear)
                return
            except Exception as error:
                if refusal := refused(error):
                    raise refusal from error
                if loop.time() - opened > STEADY:
                    again = iter(AGAIN)
                pause = max([next(again, AGAIN[-1]), *(one.after for one in leaves(error) if isinstance(one, Retry))])
                self._tell(error, pause)
            finally:
                self._adapter, self._closed = None, loop.time()
            await self._wait(pause)

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        """Hand the post on, if there is somebody to hand it to."""
        if self._adapter is None:
            raise absent(asyncio.get_running_loop().time() - self._closed)
        return await self._adapter.deliver(post, image)

    def _tell(self, error: Exception, pause: float) -> None:
        troubles = list(leaves(error))
        if all(isinstance(trouble, OSError | aiohttp.ClientError | Retry) for trouble in troubles):
            why = "; ".join(getattr(trouble, "strerror", None) or str(trouble) for trouble in troubles)
            log.error("a platform is out of reach", platform=self.platform, trouble=why, again_in=pause)
        else:
            log.error("a platform has met a bug", platform=self.platform, again_in=pause, exc_info=error)


def refused(error: BaseException) -> OSError | None:
    """What keeps a platform closed for good, if anything in the trouble does: no waiting will mend it."""
    troubles = (trouble for trouble in leaves(error) if isinstance(trouble, OSError))
    lasting = (one for one in troubles if not isinstance(one, PASSING) and one.errno not in MENDED)
    return next(lasting, None)


def leaves(trouble: BaseException) -> Iterator[BaseException]:
    """The troubles inside a group of groups."""
    if isinstance(trouble, BaseExceptionGroup):
        for part in trouble.exceptions:
            yield from leaves(part)
    else:
        yield trouble


async def _until_goodbye(adapter: Adapter, hear: Receive) -> None:
    """Run an adapter; a cancelled one has a moment to take its leave."""
    running = asyncio.create_task(adapter.run(hear), name=adapter.platform)
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        running.cancel()
        _, late = await asyncio.wait((running,), timeout=GOODBYE)
        if late:
            log.warning("a platform is slow to close", platform=adapter.platform)
            running.cancel()
        raise
