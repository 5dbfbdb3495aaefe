"""Colours of themes for words and signs: a contrast of 4.5 or more. `test_read_on_pictures` measures the pictures."""

import pytest

from engine.dice import Dice
from engine.games import GAMES
from render.compose.palette import gather
from render.theme import THEMES, Theme, contrast

ENOUGH = 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_words_beside_the_board_stand_out(theme: Theme) -> None:
    pairs = [(theme.ink, theme.paper), (theme.muted, theme.paper), (theme.ink, theme.pill), (theme.paper, theme.accent)]
    assert min(contrast(*pair) for pair in pairs) >= ENOUGH


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_signs_on_pieces_stand_out(theme: Theme) -> None:
    assert min(contrast(scheme.sign, scheme.fill) for scheme in theme.schemes.values()) >= ENOUGH


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("key", GAMES)
def test_signs_on_pieces_stand_out_in_the_few_colours_of_a_picture(key: str, theme: Theme) -> None:
    drawn = GAMES[key].draw(GAMES[key].setup({}, Dice(bytes(32))), None)
    palette = gather(drawn.board, theme, [*drawn.colours.values(), "neutral"])
    for colour in (*drawn.colours.values(), "neutral"):
        scheme = theme.schemes[colour]
        assert contrast(palette.seen(scheme.sign), palette.seen(scheme.fill)) >= ENOUGH
