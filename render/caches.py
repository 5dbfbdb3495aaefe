"""A memory with a budget: what was used longest ago is forgotten first."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

KEPT = 0.9
"""Share of the budget that is still held once something had to be forgotten, so that this is seldom."""


@dataclass(slots=True, eq=False)
class _Held(Generic[V]):
    value: V
    used: int
    """When that was, counted in uses."""


class Cache(Generic[K, V]):
    """Least recently used first out, by the bytes that the values weigh.

    Values are put in order when some have to go, not with each use: to hash a long key again takes time.
    """

    def __init__(self, budget: int, weigh: Callable[[V], int]):
        self.budget = budget
        self._weigh = weigh
        self._held: dict[K, _Held[V]] = {}
        self._uses = 0
        self.weight = 0
        """Bytes held now; never above the budget, but for one value that is larger alone."""

    def get(self, key: K) -> V | None:
        """The value, which is now the last to be forgotten."""
        held = self._held.get(key)
        if held is None:
            return None
        self._uses += 1
        held.used = self._uses
        return held.value

    def put(self, key: K, value: V) -> V:
        """Keep the value, forgetting others until it fits."""
        if (old := self._held.get(key)) is not None:
            self.weight -= self._weigh(old.value)
        self._uses += 1
        self._held[key] = _Held(value, self._uses)
        self.weight += self._weigh(value)
        if self.weight > self.budget:
            self._forget()
        return value

    def values(self) -> Iterable[V]:
        """What is held, without making anything of it younger."""
        return [held.value for held in self._held.values()]

    def clear(self) -> None:
        """Forget everything."""
        self._held.clear()
        self.weight = 0

    def _forget(self) -> None:
        oldest = sorted(self._held.items(), key=lambda known: known[1].used)
        for key, held in oldest[:-1]:
            if self.weight <= KEPT * self.budget:
                break
            del self._held[key]
            self.weight -= self._weigh(held.value)
