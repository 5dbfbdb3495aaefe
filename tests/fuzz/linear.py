"""`python -m tests.fuzz.linear`: 1 MiB of anything through every reader of text; the slowest, in ms for each 10 kB.

Whole matches of each game, no two alike, go through the judge, `record` and `import` too: there every turn is read,
judged and played.
"""

import io
import json
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from random import Random

from bot.cli.judge import BETWEEN, REMEMBERED, answers
from bot.messages.serialization import write_event
from engine.dice import Dice
from engine.game import AnyGame
from engine.games import GAMES
from engine.match.record.model import FIRST_LINE
from engine.match.record.read import played_through, read_record
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


def played(game: AnyGame, chance: Random) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    """Whole matches at random, no two alike: the start of each, and its turns with their sides."""
    for number in count():
        position, dice = game.setup({}, Dice(number.to_bytes(32, "big"))), Dice(chance.randbytes(32))
        begun, made = game.encode(position), list[tuple[str, str]]()
        while len(made) < 60 and game.outcome(position) is None and not game.asks(position):
            turn = game.roll(position, chance.choice([*game.turns(position)]), dice)
            made.append((game.to_act(position), game.write(turn, position)))
            position = game.play(position, turn)
        yield begun, tuple(made)


def requests(game: AnyGame, turns: int, seed: int) -> Iterator[str]:
    """Requests to the judge, each a whole match; together they have that many turns or a few more."""
    for begun, made in played(game, Random(seed)):
        text = BETWEEN.join(turn for _, turn in made)
        yield json.dumps({"game": game.key, "position": begun, "turn": text}) + "\n"
        turns -= len(made)
        if turns <= 0:
            return


def records(game: AnyGame, size: int, seed: int) -> Iterator[str]:
    """Records of whole matches; together they have that many characters or a few more."""
    sides = game.seats({option.key: option.default for option in game.options})
    players = "".join(f"Player {game.names[side]}: {side} web:{side} {side}\n" for side in sides)
    for begun, made in played(game, Random(seed)):
        turns = "".join(f"{number}. {side} {turn}\n" for number, (side, turn) in enumerate(made, 1))
        text = f"{FIRST_LINE}\nGame: {game.key}\nTerms:\n{players}Start: {begun}\n\n{turns}"
        yield text
        size -= len(text)
        if size <= 0:
            return


def _judge(texts: list[str]) -> None:
    for _ in answers(io.BytesIO("".join(texts).encode())):
        pass


def _record(texts: list[str]) -> None:
    for text in texts:
        [(_, run)] = deque(played_through(read_record(text), 0, judged=False), maxlen=1)
        assert run.match.length, "whoever looks at a record asks for its end"


def _import(texts: list[str]) -> None:
    for text in texts:
        [(_, run)] = deque(((write_event(event), run) for event, run in played_through(read_record(text), 0)), maxlen=1)
        assert run.match.length, "and whoever loads one keeps it"


def whole() -> Iterator[tuple[float, str, str]]:
    """The same of whole matches, each reader with others; the least of three times, for the machine may be busy."""
    for game in GAMES.values():
        lines = [[*requests(game, 3 * REMEMBERED // 2, seed)] for seed in range(3)]
        yield least(_judge, lines), "lines of judge", f"matches of {game.key}"
        for name, read, seed in (("a record", _record, 0), ("a record that is imported", _import, 3)):
            texts = [[*records(game, 50_000, seed + more)] for more in range(3)]
            yield least(read, texts), name, f"matches of {game.key}"


def least(read: Callable[[list[str]], None], texts: list[list[str]]) -> float:
    """Milliseconds for each 10 kB, of the texts that took least."""
    found = []
    for some in texts:
        begun = time.thread_time()
        read(some)
        found.append((time.thread_time() - begun) * 1000 / (sum(map(len, some)) / 10_000))
    return min(found)


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
    matches = [*whole()]
    for spent, name, what in matches:
        print(f"{spent:8.2f} ms  {name}, {what}")
    found = sorted([*measured(), *matches], reverse=True)
    for spent, name, piece in found[:10]:
        print(f"{spent:8.2f} ms  {name}, {piece!r}")
    print(f"{len(found)} texts of {SIZE >> 10} KiB; the target is {TARGET:g} ms for each 10 kB")
    sys.exit(found[0][0] > TARGET)


if __name__ == "__main__":
    main()
