"""What is remembered from picture to picture: how things look, where they lie, and the bands that they make."""

from collections import deque
from collections.abc import Hashable
from weakref import WeakValueDictionary

from render import png
from render.caches import Cache
from render.coats import Coat, Placed, brought
from render.ground import Canvas
from render.palette import Palette
from render.patches import Patch, Skins
from render.png import Band
from render.sprites import Drop
from render.staging import Stamp

MIB = 1 << 20
ROUGH = 256
"""How many bands may wait to be polished; of more, the oldest are left as they are."""


class Memory:
    """What scenes remember, together within one budget."""

    def __init__(self, codec: png.Codec) -> None:
        self.patches: Cache[tuple[int, Stamp], Patch] = Cache(12 * MIB, lambda patch: patch.skin.weight + 700)
        self.skins: Skins = WeakValueDictionary()
        self.bands: Cache[tuple[int, ...], Band] = Cache(6 * MIB, lambda band: band.weight)
        self.rough = deque[Band](maxlen=ROUGH)
        """Those that were deflated quickly, and last."""
        self.coats: Cache[Hashable, Coat] = Cache(8 * MIB, lambda coat: coat.weight)
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
