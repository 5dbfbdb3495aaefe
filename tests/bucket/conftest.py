"""An S3 that the tests start: moto's, and a door before it that can be slow, busy, cut off or closed."""

import asyncio
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from uuid import uuid4

import aiohttp
import pytest
from aiohttp import web

from bot.bucket.address import EXAMPLE
from bot.settings import Settings
from tests.faults.bot import KEY
from tests.test_deploy import free_ports

ERROR: Final = '<?xml version="1.0"?><Error><Code>{0}</Code><Message>{0}</Message></Error>'
SIGNED: Final = "AWS4-HMAC-SHA256 Credential=anna/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=00"
ANSWERS: Final = {
    "busy": (503, ERROR.format("SlowDown")),
    "broken": (500, ERROR.format("InternalError")),
    "closed": (403, ERROR.format("SignatureDoesNotMatch")),
    "skewed": (403, ERROR.format("RequestTimeTooSkewed")),
}
"""What a door answers in place of the store."""
PAGE: Final = 5
"""How much a list tells at once: one of several pages costs little."""


@pytest.fixture(scope="session")
def moto() -> Iterator[str]:
    """The address of an S3 for all tests of this process."""
    (port,) = asyncio.run(free_ports(1))
    words = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    pages = os.environ | {"MOTO_S3_DEFAULT_MAX_KEYS": f"{PAGE}"}
    with subprocess.Popen(words, env=pages, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        address, deadline = f"http://127.0.0.1:{port}", time.monotonic() + 120
        while True:
            try:
                urllib.request.urlopen(f"{address}/moto-api/").read()
                break
            except OSError:
                assert server.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.1)
        yield address
        server.terminate()


@dataclass
class Store:
    """A bucket behind a door."""

    address: str
    bucket: str
    moto: str
    way: str = "open"
    """How the door is, or one of `ANSWERS`."""
    left: int = 0
    """How many more objects are let through, where it is `cut`."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    """Methods and paths."""

    @property
    def url(self) -> str:
        return f"s3://{self.bucket}/club?endpoint={self.address}"

    def settings(self, folder: Path, **more: object) -> Settings:
        told = {"data": folder / "data", "key_file": KEY, "bucket": self.url, "bucket_key": "anna:secret", "web": "no"}
        return Settings(**{**told, **more})  # type: ignore[arg-type]

    def session(self) -> aiohttp.ClientSession:
        """Past the door, as somebody who may: moto looks whether a request is signed, and not at by whom."""
        return aiohttp.ClientSession(headers={"Authorization": SIGNED})

    async def objects(self) -> dict[str, bytes]:
        """All that lies in the bucket."""
        async with self.session() as session:
            async with session.get(f"{self.moto}/{self.bucket}?list-type=2&max-keys=1000") as answer:
                names = [part.partition("<")[0] for part in (await answer.text()).split("<Key>")[1:]]
            found = {}
            for name in names:
                async with session.get(f"{self.moto}/{self.bucket}/{name}") as answer:
                    assert answer.status == 200, name
                    found[name] = await answer.read()
        return found


@pytest.fixture
async def store(moto: str) -> AsyncIterator[Store]:
    bucket = f"riposte-{uuid4().hex[:12]}"
    async with aiohttp.ClientSession() as session, session.put(f"{moto}/{bucket}") as answer:
        assert answer.status == 200, EXAMPLE
    made = Store("", bucket, moto)

    async def asked(request: web.Request) -> web.StreamResponse:
        made.asked.append((request.method, request.path))
        if made.way in ANSWERS:
            status, text = ANSWERS[made.way]
            return web.Response(status=status, text=text, content_type="application/xml")
        if made.way == "slow":
            await asyncio.sleep(3600)
        body = await request.read()
        if made.way == "cut" and request.method == "PUT":
            if made.left == 0:
                assert request.transport is not None
                request.transport.abort()
                return web.Response()
            made.left -= 1
        async with aiohttp.ClientSession(auto_decompress=False) as out:
            headers = {name: value for name, value in request.headers.items() if name.lower() != "transfer-encoding"}
            url = f"{moto}{request.raw_path}"
            async with out.request(request.method, url, data=body, headers=headers) as told:
                kept = {
                    name: told.headers[name]
                    for name in ("ETag", "Last-Modified", "Content-Type")
                    if name in told.headers
                }
                return web.Response(status=told.status, body=await told.read(), headers=kept)

    app = web.Application(client_max_size=1 << 30)
    app.router.add_route("*", "/{path:.*}", asked)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.address = "http://{}:{}".format(*runner.addresses[0][:2])
    yield made
    await runner.cleanup()
