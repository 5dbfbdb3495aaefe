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
    joined = _joined(*position.stones)
    points = (-joined if own else joined) + _fewer(position, own)
    return points if position.discourse else points + _robots(position, own) - _robots(position, 1 - own)


def _robots(position: Position, side: int) -> int:
    """What a side's robots are worth, and the nearest one once more by how near it is."""
    steps = _steps(position, side)
    begins = (position.owner == side) != bool(position.half)
    return _marched(position.squads[side], side) + NEAREST[steps] + (SOONEST[steps] if begins else 0)


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
def _joined(white: int, black: int) -> int:
    """What White's shortest string is worth less what Black's is, each the better of the two ways across the grid.

    All four are looked for at once, each in a lane of one wide number: Python takes as long for a wide one as for
    another, nearly.
    """
    own = white * BOTH_WAYS | black * BOTH_WAYS << BLACK
    free = (FULL & ~black) * BOTH_WAYS | (FULL & ~white) * BOTH_WAYS << BLACK
    best = [0, 0]
    waiting, grown = ENDS, STARTS & own
    for missing in MISSING:
        while True:  # along stones that stand already; as `beside`, without its cost
            spread = grown << 1 & NOT_FIRST | grown >> 1 & NOT_LAST | grown << 7 | grown >> 7
            reached = grown | spread & own
            if reached == grown:
                break
            grown = reached
        if grown & waiting:
            for side, lane, end in LANES:
                there = grown & waiting & end
                if there:
                    best[side] = max(best[side], missing + END * there.bit_count())
                    waiting &= ~end
                    own &= ~lane
                    free &= ~lane
            if not waiting:
                break
        reached = grown | (STARTS | spread) & free
        if reached == grown:
            break
        grown = reached
    return best[0] - best[1]


LANE = 72
"""Bits of a lane: the grid, and enough for what is shifted out of it."""
BLACK = 2 * LANE
BOTH_WAYS = 1 | 1 << LANE
_EVERY = BOTH_WAYS | BOTH_WAYS << BLACK
NOT_FIRST, NOT_LAST = NOT_G * _EVERY, NOT_A * _EVERY
_WAYS = tuple((side, BLACK * side + LANE * way, way) for side in (0, 1) for way in (0, 1))
STARTS = sum(CROSSINGS[way][0] << shift for _, shift, way in _WAYS)
ENDS = sum(CROSSINGS[way][1] << shift for _, shift, way in _WAYS)
LANES = tuple((side, FULL << shift, CROSSINGS[way][1] << shift) for side, shift, way in _WAYS)
"""Whose each lane is, its points, and those of its far side."""
