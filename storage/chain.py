"""The hash chain of a match's events, which shows every later change."""

import errno
import hashlib
from collections.abc import Sequence

from storage.store import Record

GENESIS = bytes(32)
"""What stands for the digest before the first event."""


def link(previous: bytes, match: str, seq: int, at: int, body: str) -> bytes:
    """Returns SHA-256 over the previous digest and everything in an event, each part with its length."""
    name = match.encode()
    head = b"%b%d:%b%d,%d," % (previous, len(name), name, seq, at)
    return hashlib.sha256(head + body.encode()).digest()


def flaw(records: Sequence[Record], length: int, head: bytes, *, since: int = 0, previous: bytes = GENESIS) -> int:
    """Returns the number of the first event that is not as it was written; 0 if all are.

    `length` and `head` are stored apart from the events: without them a missing end would not show.
    `since` is the event behind which these stand, `previous` its digest.
    """
    for seq, record in enumerate(records, since + 1):
        digest = link(previous, record.match, seq, record.at, record.body)
        if record.seq != seq or record.digest != digest:
            return seq
        previous = digest
    if since + len(records) != length or previous != head:
        return since + len(records) + 1
    return 0


def damaged(match: str, seq: int) -> OSError:
    """Returns the error for a match that can no longer be trusted; all others can be played."""
    return OSError(
        errno.EBADMSG,
        f"Match {match} is damaged{f' from event {seq} on' if seq else ''}: what is stored is not what was written. "
        "Restore the database from a backup to go on with it; all other matches can be played.",
    )
