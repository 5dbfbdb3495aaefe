"""Patches: the pixels that a piece, a mark or a word changes where it lies on the ground."""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias
from weakref import WeakValueDictionary

from PIL import Image

from render.coats import OTHER, Coat, Placed, below, seen
from render.ground import Ground
from render.palette import Raw
from render.sprites import Box

_numbers = count()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Skin:
    """Changed pixels of a part of the ground: the same wherever the same lies on the same."""

    pixels: Raw
    changed: Raw
    """Only those, so that patches beside or within one another do not meet."""
    x: int
    """Left edge, counted from that of the part."""
    y: int
    wide: int
    high: int

    @property
    def weight(self) -> int:
        """Bytes, about, with what it is found by; its mask is often that of a coat."""
        return 2 * self.wide * self.high + 1000


@dataclass(slots=True, eq=False)
class Patch:
    """A skin where it lies; not frozen, which would make one three times as dear."""

    id: int
    skin: Skin
    box: Box
    """In scanlines, which begin with a filter byte."""
    touched: range
    """Bands that have some of its rows."""
    bands: int
    """The same, one bit each."""
    passing: bool
    """It is gone with the next turn, so its bands are not worth the best deflating."""


Skins: TypeAlias = WeakValueDictionary[Hashable, Skin]
"""Those that some patch wears, by what makes them; they go with the last such patch."""

EMPTY = Skin(Image.new("L", (0, 0)).im, Image.new("1", (0, 0)).im, 0, 0, 0, 0)


def lay(coats: list[Placed], ground: Ground, skins: Skins, *, over: int | None, passing: bool) -> Patch:
    """The ground with coats on it, where it differs from the ground; or as if all of it were `over`, a colour's
    number."""
    wide, high = ground.canvas.picture.size
    if len(coats) == 1:
        ((coat, left, top),) = coats
        right, bottom = left + coat.wide, top + coat.high
        alone = left >= 1 and top >= 0 and right <= wide and bottom <= high
    else:
        left, top = min([x for _, x, _ in coats], default=0), min([y for _, _, y in coats], default=0)
        right = max([x + coat.wide for coat, x, _ in coats], default=0)
        bottom = max([y + coat.high for coat, _, y in coats], default=0)
        alone = False
    if alone:
        skin = _lone(coat, ground, (left, top, right, bottom), skins, over)
    else:
        left, top, right, bottom = max(1, left), max(0, top), min(wide, right), min(high, bottom)
        if left >= right or top >= bottom:
            return Patch(next(_numbers), EMPTY, (0, 0, 0, 0), range(0), 0, passing)
        placed = [(coat, x - left, y - top) for coat, x, y in coats]
        skin = _several(placed, ground, (left, top, right, bottom), over)
    x, y = left + skin.x, top + skin.y
    box = x, y, x + skin.wide, y + skin.high
    touched = ground.touched(y, box[3])
    return Patch(next(_numbers), skin, box, touched, (1 << touched.stop) - (1 << touched.start), passing)


def _lone(coat: Coat, ground: Ground, box: Box, skins: Skins, over: int | None) -> Skin:
    """One coat, which looks the same wherever it lies on the same: on one colour, or on the very pixels."""
    palette, before = ground.palette, ground.canvas.picture.im.crop(box)
    number, others = below(before, coat, palette) if over is None else (over, [])
    key = (palette.bytes, coat.paint, ground.canvas.part(box) if others else number)
    skin = skins.get(key)
    if skin is None:
        pixels = seen(coat, before, palette, number, others)
        skin = skins[key] = Skin(pixels, coat.laid, 0, 0, coat.wide, coat.high)
    return skin


def _several(coats: list[Placed], ground: Ground, box: Box, over: int | None) -> Skin:
    """Coats on one another, with their places in the box; what is beyond it is not seen."""
    palette, before = ground.palette, ground.canvas.picture.im.crop(box)
    after = before.copy()
    for coat, x, y in coats:
        part = x, y, x + coat.wide, y + coat.high
        under = after.crop(part)
        number, others = below(under, coat, palette) if over is None else (over, [])
        after.paste(seen(coat, under, palette, number, others), part, coat.laid)
        over = None
    changed = before.chop_difference(after).point(OTHER, "1")
    box = changed.getbbox(False) or (0, 0, 1, 1)
    left, top, right, bottom = box
    return Skin(after.crop(box), changed.crop(box), left, top, right - left, bottom - top)
