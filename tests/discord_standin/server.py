"""The stand-in itself: one aiohttp server on loopback with gateway, REST and CDN, and what a test drives it by."""

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self, TypeVar

import discord
import yarl
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import Route as DiscordRoute

from tests.discord_standin import channels
from tests.discord_standin.clock import Clock
from tests.discord_standin.gateway import Gateway
from tests.discord_standin.interactions import Interaction
from tests.discord_standin.message import Message
from tests.discord_standin.people import Person
from tests.discord_standin.refusal import JSON
from tests.discord_standin.rest import Rest
from tests.discord_standin.traffic import Fault, Request, Traffic, Trouble
from tests.discord_standin.world import Channel, Guild, User, World

T = TypeVar("T")
ELSEWHERE = 0.02
"""Seconds after which a waiting test looks again, in case it waits for something outside of the stand-in."""
TOKEN = "stand-in.token"
"""What the bot logs in with."""
PATIENCE = 60.0
"""Real seconds that a test waits for something before it fails; a busy machine is no failure."""


class StandIn:
    """Discord, as far as a bot can tell."""

    def __init__(
        self,
        *,
        token: str = TOKEN,
        live: bool = False,
        rate_limits: bool = False,
        global_limit: int = 0,
        privileged: tuple[str, ...] = (),
        shards: int = 1,
        heartbeat: float = 41.25,
    ):
        self.token = token
        self.clock = Clock(live=live)
        self.gateway = Gateway(self.clock, token, privileged=privileged, heartbeat=heartbeat)
        self.world = World(self.clock, self.gateway.publish, self._changed, lambda: f"{self.base}/cdn")
        self.world.content_intent = "message_content" in privileged
        self.gateway.world = self.world
        self.traffic = Traffic(self.clock, rate_limits=rate_limits, global_limit=global_limit)
        self.interactions: dict[str, Interaction] = {}
        """By their tokens, in the order in which they were made."""
        self.rest = Rest(self.world, self.traffic, self.interactions, self.gateway, shards)
        self.port = 0
        self.revision = 0
        """Goes up with every change."""
        self._news = asyncio.Event()
        """Set, and replaced, with every change."""
        self._runner: web.AppRunner | None = None

    async def start(self, port: int = 0, more: Iterable[web.RouteDef] = ()) -> Self:
        """Open the doors, with more routes beside those of Discord if wanted."""
        app = web.Application(client_max_size=1 << 26)
        app.router.add_get("/gw", self.gateway.handle)
        app.router.add_get("/cdn/{path:.*}", self._cdn)
        app.router.add_route("*", "/api/v10/{path:.*}", self.rest.handle)
        app.router.add_routes(more)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.port = self._runner.addresses[0][1]
        self.gateway.url = f"ws://127.0.0.1:{self.port}/gw"
        return self

    async def stop(self) -> None:
        """Close everything, sockets that are still open included."""
        for fault in self.traffic.faults:
            fault.release()
        self.gateway.cut()
        if self._runner:
            await self._runner.cleanup()

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def base(self) -> str:
        """Where everything is."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def bot(self) -> User:
        """The bot's account."""
        return self.world.bot

    @property
    def requests(self) -> list[Request]:
        """Every request that ever came, in order."""
        return self.rest.requests

    def person(self, name: str, *guilds: Guild, installed: bool = False, admin: bool = False) -> Person:
        """Somebody, a member of these guilds."""
        person = Person(self.clock.next_id(), name, standin=self, installed=installed, admin=admin)
        self.world.users[person.id] = person
        for guild in guilds:
            guild.members.append(person)
        return person

    def guild(self, name: str = "The club", *members: Person, bot: bool = True) -> Guild:
        """A server with these people and, unless told otherwise, the bot; the first person owns it."""
        owner = members[0] if members else self.person(f"owner of {name}")
        guild = Guild(self.world, self.clock.next_id(apart=True), name, owner, bot, members=list(members) or [owner])
        self.world.guilds[guild.id] = guild
        if bot:
            self.gateway.publish("GUILD_CREATE", guild.json(), guild=guild, intent="guilds")
        return guild

    def interact(
        self, user: Person, where: Channel, kind: int, data: JSON, message: Message | None, focused: int
    ) -> Interaction:
        """Tell the bot that somebody did something."""
        now = self.clock.now()
        token = secrets.token_urlsafe(24)
        id_ = self.clock.next_id()
        made = Interaction(id_, token, kind, user, where, data, now, self.until, user.modals, message, focused)
        self.interactions[token] = made
        self.gateway.publish("INTERACTION_CREATE", made.json(), guild=where.guild)
        self._changed()
        return made

    def fail(
        self, method: str, pattern: str, trouble: Trouble, *, times: int = 1, after: bool = False, wait: float = 0.0
    ) -> Fault:
        """Trouble for the next requests; with `after`, what was asked for is done all the same.

        `fail("POST", "/channels/*/messages", "502", after=True)`. "cut" ends the connection without an answer;
        "slow" answers after `wait` seconds, without them when it is released; "429" asks to wait `wait` seconds; the
        name of a refusal refuses.
        """
        fault = Fault(method, pattern, trouble, times, after, wait)
        self.traffic.faults.append(fault)
        return fault

    def advance(self, seconds: float) -> None:
        """So much later; threads in which nothing was said for their time are archived."""
        self.clock.advance(seconds)
        for channel in list(self.world.channels.values()):
            if channel.parent and not channel.archived and channel.idle() >= channel.archive_minutes * 60:
                channels.set_archived(channel, archived=True)
                channels.tell_thread(channel, "THREAD_UPDATE")
        self._changed()

    def millis(self) -> int:
        """Now, in milliseconds since 1970: the clock for a bot that is to live in the same time."""
        return int(self.clock.now() * 1000)

    def search(self, needle: str) -> list[str]:
        """Where a string was ever sent by the bot: in a request's path or payload, or in a file."""
        found = []
        for request in self.requests:
            where = f"{request.method} {request.path}"
            texts = (request.path, json.dumps(request.payload, ensure_ascii=False), json.dumps(dict(request.query)))
            if any(needle in text for text in texts):
                found.append(where)
            raw = needle.encode()
            found += [f"{where} {name}" for name, data in request.files.values() if raw in data or needle in name]
        return found

    async def until(self, predicate: Callable[[], T], what: str = "", patience: float = PATIENCE) -> T:
        """Wait until something is so, and return it: looks at every change here, and often for changes elsewhere."""
        try:
            async with asyncio.timeout(patience):
                while not (found := predicate()):
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._news.wait(), ELSEWHERE)
                return found
        except TimeoutError:
            recent = [f"{one.method} {one.path} -> {one.status} {one.answer!s:.200}" for one in self.requests[-8:]]
            raise AssertionError(
                "\n".join([f"waited in vain for {what or 'it'}; the last requests:", *recent])
            ) from None

    def _changed(self) -> None:
        self.revision += 1
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def _cdn(self, request: web.Request) -> web.Response:
        data = self.world.files.get(request.match_info["path"])
        return web.Response(status=404) if data is None else web.Response(body=data)


@contextmanager
def redirected(standin: StandIn | str) -> Iterator[None]:
    """Points discord.py at the stand-in, or at one by its address, and back to the real thing afterwards."""
    base = standin if isinstance(standin, str) else standin.base
    places: tuple[tuple[Any, str, Any], ...] = (
        (DiscordRoute, "BASE", f"{base}/api/v10"),
        (DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(f"{base.replace('http', 'ws', 1)}/gw")),
        (discord.Asset, "BASE", f"{base}/cdn"),
    )
    before = [getattr(place, name) for place, name, _ in places]
    for place, name, value in places:
        setattr(place, name, value)
    try:
        yield
    finally:
        for (place, name, _), value in zip(places, before, strict=True):
            setattr(place, name, value)
