"""Paints any game's diagram as a palette PNG; the next picture of a match costs only the rows that changed."""

from collections.abc import Hashable
from threading import Lock

from engine.diagram import Diagram
from render import png
from render.caches import Cache
from render.layout import SIZE, arrange
from render.scene import Scene
from render.theme import THEMES
from render.words import settled


class Painter:
    """Paints, and remembers grounds, pieces, bands and whole pictures within a budget. Threads may share one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._deflater = png.Deflater()
        self._scenes: Cache[Hashable, Scene] = Cache(24 << 20, lambda scene: scene.weight)
        self._pictures: Cache[Hashable, bytes] = Cache(8 << 20, len)

    def paint(self, diagram: Diagram, *, theme: str = "light", size: int = 0) -> bytes:
        """The picture as PNG; `size` is its longer side in pixels, 0 = the usual one."""
        diagram = settled(diagram)
        with self._lock:
            scene = self._scene(diagram, theme, size or SIZE)
            return scene.paint(diagram)

    def _scene(self, diagram: Diagram, theme: str, size: int) -> Scene:
        key = (
            diagram.board,
            theme,
            size,
            diagram.turned,
            diagram.labels,
            diagram.near,
            tuple(diagram.names.items()),
            tuple(diagram.colours.items()),
            diagram.trays,
            bool(diagram.notes or diagram.throws),
        )
        scene = self._scenes.get(key)
        if scene is None or (scene.glyphs is not diagram.glyphs and scene.glyphs != diagram.glyphs):
            layout = arrange(diagram, size)
            scene = self._scenes.put(key, Scene(diagram, layout, THEMES[theme], self._deflater))
        return scene


_shared = Painter()


def paint(diagram: Diagram, *, theme: str = "light", size: int = 0) -> bytes:
    """The picture as PNG; `size` is its longer side in pixels, 0 = the usual one."""
    return _shared.paint(diagram, theme=theme, size=size)
