"""The stand-in's time: told by the test unless it is to run, and the ids that are made from it."""

import time

EPOCH = 1_420_070_400_000
"""Ids count milliseconds from the start of 2015."""


class Clock:
    """Stands still until `advance`; a live one runs by itself as well, and can be advanced all the same."""

    def __init__(self, *, live: bool = False):
        self.live = live
        self._begun = time.time()
        self._ahead = 0.0
        self._last_id = 0

    def now(self) -> float:
        """Seconds since 1970, for whatever a test may want to tell: deadlines, tokens, nonces, timestamps."""
        return (time.time() if self.live else self._begun) + self._ahead

    def running(self) -> float:
        """Seconds that always pass, for rate limits: clients really sleep them."""
        return time.monotonic() + self._ahead

    def advance(self, seconds: float) -> None:
        """So much later."""
        self._ahead += seconds

    def next_id(self, *, apart: bool = False) -> int:
        """A new id, greater than all before; `apart`, in a millisecond of its own, by which guilds go to shards."""
        self._last_id = max(self._last_id + (1 << 22 if apart else 1), (int(self.now() * 1000) - EPOCH) << 22)
        return self._last_id


def made_at(id_: int) -> float:
    """When an id was given out: a message and its thread have the same one, and the same age."""
    return ((id_ >> 22) + EPOCH) / 1000


def written(seconds: float) -> str:
    """An instant as Discord writes it."""
    whole, part = divmod(seconds, 1)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(whole))}.{int(part * 1000):03}000+00:00"
