"""Whoever is killed, bot or server: no turn that was acknowledged is lost, none is there twice."""

import asyncio
import errno
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest

from storage.postgres.store import PostgresStore
from storage.store import Conflict
from tests.postgres.writer import MATCHES
from tests.stores import Server, served, url_of
from tests.turns import NOON, turn

KILLS = 12
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
async def url(postgres: Server, tmp_path: Path) -> str:
    postgres.forget()
    return await postgres.database(tmp_path / "riposte.db")


def writer(url: str, folder: Path, lasts: float = 10) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.postgres.writer", url, str(folder), str(lasts)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )


def lines(process: "subprocess.Popen[str]") -> Iterator[str]:
    assert process.stdout is not None
    for line in process.stdout:
        yield line.strip()


async def examined(store: PostgresStore, acknowledged: set[tuple[str, int]]) -> int:
    """Every turn is there once, all that was acknowledged among them. Returns how many there are."""
    letters = Counter(key for (key,) in await store._rows("SELECT key FROM letters"))
    heard = {id_ for (id_,) in await store._rows("SELECT id FROM heard")}
    stored = 0
    for match in map(str, range(1, MATCHES + 1)):
        bodies = [record.body for record in await store.load(match)]
        assert bodies == [f'{{"turn": {count}}}' for count in range(len(bodies))]
        assert {count for one, count in acknowledged if one == match} <= set(range(len(bodies)))
        assert all(letters.pop(f"letter {match} {count}") == 1 for count in range(len(bodies)))
        assert {f"heard {match} {count}" for count in range(len(bodies))} <= heard
        stored += len(bodies)
    assert not letters, "no letter of a turn that is not there"
    return stored


@pytest.mark.slow
async def test_a_bot_killed_in_the_midst_of_commits_has_lost_nothing_and_the_next_one_takes_over_at_once(
    url: str, tmp_path: Path
) -> None:
    chance = random.Random(1)
    acknowledged: set[tuple[str, int]] = set()
    for _ in range(KILLS):
        with writer(url, tmp_path) as process:
            said = lines(process)
            assert next(said) == "open", "the lease of one that was killed on this machine is free at once"
            for _ in range(chance.randint(1, 40)):
                match, count = next(said).split()
                acknowledged.add((match, int(count)))
            process.kill()
            acknowledged |= {(match, int(count)) for match, count in (line.split() for line in said)}
    store = await PostgresStore.open(url, tmp_path / "riposte.key", tmp_path / "riposte.erased")
    assert await examined(store, acknowledged) >= len(acknowledged) > KILLS
    await store.close()


async def test_a_bot_that_was_paused_while_another_took_over_writes_nothing_more(url: str, tmp_path: Path) -> None:
    with writer(url, tmp_path, lasts=1) as process:
        said = lines(process)
        assert next(said) == "open"
        acknowledged = {tuple(next(said).split()) for _ in range(20)}
        process.send_signal(signal.SIGSTOP)
        store = await PostgresStore.open(url, tmp_path / "riposte.key", tmp_path / "riposte.erased", lasts=1)
        before = await examined(store, set())
        process.send_signal(signal.SIGCONT)
        *more, last = said
    assert last == f"refused {errno.ESTALE}"
    assert process.returncode == 0
    acknowledged |= {tuple(line.split()) for line in more}
    assert await examined(store, {(match, int(count)) for match, count in acknowledged}) == before
    await store.commit(turn("9", 0))
    await store.close()


@pytest.mark.slow
async def test_a_server_that_is_killed_in_the_midst_of_commits_has_lost_nothing(tmp_path: Path) -> None:
    folder = Path(tempfile.mkdtemp(prefix="riposte-killed-"))
    chance = random.Random(2)
    acknowledged: set[tuple[str, int]] = set()
    stop = asyncio.Event()
    try:
        with served(folder, "fsync=on", "restart_after_crash=on"):
            store = await PostgresStore.open(url_of(folder), tmp_path / "riposte.key", tmp_path / "riposte.erased")

            async def play(match: str) -> None:
                count = 0
                while not stop.is_set():
                    change = turn(match, count, ordering_key=f"web:{match}")
                    try:
                        await store.commit(change)
                    except OSError:
                        await asyncio.sleep(0.1)
                        if not await _known(store, change.heard):
                            continue
                    except Conflict:
                        assert await _known(store, change.heard)
                    acknowledged.add((match, count))
                    count += 1

            async def kill() -> None:
                for _ in range(4):
                    enough = len(acknowledged) + chance.randint(20, 60)
                    while len(acknowledged) < enough:
                        await asyncio.sleep(0.01)
                    with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                        rows = await store._rows("SELECT pid FROM pg_stat_activity WHERE state <> 'idle'")
                        os.kill(chance.choice(rows)[0], signal.SIGKILL)
                stop.set()

            await asyncio.gather(kill(), *(play(str(match)) for match in range(1, MATCHES + 1)))
            assert await examined(store, acknowledged) == len(acknowledged)
            waiting = await store.waiting(NOON)
            assert len(waiting) == MATCHES
            await store.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _known(store: PostgresStore, heard: str) -> bool:
    while True:
        with suppress(OSError):
            return await store.known(heard)
        await asyncio.sleep(0.1)


async def test_a_change_that_a_crash_took_is_not_taken_for_another_that_got_its_number(tmp_path: Path) -> None:
    """After a crash PostgreSQL numbers transactions from the last one on of which its log tells."""
    folder = Path(tempfile.mkdtemp(prefix="riposte-crashed-"))
    crashed = asyncio.Event()

    def crash(statement: str) -> None:
        if statement == "COMMIT" and not crashed.is_set():
            (serving,) = (
                int(path.parent.name)
                for path in Path("/proc").glob("[0-9]*/cmdline")
                if re.match(rb"postgres: riposte postgres .* idle in transaction", _read(path))
                and re.search(rb"\) \w (\d+) ", _read(path.with_name("stat")))[1] == b"%d" % server.pid
            )
            os.kill(serving, signal.SIGKILL)
            crashed.set()

    async def others() -> None:
        await crashed.wait()
        for _ in range(50):
            while not await _numbered(url_of(folder)):
                await asyncio.sleep(0.05)

    try:
        with served(folder, "restart_after_crash=on", "wal_writer_delay=10s", "autovacuum=off") as server:
            key, erased = tmp_path / "riposte.key", tmp_path / "riposte.erased"
            store = await PostgresStore.open(url_of(folder), key, erased, watch=crash)
            await asyncio.gather(store.commit(turn("1", 0)), others())
            assert [record.body for record in await store.load("1")] == ['{"turn": 0}']
            assert await store.known("heard 1 0")
            await store.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _numbered(url: str) -> bool:
    """Have a transaction that changes nothing take a number; returns whether the server was there for it."""
    with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        connection = await asyncpg.connect(url, timeout=5)
        await connection.execute("SELECT pg_current_xact_id()")
        await connection.close()
        return True
    return False


def _read(path: Path) -> bytes:
    with suppress(OSError):
        return path.read_bytes()
    return b""
