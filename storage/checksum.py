"""Checksums of rows, for what no seal and no chain holds: any program can check them, without the key."""

import errno
import hashlib
import logging
from collections.abc import Sequence
from typing import Any, Final

from storage.plan import Plan, each_page

log = logging.getLogger(__name__)

SUMMED: Final = {
    "matches": ("match", "game", "status", "players", "to_act", "places", "due", "updated"),
    "alarms": ("match", "kind", "at"),
    "heard": ("id", "at"),
    "settings": ("owner", "key", "value"),
    "arrivals": ("id",),
    "letters": ("key", "lane", "attempts", "until", "done", "remote", "why", "short"),
    "people": ("player",),
    "words": ("match", "seq", "field", "person", "body"),
}
"""What each table's `sum` is over, in this order. Bodies are sealed, and events and the rest of a match are chained."""
KEYS: Final = {
    "matches": ("number",),
    "alarms": ("match", "kind", "at"),
    "heard": ("id",),
    "settings": ("owner", "key"),
    "arrivals": ("number",),
    "letters": ("number",),
    "people": ("number",),
    "words": ("match", "seq"),
}
"""What each table's rows are found by."""
SINCE: Final = {"people": 7, "words": 8}
"""The first form of a database with a table, where that is not the first with checksums."""
CORRUPT: Final = (
    errno.EBADMSG,
    "The database is damaged here. Restore it from a backup; what is not damaged can be played on.",
)
"""The error for what is not as it was written."""


def checksum(*values: object) -> int:
    """Returns 63 bits of BLAKE2 over the values of a row."""
    return int.from_bytes(hashlib.blake2b(repr(values).encode("utf-8", "replace"), digest_size=8).digest()) >> 1


def is_whole(row: Sequence[object]) -> bool:
    """Returns whether a row's last value is the checksum of those before it; the log has one that is not."""
    if row[-1] == checksum(*row[:-1]):
        return True
    log.error("the row of %.100s is not as it was written: restore the database from a backup", row[0])
    return False


def damaged_rows(version: int) -> Plan[list[str]]:
    """Returns what is not as it was written in a database of a form, each as `table name`."""
    found: list[str] = []
    for table, columns in SUMMED.items():
        if version < SINCE.get(table, 0):
            continue
        keys = KEYS[table]

        def look(rows: list[Any], table: str = table, width: int = len(keys)) -> None:
            for row in rows:
                *told, sum_ = row[width:]
                if sum_ != checksum(*told):
                    names = told[:2] if table in ("settings", "words") else row[:1] if table == "people" else told[:1]
                    found.append(" ".join(map(str, (table, *names))))

        where = "(game IS NOT NULL OR sum IS NOT NULL)" if table == "matches" else "true"
        yield from each_page(table, keys, (*columns, "sum"), look, where)
    return found
