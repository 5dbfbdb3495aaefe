"""Strangers read from a PostgreSQL that follows the one where all is written, and from that one whenever it may lack
something.

A primary and a standby that streams from it, made by pg_basebackup from Debian's package.
"""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import asyncpg
import pytest
import structlog

from bot.cli.databases import replica as doctor
from bot.commands.people.privacy import CONFIRM
from bot.console.checks import Finding
from bot.peers import strangers as reading
from bot.peers.strangers import Strangers
from bot.service.composing import Glance
from bot.settings import Settings
from storage.postgres.replica import ANSWERS, ReplicaStore
from storage.postgres.shared import SharedStore
from storage.postgres.store import PostgresStore
from storage.store import Change
from tests.chat_room import ChatRoom
from tests.faults.failover.cluster import free_port
from tests.stores import as_user, programs, served, url_of
from tests.test_program import started

pytestmark = pytest.mark.slow


@dataclass
class Pair:
    """Two servers; the second follows the first."""

    primary: Path
    standby: Path
    servers: ExitStack
    follower: "subprocess.Popen[bytes] | None" = None

    def follow(self) -> None:
        """Start the second one."""
        self.follower = self.servers.enter_context(served(self.standby, "fsync=off", "hot_standby=on"))

    async def told(self, folder: Path, sql: str) -> object:
        connection = await asyncpg.connect(url_of(folder))
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    async def caught_up(self) -> None:
        """Return when the second has all that the first has."""
        lsn = await self.told(self.primary, "SELECT pg_current_wal_flush_lsn()::text")
        while not await self.told(self.standby, f"SELECT pg_last_wal_replay_lsn() >= '{lsn}'"):
            await asyncio.sleep(0)


@pytest.fixture
def pair() -> Iterator[Pair]:
    if programs() is None:
        pytest.skip("no PostgreSQL on this machine")
    with ExitStack() as stack:
        folders = [Path(tempfile.mkdtemp(prefix="riposte-replica-")) for _ in range(2)]
        for folder in folders:
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
        made = Pair(*folders, stack)
        stack.enter_context(served(made.primary, "fsync=off", "wal_level=replica"))
        if how := as_user():
            shutil.chown(made.standby, how["user"])
        copy = [
            "-D",
            made.standby,
            "-h",
            made.primary,
            "-U",
            "riposte",
            "-R",
            "-X",
            "stream",
            "-c",
            "fast",
            "--no-sync",
        ]
        subprocess.run([programs() / "pg_basebackup", *copy], check=True, capture_output=True, **how)  # type: ignore[operator]
        (made.standby / ".s.PGSQL.5432.lock").unlink()  # the first one's
        made.standby.chmod(0o700)
        made.follow()
        yield made


@dataclass
class Club:
    """People who play, and strangers who read their match."""

    pair: Pair
    room: ChatRoom
    replica: ReplicaStore
    strangers: Strangers

    async def turns(self) -> int:
        """How many turns a stranger sees."""
        board = await self.strangers.board("1", Glance())
        assert board is not None
        return len(board.plies)

    def replica_at(self, database: str) -> ReplicaStore:
        """What the second server has of a database, as if it were ours."""
        store = self.room.store
        assert isinstance(store, PostgresStore)
        return store.replica(url_of(self.pair.standby, database))

    async def believed(self) -> None:
        """Return when the standby is read from."""
        async with asyncio.timeout(60):
            while self.strangers.behind() is None:
                await self.strangers.look()
                await asyncio.sleep(0.05)

    async def from_replica(self) -> bool:
        """Whether a stranger is served from the standby: the first is asked for nothing then."""
        at_hand = self.room.service.repository.at_hand
        at_hand.clear()
        await self.turns()
        return at_hand.get("1") is None


BOTH = pytest.mark.parametrize("club", [PostgresStore, SharedStore], indirect=True)


