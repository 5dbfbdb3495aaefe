"""Behind PgBouncer in transaction mode: turns go through it, news of other processes past it, or are looked for.

It comes with Debian's package `pgbouncer`; `.ci/provide` puts it into `.cache`.
"""

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.peers.peers import Peers
from bot.runtime.readiness import Readiness
from storage.postgres.address import address
from storage.postgres.shared import SharedStore
from storage.store import Change, News
from tests.chat_room import ChatRoom
from tests.stores import Server, as_user
from tests.turns import NOON, turn

CACHE = Path(__file__).parents[2] / ".cache/pgbouncer/usr"
PORT = 6432

Opens = Callable[..., "asyncio.Future[SharedStore]"]


@pytest.fixture(scope="module")
def program() -> str:
    found = shutil.which("pgbouncer") or str(CACHE / "sbin/pgbouncer")
    if not os.access(found, os.X_OK):
        (pytest.fail if os.environ.get("RIPOSTE_TEST_ALL") == "1" else pytest.skip)("no PgBouncer on this machine")
    return found


@pytest.fixture
async def behind(postgres: Server, program: str, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a database behind a pooler with fewer connections than Riposte has."""
    postgres.forget()
    url = urlsplit(await postgres.database(tmp_path / "riposte.db"))
    host = parse_qs(url.query)["host"][0]
    folder = Path(host) / "pooler"
    folder.mkdir(exist_ok=True)
    (folder / "ini").write_text(
        f"[databases]\n{url.path[1:]} = host={host} user={url.username}\n[pgbouncer]\npool_mode = transaction\n"
        f"default_pool_size = 3\nauth_type = any\nlisten_addr =\nlisten_port = {PORT}\nunix_socket_dir = {folder}\n"
    )
    how = as_user()
    if how:
        shutil.chown(folder, how["user"])
    libraries = {"LD_LIBRARY_PATH": ":".join(map(str, CACHE.glob("lib/*")))}
    with subprocess.Popen([program, folder / "ini"], stderr=subprocess.DEVNULL, env=libraries, **how) as pooler:
        deadline = time.monotonic() + 10
        while not (folder / f".s.PGSQL.{PORT}").exists():
            assert pooler.poll() is None
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)
        yield f"{url._replace(query='').geturl()}?host={folder}&port={PORT}&statement_cache_size=0"
        pooler.terminate()


@pytest.fixture
async def joined(tmp_path: Path) -> AsyncIterator[Callable[..., object]]:
    async with AsyncExitStack() as stack:

        async def another(url: str) -> SharedStore:
            store = await SharedStore.open(url, tmp_path / "riposte.key", tmp_path / "riposte.erased")
            stack.push_async_callback(store.close)
            store.serves = lambda: ("web",)
            return store

        yield another


async def test_turns_of_two_processes_go_through_a_pooler_that_gives_each_another_connection(
    behind: str, joined: Opens
) -> None:
    stores = await joined(behind), await joined(behind)

    async def played(store: SharedStore, match: str) -> None:
        for count in range(10):
            await store.commit(turn(match, count))
            await store.claim(NOON)
            await store.waiting(NOON)
            assert await store.length(match) == count + 1

    await asyncio.gather(*(played(stores[match % 2], str(match)) for match in range(1, 9)))
    for match in range(1, 9):
        assert len(await stores[match % 2 - 1].load(str(match))) == 10
    assert all(store.held() for store in stores)


async def test_news_come_past_the_pooler_where_postgresql_itself_is_named(behind: str, joined: Opens) -> None:
    past = f"{behind}&listen={Path(behind.partition('host=')[2].partition('&')[0]).parent}:5432"
    here, there = await joined(behind), await joined(past)
    heard: list[News | None] = []
    told = asyncio.Event()
    await there.hears(lambda news: (heard.append(news), told.set() if news else None)[0])
    await here.commit(turn("1", 0))
    await asyncio.wait_for(told.wait(), 10)
    await there.hears(heard.append)  # it calls itself
    async with asyncio.timeout(10):
        while there._unheard:
            await asyncio.sleep(0.01)
    await there.hears(heard.append)
    assert [news and news.match for news in heard] == [None, "1"]


async def test_where_news_are_lost_on_the_way_all_is_looked_at_again_and_again(
    behind: str, joined: Opens, caplog: pytest.LogCaptureFixture
) -> None:
    store = await joined(behind)
    heard: list[News | None] = []
    for _ in range(12):
        await store.hears(heard.append)
    assert heard == [None] * 11
    assert "add &listen=HOST:PORT" in caplog.text


async def test_where_news_are_lost_on_the_way_what_others_have_changed_is_found_by_looking(
    behind: str, joined: Opens
) -> None:
    here, there = ChatRoom(await joined(behind)), ChatRoom(await joined(behind), heard=100)
    found = asyncio.Event()

    def committed(change: Change, _: object) -> None:
        if change.summary and change.summary.status == "running":
            found.set()

    async def wait(*_: object) -> None:
        await asyncio.sleep(0.05)

    peers = Peers(there.store, there.service.repository, there.service.transactions, wait=wait)
    await peers.begin(ready, [committed])
    beats = asyncio.create_task(peers.run(Readiness(there.store, [], lambda: there.now)))
    await here.say("anna", "challenge @ben tokonoma")
    await here.say("ben", "accept 1")
    await asyncio.wait_for(found.wait(), 10)
    beats.cancel()
    await asyncio.gather(beats, return_exceptions=True)


async def ready() -> None:
    """There is nothing to do before anything is served."""


def test_the_address_of_postgresql_itself_is_told_beside_the_pooler_s() -> None:
    told = address("postgresql://anna:secret@pooler:6432/riposte?statement_cache_size=0&listen=10.0.0.5:5432")
    assert told.url == "postgresql://anna:secret@pooler:6432/riposte"
    assert told.direct == "postgresql://anna:secret@/riposte?host=10.0.0.5&port=5432"
    assert address("postgresql://anna@db/riposte").direct == "postgresql://anna@db/riposte"
