"""A server to which webhooks are sent, which keeps what it hears."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

PATIENT = 10.0


class Hook:
    """Somebody's server, and its moods."""

    def __init__(self) -> None:
        self.url = ""
        self.heard: list[tuple[str, bytes]] = []
        """Signatures and bodies."""
        self.heads: list[list[tuple[str, str]]] = []
        """The other headers of each, but for the address."""
        self.moods: list[int] = []
        self.silent = False
        self.news = asyncio.Event()

    async def take(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.heard.append((request.headers["Riposte-Signature"], body))
        others = request.headers.items()
        self.heads.append(sorted((key, value) for key, value in others if key not in ("Host", "Riposte-Signature")))
        self.news.set()
        if self.silent:
            await asyncio.Event().wait()
        status = self.moods.pop(0) if self.moods else 204
        return web.Response(status=status, headers={"Location": self.url} if status == 302 else {})

    async def until(self, count: int) -> Sequence[Any]:
        async with asyncio.timeout(PATIENT):
            while len(self.heard) < count:
                self.news.clear()
                await self.news.wait()
        return [json.loads(body) for _, body in self.heard]


@asynccontextmanager
async def listening() -> AsyncIterator[Hook]:
    """A server that is up."""
    hook = Hook()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", hook.take)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    hook.url = f"http://127.0.0.1:{runner.addresses[0][1]}/riposte"
    try:
        yield hook
    finally:
        await runner.cleanup()
