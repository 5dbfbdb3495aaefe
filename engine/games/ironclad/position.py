"""Where robots and stones stand in a game of Ironclad, and how one line of text says it."""

import re
from collections.abc import Hashable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from engine.board import Side
from engine.game import NotationError, Rule
from engine.games.ironclad.board import BIT, COLUMNS, INDEX, POINTS, ROWS, SQUARES, corners, joins, members
from engine.games.ironclad.rules import BREAKTHROUGH, STRING
from engine.text import Term, Text

SIDES: tuple[Side, Side] = ("W", "B")
"""White and Black; inside this game a side is 0 or 1."""

NAMES = (Term("White"), Term("Black"))

SUPPLY = 32
"""Stones that each side has."""

SHORTEST = 7
"""Stones in the shortest string: from line a straight to line g."""

QUIET_LIMIT = 50
"""Turns without a placed stone or a destroyed robot that make a draw."""

Squad: TypeAlias = tuple[int, int, int]
"""The squares of one side's robots, by height 1, 2 and 3."""


class Position(NamedTuple):
    """What stands on both boards, and which half of whose turn is due. A tuple, because counting makes many."""

    squads: tuple[Squad, Squad]
    stones: tuple[int, int]
    last: int
    """Where the stone that was slid last in the game stands; -1 for nowhere."""
    discourse: bool
    owner: int
    """Whose turn it is; the other half of it is played by the opponent."""
    half: str
    """Which half of the turn has been played: "", "robots" or "stones"."""
    quiet: int = 0
    """Turns since a stone was placed or a robot destroyed."""
    swap: str = ""
    """Whether sides may be swapped: "later" before the first turn, "now" after it, "" from then on, or by the terms."""

    @property
    def actor(self) -> int:
        """Who plays now."""
        return 1 - self.owner if self.half else self.owner


def robots(position: Position) -> int:
    """The squares of all robots."""
    (a, b, c), (d, e, f) = position.squads
    return a | b | c | d | e | f


def negated(position: Position) -> int:
    """The intersections where no stone may be placed."""
    return corners(robots(position))


def cover(position: Position, square: int) -> int:
    """How many stones of either colour stand on a square's corners."""
    white, black = position.stones
    return (corners(BIT[square]) & (white | black)).bit_count()


def owner_of(position: Position, square: int) -> int | None:
    """Whose robot stands on a square."""
    return next((side for side in (0, 1) if height(position, side, square)), None)


def height(position: Position, side: int, square: int) -> int:
    """How high a side's robot on a square is; 0 if there is none."""
    return next((high for high, squad in enumerate(position.squads[side], 1) if squad & BIT[square]), 0)


def winner(position: Position) -> tuple[Rule, int] | None:
    """Who has reached a winning condition; of two at once, the owner of the half just played."""
    latest = position.owner if position.half else 1 - position.owner
    for side in (latest, 1 - latest):
        ones, twos, threes = position.squads[side]
        if not position.discourse and (ones | twos | threes) & ROWS[1 - side]:
            return BREAKTHROUGH, side
        if position.stones[side].bit_count() >= SHORTEST and joins(position.stones[side]):
            return STRING, side
    return None


START = (
    "rW: A1=1 B1=2 C1=3 D1=3 E1=2 F1=1 / rB: A8=1 B8=2 C8=3 D8=3 E8=2 F8=1"
    " / sW: - / sB: - / last: - / mode: full / owner: W / half: - / to: W"
)

_TEXT = re.compile(
    r"rW: (?P<rW>[^/]+) / rB: (?P<rB>[^/]+) / sW: (?P<sW>[^/]+) / sB: (?P<sB>[^/]+) / last: (?P<last>-|[a-g][1-9])"
    r" / mode: (?P<mode>full|discourse) / owner: (?P<owner>[WB]) / half: (?P<half>-|robots|stones) / to: (?P<to>[WB])"
    r"(?: / quiet: (?P<quiet>0|[1-9][0-9]{0,5}))?(?: / swap: (?P<swap>later|now))?"
)
_ROBOTS = {
    f"{site}={height}": (BIT[index], height - 1)
    for site, index in INDEX.items()
    for height in (1, 2, 3)
    if site[0] in COLUMNS
}


def identity(position: Position) -> Hashable:
    """What is equal for positions that count as repeated: all but the count of quiet turns."""
    return position._replace(quiet=0)


