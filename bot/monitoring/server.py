"""Serves the figures, and whether Riposte is well, to hosts alone: /metrics, /healthz and /readyz."""

import asyncio
import hmac
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import structlog
from aiohttp import web

from bot.half_open import closing_half_open
from bot.messages.model import Receive
from bot.monitoring.door import Door
from bot.monitoring.figures import Figures, Platform
from bot.repository import Committed, Repository
from bot.trouble import reason
from storage.store import Store

log = structlog.get_logger(__name__)

STUCK: Final = 60.0
"""Seconds for which the writer may have had a change: a full disk says so at once, a dead one says nothing."""
PATIENCE: Final = 2.0
"""Seconds in which the database answers if all is well."""
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
FORMAT: Final = "text/plain; version=0.0.4; charset=utf-8"


Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Monitoring:
    """Counts, and lets hosts look, while it runs."""

    def __init__(self, store: Store, platforms: Sequence[Platform], now: Callable[[], int], door: Door):
        self.figures = Figures(store, platforms, now, door.copies)
        self._door = door

    def counted(self, receive: Receive, repository: Repository, listeners: list[Committed]) -> Receive:
        """Has all that is committed counted and timed; returns what receives messages, timed as well."""
        listeners.append(self.figures.committed)
        repository.timed = self.figures.writing
        return self.figures.timed(receive)

    async def run(self) -> None:
        """Serve until cancelled; where the port is not to be had, the log says so and everything else goes on."""
        try:
            async with serving(self.figures, self._door) as address:
                log.info("figures are served", address=address)
                await self.figures.watch()
        except OSError as error:
            log.error("figures cannot be served: choose another RIPOSTE_METRICS", error=reason(error))


@asynccontextmanager
async def serving(figures: Figures, door: Door) -> AsyncIterator[str]:
    """Serve while it is open; the address. Raises OSError where the port is taken."""

    async def metrics(_request: web.Request) -> web.Response:
        return web.Response(body=await figures.written(), headers={"Content-Type": FORMAT})

    async def healthz(_request: web.Request) -> web.Response:
        trouble = await ailing(figures)
        return web.Response(text=trouble or "well\n", status=503 if trouble else 200)

    async def readyz(_request: web.Request) -> web.Response:
        missing = [platform.platform for platform in figures.platforms if not platform.caught_up]
        return web.Response(
            text=f"waiting for {', '.join(missing)}\n" if missing else "ready\n", status=503 if missing else 200
        )

    @web.middleware
    async def hosts_only(request: web.Request, handler: Handler) -> web.StreamResponse:
        shown = request.headers.get("Authorization", "").encode()
        if door.token and not hmac.compare_digest(shown, f"Bearer {door.token}".encode()):
            return web.Response(text="Show the token: Authorization: Bearer …\n", status=401)
        if not door.token and request.host.rpartition(":")[0] not in LOOPBACK:
            return web.Response(text="This is for this machine alone.\n", status=403)  # a page that names itself so
        return await handler(request)

    app = web.Application(middlewares=[hosts_only], client_max_size=0)
    app.add_routes([web.get("/metrics", metrics), web.get("/healthz", healthz), web.get("/readyz", readyz)])
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, door.host, door.port)
        await site.start()
        host, port = runner.addresses[0][:2]
        async with closing_half_open(runner):
            yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()


async def ailing(figures: Figures) -> str:
    """Returns what a restart may mend, in a sentence; "" = nothing. Messages that wait for a platform do not count."""
    try:
        async with asyncio.timeout(PATIENCE):
            await figures.alarm_overdue()
    except TimeoutError:
        return "The database does not answer.\n"
    except OSError as error:
        return f"The database cannot be read: {error.strerror or error}\n"
    if (waits := figures.oldest_change()) > STUCK:
        return f"The database has been writing one change for {waits:.0f} s.\n"
    return ""
