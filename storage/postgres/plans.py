"""Carries out plans on a connection of PostgreSQL; statements that need nothing of each other go in one round trip."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

import asyncpg

from storage.plan import Plan, Statement
from storage.postgres.errors import DATABASE_ERRORS, explain

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
