"""What ends and chances are worth to the side that thinks, in points."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Generic

from engine.appraisal import Appraising
from engine.board import Side
from engine.game import M, Outcome, P

WON = 1_000_000
"""A game that is won; each turn until then takes one point off."""
BOTH_LOST = WON // 2
"""What it costs to lose together with the opponent."""
DECIDED = WON // 4
"""From here on a value stands for an end."""


@dataclass(frozen=True, slots=True)
class Task(Generic[P, M]):
    """Which game is thought about, and for whom."""

    game: Appraising[P, M]
    side: Side
    stood: frozenset[Hashable] = frozenset()
    """The identities of the positions that have stood: coming back to one is worth a draw."""


def worth(task: Task[P, M], outcome: Outcome) -> int:
    """What an end is worth to the side that thinks."""
    if task.side in outcome.winners:
        return WON if len(outcome.winners) == 1 else 0
    return -WON if outcome.winners else -BOTH_LOST


def later(value: int) -> int:
    """What an end is worth a turn earlier: nobody hurries to lose, and nobody waits to win."""
    return value - 1 if value > DECIDED else value + 1 if value < -DECIDED else value


def mean(values: Iterable[tuple[int, int]]) -> int:
    """The expectation of weights and values."""
    pairs = tuple(values)
    return sum(weight * value for weight, value in pairs) // sum(weight for weight, _ in pairs)
