"""A web room with the door for programs, as the running bot has it; people's keys, and requests."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp

from bot.adapters.api import Programs
from bot.adapters.api.webhooks import Webhooks
from bot.adapters.web import WebRoom
from bot.app import serve
from bot.messages.catalogue import language
from bot.messages.model import Adapter, IncomingMessage, Person, Place
from bot.messages.serialization import message_key, read_message
from bot.runtime.outbox import OutboxRelay
from bot.runtime.scheduler import Scheduler
from bot.runtime.supervisor import PlatformSupervisor
from bot.service.page.looks import board
from bot.service.service import Service
from engine.text import Code
from storage import open_store
from storage.store import Store
from tests.chat_room import START

LOUNGE = Place("web", "lounge")


class Clock:
    """Tells an instant until it is told another."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> int:
        return self.at


@dataclass
class Room:
    """Everything runs; `url` is where the API is."""

    url: str
    clock: Clock
    service: Service
    store: Store
    programs: Programs
    session: aiohttp.ClientSession
    listeners: list[Any]
    said: int = 0
    keys: dict[str, str] = field(default_factory=dict)

    def look_again(self) -> None:
        """Have the outbox and the alarms look at the clock."""
        for listener in self.listeners:
            if isinstance(sleeper := getattr(listener, "__self__", None), OutboxRelay | Scheduler):
                sleeper.nudge()

    async def say(self, name: str, text: str, thread: str = "", platform: str = "web") -> list[str]:
        """Somebody writes in the lounge; the words of what is told because of it."""
        self.said += 1
        id_ = f"{platform}:{name}:{self.said}"
        where = Place(platform, "lounge", thread)
        who = Person(platform, name.lower(), name)
        await self.service.receive(IncomingMessage(id_, who, where, text, self.clock(), server="room"))
        found = await self.store.told([message_key(id_, number) for number in range(9)])
        return ["".join(map(str, read_message(one.body).text)) for one in found]

    async def key(self, name: str, platform: str = "web") -> str:
        """A new key for somebody."""
        self.said += 1
        id_ = f"{platform}:{name}:{self.said}"
        message = IncomingMessage(
            id_, Person(platform, name.lower(), name), Place(platform, "lounge"), "apikey new", self.clock()
        )
        await self.service.receive(message)
        (found,) = await self.store.told([message_key(id_, 0)])
        told = read_message(found.body)
        assert told.only is not None
        self.keys[name] = next(span.text for span in told.text if isinstance(span, Code))
        return self.keys[name]

    async def ask(
        self, name: str, method: str, path: str, body: Any = None, *, key: str = "", **headers: str
    ) -> tuple[int, Any]:
        """A request with somebody's key; status and answer."""
        given = {"Authorization": f"Bearer {key or self.keys.get(name, name)}"}
        self.said += 1
        given |= {"Idempotency-Key": f"ask-{self.said}"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        async with self.session.request(method, f"{self.url}{path}", json=body, headers=given) as answer:
            return answer.status, await answer.json(content_type=None)

    async def begin(self, game: str = "tokonoma", terms: str = "umpire=turn side=white", **more: str) -> str:
        """A match between Anna and Ben, who both have keys; its number."""
        for name in ("Anna", "Ben"):
            if name not in self.keys:
                await self.key(name)
        status, told = await self.ask(
            "Anna", "POST", "/matches", {"player": "web:ben", "game": game, "terms": terms, **more}
        )
        assert status == 200, told
        number: str = told["match"]
        status, told = await self.ask("Ben", "POST", f"/matches/{number}/accept", {})
        assert status == 200, told
        return number


@asynccontextmanager
async def open_room(
    folder: Path, *, webhooks: Callable[[Clock], Webhooks] = Webhooks, clock: Clock | None = None
) -> AsyncIterator[Room]:
    folder.mkdir(exist_ok=True)
    clock = clock or Clock()
    store = await open_store(folder / "riposte.db")
    listeners: list[Any] = []

    def committed(change: Any, waiting: Any) -> None:
        for listener in listeners:
            listener(change, waiting)

    count = iter(range(1, 1 << 30))
    service = Service(store, now=clock, seed=lambda: next(count).to_bytes(32, "big"), committed=committed)
    programs = Programs(service.repository, clock, lobby=LOUNGE, community="room", webhooks=webhooks(clock))
    opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def web() -> Adapter:
        room = WebRoom(
            folder / "web-room.db",
            clock=clock,
            port=0,
            summary=store.summary,
            named=service.repository.person,
            opened=opened.set_result,
            say=lambda text, code: language(code).say(text),
            board=partial(board, service.repository),
            also=programs.add_to,
        )
        listeners.append(room.committed)
        return room

    running = asyncio.create_task(
        serve([PlatformSupervisor("web", web)], store, service, listeners, programs=programs, clock=clock)
    )
    try:
        await asyncio.wait([running, opened], return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            await running
        async with aiohttp.ClientSession() as session:
            yield Room(f"{opened.result()}api/v1", clock, service, store, programs, session, listeners)
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        await store.close()
