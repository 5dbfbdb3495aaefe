"""The piste as it is drawn: squares, points of the grid, measures and the words around them."""

from typing import Final

from engine.board import Board, Legend
from engine.games.veney.board.points import POINTS
from engine.games.veney.board.reach import KING
from engine.games.veney.board.squares import BIT, HALF, LIGHT, LINE, LINES, MEASURES, SQUARES, STEP, sites
from engine.text import Term


def _tile(at: int) -> tuple[tuple[float, float], ...]:
    left, top = float(LINE[at]), float(16 - STEP[at])
    return ((left, top), (left + 1, top), (left + 1, top + 1), (left, top + 1))


def _point(point: int) -> tuple[float, float]:
    return float(point // 17), float(16 - point % 17)


def _beside(at: int, touching: int) -> tuple[str, ...]:
    return tuple(
        SQUARES[to] for to, _, _ in KING[at] if abs(LINE[to] - LINE[at]) + abs(STEP[to] - STEP[at]) == touching
    )


def _lined(point: int) -> tuple[str, ...]:
    i, j = divmod(point, 17)
    near = ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
    return tuple(POINTS[17 * x + y] for x, y in near if 0 <= x <= 4 and 0 <= y <= 16)


_MEASURES: Final = (Term("measure 1"), Term("measure 2"), Term("measure 3"), Term("measure 4"))

BOARD: Final = Board(
    name="veney",
    outlines={
        **{site: _tile(at) for at, site in enumerate(SQUARES)},
        **{site: (_point(point),) for point, site in enumerate(POINTS)},
    },
    edges={
        **{site: _beside(at, 1) for at, site in enumerate(SQUARES)},
        **{site: _lined(point) for point, site in enumerate(POINTS)},
    },
    corners={site: _beside(at, 2) for at, site in enumerate(SQUARES)},
    zones={
        **{name: frozenset(sites(MEASURES[m])) for m, name in enumerate(_MEASURES, 1)},
        Term("White's side"): frozenset(sites(HALF[0])),
        Term("Black's side"): frozenset(sites(HALF[1])),
    },
    tones={site: 0 if LIGHT & BIT[at] else 1 for at, site in enumerate(SQUARES)},
    tints=dict.fromkeys(_MEASURES[1:3], "area"),
    legends=(
        *(Legend(line, (x + 0.5, 16.4)) for x, line in enumerate(LINES)),
        *(Legend(str(step), (-0.45, 16.5 - step)) for step in range(1, 17)),
    ),
    lines=(
        *(((0.0, float(y)), (4.0, float(y))) for y in (4, 12)),
        ((-0.25, 8.0), (4.25, 8.0)),
    ),
)