@pytest.fixture
async def club(pair: Pair, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Club]:
    where = url_of(pair.primary)
    kind = getattr(request, "param", SharedStore)
    store = await kind.open(where, tmp_path / "riposte.key", tmp_path / "riposte.erased", lasts=2)
    room = ChatRoom(store)
    await room.say("Anna", "challenge @ben tokonoma umpire=friendly side=white")
    await room.say("Ben", "accept 1")
    await room.say("Anna", "c7c5", thread="1")
    replica = store.replica(url_of(pair.standby))
    strangers = Strangers(room.service.repository, replica)
    room.listeners.append(strangers.committed)
    yield Club(pair, room, replica, strangers)
    await replica.close()
    await store.close()


@BOTH
async def test_strangers_read_from_the_replica(club: Club) -> None:
    assert not await club.from_replica()  # nobody has looked at it yet
    await club.believed()
    assert await club.from_replica()
    assert await club.turns() == 1
    assert (await club.strangers.board("9", Glance())) is None
    with pytest.raises(OSError, match="nothing can be written there"):
        await club.replica.put_off(1, 0)


@BOTH
async def test_what_was_just_said_here_is_read_where_it_was_written_until_the_replica_has_it(club: Club) -> None:
    await club.believed()
    await club.pair.told(club.pair.standby, "SELECT pg_wal_replay_pause()")
    await club.room.say("Ben", "c1c3", thread="1")
    assert await club.turns() == 2
    assert not await club.from_replica()
    await club.pair.told(club.pair.standby, "SELECT pg_wal_replay_resume()")
    await club.pair.caught_up()
    assert await club.from_replica()  # its sequence tells, before our lease does
    assert await club.turns() == 2


async def test_no_stranger_sees_less_than_a_moment_ago(club: Club) -> None:
    await club.believed()
    await club.pair.told(club.pair.standby, "SELECT pg_wal_replay_pause()")
    club.room.listeners.clear()  # another process writes, and nobody here is told of it
    await club.room.say("Ben", "c1c3", thread="1")
    assert await club.turns() == 1  # late, by less than may be
    club.strangers._reached = -1  # the replica did not answer somebody
    assert await club.turns() == 2
    await club.strangers.look()
    assert club.strangers.behind() is not None
    assert await club.turns() == 2


async def test_a_match_that_another_process_has_changed_is_read_where_it_was_written(club: Club) -> None:
    await club.believed()
    await club.pair.told(club.pair.standby, "SELECT pg_wal_replay_pause()")
    club.room.listeners.clear()
    await club.room.say("Ben", "c1c3", thread="1")
    club.strangers.committed(Change(match="1", summary=await club.room.store.summary("1")), ())  # as news tell it
    assert await club.turns() == 2
    await club.pair.told(club.pair.standby, "SELECT pg_wal_replay_resume()")
    async with asyncio.timeout(30):
        while not await club.from_replica():
            await club.strangers.look()
    assert await club.turns() == 2


