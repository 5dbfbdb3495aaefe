"""How much a key may ask for in a minute, and how many connections it may hold."""

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final

from bot.runtime.rate_limit import TokenBucket

READS, DEEDS, GUESSES = 240, 60, 20
"""For a minute: questions and deeds of one key, and wrong keys from one address."""
STREAMS, ALL_STREAMS = 4, 1_000
"""At once: of one key, and of all."""
REMEMBERED: Final = 10_000
"""Keys and addresses; whoever has been silent for longest starts afresh."""


class Limits:
    """What it remembers may be lost: a restart forgives everybody."""

    def __init__(self, now: Callable[[], int]):
        self._now = now
        self._buckets: OrderedDict[tuple[str, int], TokenBucket] = OrderedDict()
        self._streams = Counter[str]()

    def take(self, who: str, size: int) -> int:
        """Take one of so many a minute. Returns 0 if it is allowed, else in how many milliseconds it may be again."""
        bucket, at = self._bucket(who, size), self._now()
        pause = bucket.take(at)
        return bucket.closed_until - at if pause else 0

    def closed(self, who: str, size: int) -> int:
        """Returns for how many milliseconds nothing is taken any more; 0 = something is."""
        return max(0, self._bucket(who, size).closed_until - self._now())

    def _bucket(self, who: str, size: int) -> TokenBucket:
        bucket = self._buckets.setdefault((who, size), TokenBucket(size))
        self._buckets.move_to_end((who, size))
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket

    def open(self, who: str) -> bool:
        """Count one more stream; returns whether there is room for it."""
        if self._streams[who] >= STREAMS or self._streams.total() >= ALL_STREAMS:
            return False
        self._streams[who] += 1
        return True

    def close(self, who: str) -> None:
        """Count one stream less."""
        self._streams -= Counter((who,))
