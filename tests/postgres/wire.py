"""Stands between a program and a PostgreSQL, and notes every statement that goes by, whichever library sends it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

QUERY, PARSE = b"Q", b"P"
"""The two messages of PostgreSQL's protocol that hold a statement."""
PORT = 5432


@asynccontextmanager
async def noted(url: str, folder: Path, seen: set[str]) -> AsyncIterator[str]:
    """Yields the address under which the same database is found by way of a socket in a folder."""
    parts = urlsplit(url)
    words = {name: values[0] for name, values in parse_qs(parts.query).items()}
    host = words.get("host") or parts.hostname or "127.0.0.1"
    port = int(words.get("port") or parts.port or PORT)

    async def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = (
            asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
            if host.startswith("/")
            else asyncio.open_connection(host, port)
        )
        answers, asks = await there
        async with asyncio.TaskGroup() as both:
            both.create_task(_asked(reader, asks, seen))
            both.create_task(_answered(answers, writer))

    server = await asyncio.start_unix_server(met, folder / f".s.PGSQL.{PORT}")
    try:
        yield parts._replace(netloc=f"{parts.username}@", query=f"host={folder}").geturl()
    finally:
        server.close()


async def _asked(reader: asyncio.StreamReader, asks: asyncio.StreamWriter, seen: set[str]) -> None:
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        kind = b""  # the first message has none
        while True:
            size = await reader.readexactly(4)
            body = await reader.readexactly(int.from_bytes(size) - 4)
            if kind in (QUERY, PARSE):
                words = body.split(b"\0")
                seen.add(words[0 if kind == QUERY else 1].decode())
            asks.write(kind + size + body)
            await asks.drain()
            kind = await reader.readexactly(1)
    asks.close()


async def _answered(answers: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while told := await answers.read(1 << 16):
            writer.write(told)
            await writer.drain()
    writer.close()
