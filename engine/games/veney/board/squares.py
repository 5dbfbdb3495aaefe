"""The 64 squares of the piste as numbers: lines, steps, measures, sides, and what lies between."""

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
