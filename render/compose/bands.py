"""Cuts a picture into bands of rows, between rows of pieces, so that a turn changes as few rows as possible."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, pairwise

from render.drawing.marks import WITHIN
from render.layout.cells import Cell
from render.layout.page import Layout
from render.layout.words import LINE, ROW

FIXED = 12
"""Cost of a band beyond its rows, in rows: its head and its table of codes."""
UNTOUCHED = 0.25
"""Cost of a band that nothing touches, in rows that everything touches: it makes the file larger."""
TALLEST = 128
"""Rows to a band at most, unless nothing suggests a cut."""


def band_edges(layout: Layout) -> tuple[int, ...]:
    """Returns the first row of each band, then the picture's height.

    Beside the board bands begin at lines of words, on it where its places suggest.
    """
    stretches = tuple([stretch for cell in layout.cells.values() for stretch in _stretches(cell, layout.unit)])
    top = max(0, min((start for start, _ in stretches), default=0))
    bottom = min(layout.height, max((end for _, end in stretches), default=0))
    board = _best(stretches, top, bottom) if top < bottom else ()
    beside = [row for row in _lines(layout) if row < top or bottom < row < layout.height]
    return tuple(sorted({0, *beside, *board, layout.height}))


def _lines(layout: Layout) -> Iterator[int]:
    """Where lines of words begin."""
    flows = sorted([*((block.y, ROW) for block in layout.blocks), (layout.foot.y, LINE)])
    for (start, line), (end, _) in pairwise([*flows, (layout.height, 0)]):
        for i in range(math.ceil((end - start) / (line * layout.unit))):
            yield start + round(i * line * layout.unit)


def _stretches(cell: Cell, unit: float) -> list[tuple[int, int]]:
    """The rows that a piece changes, and those that a mark changes."""
    piece = math.floor(cell.centre[1] - cell.radius) - 1, math.ceil(cell.centre[1] + cell.radius) + 1
    _, top, _, bottom = cell.box
    return [piece] if cell.round else [piece, (math.floor(top + WITHIN * unit), math.ceil(bottom - WITHIN * unit))]


@lru_cache(maxsize=16)
def _best(stretches: tuple[tuple[int, int], ...], top: int, bottom: int) -> tuple[int, ...]:
    """The edges for which all stretches together touch the fewest rows, and bands."""
    starts, ends = sorted(start for start, _ in stretches), sorted(end for _, end in stretches)
    rows = sorted({top, bottom, *(row for row in chain(starts, ends) if top < row < bottom)})
    costs, before = [0.0], [0]
    untouched = len(stretches) * UNTOUCHED
    for i in range(1, len(rows)):
        first = min(i - 1, bisect_left(rows, rows[i] - TALLEST))
        ended = [bisect_right(ends, row) for row in rows[first:i]]
        begun = bisect_left(starts, rows[i])
        options = [
            (costs[j] + (begun - gone) * (rows[i] - rows[j] + FIXED) + untouched, j)
            for j, gone in zip(range(first, i), ended, strict=True)
        ]
        cost, at = min(options)
        costs.append(cost)
        before.append(at)
    edges, i = [rows[-1]], len(rows) - 1
    while i:
        i = before[i]
        edges.append(rows[i])
    return tuple(edges)
