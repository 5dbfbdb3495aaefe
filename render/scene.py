"""Pictures of scenes of the rules, for the documents, and for the web room when they are asked for."""

from functools import lru_cache

from engine.diagram import Diagram
from engine.game import AnyGame
from engine.teaching.entries import Scene
from engine.teaching.scenes import drawn, scenes
from render.layout.close_up import close_up
from render.layout.page import plan
from render.painter import Painter
from render.view import View

SIZE, UPRIGHT, LABELLED = 440, 600, 1000
"""The longer side in pixels; of a tall board, so that its squares are no smaller; of one whose places show names."""

_painter = Painter()
"""A painter of its own, so that readers of the rules slow down no match."""


@lru_cache(maxsize=512)
def painted(game: AnyGame, name: str, theme: str = "light") -> bytes:
    """A scene as PNG; each is painted once. Raises KeyError for a name that is none."""
    scene = scenes(game)[name]
    shown = pictured(game, scene)
    size = LABELLED if scene.labels else UPRIGHT if plan(shown, SIZE).beside else SIZE
    return _painter.paint(shown, View(theme, size))


def pictured(game: AnyGame, scene: Scene) -> Diagram:
    """What is painted of a scene: all of the board, or the part where something happens."""
    diagram = drawn(game, scene)
    return close_up(diagram, scene.around) if scene.around else diagram
