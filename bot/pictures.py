"""From the description of a picture to what it shows: the one way that painter and alt text look at a position."""

from dataclasses import replace
from typing import Any

from bot.chat import Picture
from engine.board import Side
from engine.diagram import Diagram, Mark
from engine.game import AnyGame
from engine.games import GAMES
from render.words import describe


def diagram(picture: Picture) -> Diagram:
    """What the picture's viewer may see."""
    game = GAMES[picture.game]
    return _drawn(game, game.decode(picture.position), picture)


def picture(
    game: AnyGame,
    position: Any,
    viewer: Side | None,
    *,
    turn: str = "",
    marks: tuple[Mark, ...] = (),
    over: bool = False,
    theme: str = "",
    labels: str = "none",
) -> Picture:
    """The description of a picture, its alt text included."""
    bare = Picture(
        game.key, game.encode(position), viewer, turn=turn, marks=marks, theme=theme, over=over, labels=labels
    )
    return replace(bare, alt=describe(_drawn(game, position, bare)))


def _drawn(game: AnyGame, position: Any, picture: Picture) -> Diagram:
    if picture.turn:
        drawn = game.draw_turn(position, game.read(picture.turn, position), picture.viewer)
    else:
        drawn = game.draw(position, picture.viewer)
    labels = drawn.labels
    if picture.labels == "all":
        labels = frozenset(drawn.board.outlines)
    elif picture.labels == "legal":
        labels = frozenset(move.target for turn in game.turns(position) for move in turn if move.target)
    return replace(drawn.marked(picture.marks), labels=labels, to_act=None if picture.over else drawn.to_act)
