"""From the description of a picture to what it shows: the one way that painter and alt text look at a position."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from bot.messages.model import Picture
from engine.board import Side
from engine.diagram import Diagram, Figure, Mark
from engine.game import AnyGame
from engine.games import GAMES
from engine.match.state import encoded
from render.words import describe


def diagram(picture: Picture) -> Diagram:
    """What the picture's viewer may see."""
    return _drawn(
        _View(
            GAMES[picture.game],
            picture.position,
            picture.viewer,
            picture.turn,
            picture.marks,
            picture.tokens,
            picture.over,
            picture.labels,
        )
    )


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
    text = encoded(game, position)
    alt = describe(_drawn(_View(game, text, viewer, turn, marks, tokens, over, labels, position)))
    return Picture(game.key, text, viewer, turn, marks, tokens, theme, alt, over, labels=labels)


@dataclass(frozen=True, slots=True)
class _View:
    """What a diagram follows from; equal descriptions lead to equal diagrams, whoever has the position at hand."""

    game: AnyGame
    text: str
    viewer: Side | None
    turn: str
    marks: tuple[Mark, ...]
    tokens: tuple[tuple[Side, str], ...]
    over: bool
    labels: str
    position: Any = field(default=None, compare=False)
    """None = it is still to be read."""


@lru_cache(maxsize=64)
def _drawn(view: _View) -> Diagram:
    """Remembered, since what was just put into words is painted next."""
    game = view.game
    position = game.decode(view.text) if view.position is None else view.position
    if view.turn:
        turn = game.read(view.turn, position)
        drawn = game.draw_turn(position, turn, view.viewer)
    else:
        drawn = game.draw(position, view.viewer)
    if view.tokens:
        drawn = replace(drawn, figures=_staked(drawn.figures, game, dict(view.tokens)))
    if view.labels == "all":
        drawn = replace(drawn, labels=frozenset(drawn.board.outlines))
    elif view.labels == "legal":
        after = game.play(position, turn) if view.turn else position
        legal = frozenset(site for turn in game.turns(after) for site in game.ends(turn, after))
        drawn = replace(drawn, labels=legal)
    if view.over:
        drawn = replace(drawn, to_act=None)
    return drawn.marked(view.marks)


def _staked(figures: tuple[Figure, ...], game: AnyGame, staked: dict[Side, str]) -> tuple[Figure, ...]:
    """The pieces, with its side's token on each that bears one."""
    return tuple(
        figure._replace(token=initials(staked[figure.side]), below=f"({staked[figure.side]})")
        if figure.kind == game.bearer and figure.side in staked
        else figure
        for figure in figures
    )


def initials(token: str) -> str:
    """At most two letters that stand for a token where there is no room for its name."""
    words = [word for word in token.split() if word[0].isalnum()]
    return "".join(word[0].upper() for word in words[:2])
