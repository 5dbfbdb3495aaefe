"""Paints any game's diagram as a palette PNG; the next picture of a match costs only the rows that changed."""

from collections import deque
from collections.abc import Hashable, Mapping
from threading import Lock
from typing import Any

from engine.diagram import Diagram, Glyph
from render.caches import Cache
from render.cuts import cuts
from render.ground import Ground
from render.layout import SIZE, Flow, Plan, arrange, flows, plan
from render.memory import MIB, Memory
from render.png import FASTEST, Codec
from render.scene import Scene
from render.sprites import Drawer, Sprites
from render.theme import THEMES
from render.words import settled

KEPT = 8
"""Sets of sprites: one for each game and theme in use."""
SCENES = 64
"""Matches whose last picture is the beginning of their next; each may hold 100 KiB."""


class Painter:
    """Paints, and remembers grounds, pieces, bands and whole pictures within a budget. Threads may share one."""

    def __init__(self, codec: Codec = FASTEST) -> None:
        self._lock = Lock()
        self._queue = deque[None]()
        """One for each picture that is wanted now; a deque, since threads may append and pop at once."""
        self._plans: Cache[Hashable, Plan] = Cache(256, lambda _: 1)
        self._memory = Memory(codec)
        self._drawer = Drawer()
        self._sprites: list[Sprites] = []
        self._grounds: Cache[Hashable, Ground] = Cache(10 * MIB, lambda ground: ground.weight)
        self._scenes: Cache[Hashable, Scene] = Cache(SCENES, lambda _: 1)
        self._pictures: Cache[Hashable, bytes] = Cache(2 * MIB, len)

    def paint(self, diagram: Diagram, *, theme: str = "light", size: int = 0, hurried: bool = False) -> bytes:
        """The picture as PNG; `size` is its longer side in pixels, 0 = the usual one.

        While others wait, or if it is `hurried`, a new one takes less time and a few more bytes for the same pixels.
        """
        self._queue.append(None)
        try:
            with self._lock:
                return self._paint(settled(diagram), theme, size or SIZE, hurried or len(self._queue) > 1)
        finally:
            self._queue.pop()

    def _paint(self, diagram: Diagram, theme: str, size: int, hurried: bool) -> bytes:
        scene, words = self._scene(diagram, theme, size)
        key = (
            scene.id,
            diagram.figures,
            diagram.marks,
            diagram.to_act,
            diagram.links,
            diagram.trays,
            diagram.title,
            diagram.notes,
            diagram.throws,
        )
        return self._pictures.get(key) or self._pictures.put(key, scene.paint(diagram, words, hurried=hurried))

    def prepare(self) -> None:
        """Make later pictures quicker and smaller, while nobody waits: paint what they most likely show, and deflate
        better what was painted in haste."""
        while not self._queue:
            with self._lock:
                if not self._memory.prepare():
                    return

    def forget(self, *, pieces: bool = False) -> None:
        """Forget all pictures and their bands: what a cold picture is measured with.

        The board stays and what lay on its places; of `pieces`, only how they are drawn.
        """
        with self._lock:
            self._memory.clear(pieces=pieces)
            self._pictures.clear()
            for scene in self._scenes.values():
                scene.forget()

    @property
    def weight(self) -> int:
        """Bytes that it remembers, about."""
        return sum(cache.weight for cache in self._caches())

    @property
    def budget(self) -> int:
        """Bytes that it may remember."""
        return sum(cache.budget for cache in self._caches())

    def _caches(self) -> tuple[Cache[Any, Any], ...]:
        memory, drawer = self._memory, self._drawer
        kept = memory.patches, memory.bands, memory.coats, memory.canvases
        return self._grounds, self._pictures, *kept, drawer.fine, drawer.cut

    def _scene(self, diagram: Diagram, theme: str, size: int) -> tuple[Scene, tuple[Flow, ...]]:
        """What the picture shares with others: all but what a turn changes; and its words."""
        names, colours = tuple(diagram.names.items()), tuple(diagram.colours.items())
        frame = (diagram.board, diagram.turned, size, len(names))
        planned = self._plans.get(frame) or self._plans.put(frame, plan(diagram, size))
        words = flows(diagram, planned.room, planned.unit)
        high = tuple([flow.height for flow in words])
        sprites = self._drawn(theme, diagram.glyphs)
        key = (frame, theme, sprites, diagram.labels, diagram.near, names, colours, high)
        known = self._scenes.get(key)
        return known or self._scenes.put(key, self._set(diagram, planned, words, theme, sprites)), words

    def _set(self, diagram: Diagram, planned: Plan, words: tuple[Flow, ...], theme: str, sprites: Sprites) -> Scene:
        """A new scene; where only words lie otherwise than in another, both stand on one ground."""
        layout = arrange(diagram, planned, words)
        colours = tuple(diagram.colours.values())
        rows = cuts(layout)
        place = (layout.width, rows, layout.unit, layout.board)
        key = (diagram.board, diagram.turned, diagram.labels, colours, place, sprites)
        ground = self._grounds.get(key) or self._grounds.put(
            key, Ground(diagram, layout, THEMES[theme], self._memory.deflater, rows)
        )
        return Scene(diagram, layout, THEMES[theme], sprites=sprites, memory=self._memory, on=ground)

    def _drawn(self, theme: str, glyphs: Mapping[str, Glyph]) -> Sprites:
        """The sprites of a game's pieces, those used last first."""
        for i, sprites in enumerate(self._sprites):
            if sprites.serves(THEMES[theme], glyphs):
                self._sprites.insert(0, self._sprites.pop(i))
                return sprites
        self._sprites = [Sprites(THEMES[theme], glyphs, self._drawer), *self._sprites[: KEPT - 1]]
        return self._sprites[0]


_shared = Painter()
prepare = _shared.prepare


def paint(diagram: Diagram, *, theme: str = "light", size: int = 0) -> bytes:
    """The picture as PNG; `size` is its longer side in pixels, 0 = the usual one."""
    return _shared.paint(diagram, theme=theme, size=size)
