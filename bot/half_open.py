"""Closes connections on which no request has come whole, so that a few hundred of them keep nobody out."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import structlog
from aiohttp import web

PATIENCE: Final = 20.0
"""Seconds that somebody has for the head of a request."""

log = structlog.get_logger(__name__)


class HalfOpen:
    """The connections of a server that have asked for nothing yet."""

    def __init__(self, server: web.Server):
        self._server = server
        self._since: dict[object, float] = {}
        """When each was first seen idle, by the loop's clock."""

    async def sweep(self) -> None:
        """Close those that have had their time, until cancelled."""
        while True:
            await asyncio.sleep(PATIENCE / 4)
            self.close_late(asyncio.get_running_loop().time())

    def close_late(self, now: float) -> None:
        """Close those that are half open for too long; one line in the log tells how many."""
        # A request under way, a websocket among them, has a head that was read whole.
        idle = [each for each in self._server.connections if getattr(each, "_current_request", None) is None]
        self._since = {each: self._since.get(each, now) for each in idle}
        late = [each for each in idle if now - self._since[each] >= PATIENCE]
        for connection in late:
            connection.force_close()
        if late:
            log.warning("connections that asked for nothing were closed", count=len(late))


@asynccontextmanager
async def closing_half_open(runner: web.AppRunner) -> AsyncIterator[None]:
    """Close what is half open for too long on a server that has been set up, until the block ends."""
    assert runner.server is not None, "it has been set up"
    sweeping = asyncio.create_task(HalfOpen(runner.server).sweep(), name="half-open connections")
    try:
        yield
    finally:
        sweeping.cancel()
