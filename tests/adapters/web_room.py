"""A web room as tests open it, and a tab as the page behaves."""

import asyncio
import io
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
from PIL import Image

from bot.adapters.web import WebRoom
from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Place

LOUNGE = Place("web", "lounge")
MATCH = Place("web", "lounge", "12")
ANNA = Person("web", "anna", "Anna")
BEN = Person("web", "ben", "Ben")
NOON = 1_770_000_000_000


class Tab:
    """One browser tab, as the page behaves."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse):
        self.socket = socket
        self.messages: list[dict[str, Any]] = []

    async def tell(self, do: str, **fields: Any) -> None:
        await self.socket.send_json({"do": do, **fields})

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next news of a kind; messages that come before it are kept."""
        while True:
            news: dict[str, Any] = await self.socket.receive_json(timeout=5)
            if news["is"] == "message":
                self.messages.append(news)
            if news["is"] == kind:
                return news

    async def say(self, text: str, where: Place = LOUNGE, id: str = "", **more: Any) -> str:  # noqa: A002
        id = id or str(uuid.uuid4())  # noqa: A001
        await self.tell("say", id=id, channel=where.channel, thread=where.thread, text=text, **more)
        return id

    async def page(self, where: Place = LOUNGE, before: int = 0) -> list[dict[str, Any]]:
        await self.tell("open", channel=where.channel, thread=where.thread, before=before)
        found: list[dict[str, Any]] = (await self.hear("page"))["messages"]
        return found

    async def settled(self) -> list[dict[str, Any]]:
        """All messages told so far: the answer to a question comes after them only if they were told before."""
        await self.tell("complete", turn=1, channel="lounge", thread="", text="x")
        await self.hear("completions")
        return self.messages


class OpenRoom:
    """A room that is open, with what the bot heard, for tabs to enter."""

    def __init__(
        self, room: WebRoom, address: str, session: aiohttp.ClientSession, heard: "asyncio.Queue[IncomingMessage]"
    ):
        self.room = room
        self.address = address
        self.session = session
        self.heard = heard
        self._sockets: list[aiohttp.ClientWebSocketResponse] = []

    async def connect(self) -> aiohttp.ClientWebSocketResponse:
        socket = await self.session.ws_connect(f"{self.address}socket", origin=self.address.rstrip("/"))
        self._sockets.append(socket)
        return socket

    async def sit(self, name: str) -> dict[str, str]:
        """Take a seat for this browser, or hear why not."""
        origin = {"Origin": self.address.rstrip("/")}
        async with self.session.post(f"{self.address}seat", json={"name": name}, headers=origin) as answer:
            said: dict[str, str] = await answer.json()
        return said

    async def leave(self) -> None:
        for tab in self._sockets:
            await tab.close()

    async def enter(self, name: str, after: int = 0) -> tuple[Tab, dict[str, Any]]:
        await self.sit(name)
        tab = Tab(await self.connect())
        await tab.tell("enter", name=name, after=after)
        return tab, await tab.hear("entered")


@asynccontextmanager
async def open_room(
    path: Path,
    hear: Callable[[IncomingMessage], Awaitable[None]] | None = None,
    *,
    kept: aiohttp.CookieJar | None = None,
    **more: Any,
) -> AsyncIterator[OpenRoom]:
    """`kept` is what the browser has from before."""
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    heard: asyncio.Queue[IncomingMessage] = asyncio.Queue()
    room = WebRoom(path / "room.db", **{"clock": lambda: NOON, "port": 0, "opened": address.set_result, **more})
    running = asyncio.create_task(room.run(hear or heard.put))
    await asyncio.wait([running, address], return_when=asyncio.FIRST_COMPLETED)
    try:
        if running.done():
            await running
        async with aiohttp.ClientSession(
            cookie_jar=aiohttp.CookieJar(unsafe=True) if kept is None else kept
        ) as session:
            opened = OpenRoom(room, address.result(), session, heard)
            yield opened
            await opened.leave()
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


def outgoing(key: str, *text: Any, where: Place = LOUNGE, **more: Any) -> OutgoingMessage:
    return OutgoingMessage(key, where, text, **more)


def png(size: tuple[int, int] = (30, 20)) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, "white").save(made, "PNG")
    return made.getvalue()


def words(messages: Sequence[dict[str, Any]]) -> list[Any]:
    return [message["body"]["text"] for message in messages]
