"""The piste of Veney as numbers: squares, measures, sides, what lies between, and the points of the grid."""

from functools import cache
from typing import Final

from engine.board import Site

LINES: Final = "WXYZ"
"""The four lengthwise rows, from White's left."""

SQUARES: Final = tuple(f"{line}{step}" for step in range(1, 17) for line in LINES)
"""Every square by number: step by step from White's end, from W to Z on each step."""

NUMBER: Final = {site: at for at, site in enumerate(SQUARES)}
BIT: Final = tuple(1 << at for at in range(64))
EVERYWHERE: Final = (1 << 64) - 1
LINE: Final = tuple(at % 4 for at in range(64))
STEP: Final = tuple(at // 4 + 1 for at in range(64))
MEASURE: Final = tuple(at // 16 + 1 for at in range(64))
"""1 to 4, counted from White's end."""

LIGHT: Final = sum(BIT[at] for at in range(64) if (LINE[at] + STEP[at]) % 2)
"""The free engagement is White's on these squares, Black's on the others."""

MEASURES: Final = (0, *(0xFFFF << (16 * (m - 1)) for m in range(1, 5)), 0)
"""The squares of measure 1 to 4; nothing outside."""

NEAR: Final = tuple(MEASURES[max(m - 1, 0)] | MEASURES[m] | MEASURES[min(m + 1, 5)] for m in range(5))
"""A measure and those next to it."""

STEPS: Final = (0, *(0xF << (4 * (s - 1)) for s in range(1, 17)), 0)
"""The four squares of a step; nothing outside."""

WARD: Final = (0, *(MEASURES[m] | STEPS[4 * m - 4] | STEPS[min(4 * m + 1, 17)] for m in range(1, 5)))
"""A measure and one step on either side of it."""

HALF: Final = (MEASURES[1] | MEASURES[2], MEASURES[3] | MEASURES[4])
"""White's side and Black's side of the centre line."""

FORWARD: Final = (1, -1)
"""Up-step for White, down-step for Black."""

AHEAD: Final = tuple(
    tuple(sum(STEPS[s] for s in range(1, 17) if (s - step) * forward > 0) for step in range(18)) for forward in FORWARD
)
"""AHEAD[side][step]: the squares further toward the opponent than a step."""

WAYS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""The eight directions as (Z-ward, up-step)."""


def square(line: int, step: int) -> int:
    """The number of a square, or -1 off the board."""
    return (step - 1) * 4 + line if 0 <= line < 4 and 1 <= step <= 16 else -1


def turned(at: int) -> int:
    """The same square as seen from the other end."""
    return 63 - at


def own_measure(side: int, at: int) -> int:
    """A square's measure in a side's own counting: 1 is the nearest."""
    return 5 - MEASURE[at] if side else MEASURE[at]


def squares(mask: int) -> tuple[int, ...]:
    """The numbers of the squares in a mask, in order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def sites(mask: int) -> tuple[Site, ...]:
    """The names of the squares in a mask, in order."""
    return tuple(SQUARES[at] for at in squares(mask))


def _ray(at: int, way: tuple[int, int]) -> tuple[int, ...]:
    line, step = LINE[at] + way[0], STEP[at] + way[1]
    ray = []
    while (to := square(line, step)) >= 0:
        ray.append(to)
        line, step = line + way[0], step + way[1]
    return tuple(ray)


RAYS: Final = tuple(tuple(_ray(at, way) for way in WAYS) for at in range(64))
"""RAYS[square][way]: the squares in a direction, nearest first."""

NOT_IN_LINE: Final = -1


def _lines_of_sight() -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    between = [[0] * 64 for _ in range(64)]
    ways = [[NOT_IN_LINE] * 64 for _ in range(64)]
    for at in range(64):
        for way, ray in enumerate(RAYS[at]):
            crossed = 0
            for to in ray:
                ways[at][to], between[at][to] = way, crossed
                crossed |= BIT[to]
    return tuple(map(tuple, between)), tuple(map(tuple, ways))


BETWEEN, WAY = _lines_of_sight()
"""BETWEEN[a][b]: the squares strictly between two that are in line; WAY[a][b]: the direction, or NOT_IN_LINE."""

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

# --- points of the grid, where the free engagement waits ----------------------------------------------

START_POINT: Final = 2 * 17 + 8
"""^XY8, the exact centre. A point is 17 x (0 = edge at W ... 4 = edge at Z) + (0 = White's edge ... 16)."""

POINTS: Final = tuple(f"^{pair}{j}" for pair in ("-W", "WX", "XY", "YZ", "Z-") for j in range(17))
POINT_NUMBER: Final = {name: at for at, name in enumerate(POINTS)}
META: Final = {"aw": (-1, 0), "az": (1, 0), "a+": (0, 1), "a-": (0, -1)}
"""The four meta-moves as (Z-ward, up-step)."""


@cache
def meta(point: int, move: str) -> int:
    """The point a meta-move leads to, or -1 off the grid."""
    across, up = META[move]
    i, j = point // 17 + across, point % 17 + up
    return 17 * i + j if 0 <= i <= 4 and 0 <= j <= 16 else -1


TOUCHED: Final = tuple(
    sum(BIT[at] for at in (square(point // 17 + x, point % 17 + y) for x in (-1, 0) for y in (0, 1)) if at >= 0)
    for point in range(85)
)
"""The squares that a point touches: four inside, two on an edge, one in a corner."""
