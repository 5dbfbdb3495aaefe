"""Holds tens of thousands of outputs beside their twins'.

    python -m tests.differ [PAIRS] [ROUNDS] [SEED]
    python -m tests.differ GAME|KIND SEED       one evening again

PAIRS outputs at least are compared (50000), half of them of matches under a judge who objects to nothing, half of
matches that differ in what somebody hides, and of each kind one evening at least (0: none); ROUNDS turns of each kind
are timed in each game (0: none).
"""

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from engine.games import GAMES
from tests.differ import against, hidden, untenable
from tests.differ.noticed import Found
from tests.differ.timing import timed

NEAR = 0.2
"""Milliseconds by which medians may be apart."""
RARE = 0.01
AGAINST = {f"{key} against Riposte": key for key in GAMES}


async def main(pairs: int, rounds: int, seed: int) -> int:
    """Compares, counts and times; returns the number of failures."""
    failures = 0
    for what, kinds in (
        ("under a judge who objects to nothing", (*GAMES, *AGAINST)),
        ("in what is hidden", tuple(hidden.KINDS)),
    ):
        counts, turns, evenings = Counter[str](), 0, 0
        for kind, number in due(kinds, pairs / 2, counts):
            found = await evening(kind, seed + number)
            counts[kind] += found.pairs
            turns, evenings, failures = turns + found.turns, evenings + 1, failures + len(found.unlike)
            if found.unlike:
                print(f"python -m tests.differ '{kind}' {seed + number}\n  {found.unlike[0][:400]}", flush=True)
        each = ", ".join(f"{kind} {count:,}" for kind, count in counts.items())
        print(f"{counts.total():,} pairs {what}, {evenings} evenings, {turns} such turns: {each}", flush=True)
    print(f"differences: {failures}")
    for key in GAMES if rounds else ():
        with tempfile.TemporaryDirectory() as folder:
            taken = await timed(key, rounds, Path(folder) / "room")
        far = abs(taken.apart) > NEAR or taken.chance <= RARE
        failures += far
        count = len(taken.tenable)
        told = f"{key}: {count} turns of each kind, medians {taken.apart:+.3f} ms apart, p = {taken.chance:.3f}"
        print(told + (" (too far)" if far else ""), flush=True)
    return failures


def due(kinds: tuple[str, ...], pairs: float, counts: Counter[str]) -> Iterator[tuple[str, int]]:
    """One kind after the other, with its number, until there are so many pairs and each had its turn; for 0, none."""
    for number in count():
        for kind in kinds:
            if counts.total() >= pairs and (number or not pairs):
                return
            yield kind, number


async def evening(kind: str, number: int) -> Found:
    """One of either sort, by its game or by what is hidden."""
    with tempfile.TemporaryDirectory() as folder:
        if kind in hidden.KINDS:
            return await hidden.evening(kind, number, Path(folder))
        if kind in AGAINST:
            return await against.evening(AGAINST[kind], number, Path(folder))
        return await untenable.evening(kind, number, Path(folder))


async def again(kind: str, number: int) -> int:
    """One evening, with everything that differs."""
    found = await evening(kind, number)
    print("\n".join((*found.unlike, f"{found.pairs} pairs, {len(found.unlike)} differences")))
    return len(found.unlike)


if __name__ == "__main__":
    if sys.argv[1:] and not sys.argv[1].isdigit():
        sys.exit(bool(asyncio.run(again(sys.argv[1], int(sys.argv[2])))))
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(bool(asyncio.run(main(*(given + [50_000, 400, 1][len(given) :])))))
