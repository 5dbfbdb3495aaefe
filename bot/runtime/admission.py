"""Limits how much one person can ask for, so that a flood of messages makes nobody else wait."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol

from bot.commands.parser import ParsedCommand, PlainText, read_command
from bot.messages.model import IncomingMessage, Receive
from bot.runtime.fair_queue import FairQueue
from bot.runtime.rate_limit import Allowance
from engine.text import Duration, Text

AT_ONCE = 32
"""Messages that are dealt with at the same time; each of another person."""
WAITING = 100
"""Messages of one person that may wait; further ones are dropped."""
REMEMBERED = 10_000
"""People; whoever has been silent for longest starts afresh."""

URGENT = ("move", "call", "ok", "accept", "decline", "secret")
"""What others wait for: it goes first, and in one's own match it passes whatever else one has asked for."""

LARGE = 3
"""Pictures that a large replay counts for."""
BOARD_TEXT = Text("`board text` shows a board in plain characters.")
TOO_MUCH_AT_ONCE = Text("That was a lot at once: wait {time}.")
MEANWHILE = Text("Turns, calls and answers in your own matches are accepted meanwhile.")


class Answer(Protocol):
    """Answers a message with sentences instead of dealing with it."""

    async def __call__(self, message: IncomingMessage, *sentences: Text) -> bool: ...


class Admission:
    """Limits what reaches the service. What it remembers may be lost: a restart begins all counts anew."""

    def __init__(self, receive: Receive, answer: Answer, plays: Callable[[str, str], Awaitable[bool]]):
        self._receive = receive
        self._answer = answer
        self._plays = plays
        """Whether somebody plays in the match of that number."""
        self._queue = FairQueue(AT_ONCE)
        self._allowances: OrderedDict[str, Allowance] = OrderedDict()

    async def receive(self, message: IncomingMessage) -> bool:
        """Deal with a message when it is its turn, or tell its author once that it was too much."""
        parsed = read_command(message.text)
        who = message.who.key
        if self._queue.waiting(who) >= WAITING:
            return False
        return await self._queue.run(who, _is_urgent(message, parsed), lambda: self._admit(message, parsed))

    async def _admit(self, message: IncomingMessage, parsed: ParsedCommand | PlainText) -> bool:
        if _is_talk(message, parsed):
            return await self._receive(message)
        allowance = self._allowance(message.who.key)
        at = allowance.written_at(message)
        pause = allowance.messages.take(at)
        if not pause and _is_urgent(message, parsed) and await self._in_own_match(message, parsed):
            return await self._receive(message)
        remedy: tuple[Text, ...] = ()
        if not pause and (pictures := _pictures(parsed)):
            pause, remedy = allowance.pictures.take(at, pictures), (BOARD_TEXT,)
        if not pause:
            pause, remedy = allowance.commands.take(at), (MEANWHILE,)
        if not pause:
            return await self._receive(message)
        if pause > 0:
            with suppress(OSError):  # the disk is full, say: this answer can be spared
                wait = Text(TOO_MUCH_AT_ONCE.template, time=Duration(-(-pause // 1000) * 1000))
                return await self._answer(message, wait, *remedy)
        return False

    async def _in_own_match(self, message: IncomingMessage, parsed: ParsedCommand | PlainText) -> bool:
        """Whether it is about a match of its author's, or may be."""
        number = (parsed.match if isinstance(parsed, ParsedCommand) else "") or message.where.thread
        try:
            return not number or await self._plays(message.who.key, number)
        except OSError:
            return True

    def _allowance(self, who: str) -> Allowance:
        allowance = self._allowances.setdefault(who, Allowance())
        self._allowances.move_to_end(who)
        if len(self._allowances) > REMEMBERED:
            self._allowances.popitem(last=False)
        return allowance


def is_urgent(line: str) -> bool:
    """Returns whether others wait for what a line says, wherever it is written."""
    parsed = read_command(line)
    return isinstance(parsed, ParsedCommand) and parsed.command.name in URGENT


def _is_urgent(message: IncomingMessage, parsed: ParsedCommand | PlainText) -> bool:
    return bool(message.where.thread) if isinstance(parsed, PlainText) else parsed.command.name in URGENT


def _pictures(parsed: ParsedCommand | PlainText) -> int:
    """For how many pictures the answer counts, by how long it takes to make."""
    if isinstance(parsed, PlainText):
        return 0
    match parsed.command.name:
        case "board":
            return int("text" not in parsed.words)
        case "games":
            return int(bool(parsed.words))
        case "replay":
            return LARGE if "large" in map(str.lower, parsed.words) else 1
        case _:
            return 0


def _is_talk(message: IncomingMessage, parsed: ParsedCommand | PlainText) -> bool:
    """Whether it is said to others and needs no answer."""
    unasked = isinstance(parsed, PlainText) and parsed.typo_of is None and not parsed.addressed
    return unasked and not message.where.thread and len(message.text.split()) != 1
