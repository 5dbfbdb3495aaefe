"""The turns that lead to any of a set of places, made once and shared by all positions."""

from collections.abc import Mapping

from engine.game import Turn

LARGEST = 8
"""Places in one choice: few enough to remember the turns of every set of them."""


class Choice(dict[int, tuple[Turn, ...]]):
    """A set of places, as bits -> the turns that end there; filled as positions ask."""

    def __init__(self, turns: Mapping[int, Turn]) -> None:
        super().__init__()
        self._turns = turns
        """By the bit of the place where it ends."""

    def __missing__(self, ends: int) -> tuple[Turn, ...]:
        self[ends] = chosen = tuple(turn for end, turn in self._turns.items() if ends & end)
        return chosen


def choices(turns: Mapping[int, Turn]) -> tuple[tuple[int, Choice], ...]:
    """Turns by the bit of the place where they end, in small parts: the places of each, and the choice among them."""
    ends = list(turns)
    parts = (ends[first : first + LARGEST] for first in range(0, len(ends), LARGEST))
    return tuple((sum(part), Choice({end: turns[end] for end in part})) for part in parts)
