"""Layers: thick paint keeps its colour, thin paint shows what is below it, and nothing else changes."""

from PIL import Image

from render.compose.layers import blended, quantized, underlying
from render.compose.palette import STEPS, Palette
from render.drawing.sprites import EDGE, Sprite

PAPER, TILE, LINE, INK = (250, 250, 250), (90, 90, 250), (40, 40, 40), (250, 0, 0)
HALF_ON_PAPER, HALF_ON_TILE = (250, 125, 125), (170, 45, 125)
PALETTE = Palette((PAPER, TILE, LINE, INK, HALF_ON_PAPER, HALF_ON_TILE))
HALF = 128
"""Covers half of a pixel."""


def picture(*rows: str) -> Image.Image:
    """One colour's number a character."""
    return Image.frombytes("L", (len(rows[0]), len(rows)), bytes(int(number) for row in rows for number in row))


def mask(*rows: str) -> Image.Image:
    thick = {".": 0, "-": HALF, "#": 255}
    return Image.frombytes("L", (len(rows[0]), len(rows)), bytes(thick[sign] for row in rows for sign in row))


def painted(background: Image.Image, sprite: Sprite) -> list[str]:
    """The background with a sprite on it, which begins at its corner."""
    layer, whole = quantized(sprite, PALETTE), background.copy()
    box = sprite.x + layer.x, sprite.y + layer.y, sprite.x + layer.x + layer.wide, sprite.y + layer.y + layer.high
    under = background.im.crop(box)
    whole.im.paste(blended(layer, under, PALETTE, *underlying(under, layer, PALETTE)), box, layer.covered)
    numbers = whole.tobytes()
    return ["".join(map(str, numbers[at : at + whole.width])) for at in range(0, len(numbers), whole.width)]


def test_without_paint_everything_stays_and_under_thick_paint_nothing():
    for number, mix in enumerate(PALETTE.mixes):
        assert {mix[colour * STEPS] for colour in range(len(PALETTE.colours))} == {number}
        assert [mix[colour * STEPS + STEPS - 1] for colour in range(len(PALETTE.colours))] == [0, 1, 2, 3, 4, 5]


def test_an_edge_shows_the_ground_that_it_lies_on():
    sprite = Sprite(INK, mask("....", ".--.", ".##.", "...."), 0, 0)
    assert painted(picture("0000", "0000", "0000", "0000"), sprite) == ["0000", "0440", "0330", "0000"]
    assert painted(picture("1111", "1111", "1111", "1111"), sprite) == ["1111", "1551", "1331", "1111"]


def test_an_edge_over_two_tones_shows_each_where_it_lies():
    sprite = Sprite(INK, mask("------", "######"), 0, 0)
    assert painted(picture("000111", "000111"), sprite) == ["444555", "333333"]


def test_an_edge_that_crosses_a_line_goes_on_as_if_there_were_none():
    sprite = Sprite(INK, mask("---------", "#########"), 0, 0)
    assert painted(picture("000020000", "000020000"), sprite) == ["444444444", "333333333"]


def test_a_picture_keeps_its_colours_where_it_is_thick():
    colours = Image.new("RGB", (3, 1))
    colours.putdata([TILE, INK, LINE])
    assert painted(picture("0000"), Sprite(colours, mask("###"), 1, 0)) == ["0132"]


def test_a_colour_with_another_round_it_mixes_with_that_and_only_its_edge_with_the_ground():
    tones = Image.frombytes("L", (5, 1), bytes([0, EDGE // 2, EDGE, (EDGE + 255) // 2, 255]))
    assert painted(picture("11111"), Sprite(PAPER, tones, 0, 0, edge=INK)) == ["15340"]


def test_a_coat_is_no_larger_than_what_is_laid():
    layer = quantized(Sprite(INK, mask(".....", "..#..", "....."), 7, 7), PALETTE)
    assert (layer.x, layer.y, layer.wide, layer.high) == (2, 1, 1, 1)
