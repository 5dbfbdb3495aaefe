"""A course as data: lessons of steps, each a position with a task whose goal the engine checks."""

from dataclasses import dataclass

from engine.board import Site
from engine.text import Term, Text


@dataclass(frozen=True, slots=True)
class Goal:
    """What a tenable turn has to do: everything that is named here."""

    ends: tuple[Site, ...] = ()
    """A move ends on one of these."""
    origin: Site = ""
    """A move begins here."""
    piece: str = ""
    """A piece of this letter moves."""
    verb: str = ""
    """A move is of this sort."""
    takes: tuple[Site, ...] = ()
    """Nobody of another side stands here any more."""
    wins: bool = False
    goes_on: bool = False
    """Nobody has won by it."""
    safe: bool = False
    """Whoever is to act next cannot win at once."""
    among: tuple[str, ...] = ()
    """It is one of these turns."""
    breaks: str = ""
    """How the reference of a rule begins that it breaks on purpose; then it need not be tenable."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A turn that many try first, and what is wrong with it."""

    turn: str
    says: Text


@dataclass(frozen=True, slots=True)
class Step:
    """A position and what is to be done in it."""

    position: str
    says: tuple[Text, ...]
    task: Text
    solution: str
    """A turn that reaches the goal; of a standing turn, `call` or `ok`."""
    hint: Text
    goal: Goal = Goal()
    mistakes: tuple[Mistake, ...] = ()
    turn: str = ""
    """A turn that somebody has just made from this position: is it to be called out?"""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A few steps about one thing."""

    title: Term
    steps: tuple[Step, ...]
