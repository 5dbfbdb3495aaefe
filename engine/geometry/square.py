"""Boards of squares, named like a chessboard: a1 at the lower left."""

from collections.abc import Mapping
from string import ascii_lowercase

from engine.board import Board, Legend, Site, Zone

STRAIGHT = ((0, -1), (-1, 0), (1, 0), (0, 1))
DIAGONAL = ((-1, -1), (1, -1), (-1, 1), (1, 1))
"""Columns to the right and rows up, to the squares across an edge and across a corner."""


def square_places(columns: int, rows: int) -> dict[Site, tuple[int, int]]:
    """Each square and its place, `a1` at (0, 0), row by row from the bottom."""
    if not 1 <= columns <= len(ascii_lowercase):
        raise ValueError(f"A board of squares has 1 to {len(ascii_lowercase)} columns, not {columns}.")
    return {
        f"{letter}{row + 1}": (column, row)
        for row in range(rows)
        for column, letter in enumerate(ascii_lowercase[:columns])
    }


def square_board(
    name: str,
    columns: int,
    rows: int,
    *,
    zones: Mapping[Zone, frozenset[Site]] | None = None,
    tints: Mapping[Zone, str] | None = None,
    tones: Mapping[Site, int] | None = None,
) -> Board:
    """A board of squares with its edges, corners and coordinates; chequered, a1 dark, unless `tones` says otherwise."""
    places = square_places(columns, rows)
    chequered = {site: 0 if (column + row) % 2 else 1 for site, (column, row) in places.items()}
    return Board(
        name,
        outlines={site: _outline(column, rows - 1 - row) for site, (column, row) in places.items()},
        edges=_touching(places, STRAIGHT),
        corners=_touching(places, DIAGONAL),
        zones=zones or {},
        tones=chequered if tones is None else tones,
        tints=tints or {},
        legends=(
            *(Legend(letter, (column + 0.5, rows + 0.35)) for column, letter in enumerate(ascii_lowercase[:columns])),
            *(Legend(str(row + 1), (-0.35, rows - 0.5 - row)) for row in range(rows)),
        ),
    )


def _outline(left: int, top: int) -> tuple[tuple[float, float], ...]:
    x, y = float(left), float(top)
    return ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))


def _touching(
    places: Mapping[Site, tuple[int, int]], steps: tuple[tuple[int, int], ...]
) -> dict[Site, tuple[Site, ...]]:
    named = {place: site for site, place in places.items()}
    return {
        site: tuple(named[x + right, y + up] for right, up in steps if (x + right, y + up) in named)
        for site, (x, y) in places.items()
    }
