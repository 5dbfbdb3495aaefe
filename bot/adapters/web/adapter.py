"""The web room as the bot sees it: a chat of its own on this machine."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from bot.adapters.web.board.reading import Reading, Watch
from bot.adapters.web.board.themed import Paint
from bot.adapters.web.errors import Say
from bot.adapters.web.history.history import History
from bot.adapters.web.incoming import Answerable, Complete, Listener, Look, Private
from bot.adapters.web.limits import Limits
from bot.adapters.web.outgoing import LOUNGE, Delivery, check_reach
from bot.adapters.web.push.sending import Pusher
from bot.adapters.web.seats import Seats
from bot.adapters.web.security import Site
from bot.adapters.web.server import Also, Server, serve_nothing_else
from bot.adapters.web.tabs import Tabs
from bot.adapters.web.users import PLATFORM
from bot.messages.model import OutgoingMessage, Person, Place, Receive, Retry, Span
from bot.service.composing import Board, Glance
from bot.service.page.devices import Devices
from bot.service.page.visits import Visits
from engine.text import Term, Text
from storage.store import Change, Outgoing, Summary

Push: TypeAlias = Callable[..., Pusher]
"""Makes what pushes; tests have push services of their own."""


async def _no_completions(_who: Person, _where: Place, _text: str) -> Sequence[str]:
    return ()


def _in_english(text: Text | Term, _language: str) -> str:
    return str(text)


async def _no_board(_who: Person, _where: Place, _glance: Glance) -> Board | None:
    return None


async def _no_public_board(_match: str, _glance: Glance) -> Board | None:
    return None


async def _no_summary(_match: str) -> Summary | None:
    return None


async def _unnamed(player: str) -> Person:
    platform, _, number = player.partition(":")
    return Person(platform, number, number)


async def _of_all(_who: Person, _where: Place, _command: str) -> bool:
    return True


async def _to_all(_who: Person, _where: Place, _text: str) -> bool:
    return False


class WebRoom:
    """A chat of its own, for one machine: a newcomer needs no account, and a test no stand-in."""

    platform = PLATFORM
    caught_up = True
    """Always True: nothing can be written in the room while it is closed."""

    def __init__(
        self,
        history: Path,
        *,
        key: Path | None = None,
        clock: Callable[[], int],
        port: int = 8080,
        public: str = "",
        welcome: Callable[[str], Sequence[Span]] = lambda _language: (),
        complete: Complete = _no_completions,
        summary: Callable[[str], Awaitable[Summary | None]] = _no_summary,
        private: Private = _to_all,
        answerable: Answerable = _of_all,
        opened: Callable[[str], None] = lambda _address: None,
        say: Say = _in_english,
        page_texts: Callable[[str], Mapping[str, str]] = lambda _language: {},
        board: Look = _no_board,
        public_board: Watch = _no_public_board,
        named: Callable[[str], Awaitable[Person]] = _unnamed,
        erased: Callable[[], Mapping[str, int]] = dict,
        visits: Visits | None = None,
        also: Also = serve_nothing_else,
        devices: Devices | None = None,
        push: Push = Pusher,
        paint: Paint | None = None,
        partner: bool = False,
    ):
        """`history` is a file of the room's own, sealed with the database's `key` (None = one beside it); `clock` tells
        milliseconds since 1970 UTC.

        `welcome` greets an empty channel in a page's language (each `Code` in it can be clicked into the message box),
        `complete` says how a typed text may go on (whole texts), `summary` whose turn it is in a match, `private` which
        texts nobody else may see even if their author forgets to say so, `answerable` which buttons of challenges are
        somebody's to press, and `opened` gets the address once the room
        can be entered. Port 0 takes any free one. `public` is the address under which a proxy serves the room to
        everybody. `say` puts the server's own sentences in a page's language, and
        `page_texts` gives the page's own (English templates to translations; none is English). `board` is what somebody
        sees of a match, `public_board` what everybody may see of one, `named` who is behind a player's key,
        `devices` which devices are told that a match waits (None = none; without a public address none either), by what
        `push` makes, `visits` whose a personal link is and what they play elsewhere (None = nobody plays elsewhere),
        `also` what else is served under the room's address, `paint` draws a picture in another theme (None = each comes
        as it was posted), `partner` whether Riposte plays itself.
        """
        self._history = History(history, key=key)
        self._visits = visits
        self._tabs = Tabs(self._history, say, named, visits)
        self._delivery = Delivery(self._history, self._tabs, clock, summary)
        site = Site(public)
        pushes = devices is not None and bool(public) and find_spec("pywebpush") is not None
        self._pusher = push(devices, clock, say, sender=public) if pushes else None
        self._listener = Listener(
            *(self._history, self._tabs, clock),
            complete=complete,
            private=private,
            say=say,
            board=board,
            answerable=answerable,
            pusher=self._pusher,
        )
        self._seats = Seats(self._history, clock, site, say, visits)
        self._server = Server(
            *(self._history, self._tabs, self._listener),
            port=port,
            site=site,
            seats=self._seats,
            limits=Limits(clock),
            welcome=welcome,
            say=say,
            page_texts=page_texts,
            reading=Reading(public_board, clock, say),
            also=also,
            pusher=self._pusher,
            paint=paint,
            partner=partner,
        )
        self._opened = opened
        self._erased = erased
        self._open = False

    async def run(self, receive: Receive) -> None:
        """Open the room, and hand on every message until cancelled, first those that a crash left.

        Raises OSError with a sentence for the host where the history or a port is not to be had.
        """
        async with self._history_open(), self._server.running() as address:
            self._open = True
            try:
                self._opened(address)
                async with asyncio.TaskGroup() as tasks:
                    if self._pusher is not None:
                        tasks.create_task(self._pusher.run())
                    await self._listener.run(receive)
            finally:
                self._open = False

    def committed(self, change: Change, waiting: Sequence[Outgoing] = ()) -> None:
        """Show what was committed where it is not said, and tell the devices of those who are rung."""
        self._tabs.committed(change)
        if self._pusher is not None:
            self._pusher.committed(change, waiting)

    async def forget(self, people: Sequence[Person], at: int, said: Sequence[str] = ()) -> None:
        """Forget these people; the tabs of their seats close. Raises OSError where it cannot be written."""
        if self._open:
            for person in people:
                if person.platform == PLATFORM:
                    await self._tabs.end(person.id)
            await self._history.forget(people, at, said)
            await self._tabs.forget()
            self._seats.forget()
            self._meet()

    async def deliver(self, message: OutgoingMessage, image: bytes | None) -> str:
        """Show a message and return its number. Raises Retry or Undeliverable."""
        check_reach(message)
        if not self._open:
            raise Retry(1, tried=False)
        return await self._delivery.deliver(message, image)

    def _meet(self) -> None:
        """Tell the bot what those are called who have a seat: some may never have written."""
        if self._visits is not None:
            for who in self._history.users.values():
                self._visits.met(who)

    @asynccontextmanager
    async def _history_open(self) -> AsyncIterator[None]:
        await self._history.open()
        try:
            for person, at in await self._history.brought_back(self._erased()):
                await self._history.forget((person,), at)
            self._meet()
            await self._history.create(Place(PLATFORM, LOUNGE))
            for room in await self._history.places():
                if not room.over:
                    await self._delivery.describe(room.where)
            yield
        finally:
            await self._history.close()
