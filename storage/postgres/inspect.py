"""Looks at a PostgreSQL while a bot may be running on it; never changes it."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import asyncpg

from storage.database import OWNERS
from storage.inspection import Inspection, inspected
from storage.plan import Planned, T, ask
from storage.postgres import lease, schema
from storage.postgres.address import address
from storage.postgres.connections import connected
from storage.postgres.errors import DATABASE_ERRORS, explain
from storage.postgres.plans import READ, carried_out
from storage.seal import Sealer, opened_owners

EACH: Final = "jsonb_array_elements_text({0}::jsonb) AS each(value)"
"""How PostgreSQL says the names of a stored list."""


async def running(where: str) -> bool | None:
    """Returns whether a Riposte is running on a database; None for one that has no tables yet.

    Raises OSError with the fact and the remedy, as all of these.
    """

    async def look(connection: "asyncpg.Connection[Any]", version: int) -> bool | None:
        held = await connection.fetch(lease.HELD) if version else []
        return any(row["valid"] and not lease.is_gone(row["holder"]) for row in held) if version else None

    return await _beside(where, look)


async def inspect(where: str, sealer: Sealer | None = None) -> Inspection:
    """Verify every match's chain and every row's checksum, and with a key every seal."""

    async def look(connection: "asyncpg.Connection[Any]", version: int) -> Inspection:
        plan = inspected(schema.like(version), sealer, EACH)
        return await carried_out(connection, plan) if version else Inspection(0, 0, 0, 0, ())

    return await _beside(where, look)


async def owners(where: str, key: str, sealer: Sealer) -> list[tuple[str, str]]:
    """Returns everybody and everything that has a setting, with its value."""
    return opened_owners(await asked(where, lambda: ask(OWNERS, key)), key, sealer)


async def setting(where: str, owner: str, key: str) -> str:
    """Returns a setting as it is stored, "" if it was never set."""
    rows = await asked(where, lambda: ask("SELECT value FROM settings WHERE owner = ?1 AND key = ?2", owner, key))
    return str(rows[0][0]) if rows else ""


async def asked(where: str, plan: Planned[T]) -> T:
    """Carry out a plan that only asks; all its questions see the same moment."""

    async def look(connection: "asyncpg.Connection[Any]", _: int) -> T:
        return await carried_out(connection, plan())

    return await _beside(where, look)


async def _beside(where: str, look: "Callable[[asyncpg.Connection[Any], int], Awaitable[T]]") -> T:
    at = address(where)
    connection = await connected(at)
    try:
        version = await schema.check(connection, at.shown, schema.steps_at_hand())
        await connection.execute(READ)
        return await look(connection, version)
    except DATABASE_ERRORS as error:
        if (told := explain(error)) is error:
            raise
        raise told from error
    finally:
        await connection.close()
