"""Changes tables beside processes of an older version: adds at once, and takes away when nobody needs it any more."""

import asyncio
from typing import Any, Final

import asyncpg

from storage.plan import Migration
from storage.postgres import lease, schema

AT_MOST: Final = "SET LOCAL lock_timeout = '1s'"
"""How long a change of the tables waits for those who use them, who all wait behind it meanwhile."""
IN_THE_WAY: Final = (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError)
"""Raised then; nothing was changed."""
TRIES: Final = 60
BETWEEN: Final = 0.5
"""Seconds between two tries, in which whoever uses the tables goes on."""


async def widen(connection: "asyncpg.Connection[Any]", shown: str, steps: tuple[Migration, ...]) -> None:
    """Take what steps are needed if all of them only add. Raises OSError as `lease.room` and `schema.check`."""
    for trial in range(TRIES):
        try:
            async with connection.transaction():
                await lease.room(connection, shown, several=True)
                missing = schema.needed(steps, await schema.check(connection, shown, steps))
                await connection.execute(AT_MOST)
                for step in missing if all(step.sql.startswith(schema.EXPANDS) for step in missing) else ():
                    await schema.take(connection, step)
            return
        except IN_THE_WAY:
            if trial + 1 == TRIES:
                raise
        await asyncio.sleep(BETWEEN)


async def narrow(connection: "asyncpg.Connection[Any]", shown: str, steps: tuple[Migration, ...]) -> bool:
    """Take the next step that had to wait, or a piece of it, if every process that is there knows it.

    Returns whether something was done. Raises `IN_THE_WAY`.
    """
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", schema.LOCK)
        version = await schema.check(connection, shown, steps)
        if version >= len(steps) or await connection.fetchval(lease.OLDER, lease.ONE_OF_SEVERAL, version + 1):
            return False
        await connection.execute(AT_MOST)
        await schema.take(connection, steps[version])
        return True
