"""How much one person may ask for in a minute: commands, pictures among them, and messages in all."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from bot.messages.model import IncomingMessage

MINUTE = 60_000

COMMANDS, PICTURES, MESSAGES = 20, 6, 120
"""Each person's limits for a minute."""
REMEMBERED: Final = 10_000
"""Keys and addresses; whoever has been silent for longest starts afresh."""


@dataclass(slots=True)
class TokenBucket:
    """So many at once, and as many again in the course of a minute."""

    size: int
    spent: float = 0
    at: int = 0
    closed_until: int = 0
    """Nothing is taken before that."""

    def take(self, at: int, weight: int = 1) -> int:
        """Returns 0 if it is allowed; else for how many milliseconds nothing is, or -1 if that was said before."""
        self.spent = max(0.0, self.spent - (at - self.at) * self.size / MINUTE)
        self.at = at
        if at < self.closed_until:
            return -1
        if self.spent + weight <= self.size:
            self.spent += weight
            return 0
        self.closed_until = at + MINUTE // 2  # half the bucket is full again by then
        return self.closed_until - at


@dataclass(slots=True, eq=False)
class Allowance:
    """What one person may still ask for."""

    messages: TokenBucket = field(default_factory=lambda: TokenBucket(MESSAGES))
    commands: TokenBucket = field(default_factory=lambda: TokenBucket(COMMANDS))
    pictures: TokenBucket = field(default_factory=lambda: TokenBucket(PICTURES))
    latest: int = 0
    """When they wrote the latest message that has arrived."""

    def written_at(self, message: IncomingMessage) -> int:
        """Returns when a message was written: what a platform kept during an outage was not written all at once."""
        self.latest = max(self.latest, min(message.sent or message.at, message.at))
        return self.latest


class Buckets:
    """One for whoever asks, by a key or an address; what is remembered may be lost."""

    def __init__(self, now: Callable[[], int]):
        self._now = now
        self._buckets: OrderedDict[tuple[str, int], TokenBucket] = OrderedDict()

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
