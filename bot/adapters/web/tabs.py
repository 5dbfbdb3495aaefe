"""The open tabs: what each has been told, and what it is told next."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import msgspec
from aiohttp import web

from bot.adapters.web import protocol
from bot.adapters.web.errors import Say
from bot.adapters.web.history.history import History, Message, Room
from bot.adapters.web.history.latest import Latest
from bot.adapters.web.users import ELSEWHERE, PLATFORM
from bot.messages.model import PARTNER, Person, Place
from bot.service.page.visits import Visits, elsewhere
from engine.text import Phrase
from storage.store import Change, Summary

SEATS: Final = 200
"""Seats in a new tab's list, whoever is here among them; of others it hears when they come."""
GATHERED: Final = 0.25
"""Seconds in which people come and go before the others are told: a crowd is told of at once."""


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
    accounts: frozenset[str] = frozenset()
    """All accounts of whoever sits there."""
    news: asyncio.Event = field(default_factory=asyncio.Event)
    stale: set[Place] = field(default_factory=set)
    """The places that have changed since."""
    users: set[str] | None = None
    """Those who have come or gone since; None = nobody was told of yet."""

    async def send(self, kind: str, **fields: object) -> None:
        """Send one piece of news; a tab that has gone meanwhile gets none."""
        try:
            await self.socket.send_str(protocol.news(kind, **fields))
        except ConnectionError:
            return


