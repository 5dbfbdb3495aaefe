"""The turns that lead to any of a set of places, made once and shared by all positions."""

from collections.abc import Mapping
from typing import Generic, TypeVar

T = TypeVar("T")
"""A turn, or what stands for one."""

LARGEST = 8
"""Places in one table: few enough to remember the turns of every set of them."""


class MoveTable(dict[int, tuple[T, ...]], Generic[T]):
    """A set of places, as bits -> the turns that end there; filled as positions ask."""

    def __init__(self, turns: Mapping[int, T]) -> None:
        super().__init__()
        self._turns = turns
        """By the bit of the place where it ends."""

    def __missing__(self, ends: int) -> tuple[T, ...]:
        self[ends] = chosen = tuple(turn for end, turn in self._turns.items() if ends & end)
        return chosen


def move_tables(turns: Mapping[int, T]) -> tuple[tuple[int, MoveTable[T]], ...]:
    """Turns by the bit of the place where they end, in small parts: the places of each, and the table of its turns."""
    ends = list(turns)
    parts = (ends[first : first + LARGEST] for first in range(0, len(ends), LARGEST))
    return tuple((sum(part), MoveTable({end: turns[end] for end in part})) for part in parts)
