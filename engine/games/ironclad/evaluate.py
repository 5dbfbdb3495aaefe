"""How well a side stands in Ironclad: how few stones still join its sides, how far its robots have come, and whether
it will still have a stone to lay when the grid is full."""

from functools import lru_cache

from engine.appraisal import Level
from engine.board import Side
from engine.games.ironclad.board import CROSSINGS, FULL, NOT_A, NOT_G, POINTS, ROWS, around, members
from engine.games.ironclad.position import SIDES, Position, Squad, robots

MISSING = (900, 400, 180, 100, 60, 35, 20, 10, 4, 0)
"""By how many stones are missing for a string."""
END = 10
"""What each point of the far side is worth at which such a string may end."""
ROBOTS = (20, 30, 40)
"""A robot of height 1, 2, 3."""
ADVANCED = 3
"""What the square of the rows that a robot has come is worth."""
NEAREST = (0, 100, 50, 25, 10, 0)
"""By how many steps over free squares the nearest robot is away from the enemy's first row."""
SOONEST = (0, 500, 60, 25, 10, 0)
"""The same once more, for the side that begins the next turn, or this one if it is not begun."""
FEWER = (75, 75, 45, *(25,) * 2, *(20,) * 3, *(15,) * 4, *(10,) * 6, *(6,) * 8, *(3,) * 38)
"""By how many points are free: what half a stone is worth that a side has laid less than the other one. Whoever has to
lay a stone on the full grid has lost, so slides, which lay none, decide games in which no string comes about."""
MOST_FEWER = 7
"""How many such halves count at most."""

LATE = 3
"""After how many steps the others are looked at less deep first: there are fifty, and few of them matter."""
LEVELS = (
    Level(1, noise=90, blunders=25),
    Level(40, noise=45, blunders=12),
    Level(16_000),
    Level(42_000),
    Level(95_000),
    Level(200_000),
)


def evaluate(position: Position, side: Side) -> int:
    """Own points less the other side's."""
    own = SIDES.index(side)
    return _points(position, own) - _points(position, 1 - own) + _fewer(position, own)


def _points(position: Position, side: int) -> int:
    points = _joined(position.stones[side], position.stones[1 - side])
    if position.discourse:
        return points
    steps = _steps(position, side)
    begins = (position.owner == side) != bool(position.half)
    return points + _marched(position.squads[side], side) + NEAREST[steps] + (SOONEST[steps] if begins else 0)


def _fewer(position: Position, side: int) -> int:
    """What it is worth to have laid fewer stones; the one that is due next counts as half laid."""
    own, enemy = position.stones[side].bit_count(), position.stones[1 - side].bit_count()
    due = (position.owner == side) != (position.half == "stones")
    halves = 2 * (enemy - own) + (-1 if due else 1)
    return FEWER[len(POINTS) - own - enemy] * max(-MOST_FEWER, min(MOST_FEWER, halves))


@lru_cache(maxsize=1 << 12)
def _marched(squads: Squad, side: int) -> int:
    """What a side's robots are worth, and how far they have come."""
    points = 0
    for worth, squad in zip(ROBOTS, squads, strict=True):
        for square in members(squad):
            rows = square // 7
            points += worth + ADVANCED * (7 - rows if side else rows) ** 2
    return points


def _steps(position: Position, side: int) -> int:
    """How far a side's nearest robot is from the enemy's first row; 5 for more, or none."""
    ones, twos, threes = position.squads[side]
    return _nearest(ones | twos | threes, robots(position), ROWS[1 - side])


@lru_cache(maxsize=1 << 13)
def _nearest(mine: int, taken: int, goal: int) -> int:
    reached = mine
    for steps in range(len(NEAREST) - 1):
        if reached & goal:
            return steps
        reached |= around(reached) & ~taken
    return len(NEAREST) - 1


@lru_cache(maxsize=1 << 14)
def _joined(own: int, enemy: int) -> int:
    """What the better of a side's shortest strings is worth, from one side of the grid to the opposite one."""
    open_ = FULL & ~enemy
    return max([_string(own, open_, start, end) for start, end in CROSSINGS])


def _string(own: int, open_: int, start: int, end: int) -> int:
    """What the shortest string from here to there is worth that can still be made."""
    missing, reached, grown = 0, 0, start & own
    while True:
        while grown != reached:  # along stones that stand already; as `beside`, without its cost
            reached = grown
            grown |= (grown << 1 & NOT_G | grown >> 1 & NOT_A | grown << 7 | grown >> 7) & own
        if reached & end:
            return MISSING[missing] + END * (reached & end).bit_count()
        missing += 1
        grown |= (start | grown << 1 & NOT_G | grown >> 1 & NOT_A | grown << 7 | grown >> 7) & open_
        if grown == reached or missing >= len(MISSING):
            return 0
