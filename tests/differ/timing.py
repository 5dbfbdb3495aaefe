"""Whether judging a turn takes longer where it is untenable: in CPU time, by a rank test over many.

Different turns take different times, for all to see; so each is timed under a judge who objects to nothing as well, and
what is compared is what the verdict takes beyond that.
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from math import erfc, sqrt
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from engine.games import GAMES
from tests.chat_room import ChatRoom, open_room
from tests.differ.blind import blind
from tests.differ.pairs import Pair, pairs

PAIRS = 24


@dataclass(frozen=True, slots=True)
class Timed:
    """CPU milliseconds beyond those under a judge who objects to nothing, for both kinds of turns, taken in turns."""

    tenable: tuple[float, ...]
    untenable: tuple[float, ...]

    @property
    def apart(self) -> float:
        """How far the medians are apart, in milliseconds."""
        return median(self.untenable) - median(self.tenable)

    @property
    def chance(self) -> float:
        """How often alike turns would differ as much as these."""
        return mann_whitney(self.tenable, self.untenable)


async def timed(key: str, rounds: int, folder: Path) -> Timed:
    """Both turns of many pairs, one after the other in an order of chance, each in a match of its own."""
    found = pairs(key, PAIRS)
    chance = Random(key)
    sighted, unseeing = await open_room(_made(folder / "sighted")), await open_room(_made(folder / "blind"))
    taken: dict[bool, list[float]] = {True: [], False: []}
    try:
        for number in range(len(found) + rounds):
            pair, spent = found[number % len(found)], dict[tuple[bool, bool], float]()
            ways = [(held, seeing) for held in (True, False) for seeing in (True, False)]
            for held, seeing in chance.sample(ways, len(ways)):
                with nullcontext() if seeing else blind(key):
                    room, text = sighted if seeing else unseeing, pair.tenable if held else pair.untenable
                    spent[held, seeing] = await _turn(room, key, pair, text)
            for held in (True, False) if number >= len(found) else ():  # before, everything is made ready
                taken[held].append(spent[held, True] - spent[held, False])
    finally:
        await sighted.store.close()
        await unseeing.store.close()
    return Timed(tuple(taken[True]), tuple(taken[False]))


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


async def _turn(room: ChatRoom, key: str, pair: Pair, text: str) -> float:
    start = (
        f' start="{pair.start}" side=lot' if pair.start else " side=" + GAMES[key].names[GAMES[key].sides[0]].lower()
    )
    first = " first=white" if key == "veney" else ""
    posts = await room.say("anna", f"challenge @ben {key} umpire=turn time=5d{start}{first}")
    number = posts[0].about
    await room.say("ben", f"accept {number}")
    for before in pair.before:
        await room.say(await _mover(room, number), before, number)
    heard = room.message(await _mover(room, number), text, number)
    began = process_time()
    await room.service.receive(heard)
    spent = process_time() - began
    await room.deliver()
    await room.say("anna", f"resign {number} yes")
    return 1_000 * spent


async def _mover(room: ChatRoom, number: str) -> str:
    match = await room.service.repository.match(number)
    assert match is not None
    return match.seats[match.game.to_act(match.position)].partition(":")[2]


def mann_whitney(one: Sequence[float], other: Sequence[float]) -> float:
    """The two-sided p of the rank test, by its normal approximation with ties."""
    ranks = dict(_ranks(sorted((*one, *other))))
    n, m = len(one), len(other)
    total = n + m
    above = sum(ranks[value] for value in one) - n * (n + 1) / 2
    tied = dict.fromkeys(ranks, 0)
    for value in (*one, *other):
        tied[value] += 1
    ties = sum(count**3 - count for count in tied.values()) / (total * (total - 1))
    spread = sqrt(n * m / 12 * (total + 1 - ties))
    return erfc(abs(above - n * m / 2) / spread / sqrt(2)) if spread else 1.0


def _ranks(values: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Each value with the mean of its ranks."""
    at = 0
    while at < len(values):
        end = at
        while end < len(values) and values[end] == values[at]:
            end += 1
        yield values[at], (at + 1 + end) / 2
        at = end
