"""Ways between programs that can be cut, as a broken switch does: nothing arrives any more, and nobody is told."""

import asyncio
import threading
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

PIECE: Final = 1 << 16


@dataclass(slots=True)
class Way:
    """A port that leads to another one while it is whole."""

    to: int
    whole: asyncio.Event = field(default_factory=asyncio.Event)


class Proxies:
    """All ways, in a thread of their own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._servers: list[asyncio.Server] = []
        self._ways: dict[int, Way] = {}
        self._writers: dict[asyncio.StreamWriter, Way] = {}

    def lead(self, to: int) -> int:
        """Have a new port lead to another one. Returns it."""
        return asyncio.run_coroutine_threadsafe(self._lead(to), self._loop).result(10)

    def cut(self, ports: Collection[int]) -> None:
        """From now on nothing passes; what is under way is held up."""
        for port in ports:
            self._loop.call_soon_threadsafe(self._ways[port].whole.clear)

    def mend(self, ports: Collection[int], *, late: bool) -> None:
        """All passes again: what was held up arrives `late`, or is lost with its connections."""

        def mended() -> None:
            for port in ports:
                way = self._ways[port]
                for writer in [one for one, of in self._writers.items() if of is way and not late]:
                    writer.transport.abort()
                way.whole.set()

        self._loop.call_soon_threadsafe(mended)

    def close(self) -> None:
        """Cut all for good."""

        async def ended() -> None:
            for server in self._servers:
                server.close()
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(ended(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _lead(self, to: int) -> int:
        way = Way(to)
        way.whole.set()

        async def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers[writer] = way
            other: asyncio.StreamWriter | None = None
            try:
                await way.whole.wait()
                answers, other = await asyncio.open_connection("127.0.0.1", way.to)
                self._writers[other] = way
                there = asyncio.ensure_future(self._pass(reader, other, way))
                back = asyncio.ensure_future(self._pass(answers, writer, way))
                await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
                there.cancel()
                back.cancel()
            except (OSError, asyncio.CancelledError):
                """Nobody is there, or all is over."""
            finally:
                for one in filter(None, (writer, other)):
                    self._writers.pop(one, None)
                    one.transport.abort() if other is None else one.close()

        server = await asyncio.start_server(met, "127.0.0.1", 0)
        self._servers.append(server)
        port = int(server.sockets[0].getsockname()[1])
        self._ways[port] = way
        return port

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: Way) -> None:
        with suppress(OSError):
            while piece := await reader.read(PIECE):
                await way.whole.wait()
                writer.write(piece)
                await writer.drain()
            await way.whole.wait()  # nor is anybody told that the other has gone
