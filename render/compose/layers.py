"""Layers: pieces, marks and words in palette numbers, so that one is blended with the background by table lookup."""

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from PIL import Image

from render.compose.palette import LIMIT, STEP, STEPS, Palette, Raw, Table
from render.drawing.sprites import EDGE, Sprite
from render.theme import RGB

SHARE = 8
"""Which part of a layer's thin edge another colour must be under before it is blended for itself: an edge
that crosses a thin line is painted as if the line were not there."""

FAINT = 32
"""Coverage of a pixel, of 255, up to which nothing is drawn."""

THICK = STEPS - 1

# What Pillow makes of each value of a byte: of how much a mask covers, of paint, or of a colour's number.
THICKNESS: Table = [round(alpha * THICK / 255) if alpha > FAINT else 0 for alpha in range(256)]
ONE_INK: list[Table] = [[(number * STEPS + step) * (step > 0) for step in THICKNESS] for number in range(LIMIT)]
COVERED: Table = [255 * (step > 0) for step in STEP]
EDGES: Table = [255 * (0 < step < THICK) for step in STEP]
NUMBERS: Table = [number % LIMIT * STEPS for number in range(256)]
IS: list[Table] = [[255 * (number == other) for other in range(256)] for number in range(LIMIT)]
OTHER: Table = [255 * (difference > 0) for difference in range(256)]


class Layer(NamedTuple):
    """A sprite in palette numbers: each pixel is its colour's number times `STEPS`, plus its thickness."""

    paint: Raw
    covered: Raw
    """Mask of the pixels that have any paint."""
    edges: Raw
    """Mask of those through which the background shows."""
    x: int
    """Left edge, counted from where it is placed."""
    y: int
    wide: int
    high: int

    @property
    def weight(self) -> int:
        """Bytes, about."""
        return 3 * self.wide * self.high + 500


PlacedLayer: TypeAlias = tuple[Layer, int, int]
"""A layer, and where its left top corner goes in the scanlines."""


def quantized(sprite: Sprite, palette: Palette) -> Layer:
    """Brings a sprite to the palette."""
    mask = sprite.mask.im
    if isinstance(sprite.ink, tuple):
        paint = mask.point(_inks(palette, sprite.ink, sprite.edge), "L")
    else:
        colours, thick = palette.index(sprite.ink).im.point(NUMBERS, "L"), mask.point(THICKNESS, "L")
        paint = Image.new("L", mask.size).im
        paint.paste(colours.chop_add(thick, 1.0, 0), (0, 0, *mask.size), thick.point(COVERED, "1"))
    box = paint.point(COVERED, "1").getbbox(False) or (0, 0, 1, 1)
    paint = paint.crop(box)
    return Layer(paint, paint.point(COVERED, "1"), paint.point(EDGES, "1"), box[0], box[1], *paint.size)


@lru_cache(maxsize=256)
def _inks(palette: Palette, ink: RGB, edge: RGB | None) -> Table:
    """The paint for each value of a mask with one colour, or with another round it."""
    number = palette.number(ink)
    if edge is None:
        return ONE_INK[number]
    outer = palette.number(edge)
    inner = [palette.mixes[outer][number * STEPS + step] * STEPS + THICK for step in THICKNESS]
    spread = [round(value * 255 / EDGE) for value in range(EDGE + 1)]
    return [ONE_INK[outer][alpha] for alpha in spread] + [inner[alpha] for alpha in spread[1:]] + inner[-1:]


def underlying(background: Raw, layer: Layer, palette: Palette) -> tuple[int, list[int]]:
    """Returns the colour that shows most through a layer's edges, and the others that show through too."""
    least, largest = background.getextrema()
    if least == largest:  # quicker than counting
        return least, []
    counts = background.histogram((0, 0), layer.edges)[:LIMIT]
    most = max(counts)
    if not most:
        return 0, []
    number, whole = counts.index(most), sum(counts)
    if whole == most:
        return number, []
    alike = palette.alike[number]
    return number, [other for other, count in enumerate(counts) if count * SHARE > whole and other not in alike]


def blended(layer: Layer, background: Raw, palette: Palette, number: int, others: list[int]) -> Raw:
    """Returns a layer's pixels on a background of that colour, and of the others where they are."""
    mixed = layer.paint.point(palette.mixes[number], "L")
    for other in others:
        there = background.point(IS[other], "1")
        mixed.paste(layer.paint.point(palette.mixes[other], "L"), (0, 0, layer.wide, layer.high), there)
    return mixed
