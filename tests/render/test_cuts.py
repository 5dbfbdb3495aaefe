"""Where pictures are cut into bands: everywhere once, and between rows of pieces rather than through them."""

from itertools import pairwise

import pytest

from engine.diagram import Diagram
from render.cuts import FIXED, cuts
from render.layout import Layout, arrange, flows, plan
from tests.render.handmade import grid_diagram, hex_diagram, rhomb_diagram
from tests.render.test_golden import MIDGAMES, midgame


def layout(diagram: Diagram) -> Layout:
    planned = plan(diagram, 1024)
    return arrange(diagram, planned, flows(diagram, planned.room, planned.unit))


def touched(rows: tuple[int, ...], drawn: Layout) -> int:
    """What all bands cost that pieces come into, one piece after another, in rows."""
    return sum(
        end - start + FIXED
        for cell in drawn.cells.values()
        for start, end in pairwise(rows)
        if start < cell.centre[1] + cell.radius and end > cell.centre[1] - cell.radius
    )


@pytest.mark.parametrize("diagram", [hex_diagram(), grid_diagram(), rhomb_diagram()], ids=["hexes", "grid", "rhombs"])
def test_the_bands_make_up_the_whole_picture(diagram):
    drawn = layout(diagram)
    rows = cuts(drawn)
    assert rows[0] == 0
    assert rows[-1] == drawn.height
    assert all(start < end for start, end in pairwise(rows))


@pytest.mark.parametrize("key", MIDGAMES)
def test_pieces_come_into_cheaper_bands_than_into_as_many_even_ones(key):
    drawn = layout(midgame(key))
    rows = cuts(drawn)
    even = tuple(round(i * drawn.height / (len(rows) - 1)) for i in range(len(rows)))
    assert touched(rows, drawn) < touched(even, drawn)


def test_two_layouts_that_share_their_places_are_cut_alike():
    one, other = layout(hex_diagram()), layout(hex_diagram(notes=("a note",)))
    assert one.height != other.height
    assert [row for row in cuts(one) if row < 600] == [row for row in cuts(other) if row < 600]
