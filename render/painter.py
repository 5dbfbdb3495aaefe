"""Paints any game's diagram as a palette PNG; the next picture of a match costs only the rows that changed."""

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from threading import Lock
from typing import Any

from engine.diagram import Diagram, Glyph
from render.compose.background import Background, DrawnBoard
from render.compose.bands import band_edges
from render.compose.cache import MIB, PictureCache
from render.compose.compositor import Compositor
from render.compose.png import FASTEST, Codec
from render.drawing.sprites import PieceSprites, SpriteCache
from render.layout.page import Plan, arrange, plan, usual_size
from render.layout.words import Flow, Wording, flows, worded
from render.lru import LruCache
from render.taken import show_taken
from render.theme import THEMES
from render.view import PLAIN, View

MOST_SPRITES = 8
"""Sets of piece sprites that are kept: one for each game and theme in use."""
MOST_COMPOSITORS = 64
"""Matches whose last picture is kept as the beginning of their next; each may take 100 KiB."""


class Painter:
    """Paints pictures, and caches what they share and the pictures themselves within a budget. Threads may share it."""

    def __init__(self, codec: Codec = FASTEST) -> None:
        self._lock = Lock()
        self._queue = deque[None]()
        """One for each picture that is waited for; a deque, since threads may append and pop at once."""
        self._plans: LruCache[Hashable, Plan] = LruCache(256, lambda _: 1)
        self._cache = PictureCache(codec)
        self._sprite_cache = SpriteCache()
        self._sprites: list[PieceSprites] = []
        self._boards: LruCache[Hashable, DrawnBoard] = LruCache(4 * MIB, lambda board: board.weight)
        self._backgrounds: LruCache[Hashable, Background] = LruCache(6 * MIB, lambda background: background.weight)
        self._compositors: LruCache[Hashable, Compositor] = LruCache(MOST_COMPOSITORS, lambda _: 1)
        self._pictures: LruCache[Hashable, bytes] = LruCache(2 * MIB, len)

    def paint(self, diagram: Diagram, view: View = PLAIN, *, hurried: bool = False) -> bytes:
        """Returns the picture as PNG.

        While others wait, or if it is `hurried`, a new one takes less time and a few more bytes for the same pixels.
        """
        self._queue.append(None)
        try:
            with self._lock:
                return self._paint(show_taken(diagram), view, hurried or len(self._queue) > 1)
        finally:
            self._queue.pop()

    def _paint(self, diagram: Diagram, view: View, hurried: bool) -> bytes:
        wording = worded(diagram, view.say)
        compositor, words = self._compositor(diagram, wording, view)
        key = (
            compositor.id,
            diagram.figures,
            diagram.marks,
            diagram.to_act,
            diagram.winners,
            diagram.links,
            wording,
        )
        return self._pictures.get(key) or self._pictures.put(
            key, compositor.paint(diagram, wording, words, hurried=hurried)
        )

    def room(self, diagrams: Iterable[Diagram], view: View) -> tuple[int, ...]:
        """Returns the greatest height of each block of words on the pictures of these diagrams."""
        found = []
        for diagram in diagrams:
            planned = plan(diagram, view.size or usual_size(diagram.board))
            words = flows(worded(diagram, view.say), diagram.near, planned.room, planned.unit, narrow=planned.beside)
            found.append([flow.height for flow in words])
        return tuple(map(max, zip(*found, strict=True)))

    def prepare(self) -> None:
        """Makes later pictures quicker, while nobody waits: draws marks that they may show."""
        while not self._queue:
            with self._lock:
                if not self._cache.prepare():
                    return

    def polish(self) -> None:
        """Makes later pictures smaller, while nobody waits: deflates better what was painted in a hurry."""
        while not self._queue:
            with self._lock:
                if not self._cache.polish():
                    return

    def forget(self, *, pieces: bool = False) -> None:
        """Drops all pictures and their bands, to measure a cold picture.

        The board stays, and what lay on its places; with `pieces`, only how pieces are drawn.
        """
        with self._lock:
            self._cache.clear(pieces=pieces)
            self._pictures.clear()
            for compositor in self._compositors.values():
                compositor.forget()

    @property
    def weight(self) -> int:
        """Bytes that it holds, about."""
        return sum(cache.weight for cache in self._caches())

    @property
    def budget(self) -> int:
        """Bytes that it may hold."""
        return sum(cache.budget for cache in self._caches())

    def _caches(self) -> tuple[LruCache[Any, Any], ...]:
        cache, sprites = self._cache, self._sprite_cache
        kept = cache.deltas, cache.bands, cache.layers, cache.canvases
        return self._boards, self._backgrounds, self._pictures, *kept, sprites.large, sprites.scaled

    def _compositor(self, diagram: Diagram, wording: Wording, view: View) -> tuple[Compositor, tuple[Flow, ...]]:
        """Returns what composes all pictures that differ only by what turns change; and the words of this one."""
        theme, size, colours = view.theme, view.size or usual_size(diagram.board), tuple(diagram.colours.items())
        frame = (diagram.board, diagram.turned, size, len(diagram.names))
        planned = self._plans.get(frame) or self._plans.put(frame, plan(diagram, size))
        words = flows(wording, diagram.near, planned.room, planned.unit, narrow=planned.beside)
        if view.room:
            words = tuple(
                [Flow(flow.words, max(flow.height, least)) for flow, least in zip(words, view.room, strict=True)]
            )
        heights = tuple([height for _, height in words])
        sprites = self._piece_sprites(theme, diagram.glyphs)
        key = (planned, theme, sprites, diagram.labels, diagram.near, wording.names, colours, heights)
        known = self._compositors.get(key)
        return known or self._compositors.put(key, self._new(diagram, planned, words, theme, sprites)), words

    def _new(
        self, diagram: Diagram, planned: Plan, words: tuple[Flow, ...], theme: str, sprites: PieceSprites
    ) -> Compositor:
        """Returns a new compositor; two share a background where only the place of words differs, and what is drawn of
        the board where more or fewer lines of them stand below it."""
        layout = arrange(diagram, planned, words)
        colours, edges = tuple(diagram.colours.values()), band_edges(layout)
        drawn = (
            diagram.board,
            diagram.turned,
            diagram.labels,
            colours,
            layout.width,
            layout.unit,
            layout.board,
            sprites,
        )
        background, first = self._backgrounds.get((drawn, edges)), False
        if background is None:
            board = self._boards.get(drawn)
            first = board is None
            board = board or self._boards.put(drawn, DrawnBoard(diagram, layout, THEMES[theme]))
            background = Background(board, layout, self._cache.deflater, edges)
            self._backgrounds.put((drawn, edges), background)
        return Compositor(
            diagram, layout, THEMES[theme], sprites=sprites, cache=self._cache, background=background, first=first
        )

    def _piece_sprites(self, theme: str, glyphs: Mapping[str, Glyph]) -> PieceSprites:
        """Returns the sprites of a game's pieces, and keeps those used last."""
        for i, sprites in enumerate(self._sprites):
            if sprites.serves(THEMES[theme], glyphs):
                self._sprites.insert(0, self._sprites.pop(i))
                return sprites
        self._sprites = [PieceSprites(THEMES[theme], glyphs, self._sprite_cache), *self._sprites[: MOST_SPRITES - 1]]
        return self._sprites[0]


_shared = Painter()
prepare = _shared.prepare
polish = _shared.polish


def paint(diagram: Diagram, view: View = PLAIN) -> bytes:
    """Returns the picture as PNG."""
    return _shared.paint(diagram, view)