async def test_a_replica_that_is_paused_is_not_believed_for_long_and_the_host_is_told(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LATE", 2.0)
    await club.believed()
    await club.pair.told(club.pair.standby, "SELECT pg_wal_replay_pause()")
    with structlog.testing.capture_logs() as told:
        async with asyncio.timeout(60):
            while club.strangers.behind() is not None:
                await club.strangers.look()
                await asyncio.sleep(0.1)
            for _ in range(5):
                await club.strangers.look()
            assert not await club.from_replica()
            assert [line["event"] for line in told] == ["readers of the page are not served from the replica"]
            await club.pair.told(club.pair.standby, "SELECT pg_wal_replay_resume()")
            await club.believed()
    assert [line["event"] for line in told][1:] == ["it works again"]
    assert await club.from_replica()


async def test_a_replica_that_is_killed_costs_no_reader_anything(club: Club) -> None:
    await club.believed()
    assert club.pair.follower is not None
    club.pair.follower.send_signal(signal.SIGQUIT)  # it ends at once, and all that it has begun
    club.pair.follower.wait(60)
    with structlog.testing.capture_logs() as told:
        assert await club.turns() == 1
        assert not await club.from_replica()
        await club.strangers.look()
    assert club.strangers.behind() is None
    assert {line["event"] for line in told} == {"readers of the page are not served from the replica"}
    assert len(told) <= 2
    club.pair.follow()
    await club.believed()
    assert await club.from_replica()


async def test_a_replica_that_hangs_keeps_a_reader_for_moments_alone(club: Club) -> None:
    await club.believed()
    sql = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    number = int(str(await club.pair.told(club.pair.standby, sql)))
    os.kill(number, signal.SIGSTOP)
    try:
        began = asyncio.get_running_loop().time()
        assert await club.turns() == 1
        assert club.strangers.behind() is None
        assert asyncio.get_running_loop().time() - began < 10 * ANSWERS
        assert await club.turns() == 1
    finally:
        os.kill(number, signal.SIGCONT)


async def test_one_that_was_promoted_is_not_believed_whatever_it_holds(club: Club) -> None:
    await club.believed()
    await club.pair.told(club.pair.standby, "SELECT pg_promote()")
    with structlog.testing.capture_logs() as told:
        await club.strangers.look()
    assert "follows no other one" in told[0]["error"]
    await club.room.say("Ben", "c1c3", thread="1")
    assert await club.turns() == 2
    assert not await club.from_replica()


async def test_the_primary_itself_is_no_replica(club: Club) -> None:
    itself = PostgresStore.replica(club.room.store, url_of(club.pair.primary))  # type: ignore[arg-type]
    with pytest.raises(OSError, match="follows no other one"):
        await itself.reached()
    await itself.close()


@BOTH
async def test_the_replica_of_another_riposte_is_not_believed(club: Club, tmp_path: Path) -> None:
    """Theirs has a lease of the same name and number, which is renewed as well."""
    await club.pair.told(club.pair.primary, "CREATE DATABASE theirs")
    kind = type(club.room.store)
    assert issubclass(kind, PostgresStore)
    where = url_of(club.pair.primary, "theirs")
    theirs = await kind.open(where, tmp_path / "theirs.key", tmp_path / "theirs.erased", lasts=2)
    replica = club.replica_at("theirs")
    try:
        await club.believed()
        await club.pair.caught_up()
        with pytest.raises(OSError, match="follows another database"):
            await replica.reached()
    finally:
        await replica.close()
        await theirs.close()


async def test_a_reader_whose_query_stands_in_the_way_is_served_all_the_same(club: Club) -> None:
    """PostgreSQL cancels on a standby what reads rows that are gone on the primary, and cuts whom a lock is in the way
    of ("Handling Query Conflicts")."""
    await club.believed()
    for sql in ("ALTER SYSTEM SET max_standby_streaming_delay = 0", "SELECT pg_reload_conf()"):
        await club.pair.told(club.pair.standby, sql)
    stop = asyncio.Event()

    async def in_the_way() -> None:
        while not stop.is_set():
            await club.pair.told(club.pair.primary, "UPDATE settings SET value = value")
            await club.pair.told(club.pair.primary, "VACUUM FULL settings")
            await club.pair.told(club.pair.primary, "VACUUM FULL matches")

    vacuuming = asyncio.create_task(in_the_way())
    for _ in range(60):
        assert await club.turns() == 1
        await club.strangers.look()
    stop.set()
    await vacuuming
    await club.believed()


async def test_somebody_who_is_erased_is_not_read_of_any_more(club: Club) -> None:
    await club.believed()
    board = await club.strangers.board("1", Glance())
    assert board is not None
    assert "Anna" in {who.name for who in board.players.values()}
    await club.pair.told(club.pair.standby, "SELECT pg_wal_replay_pause()")
    await club.room.say("Anna", "forget me")
    await club.room.say("Anna", CONFIRM)
    board = await club.strangers.board("1", Glance())
    assert board is not None
    assert "Anna" not in {who.name for who in board.players.values()}
    await club.strangers.look()
    assert club.strangers.behind() is None
    await club.pair.told(club.pair.standby, "SELECT pg_wal_replay_resume()")
    await club.believed()
    board = await club.strangers.board("1", Glance())
    assert board is not None
    assert "Anna" not in {who.name for who in board.players.values()}


# --- as hosts see it --------------------------------------------------------------------------------------
PASSWORD = "canary-7b1e"


def secret(url: str) -> str:
    return url.replace("riposte@", f"riposte:{PASSWORD}@")  # any password will do: the servers trust everybody


async def test_doctor_tells_how_far_the_replica_is_behind_and_what_is_wrong_with_it(club: Club, tmp_path: Path) -> None:
    here, there = club.pair.standby, club.pair.primary

    async def found(replica: str) -> Finding:
        settings = Settings(database=secret(url_of(there)), replica=secret(replica), data=tmp_path)
        (finding,) = [each async for each in doctor(settings)]
        assert PASSWORD not in str(finding)
        return finding

    await club.pair.caught_up()
    assert re.match(r"ok: the replica postgresql://riposte@/\S+ is \d seconds behind", str(await found(url_of(here))))
    assert "follows no other one" in str(await found(url_of(there)))
    assert "cannot be read" in str(await found("postgresql://riposte@127.0.0.1:9/riposte"))
    assert "cannot be read" in str(await found(url_of(here, "template1")))
    await club.pair.told(there, "CREATE DATABASE other")
    other = await PostgresStore.open(url_of(there, "other"), tmp_path / "other.key", tmp_path / "other.erased")
    await other.close()
    await club.pair.caught_up()
    assert "follows another database" in str(await found(url_of(here, "other")))
    await club.pair.told(here, "SELECT pg_wal_replay_pause()")
    lines = [await found(url_of(here))]
    async with asyncio.timeout(60):
        while lines[-1].state == "ok":
            await asyncio.sleep(1)
            lines.append(await found(url_of(here)))
    assert "look whether its copying is paused" in str(lines[-1])


async def test_the_program_serves_readers_from_the_replica(club: Club, tmp_path: Path) -> None:
    """And says nothing of the password."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    urls = {"database": secret(url_of(club.pair.primary)), "replica": secret(url_of(club.pair.standby))}
    metrics, page = str(free_port()), str(free_port())
    settings = {**urls, "data": str(data), "key_file": str(tmp_path / "riposte.key"), "port": page, "web": "yes"}
    await club.room.store.close()
    async with started(tmp_path, "http://127.0.0.1:9", "run", **settings, metrics=metrics) as running:
        await running.until(lambda: any(f"http://127.0.0.1:{page}/" in line for line in (*running.out, *running.log)))
        async with aiohttp.ClientSession() as session, asyncio.timeout(60):
            used = 'riposte_standby_age_seconds{where="replica"} '
            while True:
                async with session.get(f"http://127.0.0.1:{metrics}/metrics") as answer:
                    (line,) = [line for line in (await answer.text()).splitlines() if line.startswith(used)]
                if float(line.removeprefix(used)) < 10:
                    break
                await asyncio.sleep(0.2)
            sql = "SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'"
            before = int(str(await club.pair.told(club.pair.standby, sql)))
            for _ in range(100):
                async with session.get(f"http://127.0.0.1:{page}/match/1/board") as answer:
                    assert len((await answer.json())["plies"]) == 1
            while int(str(await club.pair.told(club.pair.standby, sql))) < before + 100:  # it counts with delay
                await asyncio.sleep(0.2)
        lines = "\n".join((*running.out, *running.log))
    assert PASSWORD not in lines
    assert "not served from the replica" not in lines
