"""Refuses a text that describes no turn."""

from typing import NoReturn

from engine.game import NotationError
from engine.text import Term, Text


def refuse(because: Text, remedy: Text | None = None, readings: tuple[str, ...] = ()) -> NoReturn:
    """The text describes no turn; where no remedy is given, `read` shows an example."""
    raise NotationError(because, remedy, readings=readings)


def refuse_absent(piece: Term, remedy: Text | None = None) -> NoReturn:
    """The text speaks of a piece that is not on the board."""
    refuse(Text("You have no {piece} on the board.", piece=piece), remedy)
