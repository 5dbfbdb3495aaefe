"""Patches: the pixels that a piece, a mark or a word changes where it lies on the ground, and what is kept of them."""

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import count
from weakref import WeakValueDictionary

from PIL import Image

from render import png
from render.caches import Cache
from render.coats import OTHER, Coat, Placed, below, brought, seen
from render.ground import Canvas, Ground
from render.palette import Palette, Raw
from render.png import Band
from render.sprites import Box, Drop
from render.staging import Stamp

MIB = 1 << 20


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
        """Bytes, with what it is found by."""
        return 3 * self.wide * self.high + 600


@dataclass(slots=True, eq=False)
class Patch:
    """A skin where it lies; not frozen, which would make one three times as dear."""

    id: int
    skin: Skin
    box: Box
    """In scanlines, which begin with a filter byte."""
    bands: range
    """Those that it touches."""
    passing: bool
    """It is gone with the next turn, so its bands are not worth the best deflating."""


EMPTY = Skin(Image.new("L", (0, 0)).im, Image.new("1", (0, 0)).im, 0, 0, 0, 0)


ROUGH = 256
"""How many bands may wait to be polished; of more, the oldest are left as they are."""


class Memory:
    """What scenes remember, together within one budget; keys begin with the ground's number."""

    def __init__(self, codec: png.Codec) -> None:
        self.numbers = count()
        """Of patches and scenes."""
        self.patches: Cache[tuple[int, Stamp], Patch] = Cache(12 * MIB, lambda patch: patch.skin.weight + 700)
        self.skins: WeakValueDictionary[Hashable, Skin] = WeakValueDictionary()
        """Those of the patches; they go with the last patch that wears them."""
        self.bands: Cache[tuple[int, ...], Band] = Cache(6 * MIB, lambda band: band.weight)
        self.rough = deque[Band](maxlen=ROUGH)
        """Those that were deflated quickly, and last."""
        self.drops: Cache[Hashable, Drop] = Cache(2 * MIB, lambda drop: 200 + drop.mask.width * drop.mask.height * 5)
        self.coats: Cache[Hashable, Coat] = Cache(4 * MIB, lambda coat: coat.weight)
        self.canvases: Cache[tuple[int, int], Canvas] = Cache(
            4 * MIB, lambda canvas: canvas.picture.width * canvas.picture.height
        )
        self.deflater = png.Deflater(codec)

    def coat(self, drop: Drop, palette: Palette) -> Placed:
        """A drop in a palette's numbers."""
        ink = drop.ink if isinstance(drop.ink, tuple) else drop.ink.im
        key = (palette.bytes, ink, drop.mask.im)
        known = self.coats.get(key) or self.coats.put(key, brought(drop, palette))
        return known, drop.x + known.x + 1, drop.y + known.y

    def polish(self) -> bool:
        """Deflate one rough band better, if there is any."""
        if not self.rough:
            return False
        self.deflater.polish(self.rough.pop())
        return True

    def clear(self, *, pieces: bool) -> None:
        """Forget bands; with `pieces` also how they and marks look where they lay."""
        self.bands.clear()
        self.rough.clear()
        if pieces:
            self.patches.clear()


def lay(coats: list[Placed], ground: Ground, memory: Memory, *, over: int | None, passing: bool) -> Patch:
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
        skin = _lone(coat, ground, (left, top, right, bottom), memory, over)
    else:
        left, top, right, bottom = max(1, left), max(0, top), min(wide, right), min(high, bottom)
        if left >= right or top >= bottom:
            return Patch(next(memory.numbers), EMPTY, (0, 0, 0, 0), range(0), passing)
        placed = [(coat, x - left, y - top) for coat, x, y in coats]
        skin = _several(placed, ground, (left, top, right, bottom), over)
    x, y = left + skin.x, top + skin.y
    box = x, y, x + skin.wide, y + skin.high
    return Patch(next(memory.numbers), skin, box, ground.touched(y, box[3]), passing)


def _lone(coat: Coat, ground: Ground, box: Box, memory: Memory, over: int | None) -> Skin:
    """One coat, which looks the same wherever it lies on the same: on one colour, or on the very pixels."""
    palette, before = ground.palette, ground.canvas.picture.im.crop(box)
    number, others = below(before, coat, palette) if over is None else (over, [])
    key = (palette.bytes, coat.paint, ground.canvas.part(box) if others else number)
    skin = memory.skins.get(key)
    if skin is None:
        pixels = seen(coat, before, palette, number, others)
        skin = memory.skins[key] = Skin(pixels, coat.laid, 0, 0, coat.wide, coat.high)
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
