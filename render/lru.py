"""A cache with a budget: what was used longest ago is dropped first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Drops the least recently used values once all together weigh more than the budget."""

    def __init__(self, budget: int, weigh: Callable[[V], int]):
        self.budget = budget
        self._weigh = weigh
        self._held: OrderedDict[K, V] = OrderedDict()
        self.weight = 0
        """Bytes held now; never above the budget, but for one value that is larger alone."""

    def get(self, key: K) -> V | None:
        """Returns the value, which is now the last to be dropped."""
        value = self._held.get(key)
        if value is not None:
            self._held.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> V:
        """Keeps the value, and drops others until it fits."""
        # Long keys take time to hash, so the one that is hardly ever there is not looked for.
        known = len(self._held)
        self._held[key] = value
        self.weight += self._weigh(value)
        if len(self._held) == known:
            self._held.move_to_end(key)
            self.weight = sum(map(self._weigh, self._held.values()))
        while self.weight > self.budget and len(self._held) > 1:
            self.weight -= self._weigh(self._held.popitem(last=False)[1])
        return value

    def values(self) -> Iterable[V]:
        """Returns all values, without counting that as use."""
        return list(self._held.values())

    def clear(self) -> None:
        """Drops everything."""
        self._held.clear()
        self.weight = 0
