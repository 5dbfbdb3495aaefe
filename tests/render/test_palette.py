"""Palettes: at most 32 colours, those that are meant exact, and each apart from the others."""

import pytest
from PIL import Image

from engine.games import GAMES
from render.compose.palette import LIMIT, gather, tile_colour
from render.lettering import printable
from render.theme import RIMS, THEMES, contrast
from tests.render.handmade import grid_diagram, hex_diagram


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_what_is_painted_flat_keeps_its_very_colour(theme):
    diagram = hex_diagram()
    palette = gather(diagram.board, theme, diagram.colours.values())
    flat = {tile_colour(diagram.board, theme, site) for site in diagram.board.outlines}
    flat |= {theme.schemes[colour].fill for colour in diagram.colours.values()} | set(theme.marks.values())
    assert len(palette.colours) <= LIMIT
    for colour in flat:
        number = palette.index(Image.new("RGB", (1, 1), colour)).getpixel((0, 0))
        assert isinstance(number, int)
        assert sum(abs(a - b) for a, b in zip(palette.colours[number], colour, strict=True)) <= 9


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_even_eight_sides_leave_every_mark_its_colour(theme):
    diagram = grid_diagram()
    palette = gather(diagram.board, theme, diagram.colours.values())
    assert len(palette.colours) <= LIMIT
    for colour in theme.marks.values():
        nearest = min(sum((a - b) ** 2 for a, b in zip(colour, other, strict=True)) for other in palette.colours)
        assert nearest < 50**2


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_words_and_signs_can_be_read(theme):
    assert contrast(theme.ink, theme.paper) > 7
    assert contrast(theme.muted, theme.paper) > 4
    for colour, scheme in theme.schemes.items():
        assert contrast(scheme.sign, scheme.fill) > 2.9, colour


def test_every_colour_of_pieces_but_black_and_white_has_a_rim_of_its_own():
    rims = [rim for colour, rim in RIMS.items() if colour not in ("white", "black")]
    assert len(set(rims)) == len(rims)
    assert "plain" not in rims


def test_the_bundled_font_has_what_games_print():
    for game in GAMES.values():
        for word in (*game.names.values(), game.name):
            assert printable(word), word
    assert not printable("\N{PERFORMING ARTS}")
