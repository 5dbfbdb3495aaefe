"""One input: which reader it is for and what that reads; held to its errors and its time."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from tests.fuzz.readers import Reader, readers

LONGEST = 2_000
"""Characters of an input."""
HEAD = 2
"""Bytes that say who reads."""
ALLOWED = 0.005
"""Seconds of processor time for it."""
TRIES = 3
"""Whoever is slow is asked again: the first time something may be made that is kept."""


@dataclass(frozen=True, slots=True)
class Input:
    """A reader by its number, and a text."""

    reader: int
    text: str

    @classmethod
    def of(cls, data: bytes) -> "Input":
        """What bytes stand for: the first two say who reads, the others are the text."""
        head = int.from_bytes(data[:HEAD], "big")
        text = data[HEAD:].decode("utf-8", "surrogateescape" if head & 1 else "replace")
        return cls((head >> 1) % len(readers()), text[:LONGEST])

    @property
    def data(self) -> bytes:
        """The opposite."""
        return (self.reader << 1).to_bytes(HEAD, "big") + self.text.encode("utf-8", "replace")

    @property
    def whose(self) -> Reader:
        """Who reads it."""
        return readers()[self.reader]


def read(one: Input) -> None:
    """Have it read. Raises whatever the reader may not raise."""
    with suppress(*one.whose.errors):
        one.whose.read(one.text)


def spent(one: Input, clock: Callable[[], float] = time.thread_time) -> float:
    """Seconds of processor time that it takes, at best."""
    best = float("inf")
    for _ in range(TRIES):
        began = clock()
        read(one)
        best = min(best, clock() - began)
        if best <= ALLOWED:
            break
    return best


@lru_cache(maxsize=1)
def corpus() -> tuple[Input, ...]:
    """Where to begin: the examples of each reader, and a few texts that have broken others."""
    marks = "1 ; Ge-?1" + "#" * 60 + "f1"  # took minutes: a regular expression tried all ways to part the marks
    odd = (
        marks,
        "",
        "[" * LONGEST,
        "(" * LONGEST,
        '{"x":' + "[" * 1_900,
        "\udcff",
        "1" * LONGEST,
        "\u202e",
        "\x00",
        "%s{0}",
        " eA@X12 o2",  # a word of Veney in which an unclear one stands
        "4\x1c/3d",  # blank for `strip`, not for `int`
    )
    return tuple(Input(number, text) for number, reader in enumerate(readers()) for text in (*reader.examples, *odd))
