"""Whenever the bot is killed: no turn that was acknowledged is lost, no post shows twice, nothing is half written."""

import random
from pathlib import Path

import pytest

from storage.sqlite.store import SqliteStore
from storage.store import Alarm, Change, OutboxMessage
from tests.faults.kills import swept

SHARDS = 2
EVERYWHERE = {
    "CREATE TABLE matches",
    "BEGIN IMMEDIATE",
    "SAVEPOINT change",
    "INSERT INTO heard",
    "INSERT INTO matches",
    "INSERT INTO events",
    "UPDATE matches SET",
    "DELETE FROM alarms",
    "INSERT INTO alarms",
    "INSERT INTO letters",
    "INSERT INTO settings",
    "RELEASE change",
    "COMMIT",
    "COMMITTED",
    "BEFORE DELIVERY",
    "AFTER DELIVERY",
    "UPDATE letters SET",
    "VACUUM INTO",
    "ALTER TABLE settings",
    "OPEN .db",
    "RENAME .part",
}
"""Some of the points at which it must have died; the sweep itself finds them by counting."""


@pytest.mark.slow
def test_a_bot_killed_at_any_write_point_of_a_match_goes_on_as_if_nothing_had_happened() -> None:
    found = swept(0, processes=SHARDS)
    assert (found.lost, found.twice, found.torn) == ([], [], [])
    assert found.kills >= 2_000
    assert found.survived < found.kills / 4
    assert set(found.points) >= EVERYWHERE


async def test_a_power_cut_anywhere_in_the_log_leaves_whole_changes_only(tmp_path: Path) -> None:
    path, copy = tmp_path / "riposte.db", tmp_path / "copy.db"
    store = await SqliteStore.open(path)
    log = tmp_path / "riposte.db-wal"
    ends = [log.stat().st_size]
    for n in range(8):
        await store.commit(
            Change(
                heard=f"heard {n}",
                match="1",
                expected=2 * n,
                events=((n, f"first of {n} " + "x" * 1500), (n, f"second of {n}")),
                messages=(OutboxMessage(f"letter {n}", "lane", "y" * 3000),),
                alarms=(Alarm("1", f"alarm {n}", n),),
                settings=(("riposte", "last", str(n)),),
            )
        )
        ends.append(log.stat().st_size)
    base, tail = path.read_bytes(), log.read_bytes()
    await store.close()
    chance = random.Random(3)
    cuts = [*ends, *range(ends[0], ends[-1], 4120), *(chance.randrange(ends[0], ends[-1]) for _ in range(30))]
    for cut in cuts:
        copy.write_bytes(base)
        garbage = chance.choice([b"", bytes(8192), chance.randbytes(5000)])
        Path(f"{copy}-wal").write_bytes(tail[:cut] + garbage)
        store = await SqliteStore.open(copy, tmp_path / "riposte.key")
        whole = len(await store.load("1")) // 2
        assert whole >= sum(end <= cut for end in ends) - 1
        assert len(await store.load("1")) == 2 * whole
        assert [await store.known(f"heard {n}") for n in range(8)] == [n < whole for n in range(8)]
        assert [alarm.kind for alarm in await store.due(99)] == [f"alarm {n}" for n in range(whole)][-1:]
        assert await store.setting("riposte", "last") == (str(whole - 1) if whole else "")
        rows = await store._rows("SELECT count(*) FROM letters")
        assert rows == [(whole,)]
        await store.close()
        Path(f"{copy}-wal").unlink(missing_ok=True)
