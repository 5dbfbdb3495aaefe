"""Carries out plans on a connection of PostgreSQL; statements that need nothing of each other go in one round trip."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

import asyncpg

from storage.plan import Plan, Statement
from storage.postgres.errors import DATABASE_ERRORS, Unsure, explain

T = TypeVar("T")
READ: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

Watch: TypeAlias = Callable[[str], None]
Connection: TypeAlias = "asyncpg.Connection[Any] | asyncpg.pool.PoolConnectionProxy[Any]"


async def carried_out(connection: "Connection", plan: Plan[T], watch: Watch | None = None) -> T:
    """Carry out a plan, in the transaction that is open if one is. Raises Conflict for what is there already.

    The plan itself is told of an error of the database, as an OSError. `watch` gets each statement before it runs.
    """
    try:
        statements = next(plan)
        while True:
            try:
                told = asked(statements)
                if watch is not None:
                    watch(told[0])
                rows = await connection.fetch(*told)
            except DATABASE_ERRORS as error:
                statements = plan.throw(explain(error))
            else:
                statements = plan.send([tuple(row) for row in rows])
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]  # the plan's own
    finally:
        plan.close()


async def commit(connection: "Connection") -> None:
    """Commit the transaction that is open. Raises Unsure where the server holds it but its standbys may not.

    A COMMIT that waits for a standby and is cancelled succeeds, with no more than a warning.
    """
    warnings: list[str] = []

    def hear(_: object, told: Any) -> None:
        if told.severity_en == "WARNING":
            warnings.append(told.message)

    connection.add_log_listener(hear)
    try:
        done = await connection.execute("COMMIT")
    finally:
        with suppress(asyncpg.InterfaceError):  # the connection is closed, and nobody listens any more
            connection.remove_log_listener(hear)
    if warnings:
        raise Unsure(warnings[0])
    if done != "COMMIT":
        raise asyncpg.InFailedSQLTransactionError("what was to be committed had failed before")


def close(connection: "Connection") -> None:
    """Close a connection at once, unless the pool has noticed already that it is closed."""
    with suppress(asyncpg.InterfaceError):
        connection.terminate()


def asked(statements: Sequence[Statement]) -> tuple[Any, ...]:
    """Returns what several statements are as one, and its values."""
    if len(statements) == 1:
        return translated(statements[0].sql), *statements[0].values
    sizes = tuple((one.sql, len(one.values)) for one in statements)
    return _together(sizes), *(value for one in statements for value in one.values)


@lru_cache(1000)
def translated(sql: str, first: int = 0) -> str:
    """Returns a statement with its values as PostgreSQL names them: `?1` is `$1`, or a later one."""
    return re.sub(r"\?(\d+)", lambda mark: f"${int(mark[1]) + first}", sql)


@lru_cache(1000)
def _together(statements: tuple[tuple[str, int], ...]) -> str:
    parts, first = [], 0
    for place, (sql, size) in enumerate(statements):
        parts.append(f"part_{place} AS ({translated(sql, first)})")
        first += size
    return f"WITH {', '.join(parts)} SELECT 1"
