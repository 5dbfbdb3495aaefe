"""Patches: the pixels that a piece, a mark or a word changes where it lies on the ground, and what is kept of them."""

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import count
from weakref import WeakValueDictionary

from PIL import Image

from render import png
from render.caches import Cache
from render.ground import Canvas, Ground
from render.palette import Raw
from render.png import Band
from render.sprites import Box, Drop
from render.staging import Stamp

MIB = 1 << 20
TINY = 0.001
"""A sum divided by this is 0 or more than any pixel can hold."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Skin:
    """Changed pixels of a part of the ground: the same wherever the same lies on the same."""

    pixels: Raw
    changed: Raw
    """Only those, so that patches beside or within one another do not meet."""
    x: int
    """Left edge, counted from that of the part."""
    y: int

    weight: int
    """Bytes, with what it is found by."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A skin where it lies."""

    id: int
    skin: Skin
    box: Box
    """In scanlines, which begin with a filter byte."""
    bands: range
    """Those that it touches."""
    passing: bool
    """It is gone with the next turn, so its bands are not worth the best deflating."""


EMPTY = Skin(Image.new("L", (0, 0)).im, Image.new("L", (0, 0)).im, 0, 0, 0)


class Memory:
    """What scenes remember, together within one budget; keys begin with the ground's number."""

    def __init__(self, codec: png.Codec) -> None:
        self.numbers = count()
        """Of patches and scenes."""
        self.patches: Cache[tuple[int, Stamp], Patch] = Cache(12 * MIB, lambda patch: patch.skin.weight + 700)
        self.skins: WeakValueDictionary[Hashable, Skin] = WeakValueDictionary()
        """Those of the patches; they go with the last patch that wears them."""
        self.bands: Cache[tuple[int, ...], Band] = Cache(6 * MIB, lambda band: len(band.data) + 300)
        self.drops: Cache[Hashable, list[Drop]] = Cache(
            2 * MIB, lambda drops: 200 + sum(drop.mask.width * drop.mask.height * 5 for drop in drops)
        )
        self.canvases: Cache[tuple[int, int], Canvas] = Cache(
            4 * MIB, lambda canvas: canvas.picture.width * canvas.picture.height
        )
        self.deflater = png.Deflater(codec)

    def clear(self, *, pieces: bool) -> None:
        """Forget bands; with `pieces` also how they and marks look where they lay."""
        self.bands.clear()
        if pieces:
            self.patches.clear()


def lay(drops: list[Drop], ground: Ground, memory: Memory, *, passing: bool) -> Patch:
    """The ground with the drops on it, where it differs from the ground."""
    number, (wide, high) = next(memory.numbers), ground.canvas.picture.size
    lefts, tops, rights, bottoms = zip(*[drop.box for drop in drops], strict=True) if drops else ((0,),) * 4
    left, top = max(0, min(lefts)), max(0, min(tops))
    right, bottom = min(wide - 1, max(rights)), min(high, max(bottoms))
    if right <= left or bottom <= top:
        return Patch(number, EMPTY, (0, 0, 0, 0), range(0), passing)
    part = left + 1, top, right + 1, bottom
    # Many places look alike, and the same lies on them: a square of the same tone, a captured piece's mark.
    laid = [(ink if isinstance(ink, tuple) else ink.im, mask.im, x - left, y - top) for ink, mask, x, y in drops]
    key = (ground.palette.bytes, tuple(laid), ground.canvas.part(part))
    skin = memory.skins.get(key)
    if skin is None:
        skin = memory.skins[key] = _skin(drops, ground, part)
    x, y, (width, height) = part[0] + skin.x, top + skin.y, skin.changed.size
    box = x, y, x + width, y + height
    return Patch(number, skin, box, ground.touched(y, box[3]), passing)


def _skin(drops: list[Drop], ground: Ground, part: Box) -> Skin:
    """Painted in colours, brought back to the palette, and cropped to what has changed."""
    left, top = part[0] - 1, part[1]
    before = ground.canvas.picture.im.crop(part)
    picture = ground.palette.colour_raw(ground.canvas.picture.im.crop(part))
    for drop in drops:
        x, y, over, under = drop.box
        ink = drop.ink if isinstance(drop.ink, tuple) else drop.ink.im
        picture.paste(ink, (x - left, y - top, over - left, under - top), drop.mask.im)
    after = ground.palette.index_raw(picture)
    changed = before.chop_difference(after)
    box = changed.getbbox(False) or (0, 0, 1, 1)
    changed = changed.crop(box)
    # Any difference is as good as a great one.
    mask = changed.chop_add(changed, TINY, 0)
    weight = (part[2] - left) * (part[3] - top) + 2 * mask.size[0] * mask.size[1] + 1000
    return Skin(after.crop(box), mask, box[0], box[1], weight)
