"""A web room beside a chat: people play on Discord, and come to the page by personal links."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp

from bot.adapters.web import WebRoom
from bot.messages.model import IncomingMessage, OutgoingMessage, Page, Person, Place
from bot.messages.serialization import read_message
from bot.service.composing import glanced, public_board
from bot.service.service import Service
from storage import open_store
from storage.store import Change, Outgoing, Store
from tests.adapters.web_room import NOON, OpenRoom, Tab, open_room

PUBLIC = "https://play.example.org"
SERVED = {"Host": "play.example.org", "X-Forwarded-For": "203.0.113.9", "Origin": PUBLIC}
"""What a reverse proxy passes on."""
CLUB, SALON = Place("discord", "7"), Place("matrix", "!salon:example.org")


class LinkedRoom:
    """The service with its store, a chat that is typed into, and the page."""

    def __init__(self, store: Store):
        self.store = store
        self.now = NOON
        self.handled: asyncio.Queue[IncomingMessage] = asyncio.Queue()
        """What was written on the page and dealt with."""
        self.page: OpenRoom
        self.room: WebRoom | None = None
        self.chat = CLUB
        """Where they play."""
        self._numbers = count(1)
        seeds = count(1)
        self.service = Service(
            store,
            now=lambda: self.now,
            seed=lambda: next(seeds).to_bytes(32, "big"),
            committed=self._committed,
            public=PUBLIC,
        )

    def _committed(self, change: Change, waiting: Sequence[Outgoing]) -> None:
        if self.room is not None:
            self.room.committed(change, waiting)

    async def say(self, name: str, text: str, where: Place | None = None) -> list[OutgoingMessage]:
        """Somebody writes in the chat; what is posted because of it comes back, and the page gets its own."""
        where = where or self.chat
        who = Person(where.platform, name.lower(), name)
        heard = f"{where.platform}:{next(self._numbers)}"
        await self.service.receive(IncomingMessage(heard, who, where, text, self.now, addressed=True))
        return await self.deliver()

    async def hear(self, message: IncomingMessage) -> None:
        """Somebody writes on the page."""
        await self.service.receive(message)
        await self.deliver()
        self.handled.put_nowait(message)

    async def deliver(self) -> list[OutgoingMessage]:
        """Deliver what waits, on the page for true."""
        told = []
        while waiting := await self.store.waiting(self.now):
            for outgoing in waiting:
                post = read_message(outgoing.message.body)
                if post.where.platform == "web" and self.room is not None:
                    await self.room.deliver(post, None)
                await self.store.delivered(outgoing.number, f"remote {outgoing.number}", self.now)
                told.append(post)
        return told

    async def match(self, *players: str, terms: str = "tokonoma umpire=turn side=white") -> str:
        """A match in the chat's channel that has begun, its number."""
        first, *others = players
        await self.say(first, f"challenge {' '.join(f'@{name}' for name in others)} {terms}")
        (summary,) = await self.store.matches(player=f"{self.chat.platform}:{first.lower()}", status="open", limit=1)
        for name in others:
            await self.say(name, f"accept {summary.match}")
        return summary.match

    async def link(self, name: str, match: str, where: Place | None = None) -> str:
        """The link that somebody is given in private."""
        (told,) = await self.say(name, f"open {match}", where)
        assert told.only is not None
        assert told.only.name == name
        (link,) = (span for span in told.text if isinstance(span, Page))
        return link.address


@asynccontextmanager
async def linked_room(path: Path, chat: Place = CLUB, **more: Any) -> AsyncIterator[LinkedRoom]:
    """A chat and a page that is served under a public address."""
    linked = LinkedRoom(await open_store(path / "riposte.db"))
    linked.chat = chat
    repository = linked.service.repository
    try:
        async with open_room(
            path,
            linked.hear,
            clock=lambda: linked.now,
            public=PUBLIC,
            board=partial(glanced, repository),
            public_board=lambda number, glance: public_board(repository, number, glance, "web"),
            named=repository.person,
            summary=linked.store.summary,
            visits=linked.service.visits,
            devices=linked.service.devices,
            **more,
        ) as opened:
            linked.page, linked.room = opened, opened.room
            yield linked
    finally:
        await linked.store.close()


class Browser:
    """A browser on the public address; it keeps what it is given and sends it back."""

    def __init__(self, address: str, session: aiohttp.ClientSession):
        self._address = address
        self._session = session
        self.kept: dict[str, str] = {}

    def headers(self, **more: str) -> dict[str, str]:
        """What it sends along."""
        kept = "; ".join(f"{name}={value}" for name, value in self.kept.items())
        return SERVED | ({"Cookie": kept} if kept else {}) | more

    async def press(self, link: str, **more: str) -> dict[str, Any]:
        """Open a link and press its button; the answer."""
        path, _, token = link.removeprefix(PUBLIC).partition("#")
        assert path == "/enter"
        headers = self.headers(**more)
        async with self._session.post(f"{self._address}enter", json={"token": token}, headers=headers) as answer:
            if answer.status != 200:
                return {"because": await answer.text(), "status": answer.status}
            self.kept |= {name: cookie.value for name, cookie in answer.cookies.items()}
            said: dict[str, Any] = await answer.json()
            return said | {"cookies": answer.cookies}

    async def get(self, path: str) -> tuple[int, str]:
        """A page, as programs that look at links fetch it."""
        async with self._session.get(self._address + path.lstrip("/"), headers=SERVED) as answer:
            return answer.status, await answer.text()

    async def sit(self, name: str) -> dict[str, Any]:
        """Take a seat, or hear why not."""
        async with self._session.post(f"{self._address}seat", json={"name": name}, headers=self.headers()) as answer:
            said: dict[str, Any] = await answer.json()
            self.kept |= {each: cookie.value for each, cookie in answer.cookies.items()}
            return said

    async def enter(self, name: str) -> tuple[Tab, dict[str, Any]]:
        """A tab in a seat, and what it is told first: `entered`, or `rejected`."""
        socket = await self._session.ws_connect(f"{self._address}socket", headers=self.headers())
        tab = Tab(socket)
        await tab.tell("enter", name=name)
        return tab, await socket.receive_json(timeout=5)


@asynccontextmanager
async def browser(at: LinkedRoom | str) -> AsyncIterator[Browser]:
    """A browser of its own, for a room or for the address where a page is open."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield Browser(at if isinstance(at, str) else at.page.address, session)


async def board(tab: Tab, match: str, channel: str = "~", **more: Any) -> dict[str, Any]:
    """What a tab sees of a match."""
    await tab.tell("look", turn=1, channel=channel, thread=match, **more)
    return await tab.hear("board")


def spoken(post: OutgoingMessage) -> str:
    """The plain words of a post."""
    return re.sub(
        r"\s+", " ", "".join(span if isinstance(span, str) else getattr(span, "text", "") for span in post.text)
    )
