"""Inspects or copies a database while a bot may be running on it; never changes it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from storage import schema
from storage.checksum import damaged_rows
from storage.errors import CAUSES, DATABASE_ERRORS, explain
from storage.lists import misplaced
from storage.seal import Sealer, broken_seals, known_key, opened_owners
from storage.snapshots import misfits
from storage.sqlite import load_log

T = TypeVar("T")

SUMMED_SINCE = 4
"""The first schema whose rows have checksums."""
KEPT_SINCE = 6
"""The first schema with snapshots."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a database was found to hold."""

    version: int
    """Of its schema; 0 for an empty file."""
    matches: int
    events: int
    waiting: int
    """Messages that are not delivered yet."""
    damaged: tuple[str, ...]
    """Matches that are not as they were written."""
    rows: tuple[str, ...] = ()
    """What else is not, by table and name: nothing of it is told to anybody."""
    unfit: tuple[str, ...] = ()
    """Matches whose snapshot does not fit their log: that is read instead, and nothing is lost."""


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
    if not version:
        return Inspection(0, 0, 0, 0, ())
    if not _is_sound(db):
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
    rows: list[str] = []
    if version >= SUMMED_SINCE:
        rows = damaged_rows(db) + [f"lists match {match}" for match in misplaced(db)]
    if sealer is not None and known_key(db):
        rows += broken_seals(db, sealer)
    unfit = misfits(db, sealer) if sealer is not None and version >= KEPT_SINCE else []
    return Inspection(version, len(matches), events, waiting, tuple(damaged), tuple(dict.fromkeys(rows)), tuple(unfit))


def _is_sound(db: sqlite3.Connection) -> bool:
    return [found for (found,) in db.execute("PRAGMA integrity_check(1)")] == ["ok"]
