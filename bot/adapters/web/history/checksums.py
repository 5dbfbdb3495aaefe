"""Checksums of the web room's rows, kept by the file itself, for what no seal holds."""

import sqlite3
from collections.abc import Sequence
from typing import Final

from storage.checksum import checksum

SUMMED: Final = {
    "message": ("number", "id", "channel", "thread", "author", "name", "only_for", "at", "heard"),
    "seat": ("id", "name", "since"),
    "place": ("channel", "thread", "game", "players", "to_act", "over", "first", "due"),
    "seen": ("seat", "channel", "thread", "number"),
    "session": ("token", "seat", "used", "local", "at"),
    "link": ("token", "seat", "until"),
}
"""What each table's `sum` is over, in this order. Words and pictures are sealed."""
KEYS: Final = {
    "message": ("number",),
    "seat": ("id",),
    "place": ("channel", "thread"),
    "seen": ("seat", "channel", "thread"),
    "session": ("token",),
    "link": ("token",),
}


def add_sums(db: sqlite3.Connection) -> None:
    """Give every row its checksum, and have the file keep them: a connection that writes must know `checksum`."""
    for table, columns in SUMMED.items():
        db.execute(f"ALTER TABLE {table} ADD COLUMN sum INTEGER NOT NULL DEFAULT 0")
        db.execute(f"UPDATE {table} SET sum = checksum({', '.join(columns)})")  # noqa: S608
        here = " AND ".join(f"{key} = NEW.{key}" for key in KEYS[table])
        total = f"checksum({', '.join(f'NEW.{column}' for column in columns)})"
        for what in ("INSERT", f"UPDATE OF {', '.join(columns)}"):
            name = f"{table}_{what[:6].lower()}"
            keep = f"BEGIN UPDATE {table} SET sum = {total} WHERE {here}; END"  # noqa: S608
            db.execute(f"CREATE TRIGGER {name} AFTER {what} ON {table} {keep}")


def whole(table: str, values: Sequence[object], total: object) -> bool:
    """Whether a row is as it was written; `values` are those of `SUMMED`."""
    assert len(values) == len(SUMMED[table])
    return total == checksum(*values)


def damaged_rows(db: sqlite3.Connection) -> list[str]:
    """What is not as it was written, each as `table key`."""
    found = []
    for table, columns in SUMMED.items():
        for *values, total in db.execute(f"SELECT {', '.join(columns)}, sum FROM {table}"):  # noqa: S608
            if not whole(table, values, total):
                found.append(f"{table} {values[0]}")
    return found
