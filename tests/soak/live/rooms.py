"""Where people play while the whole program runs: Discord's stand-in, a Synapse, and the page by its sockets."""

import asyncio
import re
import sys
import uuid
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

import aiohttp

from bot.messages.model import Person
from tests.synapse.server import Homeserver

HOME = Path(__file__).parents[3]
PATIENCE = 120.0


class Room(Protocol):
    """A platform: who is there, where they play, and how they say something."""

    platform: str
    people: list[str]
    """Their ids."""
    servers: dict[str, str]
    """The places where matches are played, each with the community that it is of."""

    def at(self, place: str) -> list[str]:
        """Who can play in a place."""

    async def open(self, address: str) -> None:
        """The bot is there: its page has this address."""

    async def say(self, who: str, place: str, text: str) -> None:
        """Somebody gives a command."""

    async def live(self, who: str, place: str, match: str, turns: int) -> None:
        """What else people do now and then."""


class Discord:
    """The stand-in in a process of its own, time running by itself; four servers of two channels each."""

    platform = "discord"

    def __init__(self, base: str, http: aiohttp.ClientSession):
        self.base, self._http = base, http
        self.people: list[str] = []
        self.servers: dict[str, str] = {}
        self._at: dict[str, list[str]] = {}

    async def prepare(self, people: int) -> None:
        for number in range(4):
            names = [f"d{number}-{one}" for one in range(max(2, people // 4))]
            made = await self.do(
                "guild", name=f"Club {number}", people=names, channels=[f"games{number}", f"more{number}"]
            )
            self.people += made["people"].values()
            for channel in made["channels"].values():
                self.servers[channel] = made["id"]
                self._at[channel] = [*made["people"].values()]

    def at(self, place: str) -> list[str]:
        return self._at[place]

    async def open(self, address: str) -> None:
        del address
        async with asyncio.timeout(PATIENCE):
            while not any((await self._state())["commands"].values()):
                await asyncio.sleep(0.5)

    async def say(self, who: str, place: str, text: str) -> None:
        name, _, rest = text.partition(" ")
        if name == "move":
            match, _, turn = rest.partition(" ")
            await self.do("slash", who=who, where=place, command="move", values={"match": match, "turn": turn})
        elif name == "secret":
            await self.do("say", who=who, where=f"@{who}", text=text)
        else:
            text = re.sub(r"@(\d+)", r"<@\1>", text)
            await self.do("say", who=who, where=place, text=text, mention_bot=True)

    async def live(self, who: str, place: str, match: str, turns: int) -> None:
        await self.do("slash", who=who, where=place, command="board", values={"match": match})
        if turns % 200 == 0:
            await self.do("forget")
        if turns % 2000 == 0:
            await self.do("gateway", trouble="reconnect")

    async def do(self, verb: str, **given: Any) -> Any:
        async with self._http.post(f"{self.base}/control/do/{verb}", json=given) as answer:
            told = await answer.json()
            assert answer.status == 200, (verb, given, told)
            return told

    async def _state(self) -> Any:
        async with self._http.get(f"{self.base}/control/state") as answer:
            return await answer.json()


class Matrix:
    """A real Synapse; rooms of eight people."""

    platform = "matrix"
    password = "riposte"

    def __init__(self, server: Homeserver, http: aiohttp.ClientSession):
        self.server, self._http = server, http
        self.bot = server.register("riposte")
        self.people: list[str] = []
        self.servers: dict[str, str] = {}
        self._tokens: dict[str, str] = {}
        self._at: dict[str, list[str]] = {}
        self._said = 0

    async def prepare(self, people: int) -> None:
        for number in range(max(2, people)):
            who = self.server.register(f"m{number}")
            self.people.append(who)
            self._tokens[who] = self.server.log_in(who)
        for first in range(0, len(self.people) - 1, 8):
            host, *guests = here = self.people[first : first + 8]
            made = await self._ask(host, "POST", "createRoom", {"invite": [self.bot, *guests]})
            room = made["room_id"]
            for guest in guests:
                await self._ask(guest, "POST", f"join/{quote(room)}", {})
            self.servers[room], self._at[room] = room, here

    def at(self, place: str) -> list[str]:
        return self._at[place]

    async def open(self, address: str) -> None:
        del address
        async with asyncio.timeout(PATIENCE):
            for room, (host, *_) in self._at.items():
                while self.bot not in (await self._ask(host, "GET", f"rooms/{quote(room)}/joined_members"))["joined"]:
                    await asyncio.sleep(0.5)

    async def say(self, who: str, place: str, text: str) -> None:
        self._said += 1
        words = {"msgtype": "m.text", "body": f"!riposte {text}"}
        await self._ask(who, "PUT", f"rooms/{quote(place)}/send/m.room.message/{self._said}", words)

    async def live(self, who: str, place: str, match: str, turns: int) -> None:
        await self.say(who, place, f"board {match}" if turns % 2 else "matches")

    async def _ask(self, who: str, method: str, path: str, body: object = None) -> Any:
        headers = {"Authorization": f"Bearer {self._tokens[who]}"}
        url = f"{self.server.address}/_matrix/client/v3/{path}"
        async with self._http.request(method, url, json=body, headers=headers) as answer:
            told = await answer.json()
            assert answer.status == 200, (path, told)
            return told


class Page:
    """The page: everybody has a browser, a seat, and a socket that takes whatever it is sent."""

    platform = "web"

    def __init__(self, people: int):
        self.people = [f"w{number}" for number in range(max(2, people))]
        self.servers = {"lounge": "room"}
        self.bytes = 0
        self.lost = 0
        """Sockets that the room closed."""
        self._address = ""
        self._sockets: dict[str, aiohttp.ClientWebSocketResponse] = {}
        self._browsers: dict[str, aiohttp.ClientSession] = {}
        self._reading: dict[str, asyncio.Task[None]] = {}
        self._doors = {name: asyncio.Lock() for name in self.people}
        """So that nobody says anything between two tabs."""

    def at(self, place: str) -> list[str]:
        del place
        return self.people

    async def open(self, address: str) -> None:
        self._address = address
        for name in self.people:
            jar = aiohttp.CookieJar(unsafe=True)
            self._browsers[name] = aiohttp.ClientSession(cookie_jar=jar, headers={"Origin": address.rstrip("/")})
            async with self._browsers[name].post(f"{address}seat", json={"name": name}) as answer:
                assert "name" in await answer.json(), name
            await self._enter(name)

    async def close(self) -> None:
        for name in [*self._sockets]:
            await self._leave(name)
        for browser in self._browsers.values():
            await browser.close()

    async def say(self, who: str, place: str, text: str) -> None:
        where = {"channel": place, "thread": ""}
        await self._send(who, {"do": "say", "id": str(uuid.uuid4()), "text": text, **where})

    async def live(self, who: str, place: str, match: str, turns: int) -> None:
        """Look at a match and its history; now and then close the tab and open another, or load the page."""
        where = {"channel": place, "thread": match}
        look, complete = (
            {"do": "look", "turn": turns, **where},
            {"do": "complete", "turn": turns, "text": "mo", **where},
        )
        await self._send(who, {"do": "open", **where}, look, complete)
        if turns % 3 == 0:
            async with self._doors[who]:
                await self._leave(who)
                async with self._browsers[who].get(self._address) as answer:
                    await answer.read()
                await self._enter(who)

    async def _send(self, who: str, *requests: dict[str, object]) -> None:
        """Send something as the page does: on the tab's socket, or on a new one where that was closed."""
        async with self._doors[who]:
            if self._sockets[who].closed:
                self.lost += 1
                await self._leave(who)
                await self._enter(who)
            for request in requests:
                await self._sockets[who].send_json(request)

    async def _enter(self, name: str) -> None:
        socket = await self._browsers[name].ws_connect(f"{self._address}socket")
        await socket.send_json({"do": "enter", "name": name})
        self._sockets[name] = socket
        self._reading[name] = asyncio.create_task(self._read(socket))

    async def _leave(self, name: str) -> None:
        await self._sockets.pop(name).close()
        await self._reading.pop(name)

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for frame in socket:
            self.bytes += len(frame.data)


@asynccontextmanager
async def discord(folder: Path, people: int) -> AsyncIterator[Discord]:
    """A stand-in with so many people."""
    command = (sys.executable, "-m", "tests.discord_standin", str(folder / "port"), "--live")
    process = await asyncio.create_subprocess_exec(*command, cwd=HOME, stdout=PIPE)
    assert process.stdout
    try:
        port = int(await process.stdout.readline())
        async with aiohttp.ClientSession() as http:
            room = Discord(f"http://127.0.0.1:{port}", http)
            await room.prepare(people)
            yield room
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def matrix(folder: Path, python: Path, people: int) -> AsyncIterator[Matrix]:
    """A Synapse with so many people."""
    server = Homeserver(python, folder / "synapse")
    server.start()
    try:
        async with aiohttp.ClientSession() as http:
            room = Matrix(server, http)
            await room.prepare(people)
            yield room
    finally:
        server.stop()


def person(platform: str, id_: str) -> Person:
    """Somebody as the program knows them."""
    return Person(platform, id_, id_[1:].partition(":")[0] if platform == "matrix" else id_)
