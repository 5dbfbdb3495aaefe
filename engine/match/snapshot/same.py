"""When two positions of a match count as the same, as a digest that outlives the process."""

import hashlib
from collections.abc import Hashable
from typing import Any

import msgspec

from engine.game import AnyGame

_encode = msgspec.json.Encoder(order="deterministic").encode


def same(game: AnyGame, position: Any) -> Hashable:
    """Returns what is equal for positions that count as repeated: a digest, or, of what cannot be written, itself."""
    identity = game.identity(position)
    try:
        return int.from_bytes(hashlib.blake2b(_encode(identity), digest_size=8).digest()) >> 1
    except TypeError:
        return identity
