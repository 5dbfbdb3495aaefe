"""Coats: pieces, marks and words in a palette's own numbers, so that laying one on a ground is a look into a table."""

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from PIL import Image

from render.palette import LIMIT, STEP, STEPS, Palette, Raw, Table
from render.sprites import EDGE, Drop
from render.theme import RGB

SHARE = 8
"""Which part of a coat's thin edge another colour must be under before it is painted for by itself: an edge that
crosses a thin line is painted as if the line were not there."""

FAINT = 32
"""What covers a pixel no more than this, of 255, is not seen at all."""

THICK = STEPS - 1

# What Pillow makes of each value of a byte: of how much a mask covers, of paint, or of a colour's number.
THICKNESS: Table = [round(alpha * THICK / 255) if alpha > FAINT else 0 for alpha in range(256)]
ONE_INK: list[Table] = [[(number * STEPS + step) * (step > 0) for step in THICKNESS] for number in range(LIMIT)]
LAID: Table = [255 * (step > 0) for step in STEP]
THIN: Table = [255 * (0 < step < THICK) for step in STEP]
NUMBERS: Table = [number % LIMIT * STEPS for number in range(256)]
IS: list[Table] = [[255 * (number == other) for other in range(256)] for number in range(LIMIT)]
OTHER: Table = [255 * (difference > 0) for difference in range(256)]


class Coat(NamedTuple):
    """A drop in numbers: for each pixel that of its colour times `STEPS`, and how thick it lies."""

    paint: Raw
    laid: Raw
    """Where there is any."""
    thin: Raw
    """Where the ground shows through."""
    x: int
    """Left edge, counted from where it is laid."""
    y: int
    wide: int
    high: int

    @property
    def weight(self) -> int:
        """Bytes, about."""
        return 3 * self.wide * self.high + 500


Placed: TypeAlias = tuple[Coat, int, int]
"""A coat, and where its left top corner lies in the scanlines."""


def brought(drop: Drop, palette: Palette) -> Coat:
    """A drop's colours and edges, brought to the palette."""
    mask = drop.mask.im
    if isinstance(drop.ink, tuple):
        paint = mask.point(_inks(palette, drop.ink, drop.edge), "L")
    else:
        colours, thick = palette.index(drop.ink).im.point(NUMBERS, "L"), mask.point(THICKNESS, "L")
        paint = Image.new("L", mask.size).im
        paint.paste(colours.chop_add(thick, 1.0, 0), (0, 0, *mask.size), thick.point(LAID, "1"))
    box = paint.point(LAID, "1").getbbox(False) or (0, 0, 1, 1)
    paint = paint.crop(box)
    return Coat(paint, paint.point(LAID, "1"), paint.point(THIN, "1"), box[0], box[1], *paint.size)


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


def below(ground: Raw, coat: Coat, palette: Palette) -> tuple[int, list[int]]:
    """The colour of the ground that shows most through a coat's edges, and what others show through too."""
    least, largest = ground.getextrema()
    if least == largest:  # quicker than counting
        return least, []
    counts = ground.histogram((0, 0), coat.thin)[:LIMIT]
    most = max(counts)
    if not most:
        return 0, []
    number, whole = counts.index(most), sum(counts)
    if whole == most:
        return number, []
    alike = palette.alike[number]
    return number, [other for other, count in enumerate(counts) if count * SHARE > whole and other not in alike]


def seen(coat: Coat, ground: Raw, palette: Palette, number: int, others: list[int]) -> Raw:
    """What a coat looks like on ground of that colour, and of the others where they lie."""
    mixed = coat.paint.point(palette.mixes[number], "L")
    for other in others:
        there = ground.point(IS[other], "1")
        mixed.paste(coat.paint.point(palette.mixes[other], "L"), (0, 0, coat.wide, coat.high), there)
    return mixed
