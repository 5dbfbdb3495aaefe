"""A server that passes no news on, as CockroachDB: what other processes commit is looked for every second."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest

from bot.peers.peers import Peers
from bot.runtime.readiness import Readiness
from storage.postgres.address import address
from storage.postgres.shared import SharedStore
from storage.store import Change, News
from tests.chat_room import ChatRoom
from tests.postgres.wire import noted
from tests.stores import Server
from tests.turns import turn

Opens = Callable[[str], "asyncio.Future[SharedStore]"]


@pytest.fixture
async def url(postgres: Server, tmp_path: Path) -> str:
    postgres.forget()
    return await postgres.database(tmp_path / "riposte.db")


@pytest.fixture
async def joined(tmp_path: Path) -> AsyncIterator[Opens]:
    async with AsyncExitStack() as stack:

        async def another(url: str) -> SharedStore:
            store = await SharedStore.open(url, tmp_path / "riposte.key", tmp_path / "riposte.erased")
            stack.push_async_callback(store.close)
            store.serves = lambda: ("web",)
            return store

        yield another  # type: ignore[misc]


async def test_where_the_address_says_so_nobody_listens_and_nobody_is_told(
    url: str, joined: Opens, tmp_path: Path
) -> None:
    seen: set[str] = set()
    async with noted(url, tmp_path, seen) as through:
        store = await joined(f"{through}&listen=no")
        heard: list[News | None] = []
        await store.commit(turn("1", 0))
        for _ in range(3):
            await store.hears(heard.append)
        await store.close()
    assert heard == [None] * 3, "all is looked at anew each time"
    assert not [sql for sql in seen if "notify(" in sql or "LISTEN" in sql]


async def test_a_server_that_knows_no_notify_is_found_out(
    url: str, joined: Opens, caplog: pytest.LogCaptureFixture
) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("ALTER FUNCTION pg_catalog.pg_notify (text, text) RENAME TO unknown_notify")
    await connection.close()
    here, there = await joined(url), await joined(url)
    assert "passes no news on" in caplog.text
    heard: list[News | None] = []
    await here.commit(turn("1", 0))
    await there.hears(heard.append)
    assert heard == [None]
    assert await there.length("1") == 1


async def test_what_others_have_changed_is_found_by_looking(url: str, joined: Opens) -> None:
    silent = f"{url}&listen=no"
    here, there = ChatRoom(await joined(silent)), ChatRoom(await joined(silent), heard=100)
    found = asyncio.Event()

    def committed(change: Change, _: object) -> None:
        if change.summary and change.summary.status == "running":
            found.set()

    async def ready() -> None:
        """There is nothing to do before anything is served."""

    async def wait(*_: object) -> None:
        await asyncio.sleep(0.05)

    peers = Peers(there.store, there.service.repository, there.service.transactions, wait=wait)
    await peers.begin(ready, [committed])
    beats = asyncio.create_task(peers.run(Readiness(there.store, [], lambda: there.now)))
    await here.say("anna", "challenge @ben tokonoma")
    await here.say("ben", "accept 1")
    await asyncio.wait_for(found.wait(), 30)
    beats.cancel()
    await asyncio.gather(beats, return_exceptions=True)


def test_the_address_says_that_nobody_listens() -> None:
    told = address("postgresql://anna@db/riposte?listen=no")
    assert not told.listens
    assert told.url == told.direct == "postgresql://anna@db/riposte"
    assert address("postgresql://anna@db/riposte?listen=10.0.0.5:5432").listens
