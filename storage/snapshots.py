"""Matches as they stood at some event, sealed: a long log is then read from there. The log stays the truth."""

import logging
import sqlite3
from collections.abc import Sequence
from typing import Any

from storage.chain import flaw
from storage.errors import damaged
from storage.seal import Sealer
from storage.store import Record

log = logging.getLogger(__name__)

KEPT = (
    "SELECT matches.match, snapshots.seq, snapshots.body, events.digest FROM snapshots "
    "LEFT JOIN matches ON matches.number = snapshots.match "
    "LEFT JOIN events ON events.match = snapshots.match AND events.seq = snapshots.seq"
)
"""Snapshots with the digest of the event that they stand behind; NULL where there is no such event."""


def keep(db: sqlite3.Connection, match: str, seq: int, data: bytes, sealer: Sealer) -> None:
    """Keep a match as it stood after an event, in place of what was kept of it before."""
    behind = (
        "SELECT number, digest FROM matches JOIN events ON events.match = number WHERE matches.match = ? AND seq = ?"
    )
    row = db.execute(behind, (match, seq)).fetchone()
    if row is not None:
        number, digest = row
        sealed = sealer.seal_bytes(data, "snapshots", match, seq, digest.hex())
        db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)", (number, seq, sealed))


def resume(db: sqlite3.Connection, match: str, sealer: Sealer) -> tuple[bytes, int, list[Record]]:
    """Returns a match as it was kept, after how many events, and those behind it; (b"", 0, []) where nothing fits.

    Raises OSError for events that are not as they were written.
    """
    db.execute("BEGIN")  # all questions see the same moment
    try:
        kept = db.execute(f"{KEPT} WHERE matches.match = ?", (match,)).fetchone()
        if kept is None:
            return b"", 0, []
        data = _opened(kept, sealer)
        if data is None:
            log.error("the snapshot of match %.100s does not fit its log: the whole log is read instead", match)
            return b"", 0, []
        _, seq, _, digest = kept
        known = "SELECT number, length, head FROM matches WHERE match = ?"
        number, length, head = db.execute(known, (match,)).fetchone()
        behind = "SELECT seq, at, body, digest FROM events WHERE match = ? AND seq > ? ORDER BY seq"
        records = [Record(match, *row) for row in db.execute(behind, (number, seq)).fetchall()]
    finally:
        db.execute("COMMIT")
    if wrong := flaw(records, length, head, since=seq, previous=digest):
        raise damaged(match, wrong)
    return data, seq, records


def misfits(db: sqlite3.Connection, sealer: Sealer) -> list[str]:
    """Returns the matches whose snapshot does not fit their log; nothing is lost with it."""
    return [str(row[0]) for row in db.execute(KEPT) if _opened(row, sealer) is None]


def _opened(row: Sequence[Any], sealer: Sealer) -> bytes | None:
    match, seq, sealed, digest = row
    if match is None or digest is None:
        return None
    try:
        return sealer.open_bytes(sealed, "snapshots", match, seq, digest.hex())
    except OSError:
        return None
