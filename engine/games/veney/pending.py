"""What one side still has to settle before the game goes on: who that is, what is asked, and what answers it."""

from dataclasses import replace
from typing import Final

from engine.board import Side
from engine.dice import Dice
from engine.game import Ask
from engine.games.veney import letters
from engine.games.veney.ends import is_last_turn
from engine.games.veney.luck import guessing, hug
from engine.games.veney.position import SIDES, Position
from engine.games.veney.setup import by_turns, hands, layouts, surplus
from engine.games.veney.turn import guess
from engine.text import Text


def to_act(position: Position) -> Side:
    """Who plays next; a throw in the glare is allowed or prevented by the other side."""
    pending = position.pending
    return SIDES[position.to if pending is None or pending.what != "throw" else 1 - pending.side]


def duty(position: Position) -> Text | None:
    """What the side to act has to do, where that is not simply to make its turn."""
    if position.pending is not None:
        return by_turns.duty(position) if position.pending.what == "setup" else _DUTIES[position.pending.what]
    if is_last_turn(position):
        return _DYING
    return _AFTER_PASSES.get(position.passes) if position.stance < 0 else None


_PUT_ELSEWHERE: Final = "SW3 $X2"
_DUTIES: Final = {
    "throw": Text("A Dagger is to be thrown in your glare: `allow` it or `prevent` it."),
    "distraction": Text(
        "A distraction: put Self and Sword elsewhere, like `{example}`, or leave them with `--`.",
        example=_PUT_ELSEWHERE,
    ),
    "chaos": Text(
        "Chaos: put Self and one blade elsewhere, like `{example}`, or leave them with `--`.", example=_PUT_ELSEWHERE
    ),
    "guess": Text("A Dagger is in the air: both answer in private."),
}
_AFTER_PASSES: Final = {
    1: Text("The last turn was a pass: a move accepts it, another pass, `--`, refuses it."),
    2: Text("The pass is refused: a move on the board has to follow."),
}
"""By how many passes have been made in a row."""
_DYING: Final = Text("Touché: your Self is taken, and one last turn is yours; `ok` lets it stand.")


def continues(text: str, position: Position) -> bool:
    """Whether a turn is part of the one before.

    A throw let happen, and where Self and blade go then, are part of that turn; one prevented was never made.
    """
    return position.pending is not None and position.pending.what != "setup" and text != "prevent"


def asks(position: Position) -> tuple[Ask, ...]:
    """What is awaited in private: layouts, hands, the choices of a hug, a token and a guess."""
    if not position.owed and position.pending is None:  # as nearly always
        return ()
    wanted = (layouts.asks, surplus.asks, hands.asks, hug.asks, guessing.asks)
    return next((asked for asks_for in wanted if (asked := asks_for(position))), ())


def seen_by(position: Position, side: Side) -> Position:
    """The position without what the other side has handed in or chosen in private."""
    foe = SIDES[1 - SIDES.index(side)]
    hidden = {f"layout{foe}", f"hug{foe}", f"hands{foe}", "hidden", "guessed"}
    kept = tuple(entry for entry in position.owed if entry[0] not in hidden)
    return position if kept == position.owed else replace(position, owed=kept)


def answer(position: Position, ask: Ask, text: str, dice: Dice) -> Position:
    """The position once a side has answered in private."""
    match ask.key:
        case "surplus":
            return surplus.answer(position, SIDES.index(ask.side), text)
        case "hands":
            return hands.answer(position, SIDES.index(ask.side), text)
        case "hug":
            return hug.answer(position, ask.side, text)
        case "layout":
            return layouts.answer(position, SIDES.index(ask.side), text, dice)
        case _:
            return guess(position, ask, letters.meant(text) if position.terms.abcd else text)


def revealed(position: Position, ask: Ask, text: str) -> Text | None:
    """What everybody learns of what was hidden and guessed once both are there."""
    if ask.key == "hands":
        return hands.revealed(position, SIDES.index(ask.side), text)
    if position.pending is None or position.pending.what != "guess":
        return None
    return guessing.revealed(guessing.answer(position, ask, letters.meant(text) if position.terms.abcd else text))
