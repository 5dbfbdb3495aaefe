"""Good manners at the door: nobody's flood of words makes others wait, or keeps its author from their own matches."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Protocol

from bot.chat import Code, Hear, Heard, Span
from bot.grammar import Bare, Said, read

MINUTE = 60_000

COMMANDS, PICTURES, ALL = 20, 6, 60
"""How much of it one person may ask for in a minute: commands, pictures of a board, and whatever else there is."""
AT_ONCE = 32
"""Messages that are dealt with at the same time; each of another person."""
WAITING = 100
"""Messages of one person that may wait; what comes on top is not heard."""
REMEMBERED = 10_000
"""People; whoever has not been heard for longest starts afresh."""

PRESSING = ("move", "call", "ok", "accept", "decline", "secret")
"""What others wait for: it goes first, and in one's own match it is heard whatever else one has said."""

MEANWHILE = "Turns, calls and answers in your own matches are heard meanwhile."


class Tell(Protocol):
    """Answers a message with words instead of dealing with it."""

    async def __call__(self, heard: Heard, *text: Span) -> bool: ...


class Manners:
    """Stands in front of whoever hears. What it remembers it may forget: a restart makes everybody welcome again."""

    def __init__(self, hear: Hear, tell: Tell, plays: Callable[[str, str], Awaitable[bool]]):
        self._hear = hear
        self._tell = tell
        self._plays = plays
        """Whether somebody plays in the match of that number."""
        self._line = Line(AT_ONCE)
        self._guests: OrderedDict[str, Guest] = OrderedDict()

    async def hear(self, heard: Heard) -> bool:
        """Have a message dealt with when it is its turn; or tell its author, once, that it was too much."""
        said = read(heard.text)
        guest = self._guest(heard.who.key)
        if len(guest.waiting) >= WAITING:
            return False
        return await self._line.through(guest, _presses(heard, said), lambda: self._deal(guest, heard, said))

    async def _deal(self, guest: "Guest", heard: Heard, said: Said | Bare) -> bool:
        if _is_talk(heard, said):
            return await self._hear(heard)
        at = guest.clock(heard)
        pause = guest.all.ask(at)
        if not pause and _presses(heard, said) and await self._at_home(heard, said):
            return await self._hear(heard)
        words: tuple[Span, ...] = ()
        if not pause and _shows(said):
            pause = guest.pictures.ask(at)
            words = (Code("board text"), " shows a board in plain characters.")
        if not pause:
            pause, words = guest.commands.ask(at), (MEANWHILE,)
        if not pause:
            return await self._hear(heard)
        if pause > 0:
            with suppress(OSError):  # the disk is full, say: this need not be said
                return await self._tell(heard, f"That was a lot at once: wait {-(-pause // 1000)} s. ", *words)
        return False

    async def _at_home(self, heard: Heard, said: Said | Bare) -> bool:
        """Whether it is said in a match of one's own, or for all we know is."""
        number = (said.match if isinstance(said, Said) else "") or heard.where.thread
        try:
            return not number or await self._plays(heard.who.key, number)
        except OSError:
            return True

    def _guest(self, who: str) -> "Guest":
        guest = self._guests.setdefault(who, Guest())
        self._guests.move_to_end(who)
        if len(self._guests) > REMEMBERED:
            self._guests.popitem(last=False)
        return guest


def _presses(heard: Heard, said: Said | Bare) -> bool:
    return bool(heard.where.thread) if isinstance(said, Bare) else said.command.name in PRESSING


def _shows(said: Said | Bare) -> bool:
    """Whether the answer is a picture."""
    if isinstance(said, Bare):
        return False
    return {"board": "text" not in said.words, "games": bool(said.words)}.get(said.command.name, False)


def _is_talk(heard: Heard, said: Said | Bare) -> bool:
    """Whether it is said to others, and answered by nobody."""
    unasked = isinstance(said, Bare) and said.typo_of is None and not said.addressed
    return unasked and not heard.where.thread and len(heard.text.split()) != 1


@dataclass(slots=True)
class Bucket:
    """So many at once, and as many again in the course of a minute."""

    most: int
    spent: float = 0
    at: int = 0
    until: int = 0
    """Nothing more before that."""

    def ask(self, at: int) -> int:
        """0 = one more; else it is too much: for so many milliseconds, or, if that was said before, -1."""
        self.spent = max(0.0, self.spent - (at - self.at) * self.most / MINUTE)
        self.at = at
        if at < self.until:
            return -1
        if self.spent + 1 <= self.most:
            self.spent += 1
            return 0
        self.until = at + MINUTE // 2  # half of it is there again then, so that one is not told off again at once
        return self.until - at


@dataclass(slots=True, eq=False)
class Guest:
    """What is remembered of somebody."""

    all: Bucket = field(default_factory=lambda: Bucket(ALL))
    commands: Bucket = field(default_factory=lambda: Bucket(COMMANDS))
    pictures: Bucket = field(default_factory=lambda: Bucket(PICTURES))
    waiting: "deque[Ticket]" = field(default_factory=deque)
    """Their messages, the one that is being dealt with in front."""
    round: int = -1
    """In which round they were last called."""
    latest: int = 0

    def clock(self, heard: Heard) -> int:
        """When they wrote it: what a platform has kept while we were away was not written all at once."""
        self.latest = max(self.latest, min(heard.sent or heard.at, heard.at))
        return self.latest


@dataclass(slots=True, order=True)
class Ticket:
    """A place in the line."""

    round: int
    idle: bool
    number: int
    called: "asyncio.Future[None]" = field(compare=False)
    inside: bool = field(default=False, compare=False)


class Line:
    """Calls people in rounds: in each, everybody once, those whom others wait for first; each person's in order."""

    def __init__(self, at_once: int):
        self._free = at_once
        self._round = 0
        self._numbers = count()
        self._first: list[Ticket] = []
        """A heap of what everybody has first in their line, unless it is inside."""

    async def through(self, guest: Guest, pressing: bool, deal: Callable[[], Awaitable[bool]]) -> bool:
        """Deal with something of somebody when they are called."""
        called = asyncio.get_running_loop().create_future()
        ticket = Ticket(0, not pressing, next(self._numbers), called)
        guest.waiting.append(ticket)
        if guest.waiting[0] is ticket:
            self._line_up(guest)
        self._call()
        try:
            await called
            return await deal()
        finally:
            self._leave(guest, ticket)

    def _line_up(self, guest: Guest) -> None:
        ticket = guest.waiting[0]
        ticket.round = guest.round = max(self._round, guest.round + 1)
        heappush(self._first, ticket)

    def _call(self) -> None:
        while self._free and self._first:
            ticket = heappop(self._first)
            if not ticket.called.done():  # else whoever waited for it has gone
                self._free -= 1
                self._round = max(self._round, ticket.round)
                ticket.inside = True
                ticket.called.set_result(None)

    def _leave(self, guest: Guest, ticket: Ticket) -> None:
        self._free += ticket.inside
        first = guest.waiting[0] is ticket
        guest.waiting.remove(ticket)
        if first and guest.waiting:
            self._line_up(guest)
        self._call()
