"""Deltas: the pixels that an item of a picture changes on the background."""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias
from weakref import WeakValueDictionary

from PIL import Image

from render.compose.background import Background
from render.compose.layers import OTHER, Layer, PlacedLayer, blended, underlying
from render.compose.palette import Raw
from render.drawing.sprites import Box

_numbers = count()
FULL = 255


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class DeltaPixels:
    """Pixels of a part of the background, shared wherever the same layer lies on the same colours."""

    values: Raw
    changed: Raw
    """Mask of those that differ, so that deltas beside or within one another do not overlap."""
    x: int
    """Left edge, counted from that of the part."""
    y: int
    wide: int
    high: int

    @property
    def weight(self) -> int:
        """Bytes, about, with its key; its mask is often that of a layer."""
        return 2 * self.wide * self.high + 1000


@dataclass(slots=True, eq=False)
class Delta:
    """Pixels at a place; not frozen, since that takes three times as long to make."""

    id: int
    pixels: DeltaPixels
    box: Box
    """In scanlines, which begin with a filter byte."""
    touched: range
    """Bands with some of its rows."""
    bands: int
    """The same, one bit each."""
    transient: bool
    """The next turn takes it away, so its bands are deflated quickly."""


SharedPixels: TypeAlias = WeakValueDictionary[Hashable, DeltaPixels]
"""Pixels in use by some delta, by what makes them; dropped with the last such delta."""

EMPTY = DeltaPixels(Image.new("L", (0, 0)).im, Image.new("1", (0, 0)).im, 0, 0, 0, 0)


def delta_of(
    layers: list[PlacedLayer], background: Background, shared: SharedPixels, *, over: int | None, transient: bool
) -> Delta:
    """Lays layers on the background; or as if all of that had the colour of number `over`."""
    wide, high = background.canvas.picture.size
    if len(layers) == 1:
        ((layer, left, top),) = layers
        right, bottom = left + layer.wide, top + layer.high
        alone = left >= 1 and top >= 0 and right <= wide and bottom <= high
    else:
        left, top = min([x for _, x, _ in layers], default=0), min([y for _, _, y in layers], default=0)
        right = max([x + layer.wide for layer, x, _ in layers], default=0)
        bottom = max([y + layer.high for layer, _, y in layers], default=0)
        alone = False
    if alone:
        pixels = _single(layer, background, (left, top, right, bottom), shared, over)
    else:
        left, top, right, bottom = max(1, left), max(0, top), min(wide, right), min(high, bottom)
        if left >= right or top >= bottom:
            return Delta(next(_numbers), EMPTY, (0, 0, 0, 0), range(0), 0, transient)
        placed = [(layer, x - left, y - top) for layer, x, y in layers]
        pixels = _stacked(placed, background, (left, top, right, bottom), over)
    x, y = left + pixels.x, top + pixels.y
    box = x, y, x + pixels.wide, y + pixels.high
    touched = background.touched(y, box[3])
    return Delta(next(_numbers), pixels, box, touched, (1 << touched.stop) - (1 << touched.start), transient)


def _single(layer: Layer, background: Background, box: Box, shared: SharedPixels, over: int | None) -> DeltaPixels:
    """Lays one layer: the same pixels wherever it lies on the same colour, or on the very same pixels."""
    palette, before = background.palette, background.canvas.picture.im.crop(box)
    number, others = underlying(before, layer, palette) if over is None else (over, [])
    key = (palette.bytes, layer.paint, background.canvas.part(box) if others else number)
    pixels = shared.get(key)
    if pixels is None:
        pixels = blended(layer, before, palette, number, others)
        pixels = shared[key] = DeltaPixels(pixels, layer.covered, 0, 0, layer.wide, layer.high)
    return pixels


def _stacked(layers: list[PlacedLayer], background: Background, box: Box, over: int | None) -> DeltaPixels:
    """Lays layers on one another, each at its place in the box; what is beyond the box is cut off."""
    palette, before = background.palette, background.canvas.picture.im.crop(box)
    after = before.copy()
    # On a mark a pixel as on the bare background is a change, too: the mark's own word may lie there.
    hidden = None if over is None else Image.new("1", after.size).im
    for layer, x, y in layers:
        part = x, y, x + layer.wide, y + layer.high
        under = after.crop(part)
        number, others = underlying(under, layer, palette) if over is None else (over, [])
        after.paste(blended(layer, under, palette, number, others), part, layer.covered)
        if hidden is not None:
            hidden.paste(FULL, part, layer.covered)
        over = None
    changed = before.chop_difference(after).point(OTHER, "1") if hidden is None else hidden
    box = changed.getbbox(False) or (0, 0, 1, 1)
    left, top, right, bottom = box
    return DeltaPixels(after.crop(box), changed.crop(box), left, top, right - left, bottom - top)
