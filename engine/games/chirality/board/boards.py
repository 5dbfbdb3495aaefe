"""The boards of Chirality, each a name and a few numbers, all made by one construction.

A board is the round core of a five-fold Penrose tiling, and tiles at its fringe with all that turns by a fifth and the
mirror make of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.games.chirality.board.rosette import Rosette, rosette
from engine.games.chirality.board.tiling import FIFTHS, Golden, Rhomb, Vector, middle, mirrored, rhombs_within, turned


@dataclass(frozen=True, slots=True)
class Plan:
    """A board as data."""

    fifths: int
    """All five offsets of the pentagrid, in fifths: 1 and 2 are the tilings with a Star in the centre."""
    within: Golden
    """Every tile that has a corner at a smaller squared distance from the centre belongs to it."""
    fringe: tuple[Vector, ...]
    """Further tiles, each by twice its centre, with those that turns and the mirror make of it."""
    standard: tuple[tuple[int, ...], ...]
    """The Gates that each of two players fills, on opposite sides of the board."""
    together: tuple[tuple[int, ...], ...]
    """The same in the other reading: each player has one side of the board."""
    quick: tuple[str, ...]
    """The Inner Stars on which two players begin."""


_FIVE_GATES = (((1, 4), (5, 2)), ((1, 2), (5, 4)))
_TEN_GATES = (((2, 7), (9, 4)), ((2, 4), (9, 7)))
_TEN_GATES_FRINGE = (
    (5, 4, -4, -7, -2),
    (5, 4, -4, -6, -1),
    (5, 4, -3, -8, -2),
    (6, 4, -5, -8, -1),
    (6, 4, -4, -7, -1),
)

PLANS: Mapping[str, Plan] = {
    "r2-255": Plan(1, Golden(17, 24), (), *_FIVE_GATES, ("I2", "I5")),
    "r2-265": Plan(1, Golden(18, 27), (), *_FIVE_GATES, ("I2", "I5")),
    "r2-275": Plan(1, Golden(15, 22), _TEN_GATES_FRINGE, *_TEN_GATES, ("I2", "I5")),
    "r2-445": Plan(2, Golden(30, 47), (), *_FIVE_GATES, ("I2", "I4")),
    "r2-460": Plan(1, Golden(32, 49), (), *_FIVE_GATES, ("I2", "I5")),
}
"""By name, as position texts have it; another board is another line. The places of two players mirror each other."""

PREFIX = "r2-"
"""What terms leave out of a board's name: it has two rings."""
DEFAULT = "r2-255"
_FRINGE = Golden(30, 47)
"""Fringe tiles are looked for among those with a corner nearer than this."""


@cache
def board_named(name: str) -> Rosette:
    """The board of this name, made when it is first asked for."""
    return rosette(name, tiles_of(PLANS[name]))


def tiles_of(plan: Plan) -> tuple[Rhomb, ...]:
    """The tiles of a board, as its plan describes them."""
    core = rhombs_within(plan.within, plan.fifths)
    alike = {turn for at in plan.fringe for start in (at, mirrored(at)) for turn in _turns(start)}
    return (*core, *(tile for tile in rhombs_within(_FRINGE, plan.fifths) if middle(tile) in alike))


def _turns(at: Vector) -> tuple[Vector, ...]:
    """A vector in all five turns."""
    found = [at]
    for _ in FIFTHS[1:]:
        found.append(turned(found[-1]))
    return tuple(found)
