"""The points of the grid, on which the free engagement waits before it enters play."""

from functools import cache
from typing import Final

from engine.games.veney.board.squares import BIT, square

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
