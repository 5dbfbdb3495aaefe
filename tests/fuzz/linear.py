"""`python -m tests.fuzz.linear`: 1 MiB of anything through every reader of text; the slowest, in ms for each 10 kB.

Whole matches of each game, no two alike, go through the judge too: there every turn is read, judged and played.
"""

import io
import json
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from random import Random

from bot.cli.judge import BETWEEN, REMEMBERED, answers
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES
from tests.fuzz.readers import Reader, of_others

SIZE = 1 << 20
TARGET = 25.0
"""Milliseconds of one core for each 10 kB."""
PIECES = (
    *("a", "1", "(", "[", "c7c5", "c7c5 ", "S", " ", ",", "-", "$", "*", "~", "x", "#", "@", "a1 ", "1. ", '"', "\n"),
    *("= ", "a=", 'a="', "é", "\u200b", "+", "^", "/", " / ", ";", ":", "W: ", "A@", "SX4 ", "3d", "eY11, ", ".", "“"),
    *("1. W c7c5\n", "; note\n", "Name: value\n", "c7c5 ; ", "1. SX6, eY11;  ", "\\", "'", "`", "!", "👍"),
    *('{"game":"x","turn":""}\n', '{"game":"veney","turn":"a+ SY7"}\n', '{"game":"tokonoma","turn":"c7c5"}\n'),
)


def texts(size: int) -> Iterator[tuple[Reader, str, str]]:
    """Each reader with each text of that length, and what the text repeats."""
    for reader in of_others():
        for piece in PIECES:
            yield reader, (piece * (size // len(piece) + 1))[:size], piece


def measured(size: int = SIZE) -> Iterator[tuple[float, str, str]]:
    """Milliseconds for each 10 kB, the reader, and what it was given over and over."""
    for reader, text, piece in texts(size):
        begun = time.thread_time()
        with suppress(*reader.errors):
            reader.read(text)
        yield (time.thread_time() - begun) * 1000 / (size / 10_000), reader.name, piece


def matches(game: AnyGame, turns: int) -> Iterator[str]:
    """Requests to the judge, each a whole match at random; together they have that many turns or a few more."""
    chance, dice = Random(1), Dice(bytes(32))
    for number in count():
        position, played = game.setup({}, Dice(number.to_bytes(32, "big"))), list[str]()
        begun = game.encode(position)
        while len(played) < 60 and game.outcome(position) is None and not game.asks(position):
            turn = game.roll(position, chance.choice([*game.turns(position)]), dice)
            played.append(game.write(turn, position))
            position = game.play(position, turn)
        yield json.dumps({"game": game.key, "position": begun, "turn": BETWEEN.join(played)}) + "\n"
        turns -= len(played)
        if turns <= 0:
            return


def judged() -> Iterator[tuple[float, str, str]]:
    """The same of matches, of which there are more than the judge remembers."""
    for game in GAMES.values():
        lines = "".join(matches(game, 3 * REMEMBERED // 2)).encode()
        text = lines * (SIZE // len(lines) + 1)
        begun = time.thread_time()
        for _ in answers(io.BytesIO(text)):
            pass
        yield (time.thread_time() - begun) * 1000 / (len(text) / 10_000), "lines of judge", f"matches of {game.key}"


def steps(reader: Reader, text: str) -> int:
    """How many calls a reader makes for a text, of Python's functions and of those written in C."""
    made = 0

    def called(_frame: object, event: str, _of: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        with suppress(*reader.errors):
            reader.read(text)
    finally:
        sys.setprofile(None)
    return made


def main() -> None:
    whole = [*judged()]
    for spent, name, what in whole:
        print(f"{spent:8.2f} ms  {name}, {what}")
    found = sorted([*measured(), *whole], reverse=True)
    for spent, name, piece in found[:10]:
        print(f"{spent:8.2f} ms  {name}, {piece!r}")
    print(f"{len(found)} texts of {SIZE >> 10} KiB; the target is {TARGET:g} ms for each 10 kB")
    sys.exit(found[0][0] > TARGET)


if __name__ == "__main__":
    main()
