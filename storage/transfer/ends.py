"""The two ends of a transfer: where it is read from, at one moment, and where it is written to, all or nothing."""

import asyncio
import errno
import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from storage import is_server, located, need_driver
from storage.numbers import bucket_of_lane, bucket_of_match
from storage.plan import Planned
from storage.sqlite import schema
from storage.sqlite.checksums import known_to
from storage.sqlite.errors import DATABASE_ERRORS, explain
from storage.sqlite.plans import carried_out
from storage.transfer.tables import Table, counts

T = TypeVar("T")

BUCKETED: Final[Mapping[str, tuple[str, Callable[[Any], int]]]] = {
    "letters": ("lane", bucket_of_lane),
    "alarms": ("match", bucket_of_match),
}
"""By which column the rows of these tables lie in buckets, on a server."""


class End(Protocol):
    """A database that is read from or written to."""

    async def run(self, plan: Planned[T]) -> T:
        """Carry out a plan; all of them see the same moment."""

    async def put(self, table: Table, rows: Sequence[Sequence[Any]]) -> None:
        """Add rows."""


class File:
    """An SQLite file, in a transaction; its connection is used on one thread at a time."""

    def __init__(self, db: sqlite3.Connection):
        self._db = db

    async def run(self, plan: Planned[T]) -> T:
        return await self._done(lambda: carried_out(self._db, plan()))

    async def put(self, table: Table, rows: Sequence[Sequence[Any]]) -> None:
        places = ", ".join("?" * len(table.columns))
        sql = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({places})"  # noqa: S608
        await self._done(lambda: self._db.executemany(sql, rows))

    async def _done(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except DATABASE_ERRORS as error:
            raise explain(error) from error


class Server:
    """A PostgreSQL, in a transaction."""

    def __init__(self, connection: Any):
        self._connection = connection

    async def run(self, plan: Planned[T]) -> T:
        from storage.postgres.plans import carried_out as carried

        return await self._told(carried(self._connection, plan()))

    async def put(self, table: Table, rows: Sequence[Sequence[Any]]) -> None:
        columns = table.columns
        if by := BUCKETED.get(table.name):
            place, bucket = columns.index(by[0]), by[1]
            rows, columns = [(*row, bucket(row[place])) for row in rows], (*columns, "bucket")
        await self._told(self._connection.copy_records_to_table(table.name, records=rows, columns=columns))

    async def count(self, table: Table) -> None:
        """Have the next number of a table follow those that it has."""
        asked = f"SELECT setval(pg_get_serial_sequence('{table.name}', 'number'), max(number)) FROM {table.name}"  # noqa: S608
        await self._told(self._connection.execute(f"{asked} HAVING max(number) > 0"))  # other logs are below zero

    async def _told(self, question: Awaitable[T]) -> T:
        from storage.postgres.errors import DATABASE_ERRORS as ERRORS
        from storage.postgres.errors import explain as explained

        try:
            return await question
        except ERRORS as error:
            if (told := explained(error)) is error:
                raise
            raise told from error


@asynccontextmanager
async def source(where: str) -> AsyncIterator[End]:
    """A database as it stands at one moment, even while a Riposte writes into it. Raises OSError with the remedy."""
    if is_server(where):
        async with _server(where) as (connection, version, shown):
            from storage.postgres.plans import READ
            from storage.postgres.schema import steps_at_hand

            _current(version, len(steps_at_hand()), shown)
            await connection.execute(READ)
            yield Server(connection)
        return
    path = located(where)
    if not path.is_file():
        raise OSError(errno.ENOENT, f"There is no database {path}. Write where it is, like `data/riposte.db`.")
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA busy_timeout = 5000")
        _current(schema.check(db, path, schema.migrations()), len(schema.migrations()), str(path))
        db.execute("BEGIN")
        yield File(db)
    except DATABASE_ERRORS as error:
        raise explain(error) from error
    finally:
        db.close()


@asynccontextmanager
async def target(where: str) -> AsyncIterator[End]:
    """An empty database, filled when the block ends and as it was where it raises. Raises OSError with the remedy."""
    if is_server(where):
        async with _server(where) as (connection, _, shown):
            from storage.postgres.schema import steps_at_hand, upgrade

            async with connection.transaction():
                await upgrade(connection, shown, steps_at_hand())
                end = Server(connection)
                if any((await end.run(counts)).values()):
                    fact = f"The database {shown} is not empty, and nothing is overwritten."
                    raise OSError(errno.EEXIST, f"{fact} Make a new one: `createdb -O riposte riposte2`.")
                yield end
        return
    path = located(where)
    if path.exists():
        raise OSError(errno.EEXIST, f"The file {path} is there already, and nothing is overwritten. Name a new one.")
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))  # it holds secrets: readable by us alone
    db = sqlite3.connect(unfinished, isolation_level=None, check_same_thread=False)
    try:
        known_to(db)
        schema.upgrade(db, unfinished, 0, schema.migrations())
        db.execute("BEGIN IMMEDIATE")
        yield File(db)
        db.execute("COMMIT")
        db.close()
        _onto_the_disk(unfinished)
        unfinished.rename(path)
        _onto_the_disk(path.parent)
    except BaseException as error:
        db.close()
        with suppress(OSError):
            unfinished.unlink()
        if isinstance(error, DATABASE_ERRORS):
            raise explain(error) from error
        raise


@asynccontextmanager
async def _server(where: str) -> AsyncIterator[tuple[Any, int, str]]:
    need_driver()
    from storage.postgres.address import address
    from storage.postgres.connections import connected
    from storage.postgres.schema import check, steps_at_hand

    at = address(where)
    connection = await connected(at)
    try:
        yield connection, await check(connection, at.shown, steps_at_hand()), at.shown
    finally:
        await connection.close()


def _current(version: int, newest: int, shown: str) -> None:
    if version > newest:
        raise OSError(errno.EPROTO, f"A newer Riposte has added to the tables of {shown}. Migrate with that version.")
    if version != newest:
        fact = f"The database {shown} has the form {version} of an older Riposte, not {newest}."
        raise OSError(errno.EPROTO, f"{fact} Start this Riposte on it once, then migrate.")


def _onto_the_disk(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
