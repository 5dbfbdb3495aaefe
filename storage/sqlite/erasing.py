"""Erased people leave nothing in an SQLite file's copies and in its log."""

import sqlite3
from contextlib import suppress
from pathlib import Path

from storage.sqlite.errors import DATABASE_ERRORS
from storage.sqlite.file import DatabaseFile


def drop_copies(database: Path) -> None:
    """Remove the copies of the database from before upgrades: nobody is erased in them."""
    for copy in database.parent.glob(f"{database.name}.before-*"):
        copy.unlink(missing_ok=True)


def fold(db: sqlite3.Connection, file: DatabaseFile) -> None:
    """Leave nothing of it in the log beside the file."""
    with suppress(*DATABASE_ERRORS):
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    file.settle()
