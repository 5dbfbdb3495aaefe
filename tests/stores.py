"""Opens stores in tests: SQLite's file, or a PostgreSQL where a test runs on each database.

The tests start a PostgreSQL of their own, from Debian's package, as a user of its own: it refuses to run as root. One
that RIPOSTE_TEST_POSTGRES names (a URL whose user may make databases) is used instead; each test has its own database.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from storage.plan import Migration
from storage.postgres import schema
from storage.postgres.store import PostgresStore
from storage.sqlite.store import SqliteStore

USER = "postgres"
"""Whom a server runs as that root starts."""
TEMPLATE = "riposte_template"


class Server:
    """A PostgreSQL in which each test makes databases of its own."""

    def __init__(self, url: str, mark: str):
        self.url = url
        self._mark = mark
        self._made: dict[Path, str] = {}
        """The databases of the test that runs, by the file that each stands for."""

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
            name = f"{TEMPLATE}_{self._mark}"
            if not empty and not await self.asked(f"SELECT 1 FROM pg_database WHERE datname = '{name}'"):
                await self.asked(f"CREATE DATABASE \"{name}\" ENCODING 'UTF8' TEMPLATE template0")
                connection = await asyncpg.connect(self.at(name))
                await schema.upgrade(connection, name, schema.steps_at_hand())
                await connection.close()
            made = f"riposte_test_{self._mark}_{len(self._made)}"
            await self.asked(f'DROP DATABASE IF EXISTS "{made}" WITH (FORCE)')
            await self.asked(f'CREATE DATABASE "{made}" TEMPLATE "{"template0" if empty else name}"')
            self._made[path] = made
        return self.at(self._made[path])

    def forget(self) -> None:
        """The next test begins with databases of its own."""
        self._made.clear()


in_force: list[Server] = []
"""The server on which the test that runs keeps its matches; none = files."""


async def opened(path: Path, key: Path | None = None, **how: Any) -> SqliteStore | PostgresStore:
    """A store on the database that the test runs on; a path stands for the same one whenever it is opened."""
    if not in_force:
        return await SqliteStore.open(path, key, **how)
    url = await in_force[0].database(path)
    return await PostgresStore.open(url, key or path.with_suffix(".key"), path.with_suffix(".erased"), **how)


# --- a server of our own ----------------------------------------------------------------------------------
def programs() -> Path | None:
    """The folder with initdb and postgres, if they are installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))
    found = shutil.which("postgres")
    return debian[-1].parent if debian else Path(found).resolve().parent if found else None


def _as_user() -> dict[str, Any]:
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
    how = _as_user()
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


__all__ = ["Migration", "Server", "at_hand", "in_force", "opened", "served", "url_of"]
