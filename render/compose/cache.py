"""What is kept from picture to picture: layers, the deltas that they make, and the bands of both."""

from collections import deque
from collections.abc import Callable, Hashable
from weakref import WeakValueDictionary

from render.compose import png
from render.compose.background import Canvas
from render.compose.deltas import Delta, SharedPixels
from render.compose.display_list import Item
from render.compose.layers import Layer, PlacedLayer, quantized
from render.compose.palette import Palette
from render.compose.png import Band
from render.drawing.sprites import Sprite
from render.lru import LruCache

MIB = 1 << 20
MOST_DEFERRED = 128
"""How many jobs, and bands, may wait until the painter is idle; of more, the oldest is dropped."""


class PictureCache:
    """What compositors share, within a budget."""

    def __init__(self, codec: png.Codec) -> None:
        self.deltas: LruCache[tuple[int, Item], Delta] = LruCache(20 * MIB, lambda delta: delta.pixels.weight + 500)
        self.shared: SharedPixels = WeakValueDictionary()
        self.bands: LruCache[tuple[int, ...], Band] = LruCache(10 * MIB, lambda band: band.weight)
        self.deferred = deque[Callable[[], None]](maxlen=MOST_DEFERRED)
        """Jobs that make later pictures quicker, the latest last."""
        self.unpolished = deque[png.Band](maxlen=MOST_DEFERRED)
        """Bands that were deflated quickly and will be seen again."""
        self.layers: LruCache[Hashable, Layer] = LruCache(8 * MIB, lambda layer: layer.weight)
        self.canvases: LruCache[tuple[int, int], Canvas] = LruCache(
            4 * MIB, lambda canvas: canvas.picture.width * canvas.picture.height
        )
        self.deflater = png.Deflater(codec)

    def layer(self, sprite: Sprite, palette: Palette) -> PlacedLayer:
        """Returns a sprite as a layer of the palette."""
        ink = sprite.ink if isinstance(sprite.ink, tuple) else sprite.ink.im
        key = (palette.bytes, ink, sprite.edge, sprite.mask.im)
        known = self.layers.get(key) or self.layers.put(key, quantized(sprite, palette))
        return known, sprite.x + known.x + 1, sprite.y + known.y

    def prepare(self) -> bool:
        """Does the latest deferred job, a few marks' work; returns whether there was one."""
        if not self.deferred:
            return False
        self.deferred.pop()()
        return True

    def polish(self) -> bool:
        """Makes the latest of the bands that were deflated quickly smaller; returns whether there was one."""
        if not self.unpolished:
            return False
        self.deflater.polish(self.unpolished.pop())
        return True

    def clear(self, *, pieces: bool) -> None:
        """Drops bands; with `pieces` also all deltas."""
        self.bands.clear()
        self.deferred.clear()
        self.unpolished.clear()
        if pieces:
            self.deltas.clear()
