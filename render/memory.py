"""What is remembered from picture to picture: how things look, where they lie, and the bands that they make."""

from collections import deque
from collections.abc import Callable, Hashable
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
LATER = 128
"""How much work may wait until nobody waits; of more, the oldest is left undone."""


class Memory:
    """What scenes remember, together within one budget."""

    def __init__(self, codec: png.Codec) -> None:
        self.patches: Cache[tuple[int, Stamp], Patch] = Cache(20 * MIB, lambda patch: patch.skin.weight + 500)
        self.skins: Skins = WeakValueDictionary()
        self.bands: Cache[tuple[int, ...], Band] = Cache(10 * MIB, lambda band: band.weight)
        self.later = deque[Callable[[], None]](maxlen=LATER)
        """What makes later pictures smaller and quicker, the most pressing last."""
        self.coats: Cache[Hashable, Coat] = Cache(8 * MIB, lambda coat: coat.weight)
        self.canvases: Cache[tuple[int, int], Canvas] = Cache(
            4 * MIB, lambda canvas: canvas.picture.width * canvas.picture.height
        )
        self.deflater = png.Deflater(codec)

    def coat(self, drop: Drop, palette: Palette) -> Placed:
        """A drop in a palette's numbers."""
        ink = drop.ink if isinstance(drop.ink, tuple) else drop.ink.im
        key = (palette.bytes, ink, drop.edge, drop.mask.im)
        known = self.coats.get(key) or self.coats.put(key, brought(drop, palette))
        return known, drop.x + known.x + 1, drop.y + known.y

    def prepare(self) -> bool:
        """Do a piece of the work that waits, if there is any: no more than a band's."""
        if not self.later:
            return False
        self.later.pop()()
        return True

    def clear(self, *, pieces: bool) -> None:
        """Forget bands; with `pieces` also how they and marks look where they lay."""
        self.bands.clear()
        self.later.clear()
        if pieces:
            self.patches.clear()
