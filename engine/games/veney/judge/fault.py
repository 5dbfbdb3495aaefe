"""A broken rule as the judge finds it, and what a move owes to the rest of its turn."""

from dataclasses import dataclass
from typing import Final

from engine.diagram import Mark, MarkKind
from engine.games.veney.board.squares import BIT, SQUARES, sites
from engine.games.veney.pieces import FREE, KINDS, NAMES
from engine.games.veney.play.working_board import WorkingBoard
from engine.text import Term, Text


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken rule, the fact in words, and where to point."""

    code: str
    because: Text
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """What a move owes to the rest of its turn."""

    ghost: int = 0
    """Squares of the own Self that a concert partner looks through."""
    stone: int = -1
    """Where the first half of this piece's double-move landed: on a stone, or on its side's fire square."""
    flailing: bool = False
    """That first half was a flail."""
    started: int = -1
    """Where this piece stood when the turn began, if it moves for the second time."""


ALONE: Final = Setting()

IN_CONCERT: Final = tuple(Setting(ghost=bit) for bit in BIT)
"""IN_CONCERT[square]: what a partner's move owes to its Self, which has just gone there."""


def name(code: int) -> Term:
    """A piece's name from its code or kind."""
    return NAMES["a" if code == FREE else KINDS[code & 15]]


def mark(kind: MarkKind, *at: int) -> tuple[Mark, ...]:
    """Places to point at; none for none."""
    places = tuple(SQUARES[one] for one in at if one >= 0)
    return (Mark(kind, places),) if places else ()


def area(kind: MarkKind, mask: int) -> tuple[Mark, ...]:
    """An area to point at; nothing for an empty one."""
    return (Mark(kind, sites(mask)),) if mask else ()


def dead(board: WorkingBoard) -> Fault:
    """The touched Self of the side to move was told to move."""
    return Fault("2.0.20:dead-self", _DEAD, mark("culprit", board.selves[board.side]))


_DEAD: Final = Text("A Self that was touched stays where it fell.")
