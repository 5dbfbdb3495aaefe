"""Carries out plans on a connection of SQLite."""

import sqlite3
from functools import lru_cache
from typing import Any, TypeVar

from storage.plan import HELD, Plan, Planned, Statement
from storage.sqlite.errors import DATABASE_ERRORS, explain
from storage.store import Conflict

T = TypeVar("T")

TAKEN = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE)


def carried_out(db: sqlite3.Connection, plan: Plan[T]) -> T:
    """Carry out a plan, in the transaction that is open if one is. Raises Conflict for what is there already.

    The plan itself is told of an error of the disk or the file, as an OSError.
    """
    cursor = db.cursor()  # one for all: each would be another object
    try:
        statements = next(plan)
        while True:
            try:
                for statement in statements:
                    rows = _rows(cursor, statement)
            except DATABASE_ERRORS as error:
                statements = plan.throw(_told(error))
            else:
                statements = plan.send(rows)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]  # the plan's own
    finally:
        plan.close()
        cursor.close()  # one that met an unreadable row would stay open, and with it an old view of the database


def _told(error: Exception) -> Exception:
    if isinstance(error, sqlite3.IntegrityError) and error.sqlite_errorcode in TAKEN:
        return Conflict(f"this was written before: {error}")
    return explain(error)


def at_one_moment(db: sqlite3.Connection, plan: Planned[T]) -> T:
    """Carry out a plan that only asks; all its questions see the same moment."""
    db.execute("BEGIN")
    try:
        return carried_out(db, plan())
    finally:
        db.execute("COMMIT")


def _rows(cursor: sqlite3.Cursor, statement: Statement) -> list[Any]:
    cursor.execute(_plain(statement.sql), statement.values)
    # Most statements tell: there is nothing to fetch.
    return [] if cursor.description is None else cursor.fetchall()


@lru_cache(maxsize=512)
def _plain(sql: str) -> str:
    """A statement in SQLite's form: the same text each time, so that its prepared form is found at once."""
    return sql.removesuffix(HELD)
