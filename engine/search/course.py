"""How the sides of a match stood from turn to turn, as Riposte sees it: only for matches that are over."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.appraisal import Appraising
from engine.board import Side

DECIDED = 1_200
"""Points beyond which no more is counted: a match is decided."""


def standings(
    game: Appraising[Any, Any], positions: Sequence[Any], sides: Sequence[Side]
) -> Mapping[Side, tuple[int, ...]]:
    """Of each side the points in each position; of two the first one alone, for the other has as much less."""
    told = sides if len(sides) > 2 else sides[:1]
    return {side: tuple(bounded(game.evaluate(position, side)) for position in positions) for side in told}


def bounded(value: int) -> int:
    """Points up to where a match is decided."""
    return max(-DECIDED, min(DECIDED, value))
