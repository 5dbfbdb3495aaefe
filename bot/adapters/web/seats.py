"""Whose seat is whose: a browser keeps a token for each seat that it has taken, and enters with it alone."""

import asyncio
import errno
import secrets
from collections.abc import Callable
from hashlib import sha256
from itertools import islice
from typing import Annotated, Final, TypeVar

import msgspec
from aiohttp import web
from msgspec import Meta, Struct

from bot.adapters.web.errors import Say, explained
from bot.adapters.web.history.history import History
from bot.adapters.web.history.sessions import KEPT
from bot.adapters.web.security import FOREIGN_PAGE, Site, refused
from bot.adapters.web.users import ELSEWHERE, LOOKS_TAKEN, free_names, skeletons, user_named
from bot.messages.catalogue import beside
from bot.messages.model import Person
from bot.service.page.visits import Visit, Visits
from engine.text import Text

UNREADABLE: Final = Text("The room did not understand the page; reload it.")
SPENT: Final = (
    Text("This link leads nowhere: it works once, for ten minutes."),
    Text("Make a new one: “Another device” on the page, or `open` where you chat with Riposte."),
)
LONGEST_BODY: Final = 2_000
SLOWEST_BODY: Final = 10.0
"""Seconds in which it must be here."""


class _Seat(Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=200)]
    language: Annotated[str, Meta(max_length=35)] = ""


class _Link(Struct, forbid_unknown_fields=True):
    token: Annotated[str, Meta(max_length=100)]
    language: Annotated[str, Meta(max_length=35)] = ""


Asked = TypeVar("Asked", _Seat, _Link)


