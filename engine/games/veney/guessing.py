"""Thrown Daggers that no dice decide: the target hides a token or a number, and the thrower guesses it."""

import re
from dataclasses import replace
from typing import Final

from engine.game import Ask, NotationError
from engine.games.veney.field import Field
from engine.games.veney.luck import sticks
from engine.games.veney.piste import BIT, HALF, MEASURE, NUMBER, STEP
from engine.games.veney.position import SIDES, Pending, Position

_GUESSES: Final = {
    2: ("the measure the token is in, 1 to 4", "3", r"[1-4]"),
    3: ("the measure, and whether the step is odd or even", "3 odd", r"[1-4] (odd|even)"),
    4: ("the step", "11", r"\d{1,2}"),
    5: ("the step, and the WX or the YZ half", "11 WX", r"\d{1,2} (wx|yz)"),
}
"""What is guessed instead of so many sticks: 1 in 4, 8, 16 or 32."""
_SIDE: Final = ("the side of the board the token is on, white or black", "white", "white|black")
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


def _sought(position: Position) -> tuple[str, str, str]:
    """What is guessed about the token: in words, an example, its pattern."""
    if position.terms.throw == "guess-side":
        return _SIDE
    return _GUESSES[position.pending.step if position.pending else 2]


def _on_paper(position: Position) -> bool:
    return position.terms.throw.startswith("paper")


def _hiding(position: Position, side: str) -> Ask:
    if not _on_paper(position):
        return Ask(side, "hidden", "a Dagger is thrown at you: hide a token on a square", "X7")
    return Ask(side, "hidden", f"a Dagger is thrown at you: write a number from 1 to {_top(position)}", "4")


def _guessing(position: Position, side: str) -> Ask:
    if not _on_paper(position):
        what, example, _ = _sought(position)
        return Ask(side, "guessed", f"your Dagger flies: guess {what}", example)
    return Ask(side, "guessed", f"your Dagger flies: guess the number, 1 to {_top(position)}", "4")


def _top(position: Position) -> int:
    return int(position.terms.throw.removeprefix("paper"))


def thrown(position: Position, field: Field, text: str) -> Position:
    """A throw that waits for a token and a guess."""
    return replace(position, pending=Pending("guess", position.to, sticks(position, field), text))


def answer(position: Position, ask: Ask, text: str) -> Position:
    """The position with one more choice sealed in it."""
    said = text.strip().lower()
    if not re.fullmatch(_pattern(position, ask.key), said) or (ask.key == "hidden" and not _possible(position, said)):
        raise NotationError("that cannot be guessed", f"Write it like `{ask.example}`.")
    return replace(position, owed=(*position.owed, (ask.key, said)))


def _pattern(position: Position, key: str) -> str:
    if _on_paper(position):
        return r"\d{1,2}"
    return r"[wxyz]\d{1,2}" if key == "hidden" else _sought(position)[2]


def _possible(position: Position, said: str) -> bool:
    if not _on_paper(position):
        return said.upper() in NUMBER
    return 1 <= int(said) <= _top(position)


def guessed(position: Position) -> bool | None:
    """Whether the guess was right; None while something is awaited."""
    given = dict(position.owed)
    if not {"hidden", "guessed"} <= set(given):
        return None
    hidden, guess = given["hidden"], given["guessed"]
    if _on_paper(position):
        return int(hidden) == int(guess)
    at = NUMBER[hidden.upper()]
    if position.terms.throw == "guess-side":
        return guess == ("white" if HALF[0] & BIT[at] else "black")
    measure, step, half = str(MEASURE[at]), str(STEP[at]), "wx" if at % 4 < 2 else "yz"
    odd = "odd" if STEP[at] % 2 else "even"
    count = position.pending.step if position.pending else 2
    return guess == {2: measure, 3: f"{measure} {odd}", 4: step, 5: f"{step} {half}"}[count]


def told(position: Position) -> str:
    """What was hidden, what was guessed, and what follows; "" while something is awaited."""
    right = guessed(position)
    if right is None:
        return ""
    given = dict(position.owed)
    where = (
        f"The number was {given['hidden']}" if _on_paper(position) else f"The token lay on {given['hidden'].upper()}"
    )
    end = "the Dagger hits" if right else "the Dagger misses and is lost"
    return f"{where}, the guess was {given['guessed']}: {end}."
