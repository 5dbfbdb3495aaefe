"""Luck that everybody can check: HMAC-SHA256 under a match's secret seed, without modulo bias."""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass, field

COUNTED, KEYED, BOUND = 1, 2, 3
"""The schemes of luck: numbers counted through a match (until 0.2), or each bound to the turns before it and to the
shares; under `KEYED` to the keys of the players too, which are gone once one of them is erased."""


@dataclass(slots=True)
class Dice:
    """A stream of rolls; the same seed and the same binding give the same rolls on every machine."""

    seed: bytes
    """32 secret bytes; their SHA-256 is posted with the challenge, they themselves at the end."""
    counter: int = 0
    """How many numbers were drawn before: in this ply or, under the old scheme, in the match."""
    binding: Callable[[], tuple[str, str]] | None = None
    """What stands before and after the counter in the message that is signed; None = nothing, the old scheme."""
    drawn: list[tuple[int, int]] = field(default_factory=list)
    """What these dice have given: the number of faces and the number, of each roll."""

    def roll(self, faces: int) -> int:
        """A number from 0 to faces - 1, each equally likely; one tick of the counter, even if re-drawn."""
        before, after = self.binding() if self.binding is not None else ("", "")
        limit = (1 << 64) - (1 << 64) % faces
        drawn, again = limit, 0
        while drawn >= limit:
            message = f"{before}{self.counter}.{again}{after}".encode()
            drawn = int.from_bytes(hmac.digest(self.seed, message, "sha256")[:8], "big")
            again += 1
        self.counter += 1
        self.drawn.append((faces, drawn % faces))
        return drawn % faces

    def shuffle(self, items: tuple[str, ...]) -> tuple[str, ...]:
        """The items in a random order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.roll(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)


class ToldDice(Dice):
    """Dice that give again what was written down."""

    def __init__(self, told: tuple[tuple[int, int], ...]) -> None:
        super().__init__(b"")
        self._told = told

    def roll(self, faces: int) -> int:
        """The next number that was written down; where it is missing or of other dice, the first face."""
        told = self._told[self.counter : self.counter + 1]
        number = told[0][1] if told and told[0][0] == faces and 0 <= told[0][1] < faces else 0
        self.counter += 1
        self.drawn.append((faces, number))
        return number


def commitment(seed: bytes) -> str:
    """What is posted with the challenge: it binds the seed without telling it."""
    return hashlib.sha256(seed).hexdigest()


def share_hash(share: str) -> str:
    """What is posted of a player's share in the dice: it binds the share without telling it."""
    return hashlib.sha256(share.encode()).hexdigest()[:32]
