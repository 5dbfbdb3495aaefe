"""Erased people leave nothing in an SQLite file's copies and in its log."""

import sqlite3
from contextlib import suppress
from pathlib import Path

from storage.sqlite.errors import DATABASE_ERRORS
from storage.sqlite.file import DatabaseFile

WRITTEN_ANEW = 256 * 2**20
"""Bytes of a file that is written anew in a few seconds."""


def drop_copies(database: Path) -> None:
    """Remove the copies of the database from before upgrades: nobody is erased in them."""
    for copy in database.parent.glob(f"{database.name}.before-*"):
        copy.unlink(missing_ok=True)


def fold(db: sqlite3.Connection, file: DatabaseFile) -> None:
    """Leave nothing of it in the log beside the file, nor between the rows of the file.

    Where SQLite has moved rows from page to page, old copies stay in what is free of a page, and `secure_delete` does
    not reach them: the file is written anew, unless that would hold everybody up.
    """
    with suppress(*DATABASE_ERRORS):
        if file.path.stat().st_size <= WRITTEN_ANEW:
            db.execute("PRAGMA temp_store = FILE")  # not in memory: a small machine has less of that
            try:
                db.execute("VACUUM")
            finally:
                db.execute("PRAGMA temp_store = MEMORY")
    with suppress(*DATABASE_ERRORS):
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    file.settle()
