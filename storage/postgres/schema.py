"""Makes or upgrades the tables of a PostgreSQL to those of this version of Riposte, or says why it cannot."""

import errno
from pathlib import Path
from typing import Any, Final

import asyncpg

from storage.plan import Migration, read_migrations

MIGRATIONS: Final = Path(__file__).parent / "migrations"
OLDEST: Final = 14
LIKE: Final = (0, 7, 8, 8, 8, 8, 8)
"""Which form of SQLite's file each form here is like; 0 = none. Those that a newer Riposte has added to: the last."""
LOCK: Final = 1382641775
"""The number of the lock under which tables are made: "Ripo", as in files of SQLite."""

EXPANDS: Final = "-- Expands"
"""How a step begins that only adds: whoever does not know it works on, and it is taken while they do."""
LATER: Final = "-- Later"
"""How one begins before which this version works as well: it waits until every process that is there knows it."""
PIECES: Final = "-- Later, in pieces"
"""How one of these begins that is one statement, carried out again and again until it changes nothing."""

TABLES: Final = (
    "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') "
    "AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid "
    "AND deptype = 'e') ORDER BY relname"
)
"""What tables there are that belong to no extension."""
CHANGED: Final = (
    "SELECT count(*) FROM migrations WHERE number > $1 "
    "AND NOT coalesce((to_jsonb(migrations) ->> 'expands')::boolean, false)"
)
"""How many steps beyond those that one knows are not for it. Tables of an older form tell of none that is."""


async def check(connection: "asyncpg.Connection[Any]", shown: str, steps: tuple[Migration, ...]) -> int:
    """Returns the number of the schema, 0 for an empty database. Refuses what is not ours or cannot be written.

    More than there are `steps` where a newer Riposte has only added to the tables. Changes nothing. Raises OSError with
    the fact and the remedy.
    """
    version = connection.get_server_version()
    if version.major < OLDEST:
        fact = f"PostgreSQL {version.major} at {shown} is too old."
        raise OSError(errno.ENOSYS, f"{fact} Riposte needs {OLDEST} or newer: upgrade it, by pg_upgradecluster, say.")
    recovering, read_only, encoding = await connection.fetchrow(
        "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', "
        "current_setting('server_encoding')"
    )
    if recovering:
        fact = f"The PostgreSQL at {shown} is in recovery: a standby, or not yet started whole."
        raise OSError(errno.EROFS, f"{fact} Name the primary in RIPOSTE_DATABASE, or wait until it is up.")
    if read_only:
        remedy = "Make it writable: `ALTER DATABASE riposte RESET default_transaction_read_only`."
        raise OSError(errno.EROFS, f"The database {shown} is read-only. {remedy}")
    if encoding != "UTF8":
        fact = f"The database {shown} holds texts as {encoding}, not as UTF-8."
        raise OSError(errno.EINVAL, f"{fact} Make another one: `createdb -E UTF8 -T template0 riposte`.")
    tables = {name for (name,) in await connection.fetch(TABLES)}
    if not tables:
        return 0
    if not tables >= {"migrations", "leases", "matches", "events"}:
        fact = f"The database {shown} holds another program's data."
        raise OSError(errno.EEXIST, f"{fact} Make one for Riposte alone: `createdb riposte`.")
    taken = [tuple(row) for row in await connection.fetch("SELECT number, checksum FROM migrations ORDER BY number")]
    if len(taken) > len(steps) and await connection.fetchval(CHANGED, len(steps)):
        raise OSError(
            errno.EPROTO,
            f"{shown} was written by a newer Riposte (its schema is {len(taken)}, this one knows {len(steps)}). "
            "Install that version again; nothing was changed.",
        )
    if taken[: len(steps)] != [(step.number, step.checksum) for step in steps[: len(taken)]]:
        raise OSError(
            errno.EPROTO,
            f"{shown} was made by other migrations than this Riposte brings along. "
            "Install the version that made it, or restore the files in storage/postgres/migrations; "
            "nothing was changed.",
        )
    return len(taken)


async def upgrade(connection: "asyncpg.Connection[Any]", shown: str, steps: tuple[Migration, ...]) -> int:
    """Take the steps that are missing, all or none. Returns how many had been taken before. Raises as `check`."""
    async with connection.transaction():
        await connection.execute(f"SELECT pg_advisory_xact_lock({LOCK})")
        version = await check(connection, shown, steps)
        for step in steps[version:]:
            while not await take(connection, step):
                """The next piece."""
    return version


async def take(connection: "asyncpg.Connection[Any]", step: Migration) -> bool:
    """Take a step, or a piece of it, in the transaction that is open. Returns whether it is taken now."""
    done = await connection.execute(step.sql)
    if step.sql.startswith(PIECES) and not done.endswith(" 0"):
        return False
    known = "INSERT INTO migrations (number, name, checksum) VALUES ($1, $2, $3)"
    await connection.execute(known, step.number, step.name, step.checksum)
    if step.sql.startswith(EXPANDS):
        await connection.execute("UPDATE migrations SET expands = true WHERE number = $1", step.number)
    return True


def needed(steps: tuple[Migration, ...], version: int) -> tuple[Migration, ...]:
    """Returns the steps behind a form of the tables without which this version cannot work."""
    missing = steps[version:]
    while missing and missing[-1].sql.startswith(LATER):
        missing = missing[:-1]
    return missing


def like(version: int) -> int:
    """Returns which form of SQLite's file a form of the tables is like."""
    return LIKE[min(version, len(LIKE) - 1)]


def steps_at_hand() -> tuple[Migration, ...]:
    """Returns the steps in order."""
    return read_migrations(MIGRATIONS)
