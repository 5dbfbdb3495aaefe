"""Checksums of rows, for what no seal and no chain holds: any program can check them, without the key."""

import hashlib
import logging
import sqlite3
from collections.abc import Sequence
from typing import Final

log = logging.getLogger(__name__)

SUMMED: Final = {
    "matches": ("match", "game", "status", "players", "to_act", "places", "due", "updated"),
    "alarms": ("match", "kind", "at"),
    "heard": ("id", "at"),
    "settings": ("owner", "key", "value"),
    "arrivals": ("id",),
    "letters": ("key", "lane", "attempts", "until", "done", "remote", "why", "short"),
}
"""What each table's `sum` is over, in this order. Bodies are sealed, and events and the rest of a match are chained."""
NAMES: Final = {"matches": "match", "alarms": "match", "heard": "id", "arrivals": "id", "letters": "key"}
"""The column by which hosts are told of a row, where one tells enough."""


def checksum(*values: object) -> int:
    """Returns 63 bits of BLAKE2 over the values of a row."""
    return int.from_bytes(hashlib.blake2b(repr(values).encode("utf-8", "replace"), digest_size=8).digest()) >> 1


def known_to(db: sqlite3.Connection) -> None:
    """Let statements and migrations of a connection say `checksum(…)`."""
    db.create_function("checksum", -1, checksum, deterministic=True)


def is_whole(row: Sequence[object]) -> bool:
    """Returns whether a row's last value is the checksum of those before it; the log has one that is not."""
    if row[-1] == checksum(*row[:-1]):
        return True
    log.error("the row of %.100s is not as it was written: restore the database from a backup", row[0])
    return False


def damaged_rows(db: sqlite3.Connection) -> list[str]:
    """Returns what is not as it was written, each as `table name`."""
    found = []
    for table, columns in SUMMED.items():
        name = NAMES.get(table, "owner || ' ' || key")
        given = "WHERE game IS NOT NULL OR sum IS NOT NULL" if table == "matches" else ""
        rows = db.execute(f"SELECT {name}, {', '.join(columns)}, sum FROM {table} {given}")  # noqa: S608
        found += [f"{table} {row[0]}" for row in rows if row[-1] != checksum(*row[1:-1])]
    return found