class Tabs:
    """Every tab reads on from the last message it was told, so nothing is told twice or left out."""

    def __init__(
        self,
        history: History,
        say: Say,
        named: Callable[[str], Awaitable[Person]],
        visits: Visits | None = None,
    ):
        self._history = history
        self._visits = visits
        self._say = say
        self._named = named
        self._latest = Latest(history, lambda message: protocol.news("message", **line(message)))
        self._open: set[Tab] = set()
        self._here = Counter[str]()
        """How many tabs each seat has open."""
        self._users_due: asyncio.TimerHandle | None = None

    def add(self, tab: Tab) -> None:
        """A tab has been opened."""
        self._open.add(tab)
        self._here[tab.who.id] += 1
        self._wake_users(tab.who.id)

    def language(self, user: str) -> str:
        """What somebody's page is shown in; "" where none is open."""
        return next((tab.language for tab in self._open if tab.who.id == user), "")

    def alone(self, user: str) -> bool:
        """Whether nobody else has the page open."""
        return all(other == user for other, count in self._here.items() if count)

    def remove(self, tab: Tab) -> None:
        """A tab has been closed."""
        self._open.discard(tab)
        self._here -= Counter((tab.who.id,))
        self._wake_users(tab.who.id)

    def wake(self, *changed: Place) -> None:
        """There are new messages, and these places have changed."""
        self._latest.changed(*changed)
        for tab in self._open:
            tab.stale.update(changed)
            tab.news.set()

    def committed(self, change: Change) -> None:
        """Something has changed that tabs show although it is said elsewhere."""
        linked = {owner: value for owner, key, value in change.settings if key == "accounts"}
        match = change.summary
        away = match is not None and elsewhere(match)
        for tab in self._open if linked or away else ():
            if tab.who.key in linked:
                tab.accounts = frozenset(linked[tab.who.key].splitlines() or (tab.who.key,))
            if match is not None and away and not tab.accounts.isdisjoint(match.players):
                tab.stale.add(Place(PLATFORM, ELSEWHERE, match.match))
                tab.news.set()

    async def accounts(self, who: Person) -> frozenset[str]:
        """All accounts of whoever sits in a seat."""
        return frozenset(await self._visits.accounts(who.key) if self._visits else (who.key,))

    async def elsewhere(self, who: Person) -> list[Room]:
        """The matches of whoever sits in a seat that have no place in the room."""
        return [_room(summary) for summary in await self._visits.matches(who.key)] if self._visits else []

    async def room(self, who: Person, where: Place) -> Room | None:
        """A place as somebody may see it; None where there is none for them."""
        if where.channel != ELSEWHERE:
            return await self._latest.place(where)
        found = await self._visits.match(who.key, where.thread) if self._visits and where.thread else None
        return None if found is None else _room(found)

    async def close(self) -> None:
        """Close them all."""
        await asyncio.gather(*(tab.socket.close(code=1001, message=b"the room closes") for tab in self._open))

    async def forget(self) -> None:
        """Read everything anew: somebody has been erased from it."""
        await self._latest.forget()

    async def end(self, seat: str) -> None:
        """Close the tabs of one seat."""
        mine = [tab for tab in self._open if tab.who.id == seat]
        await asyncio.gather(*(tab.socket.close(code=1008, message=b"the seat has ended") for tab in mine))

    async def feed(self, tab: Tab) -> None:
        """Send a tab what is new, until cancelled or until it has gone."""
        try:
            while True:
                tab.news.clear()
                latest = await self._latest.after(tab.who.id, tab.told)
                # A thread is there before the first message in it.
                tab.stale |= {told.message.where for told in latest} - tab.known
                await self._send_places(tab)
                for told in latest:
                    message = told.message
                    own = message.author == tab.who.id
                    news = protocol.news("message", **line(message, tab.who)) if own else told.news
                    await tab.socket.send_str(news)
                    tab.told = message.number
                if not latest:
                    await tab.news.wait()
        except OSError:
            # It is gone, or there is trouble with the disk; what it missed it gets when it comes back.
            await tab.socket.close()

    async def shown(self, room: Room, language: str, who: Person, accounts: frozenset[str]) -> dict[str, object]:
        """A place as somebody's tab in that language gets it; by whichever account they play, it is they."""
        mine = dict.fromkeys(accounts, who.key)
        players = [mine.get(key, key) for key in room.players]
        return {
            "channel": room.where.channel,
            "thread": room.where.thread,
            "game": room.game,
            "players": [{"key": key, "name": await self._name(key, language)} for key in players],
            "to_act": [mine.get(key, key) for key in room.to_act],
            "over": room.over,
            "first": room.first,
            "due": room.due,
        }

    async def _name(self, key: str, language: str) -> str:
        """Somebody's name; of whoever has no seat here and has never written, where they are."""
        platform, _, name = key.partition(":")
        if platform == PLATFORM:
            known = self._history.users.get(name)
            return known.name if known else name
        who = await self._named(key)
        if key == PARTNER or who.name != who.id:
            return who.name
        return self._say(Phrase("a player on {platform}", platform=platform.capitalize()), language)

    async def tell_place(self, tab: Tab, where: Place) -> None:
        """Tell a tab of a place that its list was too long for."""
        if where not in tab.known and await self.room(tab.who, where) is not None:
            tab.stale.add(where)
            await self._send_places(tab)

    async def _send_places(self, tab: Tab) -> None:
        stale, tab.stale = tab.stale, set()
        tab.known |= stale
        for where in stale:
            if room := await self.room(tab.who, where):
                shown = await self.shown(room, tab.language, tab.who, tab.accounts)
                await tab.socket.send_str(protocol.news("place", **shown))
        changed, tab.users = tab.users, set()
        if changed is None or changed:
            await tab.socket.send_str(protocol.news("seats", **self._seats(changed), fresh=changed is None))

    def _seats(self, changed: set[str] | None) -> dict[str, list[tuple[str, str]]]:
        """Those who have come or gone, or, for a new tab, whoever is here and as many others as a list can show.

        Keys and names, by whether they are here: of a crowd everybody hears of everybody, so each is kept short.
        """
        users = self._history.users
        if changed is None:
            others = islice((who for who in users if who not in self._here), max(0, SEATS - len(self._here)))
            changed = {*self._here, *others}
        known = sorted((users[who] for who in changed if who in users), key=lambda who: who.name)
        found: dict[str, list[tuple[str, str]]] = {"here": [], "away": []}
        for who in known:
            found["here" if who.id in self._here else "away"].append((who.key, who.name))
        return found

    def _wake_users(self, who: str) -> None:
        for tab in self._open:
            if tab.users is not None:
                tab.users.add(who)
        if self._users_due is None:
            self._users_due = asyncio.get_running_loop().call_later(GATHERED, self._tell_users)

    def _tell_users(self) -> None:
        self._users_due = None
        for tab in self._open:
            tab.news.set()


def _room(match: Summary) -> Room:
    where = Place(PLATFORM, ELSEWHERE, match.match)
    return Room(where, match.game, match.players, match.to_act, match.status == "over", 0, match.due)


def line(message: Message, viewer: Person | None = None) -> dict[str, object]:
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
    return fields | ({"id": message.id} if viewer is not None and message.author == viewer.id else {})