class Seats:
    """Seats are taken, and links spent, by the room's own page alone."""

    def __init__(self, history: History, clock: Callable[[], int], site: Site, say: Say, visits: Visits | None = None):
        """`visits` finds whose a personal link is, one that was given in a chat; None = there are none."""
        self._history = history
        self._clock = clock
        self._visits = visits
        self._visiting = asyncio.Lock()
        """So that a link that is pressed twice at once makes one seat."""
        self._site = site
        self._say = say
        self._looks: dict[str, str] = {}
        """The names of all seats, by what they look like."""
        self._compared = 0
        """How many of the seats are among them."""

    def forget(self) -> None:
        """Compare names with those of all seats anew: somebody has been erased."""
        self._looks.clear()
        self._compared = 0

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Serve the two requests that change whose a seat is."""
        router.add_post("/seat", self._take)
        router.add_post("/enter", self._spend)

    async def entered(self, name: str, request: web.Request) -> Person | tuple[Text, ...]:
        """Who enters under a name with what the browser keeps, or why nobody does."""
        who = await self._named(name)
        if not isinstance(who, Person):
            return who
        token = request.cookies.get(await self._cookie(who.id, request), "")
        entered = await self._history.enter(who, token, self._clock())
        if entered is not None and self._visits is not None:
            self._visits.met(entered)
        return entered or taken(who)

    async def _take(self, request: web.Request) -> web.Response:
        asked = await self._asked(request, _Seat)
        if isinstance(asked, web.Response):
            return asked
        try:
            who = await self._named(asked.name)
            if not isinstance(who, Person):
                return self._refused(asked.language, *who)
            cookie = await self._cookie(who.id, request)
            local, now = self._site.local(request), self._clock()
            known, fresh = request.cookies.get(cookie, ""), secrets.token_urlsafe(32)
            token = await self._history.take(who.id, known, fresh, local=local, now=now)
        except OSError as error:
            return web.json_response({"because": explained(error, self._say, asked.language)})
        if not token:
            return self._refused(asked.language, *taken(who))
        return await self._seated(request, who, token)

    async def _spend(self, request: web.Request) -> web.Response:
        asked = await self._asked(request, _Link)
        if isinstance(asked, web.Response):
            return asked
        fresh = secrets.token_urlsafe(32)
        local, now = self._site.local(request), self._clock()
        try:
            who = await self._history.spend_link(asked.token, fresh, local=local, now=now)
            if who is None and self._visits is not None:
                async with self._visiting:
                    return await self._visit(request, asked, fresh, self._visits)
        except OSError as error:
            return web.json_response({"because": explained(error, self._say, asked.language)})
        return await self._seated(request, who, fresh) if who else self._refused(asked.language, *SPENT)

    async def _visit(self, request: web.Request, asked: _Link, fresh: str, visits: Visits) -> web.Response:
        """Spend a personal link: it leads to the seat of whoever asked for it, a new one if they have none."""
        local, now = self._site.local(request), self._clock()
        visit = await visits.found(asked.token, now)
        if not isinstance(visit, Visit):
            return self._refused(asked.language, *(visit or SPENT))
        if visit.seat is not None:
            who = visit.seat
            await self._history.let_in(who, fresh, new=False, local=local, now=now)
        else:
            who = await self._new_seat(visit.name, fresh, local=local, now=now)
        # Only now is the link spent: a crash before costs a seat that nobody has, and no link.
        if not await visits.spent(asked.token, who, now):
            await self._history.shut_out(fresh)
            return self._refused(asked.language, *SPENT)
        return await self._seated(request, who, fresh, f"{visit.where.channel or ELSEWHERE}/{visit.where.thread}")

    async def _new_seat(self, like: str, fresh: str, *, local: bool, now: int) -> Person:
        for name in free_names(like):
            who = await self._named(name)
            new = isinstance(who, Person) and who.id not in self._history.users
            if (
                new
                and isinstance(who, Person)
                and await self._history.let_in(who, fresh, new=True, local=local, now=now)
            ):
                return who
        raise OSError(errno.EAGAIN, "no name is free")

    async def _asked(self, request: web.Request, kind: type[Asked]) -> Asked | web.Response:
        """What the room's own page asks for, or a refusal."""
        if not self._site.own_page(request):
            return refused(self._say(FOREIGN_PAGE, ""))
        try:
            async with asyncio.timeout(SLOWEST_BODY):
                body = await request.content.read(LONGEST_BODY + 1)
                while len(body) <= LONGEST_BODY and (more := await request.content.read(LONGEST_BODY)):
                    body += more
            if request.content_type != "application/json" or len(body) > LONGEST_BODY:
                return self._refused("", UNREADABLE)
            return msgspec.json.decode(body, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, TimeoutError):
            return self._refused("", UNREADABLE)

    async def _named(self, name: str) -> Person | tuple[Text, ...]:
        """Whom a name means, unless nobody can have it or it looks like another's."""
        who = user_named(name)
        if not isinstance(who, Person):
            return who
        users = self._history.users
        if who.id in users:
            return users[who.id]
        for other in islice(users.values(), self._compared, None):
            self._looks |= dict.fromkeys(skeletons(other.name), other.name)
        self._compared = len(users)
        taken = next((self._looks[look] for look in skeletons(who.name) if look in self._looks), "")
        return (Text(LOOKS_TAKEN.template, player=taken),) if taken else who

    async def _cookie(self, seat: str, request: web.Request) -> str:
        """The name under which a browser keeps the token of a seat in this room."""
        digest = sha256(f"{await self._history.room_id()} {seat}".encode()).hexdigest()[:20]
        # No other site and no unencrypted answer can set a name with this prefix.
        return f"{'__Host-' if self._site.secure(request) else ''}riposte-{digest}"

    async def _seated(self, request: web.Request, who: Person, token: str, at: str = "") -> web.Response:
        answer = web.json_response({"name": who.name} | ({"at": at} if at else {}))
        answer.set_cookie(
            await self._cookie(who.id, request),
            token,
            max_age=KEPT // 1000,
            path="/",
            httponly=True,
            samesite="Strict",
            secure=self._site.secure(request),
        )
        return answer

    def _refused(self, language: str, *because: Text) -> web.Response:
        return web.json_response({"because": beside(self._say(sentence, language) for sentence in because)})


def taken(who: Person) -> tuple[Text, ...]:
    """Why another browser does not enter."""
    return (
        Text("{player} is the seat of another browser.", player=who.name),
        Text(
            "Choose another name, or press “Another device” where {player} sits and open the link here.",
            player=who.name,
        ),
    )
