"""`python -m tests.fuzz.linear`: 1 MiB of anything through every reader of text; the slowest, in ms for each 10 kB."""

import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import msgspec

from bot.cli.judge import answers
from bot.commands.parser import is_notation, read_command, read_proposal, slips
from engine.dice import Dice
from engine.game import NotationError
from engine.games import GAMES
from engine.match.clock import read_duration
from engine.match.record.model import FIRST_LINE
from engine.match.record.read import read_record
from engine.match.terms import read_terms

SIZE = 1 << 20
TARGET = 25.0
"""Milliseconds of one core for each 10 kB."""
PIECES = (
    *("a", "1", "(", "[", "c7c5", "c7c5 ", "S", " ", ",", "-", "$", "*", "~", "x", "#", "@", "a1 ", "1. ", '"', "\n"),
    *("= ", "a=", 'a="', "é", "\u200b", "+", "^", "/", " / ", ";", ":", "W: ", "A@", "SX4 ", "3d", "eY11, ", ".", "“"),
    *("1. W c7c5\n", "; note\n", "Name: value\n", "c7c5 ; ", "1. SX6, eY11;  ", "\\", "'", "`", "!", "👍"),
)
Reader = Callable[[str], object]


def readers() -> Iterator[tuple[str, Reader]]:
    """Everything that reads a text that somebody else has written."""
    for game in GAMES.values():
        start = game.setup({}, Dice(bytes(32)))
        yield f"{game.key}: a turn", lambda text, game=game, start=start: game.read(text, start)  # type: ignore[misc]
        yield f"{game.key}: turns", game.split
        yield f"{game.key}: a position", game.decode
        yield f"{game.key}: terms", lambda text, game=game: read_terms(game, {"start": text, "time": text})  # type: ignore[misc]
        for name, asked in (("turn", "turn"), ("position", "position")):
            request = {"game": game.key, "turn": "-", name: ""}
            yield f"{game.key}: judge, {asked}", lambda text, to=request, name=name: _judged({**to, name: text})  # type: ignore[misc]
        for ask in game.asks(start)[:1]:
            yield (
                f"{game.key}: an answer",
                lambda text, game=game, start=start, ask=ask: game.answer(start, ask, text, Dice(bytes(32))),  # type: ignore[misc]
            )
    yield "judge: a line", lambda text: list(answers(io.BytesIO(text.encode())))
    yield "a record", read_record
    yield "a record's turns", lambda text: read_record(f"{FIRST_LINE}\nGame: tokonoma\n\n{text}")
    yield "a duration", read_duration
    yield "a command", read_command
    yield "a challenge", lambda text: read_proposal(text, tuple(GAMES))
    yield "talk", lambda text: (is_notation(text), slips(text))


def _judged(request: dict[str, str]) -> object:
    return list(answers(io.BytesIO(msgspec.json.encode(request))))


def measured(size: int = SIZE) -> Iterator[tuple[float, str, str]]:
    """Milliseconds for each 10 kB, the reader, and what it was given over and over."""
    for name, read in readers():
        for piece in PIECES:
            text = (piece * (size // len(piece) + 1))[:size]
            begun = time.thread_time()
            with suppress(NotationError, ValueError):
                read(text)
            yield (time.thread_time() - begun) * 1000 / (size / 10_000), name, piece


def main() -> None:
    found = sorted(measured(), reverse=True)
    for spent, name, piece in found[:10]:
        print(f"{spent:8.2f} ms  {name}, {piece!r}")
    print(f"{len(found)} texts of {SIZE >> 10} KiB; the target is {TARGET:g} ms for each 10 kB")
    sys.exit(found[0][0] > TARGET)


if __name__ == "__main__":
    main()
