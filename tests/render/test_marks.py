"""Marks: each kind can be told from the others by its shape alone."""

import io
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from engine.diagram import Figure, Mark, MarkKind
from engine.text import Term
from render.layout.cells import Cell
from render.painter import Painter
from render.theme import RGB, THEMES
from render.view import View
from tests.render.handmade import hex_diagram, laid_out
from tests.render.test_golden import midgame

SITE = "c4"


def sign(kind: MarkKind, theme: str) -> tuple[list[RGB], list[RGB]]:
    """The colours of a mark's sign: on the arms of a diagonal cross, and on those of a level bar."""
    diagram = hex_diagram(marks=(Mark(kind, (SITE,)),))
    picture = Image.open(io.BytesIO(Painter().paint(diagram, View(theme)))).convert("RGB")
    cell: Cell = laid_out(diagram)[1].cells[SITE]
    x, y = cell.centre[0] + 0.62 * cell.within, cell.centre[1] - 0.62 * cell.within

    def at(*points: tuple[int, int]) -> list[RGB]:
        return [picture.getpixel((round(x + dx), round(y + dy))) for dx, dy in points]  # type: ignore[misc]

    return at((-4, -4), (4, -4), (-4, 4), (4, 4)), at((-5, 0), (5, 0))


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