def encode(position: Position) -> str:
    """The position as one line; `decode` is its inverse."""
    robots_ = " / ".join(f"r{side}: {_squad(squad)}" for side, squad in zip(SIDES, position.squads, strict=True))
    stones = " / ".join(f"s{side}: {_stones(standing)}" for side, standing in zip(SIDES, position.stones, strict=True))
    last = POINTS[position.last] if position.last >= 0 else "-"
    mode = "discourse" if position.discourse else "full"
    quiet = f" / quiet: {position.quiet}" if position.quiet else ""
    swap = f" / swap: {position.swap}" if position.swap else ""
    return (
        f"{robots_} / {stones} / last: {last} / mode: {mode} / owner: {SIDES[position.owner]}"
        f" / half: {position.half or '-'} / to: {SIDES[position.actor]}{quiet}{swap}"
    )


@lru_cache(maxsize=1 << 10)  # a turn leaves most of them as they were
def _stones(standing: int) -> str:
    return " ".join([POINTS[index] for index in members(standing)]) or "-"


@lru_cache(maxsize=1 << 10)
def _squad(squad: Squad) -> str:
    ones, twos, _ = squad
    return (
        " ".join(
            f"{SQUARES[index]}={1 if ones & BIT[index] else 2 if twos & BIT[index] else 3}"
            for index in members(squad[0] | squad[1] | squad[2])
        )
        or "-"
    )


def decode(text: str) -> Position:
    """Read what `encode` writes, pieces in any order. Raises NotationError."""
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        raise NotationError(
            Text("That is no position of Ironclad."), Text("The start, as an example, is `{start}`.", start=START)
        )
    taken = 0
    squads: list[Squad] = []
    for side in SIDES:
        squad = [0, 0, 0]
        for robot in _listed(found[f"r{side}"]):
            if robot not in _ROBOTS:
                raise NotationError(
                    Text("There is no robot `{robot}`.", robot=robot), Text("Write a square and a height: `C4=3`.")
                )
            bit, height = _ROBOTS[robot]
            if taken & bit:
                raise NotationError(
                    Text("Two robots stand on {place}.", place=robot[:2]), Text("Name every square once.")
                )
            taken |= bit
            squad[height] |= bit
        squads.append((squad[0], squad[1], squad[2]))
    taken = 0
    stones: list[int] = []
    for side in SIDES:
        standing = 0
        for site in _listed(found[f"s{side}"]):
            if site not in INDEX or site[0] in COLUMNS:
                raise NotationError(
                    Text("There is no intersection `{place}`.", place=site), Text("Write a letter and a number: `d5`.")
                )
            if taken & BIT[INDEX[site]]:
                raise NotationError(
                    Text("Two stones stand on {place}.", place=site), Text("Name every intersection once.")
                )
            taken |= BIT[INDEX[site]]
            standing |= BIT[INDEX[site]]
        if standing.bit_count() > SUPPLY:
            raise NotationError(Text("A side has {supply} stones.", supply=SUPPLY), Text("Take some off the board."))
        stones.append(standing)
    last = INDEX[found["last"]] if found["last"] != "-" else -1
    if last >= 0 and not taken & BIT[last]:
        raise NotationError(
            Text("No stone stands on {place}.", place=found["last"]),
            Text("Write after `last:` where the stone that was slid last now stands, or `-`."),
        )
    half = "" if found["half"] == "-" else found["half"]
    discourse = found["mode"] == "discourse"
    if half and discourse:
        raise NotationError(Text("A turn of the discourse game has no halves."), Text("Write `half: -`."))
    if found["swap"] and not discourse:
        raise NotationError(Text("Only the discourse game knows a swap."), Text("Leave `swap:` out."))
    position = Position(
        (squads[0], squads[1]),
        (stones[0], stones[1]),
        last,
        discourse,
        SIDES.index(found["owner"]),
        half,
        int(found["quiet"] or 0),
        found["swap"] or "",
    )
    if SIDES[position.actor] != found["to"]:
        raise NotationError(
            Text("`to: {side}` does not fit its owner and half.", side=found["to"]),
            Text("The owner plays the first half of a turn, the opponent the second."),
        )
    return position


def _listed(text: str) -> list[str]:
    return [] if text == "-" else text.split()
