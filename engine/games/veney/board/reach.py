"""Where each piece goes from a square by its movement alone."""

from typing import Final

from engine.games.veney.board.squares import BETWEEN, BIT, FORWARD, LINE, RAYS, STEP, WAYS, own_measure, square

Reach = tuple[tuple[int, int, int], ...]
"""Where a piece may go from a square by its movement alone: (square, its bit, the squares on the way)."""


def _reach(at: int, targets: list[int]) -> Reach:
    return tuple((to, BIT[to], BETWEEN[at][to]) for to in sorted(set(targets)))


def _queen(at: int) -> list[int]:
    return [to for ray in RAYS[at] for to in ray]


def _king(at: int) -> list[int]:
    return [ray[0] for ray in RAYS[at] if ray]


def _jumps(at: int, jumps: tuple[tuple[int, int], ...]) -> list[int]:
    landed = (square(LINE[at] + x, STEP[at] + y) for x, y in jumps)
    return [to for to in landed if to >= 0]


KING: Final = tuple(_reach(at, _king(at)) for at in range(64))

QUEEN: Final = tuple(_reach(at, _queen(at)) for at in range(64))

SWING: Final = tuple(_reach(at, [to for ray in RAYS[at] for to in ray[1:]]) for at in range(64))
"""Queen lines without the nearest square: the Lantern."""

DRAGON: Final = tuple(_reach(at, _king(at) + [to for ray in RAYS[at][::2] for to in ray]) for at in range(64))
"""Rook lines and one square diagonally: the Guard."""

SHADOW: Final = tuple(tuple((to, BIT[to], 0) for ray in RAYS[at][1::2] for to in ray) for at in range(64))
"""Diagonals, leaping: the Balance."""

KNIGHT: Final = tuple(
    tuple(
        (to, BIT[to], 0)
        for to in sorted(_jumps(at, tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y))))
    )
    for at in range(64)
)

BLINK: Final = tuple(
    tuple(
        (to, BIT[to], 0)
        for to in sorted({t for ray in RAYS[at] for t in ray[:2]} | {to for to in range(at % 16, 64, 16) if to != at})
    )
    for at in range(64)
)
"""One or two squares, or the same square of another measure, leaping: the Jutsu."""

ANYWHERE: Final = tuple(tuple((to, BIT[to], 0) for to in range(64) if to != at) for at in range(64))
"""The Ruin goes where it may stand, by no path."""


def _lunges(side: int, at: int) -> list[int]:
    ahead, back = 5 - own_measure(side, at), own_measure(side, at)
    found: list[int] = []
    for ray, (_, up) in zip(RAYS[at], WAYS, strict=True):
        found += ray[: 1 if not up else ahead if up == FORWARD[side] else back]
    return found


LUNGE: Final = tuple(tuple(_reach(at, _lunges(side, at)) for at in range(64)) for side in (0, 1))
"""LUNGE[side][square]: the Self; four, three, two, one forward and one to four back, by the measure it starts in."""


def _advances(side: int, at: int) -> list[int]:
    ray = RAYS[at][WAYS.index((0, FORWARD[side]))]
    if own_measure(side, at) != 2:
        return list(ray[:1])
    return [to for far, to in enumerate(ray[:3]) if far == 0 or own_measure(side, to) == 2]


ADVANCE: Final = tuple(tuple(_reach(at, _advances(side, at)) for at in range(64)) for side in (0, 1))
"""ADVANCE[side][square]: an engagement straight ahead; up to three inside its second measure."""

BITE: Final = tuple(
    tuple(_reach(at, _jumps(at, ((-1, FORWARD[side]), (1, FORWARD[side])))) for at in range(64)) for side in (0, 1)
)
"""BITE[side][square]: one square diagonally forward, where an engagement fends."""

NEXT: Final = tuple(sum(bit for _, bit, _ in KING[at]) for at in range(64))
"""The squares adjacent to one."""

DIAGONALS: Final = tuple(sum(bit for _, bit, _ in SHADOW[at]) for at in range(64))


def adjacent(one: int, two: int) -> bool:
    """Whether two squares touch, by a side or a corner."""
    return bool(NEXT[one] & BIT[two])
