"""Printed words can be read in every theme: a contrast of 4.5 or more, on whatever ground they stand."""

import pytest

from render.compose.palette import tile_colour
from render.drawing.captions import label_ink
from render.theme import MOVED, THEMES, Theme, blend, contrast
from tests.render.test_golden import MIDGAMES, midgame

ENOUGH = 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_words_beside_the_board_stand_out(theme: Theme) -> None:
    pairs = [(theme.ink, theme.paper), (theme.muted, theme.paper), (theme.ink, theme.pill), (theme.paper, theme.accent)]
    assert min(contrast(*pair) for pair in pairs) >= ENOUGH


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_signs_on_pieces_stand_out(theme: Theme) -> None:
    assert min(contrast(scheme.sign, scheme.fill) for scheme in theme.schemes.values()) >= ENOUGH


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("key", MIDGAMES)
def test_names_of_places_stand_out_on_every_tile_marked_or_not(key: str, theme: Theme) -> None:
    board = midgame(key).board
    tones = {tile_colour(board, theme, site) for site in board.outlines}
    tones |= {blend(tone, theme.marks["moved"], MOVED) for tone in tones}
    assert min(contrast(label_ink(tone, theme), tone) for tone in tones) >= ENOUGH
