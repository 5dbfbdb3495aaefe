"""How well a side stands in Ironclad: how few stones still join its sides, and how far its robots have come."""

from engine.appraisal import Level
from engine.board import Side
from engine.games.ironclad.board import CROSSINGS, FULL, beside, members
from engine.games.ironclad.position import SIDES, Position

MISSING = (900, 400, 180, 100, 60, 35, 20, 10, 4, 0)
"""By how many stones are missing for a string."""
END = 10
"""What each point of the far side is worth at which such a string may end."""
ROBOTS = (60, 90, 120)
"""A robot of height 1, 2, 3."""
ADVANCED = 2
"""What the square of the rows that a robot has come is worth."""

LEVELS = (
    Level(1, noise=90, blunders=25),
    Level(40, noise=45, blunders=12),
    Level(400),
    Level(1_200),
    Level(4_000),
    Level(10_000),
)


def evaluate(position: Position, side: Side) -> int:
    """Own points less the other side's."""
    own = SIDES.index(side)
    return _points(position, own) - _points(position, 1 - own)


def _points(position: Position, side: int) -> int:
    own, enemy = position.stones[side], position.stones[1 - side]
    points = max(_string(own, FULL & ~enemy, start, end) for start, end in CROSSINGS)
    if position.discourse:
        return points
    for worth, squad in zip(ROBOTS, position.squads[side], strict=True):
        for square in members(squad):
            rows = square // 7
            points += worth + ADVANCED * (7 - rows if side else rows) ** 2
    return points


def _string(own: int, open_: int, start: int, end: int) -> int:
    """What the shortest string is worth that can still be made from one side of the grid to the opposite one."""
    missing, reached = 0, _along(start & own, own)
    while not reached & end:
        missing += 1
        grown = (start | beside(reached)) & open_ | reached
        if grown == reached or missing >= len(MISSING):
            return 0
        reached = _along(grown, own)
    return MISSING[missing] + END * (reached & end).bit_count()


def _along(reached: int, own: int) -> int:
    """What is reached along stones that stand already."""
    while True:
        grown = reached | beside(reached) & own
        if grown == reached:
            return reached
        reached = grown
