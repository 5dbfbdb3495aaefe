"""Good manners at the door: nobody's flood of words makes others wait, or keeps its author from their own matches."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Protocol, TypeVar

from bot.commands.spec import ParsedCommand, PlainText, read
from bot.messages.model import IncomingMessage, Receive, Span
from engine.text import Code

T = TypeVar("T")

MINUTE = 60_000

COMMANDS, PICTURES, ALL = 20, 6, 120
"""How much one person may ask for in a minute: commands, pictures of a board among them, and messages in all."""
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

    async def __call__(self, heard: IncomingMessage, *text: Span) -> bool: ...


class Admission:
    """Stands in front of whoever hears. What it remembers it may forget: a restart makes everybody welcome again."""

    def __init__(self, hear: Receive, tell: Tell, plays: Callable[[str, str], Awaitable[bool]]):
        self._hear = hear
        self._tell = tell
        self._plays = plays
        """Whether somebody plays in the match of that number."""
        self._line = Line(AT_ONCE)
        self._guests: OrderedDict[str, Allowance] = OrderedDict()

    async def hear(self, heard: IncomingMessage) -> bool:
        """Have a message dealt with when it is its turn; or tell its author, once, that it was too much."""
        said = read(heard.text)
        who = heard.who.key
        if self._line.waiting(who) >= WAITING:
            return False
        return await self._line.through(who, _presses(heard, said), lambda: self._deal(heard, said))

    async def _deal(self, heard: IncomingMessage, said: ParsedCommand | PlainText) -> bool:
        if _is_talk(heard, said):
            return await self._hear(heard)
        guest = self._guest(heard.who.key)
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

    async def _at_home(self, heard: IncomingMessage, said: ParsedCommand | PlainText) -> bool:
        """Whether it is said in a match of one's own, or for all we know is."""
        number = (said.match if isinstance(said, ParsedCommand) else "") or heard.where.thread
        try:
            return not number or await self._plays(heard.who.key, number)
        except OSError:
            return True

    def _guest(self, who: str) -> "Allowance":
        guest = self._guests.setdefault(who, Allowance())
        self._guests.move_to_end(who)
        if len(self._guests) > REMEMBERED:
            self._guests.popitem(last=False)
        return guest


def presses(line: str) -> bool:
    """Whether others wait for what somebody says, wherever it is said."""
    said = read(line)
    return isinstance(said, ParsedCommand) and said.command.name in PRESSING


def _presses(heard: IncomingMessage, said: ParsedCommand | PlainText) -> bool:
    return bool(heard.where.thread) if isinstance(said, PlainText) else said.command.name in PRESSING


def _shows(said: ParsedCommand | PlainText) -> bool:
    """Whether the answer is a picture."""
    if isinstance(said, PlainText):
        return False
    return {"board": "text" not in said.words, "games": bool(said.words)}.get(said.command.name, False)


def _is_talk(heard: IncomingMessage, said: ParsedCommand | PlainText) -> bool:
    """Whether it is said to others, and answered by nobody."""
    unasked = isinstance(said, PlainText) and said.typo_of is None and not said.addressed
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
class Allowance:
    """What is remembered of somebody."""

    all: Bucket = field(default_factory=lambda: Bucket(ALL))
    commands: Bucket = field(default_factory=lambda: Bucket(COMMANDS))
    pictures: Bucket = field(default_factory=lambda: Bucket(PICTURES))
    latest: int = 0
    """When they wrote what we heard last."""

    def clock(self, heard: IncomingMessage) -> int:
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
        self._queues: dict[str, deque[Ticket]] = {}
        """What everybody has in the line; what is in front is called next, or inside."""
        self._next: list[Ticket] = []
        """A heap of those in front that are not inside."""

    def waiting(self, who: str) -> int:
        """How much somebody has in the line."""
        return len(self._queues.get(who, ()))

    async def through(self, who: str, pressing: bool, deal: Callable[[], Awaitable[T]]) -> T:
        """Deal with something of somebody when they are called."""
        called = asyncio.get_running_loop().create_future()
        ticket = Ticket(self._round, not pressing, next(self._numbers), called)
        queue = self._queues.setdefault(who, deque())
        queue.append(ticket)
        if queue[0] is ticket:
            heappush(self._next, ticket)
        self._call()
        try:
            await called
            return await deal()
        finally:
            self._leave(who, ticket)

    def _call(self) -> None:
        while self._free and self._next:
            ticket = heappop(self._next)
            if not ticket.called.done():  # else whoever waited for it has gone
                self._free -= 1
                self._round = max(self._round, ticket.round)
                ticket.inside = True
                ticket.called.set_result(None)

    def _leave(self, who: str, ticket: Ticket) -> None:
        self._free += ticket.inside
        queue = self._queues[who]
        first = queue[0] is ticket
        queue.remove(ticket)
        if not queue:
            del self._queues[who]
        elif first:
            queue[0].round = max(self._round, ticket.round + 1)
            heappush(self._next, queue[0])
        self._call()
