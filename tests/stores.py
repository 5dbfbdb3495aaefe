"""Opens stores in tests: SQLite's file, or a PostgreSQL where a test runs on each database.

The tests start a PostgreSQL of their own, from Debian's package, as a user of its own: it refuses to run as root. One
that RIPOSTE_TEST_POSTGRES names (a URL whose user may make databases) is used instead; each test has its own database.
"""

import os
import pwd
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from storage.inspection import Inspection
from storage.plan import Migration
from storage.postgres import inspect, schema
from storage.postgres.plans import translated
from storage.postgres.store import PostgresStore
from storage.seal import read_key
from storage.sqlite.inspect import inspect as inspect_file
from storage.sqlite.store import SqliteStore

USER = "postgres"
"""Whom a server runs as that root starts."""
TEMPLATE = "riposte_template"
EMPTIED = """DO $$ BEGIN EXECUTE (
    SELECT format('TRUNCATE %s RESTART IDENTITY', string_agg(format('%I', tablename), ', '))
    FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations'
); END $$"""


class Server:
    """A PostgreSQL in which each test makes databases of its own."""

    def __init__(self, url: str, mark: str):
        self.url = url
        self._mark = mark
        self._made: dict[Path, str] = {}
        """The databases of the test that runs, by the file that each stands for."""
        self._kept: set[str] = set()
        """Those that only have to be emptied."""

    def at(self, database: str) -> str:
        return urlunsplit(urlsplit(self.url)._replace(path=f"/{database}"))

    async def asked(self, sql: str, database: str = "") -> list[Any]:
        connection = await asyncpg.connect(self.at(database) if database else self.url)
        try:
            return await connection.fetch(sql)
        finally:
            await connection.close()

    async def database(self, path: Path, *, empty: bool = False) -> str:
        """The URL of the database that stands for a file, made when it is asked for first."""
        if path not in self._made:
            name = f"riposte_test_{self._mark}_{len(self._made)}"
            await self._create(name, "template0" if empty else await self._template())
            self._made[path] = name
        return self.at(self._made[path])

    async def emptied(self, path: Path) -> str:
        """The same, for a test that leaves the tables as they are: that costs a tenth."""
        if path not in self._made:
            name = f"riposte_kept_{self._mark}_{len(self._made)}"
            if name in self._kept:
                await self.asked(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
                await self.asked(EMPTIED, name)
            else:
                await self._create(name, await self._template())
                self._kept.add(name)
            self._made[path] = name
        return self.at(self._made[path])

    async def copied(self, path: Path, to: Path) -> None:
        """A second database that holds what one holds now; nobody has that one open."""
        name = f"riposte_copy_{self._mark}_{len(self._made)}"
        await self._create(name, self._made[path])
        self._made[to] = name

    async def _create(self, name: str, template: str) -> None:
        await self.asked(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        await self.asked(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')

    async def _template(self) -> str:
        """The name of a database that has its tables, and nothing in them."""
        name = f"{TEMPLATE}_{self._mark}"
        if not await self.asked(f"SELECT 1 FROM pg_database WHERE datname = '{name}'"):
            await self.asked(f"CREATE DATABASE \"{name}\" ENCODING 'UTF8' TEMPLATE template0")
            connection = await asyncpg.connect(self.at(name))
            await schema.upgrade(connection, name, schema.steps_at_hand())
            await connection.close()
        return name

    def forget(self) -> None:
        """The next test begins with databases of its own."""
        self._made.clear()


in_force: list[Server] = []
"""The server on which the test that runs keeps its matches; none = files."""


async def opened(path: Path, key: Path | None = None, *, with_: type | None = None, **how: Any) -> Any:
    """A store on the database that the test runs on; a path stands for the same one whenever it is opened.

    `with_` is a class whose methods go before the store's own.
    """
    kind: Any = PostgresStore if in_force else SqliteStore
    if with_:
        kind = type(with_.__name__, (with_, kind), {})
    if not in_force:
        return await kind.open(path, key, **how)
    url = await in_force[0].emptied(path)
    return await kind.open(url, key or path.with_suffix(".key"), path.with_suffix(".erased"), **how)


# --- behind a store's back --------------------------------------------------------------------------------
async def told(path: Path, sql: str, *values: object) -> list[Any]:
    """Carry out a statement on the database of a path. Returns its rows."""
    if in_force:
        connection = await asyncpg.connect(await in_force[0].emptied(path))
        try:
            return [tuple(row) for row in await connection.fetch(translated(sql), *values)]
        finally:
            await connection.close()
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute(sql, values).fetchall()


async def inspected(path: Path) -> Inspection:
    """What `doctor` finds in the database of a path."""
    key = read_key(path.with_suffix(".key"))
    if in_force:
        return await inspect.inspect(await in_force[0].emptied(path), key)
    return inspect_file(path, key)


@asynccontextmanager
async def scanned(store: Any) -> AsyncIterator[list[str]]:
    """The statements of a store that look through a whole table, once the block has ended."""
    found: list[str] = []
    if in_force:
        yield found
        async with store._pool.acquire() as connection, connection.transaction():
            await connection.execute("SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan")
            asked = "SELECT name, statement, cardinality(parameter_types) FROM pg_prepared_statements"
            for name, sql, count in await connection.fetch(asked):
                nothing = f"({', '.join(['NULL'] * count)})" if count else ""
                plan = await connection.fetch(f"EXPLAIN EXECUTE {name}{nothing}")
                found += [sql for (step,) in plan if "Seq Scan" in step]
        return
    seen: list[str] = []
    for thread in (store._reader, store._writer):
        await thread.run(lambda db: db.set_trace_callback(seen.append))
    yield found

    def plans(db: sqlite3.Connection) -> list[str]:
        asked = [sql for sql in seen if sql.split()[0] in ("SELECT", "INSERT", "UPDATE", "DELETE")]
        steps = [(step[3], sql) for sql in asked for step in db.execute(f"EXPLAIN QUERY PLAN {sql}")]
        return [sql for step, sql in steps if re.match(r"SCAN(?! lanes$|( \d+)? CONSTANT ROWS?$)", step)]

    found += await store._writer.run(plans)


@asynccontextmanager
async def unwritable(store: Any, path: Path) -> AsyncIterator[None]:
    """Nothing can be written meanwhile; all can be read."""
    if not in_force:
        await store._writer.run(lambda db: db.execute("PRAGMA query_only = ON").fetchall())
        yield
        await store._writer.run(lambda db: db.execute("PRAGMA query_only = OFF").fetchall())
        return
    tables = "heard", "letters"
    refuse = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
    await told(path, refuse + "$$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END $$")
    for table in tables:
        await told(path, f"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON {table} EXECUTE FUNCTION refuse()")
    try:
        yield
    finally:
        await told(path, "DROP FUNCTION refuse CASCADE")


# --- a server of our own ----------------------------------------------------------------------------------
def programs() -> Path | None:
    """The folder with initdb and postgres, if they are installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))
    found = shutil.which("postgres")
    return debian[-1].parent if debian else Path(found).resolve().parent if found else None


def as_user() -> dict[str, Any]:
    """How a program is started that root may not run."""
    if os.getuid():
        return {}
    user = pwd.getpwnam(USER)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "cwd": "/"}


@contextmanager
def served(folder: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server on the cluster in a folder, made if there is none, on a socket there, until the block ends."""
    found = programs()
    assert found is not None
    how = as_user()
    if not (folder / "PG_VERSION").exists():
        if how:
            shutil.chown(folder, USER)
        locale = "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en"  # texts sort otherwise than by bytes
        subprocess.run(
            [found / "initdb", "-D", folder, "-U", "riposte", "-A", "trust", "-E", "UTF8", "--no-sync", *locale],
            check=True,
            capture_output=True,
            **how,
        )
    settings = ["listen_addresses=", f"unix_socket_directories={folder}", "shared_buffers=32MB", *options]
    with (folder / "log").open("ab") as told:
        server = subprocess.Popen(
            [found / "postgres", "-D", folder, *(word for one in settings for word in ("-c", one))],
            stdout=told,
            stderr=told,
            **how,
        )
    try:
        _await_answers(folder)
        yield server
    finally:
        with suppress(ProcessLookupError):
            server.send_signal(2)  # a fast stop
        server.wait(60)


def url_of(folder: Path, database: str = "postgres") -> str:
    return f"postgresql://riposte@/{database}?host={folder}"


def _await_answers(folder: Path) -> None:
    """Return when a server answers."""
    found = programs()
    assert found is not None
    deadline = time.monotonic() + 60
    while subprocess.run([found / "pg_isready", "-q", "-h", folder], check=False).returncode:
        assert time.monotonic() < deadline, (folder / "log").read_text()


@contextmanager
def at_hand() -> Iterator[str]:
    """The URL of a server: the one that is named, or one of our own; a test without either is skipped."""
    if url := os.environ.get("RIPOSTE_TEST_POSTGRES"):
        yield url
    elif programs() is None:
        missing = "no PostgreSQL on this machine: apt-get install postgresql, or name one with RIPOSTE_TEST_POSTGRES"
        (pytest.fail if os.environ.get("RIPOSTE_TEST_ALL") == "1" else pytest.skip)(missing)
    else:
        folder = Path(tempfile.mkdtemp(prefix="riposte-postgres-"))
        try:
            with served(folder, "fsync=off", "full_page_writes=off"):
                yield url_of(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


__all__ = [
    "Migration",
    "Server",
    "as_user",
    "at_hand",
    "in_force",
    "inspected",
    "opened",
    "scanned",
    "served",
    "told",
    "unwritable",
    "url_of",
]
