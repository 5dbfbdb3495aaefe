"""Inspects or copies a database while a bot may be running on it; never changes it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from storage.checksum import CORRUPT
from storage.inspection import Inspection, inspected
from storage.seal import Sealer, opened_owners
from storage.sqlite import schema
from storage.sqlite.errors import DATABASE_ERRORS, explain
from storage.sqlite.plans import carried_out

T = TypeVar("T")

EACH = "json_each(CASE WHEN json_valid({0}) THEN {0} ELSE '[]' END) AS each"
"""How SQLite says the names of a stored list."""


def inspect(path: Path, sealer: Sealer | None = None) -> Inspection:
    """Read every page, verify every match's chain and every row's checksum, and with a key every seal.

    Raises OSError with the fact and the remedy.
    """
    return _beside(path, lambda db: _inspect(db, path, sealer))


def copy(source: Path, target: Path) -> None:
    """Copy any SQLite database as it is at one moment into a new file. Raises OSError as above."""
    _beside(source, lambda db: db.execute("VACUUM INTO ?", (str(target),)))
    target.chmod(0o600)


def setting(path: Path, owner: str, key: str) -> str:
    """Returns a setting, "" if it was never set. Raises OSError as above."""
    query = "SELECT value FROM settings WHERE owner = ? AND key = ?"
    row = _beside(path, lambda db: db.execute(query, (owner, key)).fetchone())
    return str(row[0]) if row else ""


def owners(path: Path, key: str, sealer: Sealer) -> list[tuple[str, str]]:
    """Returns everybody and everything that has a setting, with its value. Raises OSError as above."""
    query = "SELECT owner, value FROM settings WHERE key = ? ORDER BY owner"
    return opened_owners(_beside(path, lambda db: db.execute(query, (key,)).fetchall()), key, sealer)


def is_sound(path: Path) -> bool:
    """Returns whether every page of any SQLite file can be read. Raises OSError as above."""
    return _beside(path, _is_sound)


def _beside(path: Path, look: Callable[[sqlite3.Connection], T]) -> T:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)) as db:
            db.execute("PRAGMA busy_timeout = 5000")
            db.execute("PRAGMA cell_size_check = ON")
            return look(db)
    except DATABASE_ERRORS as error:
        raise explain(error) from error


def _inspect(db: sqlite3.Connection, path: Path, sealer: Sealer | None) -> Inspection:
    version = schema.check(db, path, schema.migrations())
    if version and not _is_sound(db):
        raise OSError(*CORRUPT)
    return carried_out(db, inspected(version, sealer, EACH)) if version else Inspection(0, 0, 0, 0, ())


def _is_sound(db: sqlite3.Connection) -> bool:
    return [found for (found,) in db.execute("PRAGMA integrity_check(1)")] == ["ok"]
