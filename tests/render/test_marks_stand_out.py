"""Marks stand out from every ground that they may lie on, in every theme: by their own colour, or by their edge."""

from collections.abc import Iterator
from typing import get_args

import pytest

from engine.diagram import MarkKind
from engine.games import GAMES
from render.compose.palette import tile_colour
from render.drawing import marks
from render.theme import MOVED, RGB, THEMES, Theme, blend, contrast, taken
from tests.render.handmade import busy_diagram, laid_out
from tests.render.test_golden import midgame

ENOUGH = 3.0
"""Contrast of what is no word (WCAG 1.4.11)."""


def grounds(theme: Theme) -> Iterator[RGB]:
    """The tones of all games' places, bare, and under the marks that give them another."""
    for key in GAMES:
        board = midgame(key).board
        for tone in {theme.paper, *(tile_colour(board, theme, site) for site in board.outlines)}:
            yield from (tone, blend(tone, theme.marks["moved"], MOVED), taken(tone, theme))


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_a_mark_or_its_edge_stands_out_from_every_ground(theme: Theme) -> None:
    faults = [
        f"{kind} on {ground}: {found:.2f}"
        for kind, colour in (*theme.marks.items(), ("taken", theme.accent))
        for ground in sorted(set(grounds(theme)))
        if (found := max(contrast(colour, ground), contrast(theme.shade, ground))) < ENOUGH
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("kind", get_args(MarkKind))
def test_every_mark_is_drawn_with_its_edge(kind: MarkKind, theme: Theme) -> None:
    """Both colours of it are on the picture."""
    _, layout, _ = laid_out(busy_diagram())
    cell = layout.cells["c4"]
    below = marks.below(cell, kind, theme.tones[0], theme, named=False, unit=layout.unit)
    edge = marks.edge(cell, kind, theme, layout.unit) if kind in marks.EDGED else None
    assert theme.shade in (below.edge, edge and edge.ink)
    covered = (edge or below).mask.histogram()
    assert sum(covered[100:]) > 40
