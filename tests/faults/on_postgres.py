"""The same evenings on a PostgreSQL, and what goes wrong with one while people play on.

Each has a database of its own, on a server that is started once. In the end it is copied into a file, in which
histories are read.
"""

import asyncio
import atexit
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, suppress
from functools import lru_cache
from typing import Any, TypeAlias

import asyncpg

from storage.postgres.store import PostgresStore
from storage.transfer.copy import copy
from tests.faults.bot import DATABASE, KEY
from tests.faults.evening import Evening
from tests.faults.troubles import cancelled, jumps, killed, storm
from tests.stores import Server, at_hand

WRITTEN = ("heard", "matches", "events", "alarms", "letters", "settings", "commits")
"""Tables that a turn writes to."""
BREATH = 0.03
"""Seconds between two connections that are cut."""


@lru_cache(1)
def server() -> Server:
    """Where the evenings' databases are."""
    stack = ExitStack()
    atexit.register(stack.close)
    return Server(stack.enter_context(at_hand()), f"evenings_{os.getpid()}")


class OnPostgres(Evening):
    """One run."""

    url = ""

    async def opened(self) -> Any:
        if not self.url:
            server().forget()
            self.url = await server().database(self.folder / DATABASE)
        return await PostgresStore.open(self.url, KEY, self.folder / "riposte.erased", lasts=60)

    async def ended(self) -> None:
        await copy(self.url, str(self.folder / DATABASE))

    async def told(self, *statements: str) -> list[Any]:
        """Carry something out on the evening's database, as somebody else; tried again while the server is away."""
        while True:
            with suppress(OSError, asyncpg.CannotConnectNowError, asyncpg.ConnectionDoesNotExistError):
                connection = await asyncpg.connect(self.url)
                try:
                    return [await connection.fetch(statement) for statement in statements][-1]
                finally:
                    connection.terminate()
            await asyncio.sleep(BREATH)


Trouble: TypeAlias = Callable[[OnPostgres], AbstractAsyncContextManager[None]]
OURS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


@asynccontextmanager
async def locked(evening: OnPostgres) -> AsyncIterator[None]:
    """Another program holds a table."""
    evening.store._begin = evening.store._begin.replace("lock_timeout = '10s'", "lock_timeout = '20ms'")
    connection = await asyncpg.connect(evening.url)
    await connection.execute("BEGIN")
    await connection.execute(f"LOCK TABLE {evening.chance.choice(WRITTEN)} IN EXCLUSIVE MODE")
    yield
    await connection.close()


@asynccontextmanager
async def _refused(evening: OnPostgres, state: str, when: str) -> AsyncIterator[None]:
    table = evening.chance.choice(WRITTEN)
    await evening.told(
        "CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN IF {when} THEN RAISE EXCEPTION 'trouble' USING ERRCODE = '{state}'; END IF; RETURN NULL; END $$",
        f"CREATE CONSTRAINT TRIGGER trouble AFTER INSERT OR UPDATE ON {table} "
        f"{evening.chance.choice(('', 'DEFERRABLE INITIALLY DEFERRED'))} FOR EACH ROW EXECUTE FUNCTION trouble()",
    )
    yield
    await evening.told("DROP FUNCTION trouble CASCADE")


def full(evening: OnPostgres) -> AbstractAsyncContextManager[None]:
    """A table cannot grow any more, at the statement or at the commit."""
    return _refused(evening, "53100", "true")


def in_the_way(evening: OnPostgres) -> AbstractAsyncContextManager[None]:
    """Others are in the way of every other change: it could not be brought into an order, or waits for one another."""
    return _refused(evening, evening.chance.choice(("40001", "40P01")), "random() < 0.5")


@asynccontextmanager
async def slow(evening: OnPostgres) -> AsyncIterator[None]:
    """Every commit takes its time."""
    await evening.told(
        "CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN PERFORM pg_sleep(0.02); RETURN NULL; END $$",
        "CREATE CONSTRAINT TRIGGER trouble AFTER UPDATE ON commits DEFERRABLE INITIALLY DEFERRED FOR EACH ROW "
        "EXECUTE FUNCTION trouble()",
    )
    yield
    await evening.told("DROP FUNCTION trouble CASCADE")


@asynccontextmanager
async def read_only(evening: OnPostgres) -> AsyncIterator[None]:
    """Nothing may be written: whoever connects anew finds it so."""
    name = evening.url.partition("@/")[2].partition("?")[0]
    await evening.told(
        f'ALTER DATABASE "{name}" SET default_transaction_read_only = on', f"SELECT pg_terminate_backend(pid) {OURS}"
    )
    yield
    await evening.told(
        "SET default_transaction_read_only = off",
        f'ALTER DATABASE "{name}" RESET default_transaction_read_only',
        f"SELECT pg_terminate_backend(pid) {OURS}",
    )


@asynccontextmanager
async def _again_and_again(evening: OnPostgres, statement: str) -> AsyncIterator[None]:
    async def strike() -> None:
        while True:
            await evening.told(statement)
            await asyncio.sleep(evening.chance.uniform(0, BREATH))

    striking = asyncio.create_task(strike())
    try:
        yield
    finally:
        striking.cancel()
        await asyncio.wait([striking])


def reset(evening: OnPostgres) -> AbstractAsyncContextManager[None]:
    """Connections are cut at any moment, those that commit just now among them."""
    return _again_and_again(evening, f"SELECT pg_terminate_backend(pid) {OURS} AND random() < 0.5")


def stopped(evening: OnPostgres) -> AbstractAsyncContextManager[None]:
    """What is asked is cancelled at any moment."""
    return _again_and_again(evening, f"SELECT pg_cancel_backend(pid) {OURS} AND random() < 0.8")


@asynccontextmanager
async def crashed(evening: OnPostgres) -> AsyncIterator[None]:
    """A process of the server is killed: all others end with it, and it recovers."""

    async def crash() -> None:
        await asyncio.sleep(evening.chance.uniform(0, 0.2))
        for (number,) in (await evening.told(f"SELECT pid {OURS} LIMIT 1"))[:1]:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    crashing = asyncio.create_task(crash())
    yield
    await crashing


@asynccontextmanager
async def several(evening: OnPostgres) -> AsyncIterator[None]:
    """Two of these at once."""
    one, two = evening.chance.sample((locked, in_the_way, reset, stopped, cancelled, jumps, storm), 2)
    async with one(evening), two(evening):
        yield


ON_POSTGRES: dict[str, Trouble] = {
    f"postgres-{trouble.__name__.replace('_', '-')}": trouble
    for trouble in (
        *(locked, full, in_the_way, slow, read_only, reset, stopped, crashed),
        *(cancelled, killed, jumps, storm, several),
    )
}
