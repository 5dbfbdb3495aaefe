"""A memory with a budget: what has not been used for longest is forgotten first, nearly."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(slots=True, eq=False)
class _Held(Generic[V]):
    value: V
    used: bool = False
    """Since it came to stand where it stands."""


class Cache(Generic[K, V]):
    """By the bytes that the values weigh; whoever was used since it stood last in line goes there again, once.

    So to use something costs one look at a dict, and not two: keys are long here, and hashing them takes time.
    """

    def __init__(self, budget: int, weigh: Callable[[V], int]):
        self.budget = budget
        self._weigh = weigh
        self._held: dict[K, _Held[V]] = {}
        self.weight = 0
        """Bytes held now; never above the budget, but for one value that is larger alone."""

    def get(self, key: K) -> V | None:
        """The value, which will not be forgotten soon."""
        held = self._held.get(key)
        if held is None:
            return None
        held.used = True
        return held.value

    def put(self, key: K, value: V) -> V:
        """Keep the value, forgetting others until it fits."""
        if (old := self._held.pop(key, None)) is not None:
            self.weight -= self._weigh(old.value)
        newest = self._held[key] = _Held(value)
        self.weight += self._weigh(value)
        while self.weight > self.budget and len(self._held) > 1:
            first = next(iter(self._held))
            gone = self._held.pop(first)
            if gone.used or gone is newest:
                gone.used = False
                self._held[first] = gone
            else:
                self.weight -= self._weigh(gone.value)
        return value

    def values(self) -> Iterable[V]:
        """What is held, without making anything of it younger."""
        return [held.value for held in self._held.values()]

    def clear(self) -> None:
        """Forget everything."""
        self._held.clear()
        self.weight = 0
