"""Luck that everybody can check: HMAC-SHA256 of a match's secret seed over a counter, without modulo bias."""

import hashlib
import hmac
from dataclasses import dataclass


@dataclass(slots=True)
class Dice:
    """A stream of rolls; the same seed and counter give the same rolls on every machine."""

    seed: bytes
    """32 secret bytes; their SHA-256 is posted at the start, they themselves at the end."""
    counter: int = 0
    """How many numbers were drawn before; the match's log keeps it."""

    def roll(self, faces: int) -> int:
        """A number from 0 to faces - 1, each equally likely; one tick of the counter, even if re-drawn."""
        limit = (1 << 64) - (1 << 64) % faces
        drawn, again = limit, 0
        while drawn >= limit:
            message = f"{self.counter}.{again}".encode()
            drawn = int.from_bytes(hmac.digest(self.seed, message, "sha256")[:8], "big")
            again += 1
        self.counter += 1
        return drawn % faces

    def shuffle(self, items: tuple[str, ...]) -> tuple[str, ...]:
        """The items in a random order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.roll(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)


def commitment(seed: bytes) -> str:
    """What is posted at the start of a match: it binds the seed without telling it."""
    return hashlib.sha256(seed).hexdigest()
