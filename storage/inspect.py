"""Looks at a database, or copies it, beside a bot that may be running on it; never changes it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from storage import schema
from storage.errors import CAUSES, DATABASE_ERRORS, explain
from storage.sqlite import load_log

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Examination:
    """What a database was found to hold."""

    version: int
    """Of its schema; 0 for an empty file."""
    matches: int
    events: int
    waiting: int
    """Letters that are not delivered yet."""
    damaged: tuple[str, ...]
    """Matches that are not as they were written."""


def examine(path: Path) -> Examination:
    """Read every page and follow every match's chain. Raises OSError with the fact and the remedy."""
    return _beside(path, lambda db: _examine(db, path))


def copy(source: Path, target: Path) -> None:
    """Copy any SQLite database as it is at one moment into a new file. Raises OSError as above."""
    _beside(source, lambda db: db.execute("VACUUM INTO ?", (str(target),)))
    target.chmod(0o600)


def noted(path: Path, owner: str, key: str) -> str:
    """A preference or a note, "" if it was never made. Raises OSError as above."""
    asked = "SELECT value FROM settings WHERE owner = ? AND key = ?"
    row = _beside(path, lambda db: db.execute(asked, (owner, key)).fetchone())
    return str(row[0]) if row else ""


def sound(path: Path) -> bool:
    """Whether every page of any SQLite file can be read. Raises OSError as above."""
    return _beside(path, _sound)


def _beside(path: Path, look: Callable[[sqlite3.Connection], T]) -> T:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)) as db:
            db.execute("PRAGMA busy_timeout = 5000")
            db.execute("PRAGMA cell_size_check = ON")
            return look(db)
    except DATABASE_ERRORS as error:
        raise explain(error) from error


def _examine(db: sqlite3.Connection, path: Path) -> Examination:
    version = schema.check(db, path, schema.migrations())
    if not version:
        return Examination(0, 0, 0, 0, ())
    if not _sound(db):
        raise OSError(*CAUSES[sqlite3.SQLITE_CORRUPT])
    matches = [name for (name,) in db.execute("SELECT match FROM matches ORDER BY number")]
    nameless = db.execute("SELECT DISTINCT match FROM events WHERE match NOT IN (SELECT number FROM matches)")
    damaged = [str(number) for (number,) in nameless]
    events = 0
    for match in matches:
        try:
            events += len(load_log(db, match))
        except (OSError, *DATABASE_ERRORS):
            damaged.append(match)
    ((waiting,),) = db.execute("SELECT count(*) FROM letters WHERE done IS NULL")
    return Examination(version, len(matches), events, waiting, tuple(damaged))


def _sound(db: sqlite3.Connection) -> bool:
    return [found for (found,) in db.execute("PRAGMA integrity_check(1)")] == ["ok"]
