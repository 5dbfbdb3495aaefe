"""Marks: each kind can be told from the others by its shape alone."""

import io
import math
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageChops

from engine.diagram import Colour, Diagram, Figure, Link, Mark, MarkKind
from engine.text import Term
from render.layout.cells import Cell
from render.painter import Painter
from render.theme import RGB, THEMES
from render.view import View
from tests.render.handmade import hex_diagram, laid_out
from tests.render.test_golden import midgame

SITE = "c4"
ALIKE = 16
"""How far apart colours are that look the same; a palette rounds."""
SIDES: dict[str, Colour] = {"W": "white", "B": "black"}


def sign(kind: MarkKind, theme: str) -> tuple[list[RGB], list[RGB]]:
    """The colours of a mark's sign: on the arms of a diagonal cross, and on those of a level bar."""
    diagram = hex_diagram(marks=(Mark(kind, (SITE,)),))
    picture = Image.open(io.BytesIO(Painter().paint(diagram, View(theme)))).convert("RGB")
    cell: Cell = laid_out(diagram)[1].cells[SITE]
    x, y = cell.centre[0] + 0.62 * cell.within, cell.centre[1] - 0.62 * cell.within

    def at(*points: tuple[int, int]) -> list[RGB]:
        return [picture.getpixel((round(x + dx), round(y + dy))) for dx, dy in points]  # type: ignore[misc]

    return at((-4, -4), (4, -4), (-4, 4), (4, 4)), at((-5, 0), (5, 0))


def painted(diagram: Diagram, theme: str = "light") -> Image.Image:
    return Image.open(io.BytesIO(Painter().paint(diagram, View(theme)))).convert("RGB")


def middle(diagram: Diagram, site: str) -> tuple[int, int]:
    x, y = laid_out(diagram)[1].cells[site].centre
    return round(x), round(y)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", ["F", "S"])
def test_what_was_taken_can_be_told_and_whose_it_was(theme: str, kind: str) -> None:
    fills = {side: THEMES[theme].schemes[colour].fill for side, colour in SIDES.items()}
    plain = hex_diagram(marks=())

    def seen(diagram: Diagram) -> dict[RGB, int]:
        cell = laid_out(plain)[1].cells[SITE]
        (x, y), half = map(round, cell.centre), round(0.6 * cell.radius)
        colours: Any = painted(diagram, theme).crop((x - half, y - half, x + half, y + half)).getcolors()
        return {fill: sum(n for n, one in colours if math.dist(fill, one) < ALIKE) for fill in fills.values()}

    taken = {side: seen(plain.marked((Mark("taken", (SITE,), side, kind, Term("Flat")),))) for side in SIDES}
    for side, other in (("W", "B"), ("B", "W")):
        standing = seen(replace(plain, figures=(*plain.figures, Figure(SITE, side, kind, Term("Flat")))))
        assert taken[side][fills[side]] > 0.4 * standing[fills[side]], "hardly anything of the piece is seen"
        assert taken[side][fills[side]] > 1.5 * taken[other][fills[side]], "whose it was"


@pytest.mark.parametrize("theme", THEMES)
def test_a_line_to_a_place_within_reach_hides_neither_dots_nor_pieces_on_its_way(theme: str) -> None:
    reach = ("c3", "c4", "c5", "c6")
    marks = (Mark("reach", reach),)
    lines = tuple(Link("c2", site, style="dash") for site in reach)
    bare, lined = hex_diagram(marks=marks), hex_diagram(marks=marks, links=lines)
    without, shown = painted(bare, theme), painted(lined, theme)
    assert without.tobytes() != shown.tobytes()
    for site in (*reach, "c2"):
        x, y = middle(bare, site)
        dot = (x - 3, y - 3, x + 4, y + 4)
        assert shown.crop(dot).tobytes() == without.crop(dot).tobytes(), site


def test_where_a_piece_stays_on_the_place_that_another_has_left_both_ends_of_the_move_are_told_apart() -> None:
    moved = Mark("moved", ("c1", "c4"), left=frozenset({"c1"}))
    to = Figure("c4", "W", "S", Term("Star"))
    plain = hex_diagram(marks=())
    shown = painted(replace(plain, figures=(*plain.figures, to), marks=(moved,)))
    before = painted(replace(plain, figures=(*plain.figures, to)))
    for site, toned in (("c1", False), ("c4", True)):
        cell = laid_out(plain)[1].cells[site]
        at = round(cell.centre[0]), round(cell.centre[1] - 0.72 * cell.within)
        assert (shown.getpixel(at) != before.getpixel(at)) is toned, site


@pytest.mark.parametrize("theme", THEMES)
def test_the_culprit_has_a_cross_and_the_blocker_a_bar(theme: str) -> None:
    paper, fill = THEMES[theme].paper, THEMES[theme].marks
    assert sign("culprit", theme) == ([paper] * 4, [fill["culprit"]] * 2)
    assert sign("blocker", theme) == ([fill["blocker"]] * 4, [paper] * 2)


def test_a_sign_hides_little_of_the_piece_on_a_small_tile() -> None:
    bare = replace(midgame("veney"), figures=(), marks=(), links=())
    alone = replace(bare, figures=(Figure("W6", "W", "S", Term("Self")),))
    signed = replace(alone, marks=(Mark("blocker", ("W6",)),))
    board, piece, sign = (
        Image.open(io.BytesIO(Painter().paint(one, View("light")))).convert("RGB") for one in (bare, alone, signed)
    )
    own = ImageChops.difference(board, piece).convert("L").point([0] * 8 + [255] * 248)
    hidden = ImageChops.multiply(own, ImageChops.difference(piece, sign).convert("L").point([0] * 8 + [255] * 248))
    assert own.histogram()[255] > 100
    assert hidden.histogram()[255] < 0.02 * own.histogram()[255]
