"""Who goes first by hands: White hides the free engagement in one of two closed hands, Black guesses which (2.0.19)."""

from dataclasses import replace
from typing import Final

from engine.game import Ask, NotationError
from engine.games.veney.pieces import SIDE_NAMES
from engine.games.veney.position import SIDES, Position, owed
from engine.text import Code, Term, Text

HANDS: Final = {"left": Term("left hand"), "right": Term("right hand")}
HIDER: Final = 0

_HIDE: Final = Text(
    "Hide the free engagement behind your back: in your `left` hand or your `right`. If the other guesses wrong, you go"
    " first."
)
_GUESS: Final = Text(
    "The free engagement is in one of two closed hands: guess `left` or `right`. If you guess right, you go first."
)


def owing() -> tuple[tuple[str, str], ...]:
    """What the position notes while the hands are closed."""
    return (("hands", "?"),)


def asks(position: Position) -> tuple[Ask, ...]:
    """Who has yet to hide, or to guess."""
    if not owed(position, "hands"):
        return ()
    wanted = ((side, _HIDE if side == HIDER else _GUESS) for side in (0, 1))
    return tuple(
        Ask(SIDES[side], "hands", prompt, "left")
        for side, prompt in wanted
        if not owed(position, "hands" + SIDES[side])
    )


def answer(position: Position, side: int, text: str) -> Position:
    """The position with one hand named; with both, who goes first is settled."""
    hand = text.strip().lower().removesuffix(" hand")
    if hand not in HANDS:
        because = Text("{words} is neither hand.", words=Code(text.strip()[:40]))
        raise NotationError(because, Text("Answer `left` or `right`."))
    position = replace(position, owed=(*position.owed, ("hands" + SIDES[side], hand)))
    if asks(position):
        return position
    others = tuple(entry for entry in position.owed if not entry[0].startswith("hands"))
    return replace(position, owed=others, to=_first(position))


def _first(position: Position) -> int:
    """Whoever goes first: who has guessed right, else who was not found out."""
    hidden, guessed = (owed(position, "hands" + side) for side in SIDES)
    return 1 - HIDER if hidden == guessed else HIDER


def revealed(position: Position, side: int, text: str) -> Text | None:
    """What everybody learns with the second answer: where it was, what was guessed, who goes first."""
    if len(asks(position)) != 1:
        return None
    hand = text.strip().lower().removesuffix(" hand")
    both = replace(position, owed=(*position.owed, ("hands" + SIDES[side], hand)))
    hidden, guessed = (owed(both, "hands" + side) for side in SIDES)
    return Text(
        "The free engagement was in the {hidden}, the guess was the {guessed}: {side} goes first.",
        hidden=HANDS[hidden],
        guessed=HANDS[guessed],
        side=SIDE_NAMES[_first(both)],
    )
