"""Where robots and stones stand in a game of Ironclad, and how one line of text says it."""

import re
from typing import NamedTuple, TypeAlias

from engine.board import Side
from engine.game import NotationError
from engine.games.ironclad.grid import BIT, COLUMNS, INDEX, POINTS, SQUARES, corners, members

SIDES: tuple[Side, Side] = ("W", "B")
"""White and Black; inside this game a side is 0 or 1."""

SUPPLY = 32
"""Stones that each side has."""

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


START = (
    "rW: A1=1 B1=2 C1=3 D1=3 E1=2 F1=1 / rB: A8=1 B8=2 C8=3 D8=3 E8=2 F8=1"
    " / sW: - / sB: - / last: - / mode: full / owner: W / half: - / to: W"
)

_TEXT = re.compile(
    r"rW: (?P<rW>[^/]+) / rB: (?P<rB>[^/]+) / sW: (?P<sW>[^/]+) / sB: (?P<sB>[^/]+) / last: (?P<last>-|[a-g][1-9])"
    r" / mode: (?P<mode>full|discourse) / owner: (?P<owner>[WB]) / half: (?P<half>-|robots|stones) / to: (?P<to>[WB])"
    r"(?: / quiet: (?P<quiet>[1-9][0-9]{0,5}))?"
)
_ROBOTS = {
    f"{site}={height}": (BIT[index], height - 1)
    for site, index in INDEX.items()
    for height in (1, 2, 3)
    if site[0] in COLUMNS
}


def encode(position: Position) -> str:
    """The position as one line; `decode` is its inverse."""
    robots_ = " / ".join(f"r{side}: {_squad(squad)}" for side, squad in zip(SIDES, position.squads, strict=True))
    stones = " / ".join(
        f"s{side}: {' '.join([POINTS[index] for index in members(standing)]) or '-'}"
        for side, standing in zip(SIDES, position.stones, strict=True)
    )
    last = POINTS[position.last] if position.last >= 0 else "-"
    mode = "discourse" if position.discourse else "full"
    quiet = f" / quiet: {position.quiet}" if position.quiet else ""
    return (
        f"{robots_} / {stones} / last: {last} / mode: {mode} / owner: {SIDES[position.owner]}"
        f" / half: {position.half or '-'} / to: {SIDES[position.actor]}{quiet}"
    )


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
    """Read what `encode` writes, pieces in any order."""
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        raise NotationError("that is no position of Ironclad", f"The start, as an example, is `{START}`.")
    taken = 0
    squads: list[Squad] = []
    for side in SIDES:
        squad = [0, 0, 0]
        for robot in _listed(found[f"r{side}"]):
            if robot not in _ROBOTS:
                raise NotationError(f"there is no robot `{robot}`", "Write a square and a height: `C4=3`.")
            bit, height = _ROBOTS[robot]
            if taken & bit:
                raise NotationError(f"two robots stand on {robot[:2]}", "Name every square once.")
            taken |= bit
            squad[height] |= bit
        squads.append((squad[0], squad[1], squad[2]))
    taken = 0
    stones: list[int] = []
    for side in SIDES:
        standing = 0
        for site in _listed(found[f"s{side}"]):
            if site not in INDEX or site[0] in COLUMNS:
                raise NotationError(f"there is no intersection `{site}`", "Write a letter and a number: `d5`.")
            if taken & BIT[INDEX[site]]:
                raise NotationError(f"two stones stand on {site}", "Name every intersection once.")
            taken |= BIT[INDEX[site]]
            standing |= BIT[INDEX[site]]
        if standing.bit_count() > SUPPLY:
            raise NotationError(f"a side has {SUPPLY} stones", "Take some off.")
        stones.append(standing)
    last = INDEX[found["last"]] if found["last"] != "-" else -1
    if last >= 0 and not taken & BIT[last]:
        raise NotationError(f"no stone stands on {found['last']}", "`last` is where the stone slid last now stands.")
    half = "" if found["half"] == "-" else found["half"]
    discourse = found["mode"] == "discourse"
    if half and discourse:
        raise NotationError("a turn of the discourse game has no halves", "Write `half: -`.")
    position = Position(
        (squads[0], squads[1]),
        (stones[0], stones[1]),
        last,
        discourse,
        SIDES.index(found["owner"]),
        half,
        int(found["quiet"] or 0),
    )
    if SIDES[position.actor] != found["to"]:
        raise NotationError(
            f"`to: {found['to']}` does not fit its owner and half",
            "The owner plays the first half of a turn, the opponent the second.",
        )
    return position


def _listed(text: str) -> list[str]:
    return [] if text == "-" else text.split()
