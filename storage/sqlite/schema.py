"""Upgrades a database file to the schema of this version of Riposte, or says why it cannot."""

import errno
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from storage.plan import Migration, read_migrations
from storage.sqlite.errors import DATABASE_ERRORS

MIGRATIONS = Path(__file__).parent / "migrations"
MARK = 1382641775
"""SQLite's application_id for our files, set by the first step."""
OLDEST = (3, 37, 0)
"""The first SQLite with STRICT tables."""


def migrations(folder: Path = MIGRATIONS) -> tuple[Migration, ...]:
    """Returns the steps in order: `0001_first.sql`, `0002_…`."""
    return read_migrations(folder)


def check(db: sqlite3.Connection, path: Path, steps: tuple[Migration, ...]) -> int:
    """Returns the file's schema number, 0 for a new file. Refuses foreign and newer files; changes nothing."""
    if sqlite3.sqlite_version_info < OLDEST:
        raise OSError(
            errno.ENOSYS,
            f"SQLite {sqlite3.sqlite_version} is too old. Riposte needs {'.'.join(map(str, OLDEST))} or newer: "
            "install a newer Python or system SQLite.",
        )
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (mark,) = db.execute("PRAGMA application_id").fetchone()
    if version == 0 and not db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
        return 0
    if mark != MARK:
        raise OSError(errno.EEXIST, f"{path} holds another program's data. Choose another file for Riposte's database.")
    if version > len(steps):
        raise OSError(
            errno.EPROTO,
            f"{path} was written by a newer Riposte (its schema is {version}, this one knows {len(steps)}). "
            "Install that version again; nothing was changed.",
        )
    taken = db.execute("SELECT number, checksum FROM migrations ORDER BY number").fetchall()
    if taken != [(step.number, step.checksum) for step in steps[:version]]:
        raise OSError(
            errno.EPROTO,
            f"{path} was made by other migrations than this Riposte brings along. "
            "Install the version that made it, or restore the files in storage/sqlite/migrations; nothing was changed.",
        )
    return int(version)


def upgrade(db: sqlite3.Connection, path: Path, version: int, steps: tuple[Migration, ...]) -> None:
    """Take the steps the file lacks, each in a transaction of its own, after making a copy of the file."""
    if 0 < version < len(steps):
        backup(db, path, version)
    for step in steps[version:]:
        take(db, step)


def backup(db: sqlite3.Connection, path: Path, version: int) -> Path:
    """Keep a copy of the database as it was before the upgrade; never overwrites one that is complete."""
    kept = path.with_name(f"{path.name}.before-{version + 1:04}")
    if not kept.exists():
        unfinished = kept.with_name(kept.name + ".part")
        unfinished.unlink(missing_ok=True)
        db.execute("VACUUM INTO ?", (str(unfinished),))
        unfinished.rename(kept)
    return kept


def take(db: sqlite3.Connection, step: Migration) -> None:
    """Take one step: its statements, its checksum and the new version number, all or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for statement in statements(step.sql):
            db.execute(statement)
        db.execute("INSERT INTO migrations VALUES (?, ?, ?)", (step.number, step.name, step.checksum))
        db.execute(f"PRAGMA user_version = {step.number:d}")
        db.execute("COMMIT")
    except DATABASE_ERRORS:
        if db.in_transaction:  # SQLite has already rolled back when the disk was full
            db.execute("ROLLBACK")
        raise


def statements(sql: str) -> Iterator[str]:
    """Yields the statements of a script one by one (`executescript` would commit in between)."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    assert not statement.strip(), "a migration ends with a complete statement"
