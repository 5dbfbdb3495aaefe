"""The open tabs: what each has been told, and what it is told next."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import msgspec
from aiohttp import web

from bot.adapters.web import protocol
from bot.adapters.web.errors import Say
from bot.adapters.web.history.history import History, Message, Room
from bot.adapters.web.users import PLATFORM
from bot.messages.model import PARTNER, Person, Place
from engine.text import Phrase


@dataclass(eq=False, slots=True)
class Tab:
    """One open tab, and what it has been told."""

    socket: web.WebSocketResponse
    who: Person
    told: int
    """The newest message it has."""
    language: str
    """What its page is shown in."""
    known: set[Place]
    """The places it has been told of."""
    news: asyncio.Event = field(default_factory=asyncio.Event)
    stale: set[Place] = field(default_factory=set)
    """The places that have changed since."""
    users_changed: bool = True

    async def send(self, kind: str, **fields: object) -> None:
        """Send one piece of news; a tab that has gone meanwhile gets none."""
        try:
            await self.socket.send_str(protocol.news(kind, **fields))
        except ConnectionError:
            return


class Tabs:
    """Every tab reads on from the last message it was told, so nothing is told twice or left out."""

    def __init__(self, history: History, say: Say, named: Callable[[str], Awaitable[Person]]):
        self._history = history
        self._say = say
        self._named = named
        self._open: set[Tab] = set()

    def add(self, tab: Tab) -> None:
        """A tab has been opened."""
        self._open.add(tab)
        self._wake_users()

    def remove(self, tab: Tab) -> None:
        """A tab has been closed."""
        self._open.discard(tab)
        self._wake_users()

    def wake(self, *changed: Place) -> None:
        """There are new messages, and these places have changed."""
        for tab in self._open:
            tab.stale.update(changed)
            tab.news.set()

    async def close(self) -> None:
        """Close them all."""
        await asyncio.gather(*(tab.socket.close(code=1001, message=b"the room closes") for tab in self._open))

    async def feed(self, tab: Tab) -> None:
        """Send a tab what is new, until cancelled or until it has gone."""
        try:
            while True:
                tab.news.clear()
                messages = await self._history.after(tab.who.id, tab.told)
                # A thread is there before the first message in it.
                tab.stale |= {message.where for message in messages} - tab.known
                await self._send_places(tab)
                for message in messages:
                    await tab.socket.send_str(protocol.news("message", **line(message, tab.who)))
                    tab.told = message.number
                if not messages:
                    await tab.news.wait()
        except OSError:
            # It is gone, or there is trouble with the disk; what it missed it gets when it comes back.
            await tab.socket.close()

    async def shown(self, room: Room, users: Mapping[str, Person], language: str) -> dict[str, object]:
        """A place as a tab in that language gets it."""
        names = {who.key: who.name for who in users.values()}
        return {
            "channel": room.where.channel,
            "thread": room.where.thread,
            "game": room.game,
            "players": [
                {"key": key, "name": names.get(key) or await self._elsewhere(key, language)} for key in room.players
            ],
            "to_act": room.to_act,
            "over": room.over,
            "first": room.first,
            "due": room.due,
        }

    async def _elsewhere(self, key: str, language: str) -> str:
        """The name of somebody who has no seat here; until they have written once, where they are."""
        who = await self._named(key)
        platform = who.platform
        if key == PARTNER or platform == PLATFORM or who.name != who.id:
            return who.name
        return self._say(Phrase("a player on {platform}", platform=platform.capitalize()), language)

    async def _send_places(self, tab: Tab) -> None:
        stale, tab.stale = tab.stale, set()
        tab.known |= stale
        if not stale and not tab.users_changed:
            return
        users = await self._history.users()
        if stale:
            for room in await self._history.places():
                if room.where in stale:
                    await tab.socket.send_str(protocol.news("place", **await self.shown(room, users, tab.language)))
        if tab.users_changed:
            tab.users_changed = False
            here = {other.who.id for other in self._open}
            everybody = [{"key": who.key, "name": who.name, "here": who.id in here} for who in users.values()]
            await tab.socket.send_str(protocol.news("users", users=everybody))

    def _wake_users(self) -> None:
        for tab in self._open:
            tab.users_changed = True
            tab.news.set()


def line(message: Message, viewer: Person) -> dict[str, object]:
    """A message as a tab gets it; only its author gets its id back, to know what has arrived."""
    fields: dict[str, object] = {
        "number": message.number,
        "channel": message.where.channel,
        "thread": message.where.thread,
        "author": f"{PLATFORM}:{message.author}" if message.author else "",
        "name": message.name,
        "whisper": bool(message.only),
        "at": message.at,
        "body": msgspec.Raw(message.body.encode()),
    }
    return fields | ({"id": message.id} if message.author == viewer.id else {})
