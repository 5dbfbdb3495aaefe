"""Where rows lie: a match under a number that follows from its name, and what waits in one of a few buckets."""

from hashlib import sha256
from typing import Final

OTHER_LOGS: Final = {"t": 0, "k": 10**15}
BUCKETS: Final = 64
"""How many there are; a power of two, for a bucket is the last bits of a number."""


def number_of(match: str) -> int | None:
    """The number of a match whose name is one: "7", but not "007" or one that is too long.

    Other logs stand below zero, so that they use no match's number up: "t7" is a tournament's, "k7" holds what is said
    by spectators.
    """
    if match[:1] in OTHER_LOGS:
        counted = number_of(match[1:])
        return None if counted is None else -counted - OTHER_LOGS[match[0]]
    number = int(match) if match.isdecimal() and len(match) < 16 else 0
    return number if str(number) == match else None


def row_of(match: str, table: str = "matches") -> tuple[str, tuple[object, ...]]:
    """Returns the condition by which a match's row is found, and its values: by the key, where its name tells that."""
    number = number_of(match)
    if number is None:  # its number was the next one when it began
        return f"{table}.match = ?1", (match,)
    return f"{table}.number = ?1 AND {table}.match = ?2", (number, match)


def bucket_of_match(number: int) -> int:
    """The bucket in which a match's alarms lie."""
    return number % BUCKETS


def bucket_of_lane(lane: str) -> int:
    """The bucket in which the letters of a lane lie, all of them."""
    return sha256(lane.encode()).digest()[0] % BUCKETS
