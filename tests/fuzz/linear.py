"""`python -m tests.fuzz.linear`: 1 MiB of anything through every reader of text; the slowest, in ms for each 10 kB."""

import sys
import time
from collections.abc import Iterator
from contextlib import suppress

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
    found = sorted(measured(), reverse=True)
    for spent, name, piece in found[:10]:
        print(f"{spent:8.2f} ms  {name}, {piece!r}")
    print(f"{len(found)} texts of {SIZE >> 10} KiB; the target is {TARGET:g} ms for each 10 kB")
    sys.exit(found[0][0] > TARGET)


if __name__ == "__main__":
    main()
