"""Thrown Daggers that no dice decide: the target hides a token or a number, and the thrower guesses it."""

import re
from dataclasses import replace
from typing import Final

from engine.dice import Dice
from engine.game import Ask, NotationError
from engine.games.veney.board.squares import BIT, HALF, MEASURE, NUMBER, SQUARES, STEP
from engine.games.veney.luck.sticks import sticks
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import SIDES, Pending, Position
from engine.text import Text

_GUESSES: Final = {
    2: (Text("Your Dagger flies: guess the measure that the token is in, 1 to 4."), "3", r"[1-4]"),
    3: (
        Text("Your Dagger flies: guess the measure that the token is in, and whether its step is odd or even."),
        "3 odd",
        r"[1-4] (odd|even)",
    ),
    4: (Text("Your Dagger flies: guess the step that the token is on."), "11", r"\d{1,2}"),
    5: (
        Text(
            "Your Dagger flies: guess the step that the token is on, and the {left} or the {right} half.",
            left="WX",
            right="YZ",
        ),
        "11 WX",
        r"\d{1,2} (wx|yz)",
    ),
}
"""What is guessed instead of so many sticks: 1 in 4, 8, 16 or 32."""

_SIDE: Final = (
    Text("Your Dagger flies: guess the side of the board that the token is on, white or black."),
    "white",
    "white|black",
)
"""What is guessed however many sticks there would be: 1 in 2."""


def secret(how: str) -> bool:
    """Whether the target hides something and the thrower guesses it."""
    return how.startswith(("guess", "paper"))


def asks(position: Position) -> tuple[Ask, ...]:
    """What is awaited in private."""
    pending = position.pending
    if pending is None or pending.what != "guess":
        return ()
    given = dict(position.owed)
    wanted = (_hiding(position, SIDES[1 - pending.side]), _guessing(position, SIDES[pending.side]))
    return tuple(ask for ask in wanted if ask.key not in given)


def _sought(position: Position) -> tuple[Text, str, str]:
    """What is guessed about the token: the request, an example, its pattern."""
    if position.terms.throw == "guess-side":
        return _SIDE
    return _GUESSES[position.pending.step if position.pending else 2]


def on_paper(position: Position) -> bool:
    """Whether a number is hidden instead of a token."""
    return position.terms.throw.startswith("paper")


def _hiding(position: Position, side: str) -> Ask:
    if not on_paper(position):
        return Ask(side, "hidden", Text("A Dagger is thrown at you: hide a token on a square."), "X7")
    return Ask(
        side, "hidden", Text("A Dagger is thrown at you: write a number from 1 to {top}.", top=top(position)), "4"
    )


def _guessing(position: Position, side: str) -> Ask:
    if not on_paper(position):
        prompt, example, _ = _sought(position)
        return Ask(side, "guessed", prompt, example)
    return Ask(side, "guessed", Text("Your Dagger flies: guess the number, 1 to {top}.", top=top(position)), "4")


def top(position: Position) -> int:
    """The largest number that can be written."""
    return int(position.terms.throw.removeprefix("paper"))


def thrown(position: Position, board: WorkingBoard, text: str) -> Position:
    """A throw that waits for a token and a guess."""
    return replace(position, pending=Pending("guess", position.to, sticks(position, board), text))


def answer(position: Position, ask: Ask, text: str) -> Position:
    """The position with one more choice sealed in it."""
    said = text.strip().lower()
    if not re.fullmatch(pattern(position, ask.key), said) or (ask.key == "hidden" and not _possible(position, said)):
        raise NotationError(Text("That cannot be guessed."), Text("Write it like `{example}`.", example=ask.example))
    return replace(position, owed=(*position.owed, (ask.key, said)))


def pattern(position: Position, key: str) -> str:
    """What an answer looks like."""
    if on_paper(position):
        return r"\d{1,2}"
    return r"[wxyz]\d{1,2}" if key == "hidden" else _sought(position)[2]


def _possible(position: Position, said: str) -> bool:
    if not on_paper(position):
        return said.upper() in NUMBER
    return 1 <= int(said) <= top(position)


def guessed(position: Position) -> bool | None:
    """Whether the guess was right; None while something is awaited."""
    given = dict(position.owed)
    if not {"hidden", "guessed"} <= set(given):
        return None
    hidden, guess = given["hidden"], given["guessed"]
    if on_paper(position):
        return int(hidden) == int(guess)
    at = NUMBER[hidden.upper()]
    return guess == _place(position, at)


def _place(position: Position, at: int) -> str:
    """What is to be guessed of a token on a square."""
    if position.terms.throw == "guess-side":
        return "white" if HALF[0] & BIT[at] else "black"
    measure, step, half = str(MEASURE[at]), str(STEP[at]), "wx" if at % 4 < 2 else "yz"
    odd = "odd" if STEP[at] % 2 else "even"
    count = position.pending.step if position.pending else 2
    return {2: measure, 3: f"{measure} {odd}", 4: step, 5: f"{step} {half}"}[count]


def any_answer(position: Position, ask: Ask, dice: Dice) -> str:
    """A token or a guess that nobody can foresee; "" where something else is asked."""
    if ask.key not in ("hidden", "guessed"):
        return ""
    if on_paper(position):
        return str(1 + dice.roll(top(position)))
    at = dice.roll(64)
    return SQUARES[at] if ask.key == "hidden" else _place(position, at)


def revealed(position: Position) -> Text | None:
    """What was hidden, what was guessed, and what follows; None while something is awaited."""
    right = guessed(position)
    if right is None:
        return None
    given = dict(position.owed)
    hidden, guess = given["hidden"].upper(), given["guessed"]
    if on_paper(position):
        if right:
            return Text("The number was {number}, the guess was {guess}: the Dagger hits.", number=hidden, guess=guess)
        return Text(
            "The number was {number}, the guess was {guess}: the Dagger misses and is lost.", number=hidden, guess=guess
        )
    if right:
        return Text("The token lay on {square}, the guess was {guess}: the Dagger hits.", square=hidden, guess=guess)
    return Text(
        "The token lay on {square}, the guess was {guess}: the Dagger misses and is lost.", square=hidden, guess=guess
    )
