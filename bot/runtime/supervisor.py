"""Keeps one platform connected: reconnects after passing errors, gives up on those that will never pass."""

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeAlias

import aiohttp
import structlog

from bot.messages.model import Adapter, Forgetting, OutgoingMessage, Person, Receive, Retry, Syncing, absent

Open: TypeAlias = Callable[[], Awaitable[Adapter]]
"""Makes a platform's adapter anew. Raises OSError with the fact and the remedy where that cannot be done, or Retry."""

AGAIN = (2.0, 5.0, 15.0, 60.0, 300.0)
"""Seconds until a platform is opened again; the last one over and over."""
STEADY = 600.0
"""Seconds of running after which the waits begin anew."""
GOODBYE = 10.0
"""Seconds that a platform is given to disconnect."""
PASSING = (ConnectionError, TimeoutError, aiohttp.ClientError, socket.gaierror)
"""Errors of the network."""
MENDED = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EAGAIN, errno.EBUSY, errno.EMFILE, errno.ENFILE}
"""Errors of the machine that a host can mend while Riposte runs, or that pass with a change of leaders."""

log = structlog.get_logger(__name__)


class PlatformSupervisor:
    """One platform, an adapter to everybody else; while it is closed, messages to it wait."""

    def __init__(self, platform: str, open_: Open, wait: Callable[[float], Awaitable[None]] = asyncio.sleep):
        self.platform = platform
        self._open = open_
        self._wait = wait
        self._adapter: Adapter | None = None
        self._closed_at = 0.0
        """By the loop's clock."""
        self._synced_at = 0

    @property
    def caught_up(self) -> bool:
        """Whether the platform is open, and all that was written while it was not has been read."""
        return self._adapter is not None and self._adapter.caught_up

    @property
    def is_open(self) -> bool:
        """Whether messages can be delivered."""
        return self._adapter is not None

    @property
    def synced_at(self) -> int:
        """When the platform last said what is new, open or closed by now; 0 = it is not asked."""
        adapter: object = self._adapter
        return max(self._synced_at, adapter.synced_at) if isinstance(adapter, Syncing) else self._synced_at

    async def run(self, receive: Receive) -> None:
        """Keep the platform open until cancelled. Raises OSError with a sentence if it will never let us in."""
        again = iter(AGAIN)
        loop = asyncio.get_running_loop()
        self._closed_at = loop.time()
        while True:
            opened_at = loop.time()
            try:
                self._adapter = await self._open()
                await _run_until_cancelled(self._adapter, receive)
                return
            except Exception as error:
                if refusal := refused(error):
                    raise refusal from error
                if loop.time() - opened_at > STEADY:
                    again = iter(AGAIN)
                pause = max([next(again, AGAIN[-1]), *(one.after for one in leaves(error) if isinstance(one, Retry))])
                self._log(error, pause)
            finally:
                self._synced_at = self.synced_at
                self._adapter, self._closed_at = None, loop.time()
            await self._wait(pause)

    async def deliver(self, message: OutgoingMessage, image: bytes | None) -> str:
        """Pass a message on to the adapter, if there is one."""
        if self._adapter is None:
            raise absent(asyncio.get_running_loop().time() - self._closed_at)
        return await self._adapter.deliver(message, image)

    async def forget(self, people: Sequence[Person], at: int, said: Sequence[str] = ()) -> None:
        """Have the adapter forget people; one that is closed does it when it is opened."""
        adapter: object = self._adapter
        if isinstance(adapter, Forgetting):
            await adapter.forget(people, at, said)

    def _log(self, error: Exception, pause: float) -> None:
        errors = list(leaves(error))
        if all(isinstance(one, OSError | aiohttp.ClientError | Retry) for one in errors):
            why = "; ".join(getattr(one, "strerror", None) or str(one) for one in errors)
            log.error("a platform cannot be reached", platform=self.platform, error=why, again_in=pause)
        else:
            log.error("internal error in a platform", platform=self.platform, again_in=pause, exc_info=error)


def refused(error: BaseException) -> OSError | None:
    """Returns the error that keeps a platform closed for good, if there is one: waiting does not mend it."""
    errors = (one for one in leaves(error) if isinstance(one, OSError))
    lasting = (one for one in errors if not isinstance(one, PASSING) and one.errno not in MENDED)
    return next(lasting, None)


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Yields the errors inside a group of groups."""
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from leaves(part)
    else:
        yield error


async def _run_until_cancelled(adapter: Adapter, receive: Receive) -> None:
    """Run an adapter; once cancelled, it has a moment to disconnect."""
    running = asyncio.create_task(adapter.run(receive), name=adapter.platform)
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        running.cancel()
        _, late = await asyncio.wait((running,), timeout=GOODBYE)
        if late:
            log.warning("a platform is slow to close", platform=adapter.platform)
            running.cancel()
        raise
