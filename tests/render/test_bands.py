"""Where pictures are cut into bands: everywhere once, and between rows of pieces rather than through them."""

import math
from itertools import pairwise

import pytest

from engine.diagram import Diagram
from engine.text import Text
from render.compose.bands import FIXED, band_edges
from render.drawing.marks import WITHIN
from render.layout.page import Layout
from tests.render.handmade import grid_diagram, hex_diagram, laid_out, rhomb_diagram
from tests.render.test_golden import MIDGAMES, midgame


def layout(diagram: Diagram) -> Layout:
    return laid_out(diagram)[1]


def touched(rows: tuple[int, ...], drawn: Layout) -> float:
    """What all bands cost that pieces and marks come into, one after another, in rows."""
    pieces = [(cell.centre[1] - cell.radius - 1, cell.centre[1] + cell.radius + 1) for cell in drawn.cells.values()]
    marks = [(cell.box[1] + WITHIN, cell.box[3] - WITHIN) for cell in drawn.cells.values() if not cell.round]
    return sum(
        end - start + FIXED
        for top, bottom in [*pieces, *marks]
        for start, end in pairwise(rows)
        if start < math.ceil(bottom) and end > math.floor(top)
    )


@pytest.mark.parametrize("diagram", [hex_diagram(), grid_diagram(), rhomb_diagram()], ids=["hexes", "grid", "rhombs"])
def test_the_bands_make_up_the_whole_picture(diagram):
    drawn = layout(diagram)
    rows = band_edges(drawn)
    assert rows[0] == 0
    assert rows[-1] == drawn.height
    assert all(start < end for start, end in pairwise(rows))


@pytest.mark.parametrize("key", MIDGAMES)
def test_pieces_and_marks_come_into_no_dearer_bands_than_into_as_many_even_ones(key):
    drawn = layout(midgame(key))
    tops, bottoms = zip(*((cell.box[1], cell.box[3]) for cell in drawn.cells.values()), strict=True)
    board = tuple(row for row in band_edges(drawn) if min(tops) - 2 <= row <= max(bottoms) + 2)
    first, last, many = board[0], board[-1], len(board) - 1
    even = tuple(round(first + i * (last - first) / many) for i in range(many + 1))
    assert touched(board, drawn) <= touched(even, drawn)


def test_two_layouts_that_share_their_places_are_cut_alike():
    one, other = layout(hex_diagram()), layout(hex_diagram(notes=(Text("A note."),)))
    assert one.height != other.height
    assert [row for row in band_edges(one) if row < 600] == [row for row in band_edges(other) if row < 600]
