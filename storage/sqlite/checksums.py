"""Checksums of rows, as SQLite's statements say them."""

import sqlite3

from storage.checksum import checksum


def known_to(db: sqlite3.Connection) -> None:
    """Let statements and migrations of a connection say `checksum(…)`."""
    db.create_function("checksum", -1, checksum, deterministic=True)
