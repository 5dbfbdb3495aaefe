"""Reads logs of matches, long ones from where they were kept as they stood, sealed. The log stays the truth."""

import logging
from collections.abc import Sequence
from typing import Any

from storage.chain import damaged, flaw
from storage.numbers import number_of, row_of
from storage.people.words import whole
from storage.plan import Plan, ask
from storage.seal import Sealer
from storage.store import Record

log = logging.getLogger(__name__)

KEPT = (
    "SELECT matches.match, snapshots.seq, snapshots.body, events.digest FROM snapshots "
    "LEFT JOIN matches ON matches.number = snapshots.match "
    "LEFT JOIN events ON events.match = snapshots.match AND events.seq = snapshots.seq"
)
"""Snapshots with the digest of the event that they stand behind; NULL where there is no such event."""


def keep(match: str, seq: int, data: bytes, sealer: Sealer) -> Plan[None]:
    """Keep a match as it stood after an event, in place of what was kept of it before."""
    where, values = row_of(match)
    behind = (
        "SELECT number, digest FROM matches JOIN events ON events.match = number "  # noqa: S608
        f"WHERE {where} AND seq = ?{len(values) + 1}"
    )
    for number, digest in (yield from ask(behind, *values, seq)):
        sealed = sealer.seal_bytes(data, "snapshots", match, seq, digest.hex())
        yield from ask(
            "INSERT INTO snapshots (match, seq, body) VALUES (?1, ?2, ?3) "
            "ON CONFLICT (match) DO UPDATE SET seq = excluded.seq, body = excluded.body",
            *(number, seq, sealed),
        )


def resume(match: str, sealer: Sealer) -> Plan[tuple[bytes, int, list[Record]]]:
    """Returns a match as it was kept, after how many events, and those behind it; (b"", 0, []) where nothing fits.

    Raises OSError for events that are not as they were written.
    """
    where, values = row_of(match)
    kept = yield from ask(f"{KEPT} WHERE {where}", *values)
    if not kept:
        return b"", 0, []
    data = _opened(kept[0], sealer)
    if data is None:
        log.error("the snapshot of match %.100s does not fit its log: the whole log is read instead", match)
        return b"", 0, []
    _, seq, _, digest = kept[0]
    ((number, length, head),) = yield from ask(f"SELECT number, length, head FROM matches WHERE {where}", *values)  # noqa: S608
    behind = "SELECT seq, at, body, digest FROM events WHERE match = ?1 AND seq > ?2 ORDER BY seq"
    records = [Record(match, *row) for row in (yield from ask(behind, number, seq))]
    if wrong := flaw(records, length, head, since=seq, previous=digest):
        raise damaged(match, wrong)
    return data, seq, (yield from whole(match, records, sealer))


def load_log(match: str) -> Plan[list[Record]]:
    """Returns all events of a match as they are stored, sealed, their chain verified, for which no key is needed.

    Raises OSError for one that is not as it was written.
    """
    where, values = row_of(match)
    rows = yield from ask(f"SELECT number, length, head FROM matches WHERE {where}", *values)  # noqa: S608
    if not rows:
        number = number_of(match)
        if number is not None and (yield from ask("SELECT 1 FROM events WHERE match = ?1 LIMIT 1", number)):
            raise damaged(match, 0)  # its events are there: the row that names it is damaged
        return []
    ((number, length, head),) = rows
    rows = yield from ask("SELECT seq, at, body, digest FROM events WHERE match = ?1 ORDER BY seq", number)
    records = [Record(match, *row) for row in rows]
    if wrong := flaw(records, length, head):
        raise damaged(match, wrong)
    return records


def misfits(sealer: Sealer) -> Plan[list[str]]:
    """Returns the matches whose snapshot does not fit their log; nothing is lost with it."""
    return [str(row[0]) for row in (yield from ask(KEPT)) if _opened(row, sealer) is None]


def _opened(row: Sequence[Any], sealer: Sealer) -> bytes | None:
    match, seq, sealed, digest = row
    if match is None or digest is None:
        return None
    try:
        return sealer.open_bytes(sealed, "snapshots", match, seq, digest.hex())
    except OSError:
        return None
