"""Where a picture is cut into bands of rows: between rows of pieces, so that a turn changes as few rows as can be."""

import math
from bisect import bisect_left, bisect_right
from itertools import chain

from render.cells import Cell
from render.layout import Layout
from render.png import BAND

FIXED = 16
"""What a band costs beyond its rows, in rows: its head and its table of codes."""
TALLEST = 72
"""Rows to a band at most, unless nothing suggests a cut."""


def cuts(layout: Layout) -> tuple[int, ...]:
    """The rows at which bands begin, and the picture's height: even beside the board, on it as its places suggest."""
    stretches = [stretch for cell in layout.cells.values() for stretch in _stretches(cell)]
    top = max(0, min((start for start, _ in stretches), default=0) // BAND * BAND)
    bottom = min(layout.height, -(max((end for _, end in stretches), default=0) // -BAND) * BAND)
    board = _best(stretches, top, bottom) if top < bottom else []
    return tuple(sorted({*range(0, top, BAND), *board, *range(bottom, layout.height, BAND), layout.height}))


def _stretches(cell: Cell) -> list[tuple[int, int]]:
    """The rows that a piece changes, and those that a mark changes."""
    piece = math.floor(cell.centre[1] - cell.radius) - 1, math.ceil(cell.centre[1] + cell.radius) + 1
    _, top, _, bottom = cell.box
    return [piece] if cell.round else [piece, (math.floor(top), math.ceil(bottom))]


def _best(stretches: list[tuple[int, int]], top: int, bottom: int) -> list[int]:
    """The cuts for which all stretches together touch the fewest rows, and bands."""
    starts, ends = sorted(start for start, _ in stretches), sorted(end for _, end in stretches)
    rows = sorted({top, bottom, *(row for row in chain(starts, ends) if top < row < bottom)})
    costs, before = [0.0], [0]
    for i in range(1, len(rows)):
        first = min(i - 1, bisect_left(rows, rows[i] - TALLEST))
        ended = [bisect_right(ends, row) for row in rows[first:i]]
        begun = bisect_left(starts, rows[i])
        options = [
            (costs[j] + (begun - gone) * (rows[i] - rows[j] + FIXED), j)
            for j, gone in zip(range(first, i), ended, strict=True)
        ]
        cost, at = min(options)
        costs.append(cost)
        before.append(at)
    cuts, i = [rows[-1]], len(rows) - 1
    while i:
        i = before[i]
        cuts.append(rows[i])
    return cuts
