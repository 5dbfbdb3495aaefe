"""A whole Riposte on a real homeserver: store, service, outbox relay and Matrix adapter, started and ended at will."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from bot.adapters.matrix import MatrixAdapter, enter, patiently
from bot.app import now, serve
from bot.commands.parser import is_secret
from bot.messages.model import Adapter, IncomingMessage, OutgoingMessage
from bot.messages.serialization import address, write_message
from bot.repository import Committed
from bot.runtime.inbox import Inbox
from bot.runtime.supervisor import PlatformSupervisor
from bot.service.service import Service
from storage import open_store
from storage.store import Change, OutboxMessage, Store
from tests.synapse.player import PATIENCE, Player, Seen
from tests.synapse.server import Homeserver

PREFIX = "!riposte"

Enter: TypeAlias = Callable[[str], Awaitable[Player]]
"""Lets somebody in, as the fixture `people` does."""


class Bot:
    """Riposte with an account of its own; its dice are loaded, its data outlive it."""

    kind = MatrixAdapter

    def __init__(self, address: str, folder: Path, user: str, *, clock: Callable[[], int] = now, **settings: Any):
        self.address = address
        self.folder = folder
        self.user = user
        self.server: Homeserver
        self.store: Store
        self.service: Service
        self.adapter: MatrixAdapter
        self.clock = clock
        self._settings = settings
        self.dealt_with: set[str] = set()
        """The ids of all that was heard and is done with."""
        self._living: asyncio.Task[None] | None = None
        self._listeners: list[Committed] = []

    @classmethod
    async def enter(cls, server: Homeserver, folder: Path, name: str, **settings: Any) -> "Bot":
        """A new account, started."""
        bot = cls(server.address, folder, server.register(name), **settings)
        bot.server = server
        await bot.start()
        return bot

    async def start(self) -> None:
        """Start, or start again where it was."""
        self.store = await open_store(str(self.folder / "riposte.db"))
        listeners = self._listeners = []
        service = self.service = Service(
            self.store,
            now=self.clock,
            seed=lambda: bytes(32),
            committed=lambda *news: [listener(*news) for listener in listeners] and None,
        )
        receive = service.receive

        async def heard(message: IncomingMessage) -> bool:
            try:
                return await receive(message)
            finally:
                self.dealt_with.add(message.id)

        service.receive = heard  # type: ignore[method-assign]
        self._living = asyncio.create_task(
            serve([PlatformSupervisor("matrix", self._open)], self.store, service, listeners), name="Riposte"
        )

    async def stop(self) -> None:
        """End it as an orderly stop does; what it knows is what it has on the disk."""
        if self._living is not None:
            living, self._living = self._living, None
            living.cancel()
            await asyncio.wait([living])
            await self.store.close()
            if not living.cancelled() and (error := living.exception()):
                raise error

    async def post(self, *posts: OutgoingMessage) -> None:
        """Put messages into the outbox, as if something had happened."""
        messages = tuple(
            OutboxMessage(post.key, address(post.where), write_message(replace(post, at=self.now()))) for post in posts
        )
        change = Change(messages=messages)
        waiting = await self.store.commit(change)
        for listener in self._listeners:
            listener(change, waiting)

    async def saw(self, true: Callable[[], bool]) -> None:
        """Wait until the bot has heard from the homeserver what makes this true."""
        assert await self.adapter._stream.seen(true, PATIENCE)

    def now(self) -> int:
        """What its clock says."""
        return self.clock()

    async def ended(self) -> BaseException | None:
        """Wait until it gives up by itself; why."""
        assert self._living is not None
        living, self._living = self._living, None
        await asyncio.wait([living])
        await self.store.close()
        return living.exception()

    async def _open(self) -> Adapter:
        password = self.user[1:].partition(":")[0]
        client = await patiently(partial(enter, self.folder / "matrix", self.address, self.user, password=password))
        self.adapter = self.kind(
            client,
            Inbox(self.store, "matrix"),
            clock=self.clock,
            places=self.service.contact,
            members=self.service.contact,
            current=self.service.current,
            applauded=self.service.applauded,
            **{"private": is_secret} | self._settings,
        )
        return self.adapter


async def club(bot: Bot, *players: Player, encrypted: bool = False, language: str = "") -> str:
    """A room with these people and the bot in it; its language is settled before the bot joins."""
    host, *guests = players
    room = await host.create(encrypted=encrypted, invite=[guest.user for guest in guests], name="Club")
    if language:
        await bot.store.commit(Change("language", settings=((f"matrix/{room}/", "language", language),)))
    await host.invite(room, bot.user)
    for guest in guests:
        await guest.see_invitation(room)
        await guest.join(room)
    for user in (bot.user, *(guest.user for guest in guests)):
        await host.see_member(room, user)
    return room


async def challenged(bot: Bot, room: str, anna: Player, ben: Player, terms: str) -> tuple[str, str]:
    """A match that has begun: its thread and its number."""
    asked = await anna.say(room, f"{PREFIX} challenge {ben.user} {terms}")
    invitation = await anna.see(
        room, lambda seen: seen.sender == bot.user and "Match " in seen.text and after(anna, asked, seen)
    )
    number = re.search(r"Match (\d+)", invitation.text)
    assert number is not None
    await ben.see(room, lambda seen: seen.id == invitation.id)
    await ben.react(room, invitation.id, "1\ufe0f\u20e3")
    board = await ben.see(room, lambda seen: bool(seen.thread) and seen.content.get("org.riposte.match") == number[1])
    return board.thread, number[1]


def after(player: Player, event: str, seen: Seen) -> bool:
    """Whether something was said after something else."""
    order = [one.id for one in player.seen(seen.room)]
    return event not in order or order.index(event) < order.index(seen.id)


def transcript(player: Player, room: str) -> str:
    """What a room looks like to somebody who reads."""
    lines = []
    for seen in player.read(room):
        thread = " | " if seen.thread else ""
        name = seen.sender[1:].partition(":")[0]
        picture = " [picture]" if seen.picture else ""
        rings = f" (rings {', '.join(seen.mentions)})" if seen.mentions else ""
        head, *rest = seen.text.split("\n")
        lines += [f"{thread}{name}{picture}{rings}: {head}", *(f"{thread}    {line}" for line in rest)]
    return "\n".join(lines)
