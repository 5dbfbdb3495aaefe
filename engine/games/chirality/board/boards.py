"""The boards of Chirality, each a name and a few numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.games.chirality.board.rosette import Rosette, rosette
from engine.games.chirality.board.tiling import Golden, rhombs_within


@dataclass(frozen=True, slots=True)
class Plan:
    """A board as data."""

    within: Golden
    """Every tile that has a corner at a smaller squared distance from the centre belongs to it."""
    standard: tuple[tuple[int, ...], ...]
    """The Gates that each of two players fills, on opposite sides of the board."""
    together: tuple[tuple[int, ...], ...]
    """The same in the other reading: each player has one side of the board."""
    quick: tuple[str, ...]
    """The Inner Stars on which two players begin."""


_FIVE_GATES = (((1, 4), (5, 2)), ((1, 2), (5, 4)), ("I2", "I5"))

PLANS: Mapping[str, Plan] = {
    "r2-255": Plan(Golden(17, 24), *_FIVE_GATES),
    "r2-265": Plan(Golden(18, 27), *_FIVE_GATES),
}
"""Another board is another line here."""

DEFAULT = "r2-255"


@cache
def board_named(name: str) -> Rosette:
    """The board of this name."""
    return rosette(name, rhombs_within(PLANS[name].within))
