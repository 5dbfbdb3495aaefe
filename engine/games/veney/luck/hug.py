"""The hug: a draw that is agreed on is settled by two secret choices, and either may be a Dagger (2.0.23)."""

from dataclasses import replace
from typing import Final

from engine.game import Ask, NotationError
from engine.games.veney.position import SIDES, Position
from engine.text import Code, Text

CHOICES: Final = ("hug", "betray")


def opened(position: Position) -> Position:
    """The position in which both sides have yet to choose."""
    return replace(position, owed=(*position.owed, ("hug", "?")))


_PROMPT: Final = Text(
    "The draw is settled with a hug: say `hug` to confirm it, or `betray` to win alone if the other hugs."
)


def asks(position: Position) -> tuple[Ask, ...]:
    """Who has yet to choose."""
    known = dict(position.owed)
    if "hug" not in known or position.over is not None:
        return ()
    return tuple(Ask(side, "hug", _PROMPT, CHOICES[0]) for side in SIDES if "hug" + side not in known)


def answer(position: Position, side: str, text: str) -> Position:
    """The position once one side has chosen; with both choices it is over."""
    choice = text.strip().lower()
    if choice not in CHOICES:
        because = Text("{words} is neither a hug nor a betrayal.", words=Code(text.strip()[:40]))
        raise NotationError(because, Text("Answer `hug` or `betray`."))
    chosen = {**dict(position.owed), "hug" + side: choice}
    position = replace(position, owed=tuple(chosen.items()))
    if asks(position):
        return position
    traitors = "".join(side for side in SIDES if chosen["hug" + side] == "betray")
    # Two Daggers under the table are a double-checkmate: both have lost.
    over = ("draw", "".join(SIDES)) if not traitors else ("betrayal", traitors if len(traitors) == 1 else "")
    return replace(position, owed=(), over=over)
