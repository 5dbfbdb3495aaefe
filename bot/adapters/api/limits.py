"""How much a key may ask for in a minute, and how many connections it may hold."""

from collections import Counter
from collections.abc import Callable

from bot.runtime.rate_limit import Buckets

READS, DEEDS, GUESSES = 240, 60, 20
"""For a minute: questions and deeds of one key, and wrong keys from one address."""
STREAMS, ALL_STREAMS = 4, 1_000
"""At once: of one key, and of all."""


class Limits(Buckets):
    """What it remembers may be lost: a restart begins all counts anew."""

    def __init__(self, now: Callable[[], int]):
        super().__init__(now)
        self._streams = Counter[str]()

    def open(self, who: str) -> bool:
        """Count one more stream; returns whether there is room for it."""
        if self._streams[who] >= STREAMS or self._streams.total() >= ALL_STREAMS:
            return False
        self._streams[who] += 1
        return True

    def close(self, who: str) -> None:
        """Count one stream less."""
        self._streams -= Counter((who,))
