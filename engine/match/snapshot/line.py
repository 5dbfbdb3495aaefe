"""The line of play of a long match: what was played long ago stays as bytes until somebody asks for it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

P = TypeVar("P")

READ = 600
"""Bytes that a ply takes once somebody has asked for it, about."""


class Old(Generic[P]):
    """Plies of long ago. How many they are, and how many of them are turns, is known without reading them."""

    __slots__ = ("_plies", "_read", "count", "data", "turns")

    def __init__(self, data: bytes, count: int, turns: int, read: Callable[[bytes], tuple[P, ...]]):
        self.data = data
        self.count = count
        self.turns = turns
        self._read = read
        self._plies: tuple[P, ...] | None = None

    @property
    def weight(self) -> int:
        """Bytes that they take, about."""
        return len(self.data) + (0 if self._plies is None else READ * self.count)

    @property
    def all(self) -> tuple[P, ...]:
        """They themselves, read once."""
        if self._plies is None:
            self._plies = self._read(self.data)
        return self._plies


class Line(Sequence[P]):
    """Plies in order, like a tuple of them: those of long ago, then the latest."""

    __slots__ = ("lately", "old")

    def __init__(self, old: Old[P], lately: tuple[P, ...]):
        self.old = old
        self.lately = lately

    def then(self, *plies: P) -> "Line[P]":
        """Returns the line with some more."""
        return Line(self.old, (*self.lately, *plies))

    def __len__(self) -> int:
        return self.old.count + len(self.lately)

    def __iter__(self) -> Iterator[P]:
        yield from self.old.all
        yield from self.lately

    def __reversed__(self) -> Iterator[P]:
        yield from reversed(self.lately)
        yield from reversed(self.old.all)

    @overload
    def __getitem__(self, index: int) -> P: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[P, ...]: ...
    def __getitem__(self, index: int | slice) -> P | tuple[P, ...]:
        first = self.old.count
        if isinstance(index, int):
            at = range(len(self))[index]
            return self.lately[at - first] if at >= first else self.old.all[at]
        start, stop, step = index.indices(len(self))
        if step == 1 and start >= first:
            return self.lately[start - first : max(stop, start) - first]
        return (*self.old.all, *self.lately)[index]

    def __eq__(self, other: Any) -> bool:
        return self is other or (isinstance(other, tuple | Line) and tuple(self) == tuple(other))

    __hash__ = None  # type: ignore[assignment]


def then(plies: Sequence[P], *more: P) -> Sequence[P]:
    """Returns a line of play with more plies."""
    return plies.then(*more) if isinstance(plies, Line) else (*plies, *more)
