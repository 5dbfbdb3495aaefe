"""A cluster of PostgreSQLs: its leader is found, what only it has does not count, and nobody is buried in vain.

Whole clusters are tried in `tests/faults/failover`.
"""

import asyncio
import os
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from storage.postgres import store as stores
from storage.postgres.address import address, each
from storage.postgres.shared import SharedStore
from storage.postgres.store import PostgresStore
from tests.stores import Server, served, url_of
from tests.turns import turn


@pytest.fixture
async def url(postgres: Server, tmp_path: Path) -> str:
    postgres.forget()
    return await postgres.database(tmp_path / "riposte.db")


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Callable[..., Any]]:
    async with AsyncExitStack() as stack:

        async def another(url: str, kind: type[PostgresStore] = PostgresStore, **how: Any) -> PostgresStore:
            store = await kind.open(url, tmp_path / "riposte.key", tmp_path / "riposte.erased", **how)
            stack.push_async_callback(store.close)
            return store

        yield another


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where a server of our own lies."""
    made = Path(tempfile.mkdtemp(prefix="riposte-cluster-"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


async def told(url: str, *statements: str) -> list[Any]:
    connection = await asyncpg.connect(url)
    try:
        return [await connection.fetch(statement) for statement in statements][-1]
    finally:
        await connection.close()


# --- who leads --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("written", "hosts"),
    [
        ("postgresql://anna:secret@a:1,b:2/riposte", ("anna:secret@a:1", "anna:secret@b:2")),
        ("postgresql://a,b:2,c/riposte", ("a", "b:2", "c")),
        ("postgresql://anna@[::1]:1,b/riposte", ("anna@[::1]:1", "anna@b")),
    ],
)
def test_an_address_may_name_several_hosts(written: str, hosts: tuple[str, ...]) -> None:
    told = address(f"{written}?target_session_attrs=read-write")
    assert each(told.url) == tuple(f"postgresql://{host}/riposte" for host in hosts)
    assert "secret" not in told.shown


def test_several_hosts_may_share_a_port_or_have_one_each() -> None:
    assert [parse_qs(urlsplit(one).query) for one in each("postgresql:///riposte?host=a,b&port=1")] == [
        {"host": ["a"], "port": ["1"]},
        {"host": ["b"], "port": ["1"]},
    ]
    ports = [parse_qs(urlsplit(one).query)["port"] for one in each("postgresql:///riposte?host=a,b&port=1,2")]
    assert ports == [["1"], ["2"]]


@pytest.mark.parametrize(
    ("query", "said"),
    [("host=a,b,c&port=1,2", "cannot be read"), ("target_session_attrs=standby", "Riposte writes, and")],
)
def test_an_address_that_leads_nowhere_is_refused(query: str, said: str) -> None:
    with pytest.raises(OSError, match=said) as error:
        address(f"postgresql:///riposte?{query}")
    assert "Write it like postgresql://" in error.value.strerror


async def test_a_host_that_says_nothing_and_one_that_is_not_there_hold_nobody_up(
    url: str, opened: Callable[..., Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    silent = Path(tempfile.mkdtemp(prefix="riposte-silent-"))
    silence = socket.socket(socket.AF_UNIX)
    silence.bind(str(silent / ".s.PGSQL.5432"))
    silence.listen()
    store = await opened(url.replace("host=", f"host={silent},{tmp_path},"))
    await store.commit(turn("1", 0))
    assert len(await store.load("1")) == 1
    silence.close()
    assert caplog.text.count("acknowledges what no other one has") == 1
    shutil.rmtree(silent)


async def test_where_nobody_leads_that_is_said(url: str, opened: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot be reached: none of its servers takes what is to be written"):
        await opened(url.replace("host=", f"host={tmp_path},{tmp_path}/none,").rpartition(",")[0])
    name = urlsplit(url).path[1:]
    await told(url, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    with pytest.raises(OSError, match="none of its servers takes what is to be written"):
        await opened(url.replace("host=", f"host={tmp_path},"))


async def test_what_was_made_read_only_meanwhile_takes_nothing_until_it_is_writable_again(
    url: str, opened: Callable[..., Any]
) -> None:
    store = await opened(url)
    await store.commit(turn("1", 0))
    name, others = urlsplit(url).path[1:], "datname = current_database() AND pid <> pg_backend_pid()"
    fence = f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'
    await told(url, fence, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
    with pytest.raises(OSError, match="read-only or a standby"):
        await store.commit(turn("1", 1))
    await told(url, "SET default_transaction_read_only = off", f'ALTER DATABASE "{name}" RESET ALL')
    await store.commit(turn("1", 1))
    assert len(await store.load("1")) == 2


# --- what counts ------------------------------------------------------------------------------------------
async def test_what_a_leader_committed_for_itself_alone_is_not_taken_for_durable(
    folder: Path, opened: Callable[..., Any]
) -> None:
    with served(folder, "fsync=off"):
        url = url_of(folder)
        store = await opened(url)
        alone = "ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()"
        await told(url, *alone)
        while (await told(url, "SHOW synchronous_standby_names"))[0][0] != "nobody":
            """It reads that soon."""
        commit = asyncio.create_task(store.commit(turn("1", 0)))
        stopped = 0
        while stopped < 3:  # its COMMIT, and those of the questions what became of it
            waits = "wait_event = 'SyncRep' AND query ~ 'COMMIT' AND query !~ 'RENEW'"
            rows = await told(url, f"SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE {waits}")
            stopped += len(rows)
            await asyncio.sleep(0.05)
        assert not commit.done(), "nobody but this server has it"
        await told(url, "ALTER SYSTEM RESET ALL", "SELECT pg_reload_conf()")
        await asyncio.wait_for(commit, 30)
        assert [record.body for record in await store.load("1")] == ['{"turn": 0}']
        await store.close()


async def test_a_server_that_falls_silent_is_given_up_and_what_waited_for_it_goes_on(
    folder: Path, opened: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "SILENT", 0.5)
    with served(folder, "fsync=off") as server:
        store = await opened(url_of(folder), lasts=1)
        await store.commit(turn("1", 0))
        halted = [server.pid, *_children(server.pid)]
        for process in halted:
            os.kill(process, signal.SIGSTOP)
        begun = time.monotonic()
        waiting = asyncio.create_task(store.commit(turn("1", 1)))
        asked = asyncio.create_task(store.load("1"))
        while any(not connection.is_closed() for connection in [*store._links._lines]) or time.monotonic() - begun < 1:
            await asyncio.sleep(0.05)
        assert time.monotonic() - begun < 20
        for process in halted:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)
        await asyncio.wait_for(asyncio.gather(waiting, asked, return_exceptions=True), 60)
        if waiting.exception() is not None:
            assert isinstance(waiting.exception(), OSError)
            assert not await store.known("heard 1 1")
        await store.commit(turn("1", 2 if waiting.exception() is None else 1))
        await store.close()


def _children(process: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


# --- who is there -----------------------------------------------------------------------------------------
async def outlasted(url: str, postgres: Server, *held: PostgresStore) -> None:
    """The database is away until all leases have run out, by its own clock too."""
    name = urlsplit(url).path[1:]
    await told(
        postgres.url,
        f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false',
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'",
    )
    while any(store.held() for store in held):
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.5)
    await told(postgres.url, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


async def test_after_an_outage_nobody_is_buried_who_could_not_renew_their_lease(
    url: str, postgres: Server, opened: Callable[..., Any]
) -> None:
    first, other = [await opened(url, SharedStore, lasts=2) for _ in range(2)]
    await outlasted(url, postgres, first, other)
    while not (first.held() and other.held()):
        for store in (first, other):
            with suppress(OSError):
                await store.bury()
            assert not store.lost.is_set()
        await asyncio.sleep(0)
    await other.commit(turn("1", 0))
    other._renewal.cancel()  # now it is silent by itself
    while await first._rows("SELECT 1 FROM leases WHERE name = ?1", other._lease.name):
        await first.bury()
    with pytest.raises(OSError, match="taken over"):
        await other.commit(turn("1", 1))


async def test_whoever_starts_after_an_outage_takes_nothing_from_one_that_comes_back(
    url: str, postgres: Server, opened: Callable[..., Any]
) -> None:
    first = await opened(url, lasts=3)
    await outlasted(url, postgres, first)
    with pytest.raises(OSError, match="Another Riposte is running"):
        await opened(url, lasts=3)
    await first.commit(turn("1", 0))
