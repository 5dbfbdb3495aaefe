"""How a match went, as a picture: a bar for each turn, toward the side that stood better after it."""

from collections.abc import Sequence
from functools import lru_cache

from engine.board import Board, Legend, Point, Site
from engine.diagram import Diagram
from engine.game import AnyGame
from engine.text import Text

HEIGHT = 10.0
"""How far a bar reaches at most, in widths of one."""
GAP, LEAST = 0.1, 0.1
"""Between two bars; the height of one that has none."""
LEVEL = 400
"""Points below which no bar fills the plot, so that calm matches look calm."""
EVERY = 10
"""Bars from number to number."""
LIGHT, DARK = 0, 2


@lru_cache(maxsize=16)
def plotted(game: AnyGame, values: tuple[int, ...]) -> Diagram:
    """The plot of what the first side had after each turn; the same object each time, as its board is a cache's key."""
    best, worst = (values.index(extreme(values)) + 1 for extreme in (max, min))
    side = game.names[game.sides[0]]
    note = Text("{side} stood best after turn {best}, worst after turn {worst}.", side=side, best=best, worst=worst)
    return Diagram(game.name, _board(values), game.names, game.colours, {}, (), None, notes=(note,))


def _board(values: Sequence[int]) -> Board:
    """A board whose places are bars: the first side's words stand below, so its bars go down."""
    top = max(LEVEL, *(abs(value) for value in values))
    bars: dict[Site, tuple[Point, ...]] = {}
    for at, value in enumerate(values):
        end = HEIGHT * value / top
        low, high = sorted((0.0, end if abs(end) >= LEAST else LEAST))
        right = at + 1 - GAP
        bars[str(at + 1)] = ((at, low), (right, low), (right, high), (at, high))
    wide = float(len(values))
    frame = ((0.0, -HEIGHT), (wide, -HEIGHT), (wide, HEIGHT), (0.0, HEIGHT), (0.0, -HEIGHT))
    return Board(
        "course",
        bars,
        tones={str(at + 1): LIGHT if value >= 0 else DARK for at, value in enumerate(values)},
        lines=(frame, ((0.0, 0.0), (wide, 0.0))),
        legends=tuple(
            Legend(str(at + 1), (at + 0.5, HEIGHT + 0.8))
            for at in range(len(values))
            if at == 0 or (at + 1) % EVERY == 0
        ),
    )
