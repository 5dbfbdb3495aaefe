"""From the description of a picture to what it shows: the one way that painter and alt text look at a position."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from bot.chat import Picture
from engine.board import Side
from engine.diagram import Diagram, Mark
from engine.game import AnyGame
from engine.games import GAMES
from render.words import describe


def diagram(picture: Picture) -> Diagram:
    """What the picture's viewer may see."""
    return _drawn(GAMES[picture.game], replace(picture, alt="", theme="", size=0))


def picture(
    game: AnyGame,
    position: Any,
    viewer: Side | None,
    *,
    turn: str = "",
    marks: tuple[Mark, ...] = (),
    tokens: tuple[tuple[Side, str], ...] = (),
    over: bool = False,
    theme: str = "",
    labels: str = "none",
) -> Picture:
    """The description of a picture, its alt text included."""
    bare = Picture(
        game.key, game.encode(position), viewer, turn=turn, marks=marks, tokens=tokens, over=over, labels=labels
    )
    return replace(bare, alt=describe(_drawn(game, bare)), theme=theme)


@lru_cache(maxsize=64)
def _drawn(game: AnyGame, picture: Picture) -> Diagram:
    """Remembered, since what was just put into words is painted next."""
    position = after = game.decode(picture.position)
    if picture.turn:
        turn = game.read(picture.turn, position)
        drawn, after = game.draw_turn(position, turn, picture.viewer), game.play(position, turn)
    else:
        drawn = game.draw(position, picture.viewer)
    staked = dict(picture.tokens)
    figures = tuple(
        figure._replace(token=initials(staked[figure.side]), below=f"({staked[figure.side]})")
        if figure.kind == game.bearer and figure.side in staked
        else figure
        for figure in drawn.figures
    )
    labels = drawn.labels
    if picture.labels == "all":
        labels = frozenset(drawn.board.outlines)
    elif picture.labels == "legal":
        labels = frozenset(site for turn in game.turns(after) for site in game.ends(turn, after))
    to_act = None if picture.over else drawn.to_act
    return replace(drawn, figures=figures, labels=labels, to_act=to_act).marked(picture.marks)


def initials(token: str) -> str:
    """At most two letters that stand for a token where there is no room for its name."""
    words = [word for word in token.split() if word[0].isalnum()]
    return "".join(word[0].upper() for word in words[:2])
