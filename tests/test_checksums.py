"""A changed value in any table is noticed, and nobody is told what stands there."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from storage import open_store
from storage.lists import LATEST
from storage.sqlite.store import SqliteStore
from storage.store import Change
from tests.turns import NOON, filled, summary

PLACE = "web:club"


async def test_what_is_damaged_is_told_to_the_host_and_to_nobody_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "riposte.db"
    await filled(path, matches=2, turns=1)
    store = await SqliteStore.open(path)
    await store.commit(Change(settings=(("web:anna", "name", "Anna"), ("riposte", "alive", "123"))))
    await store.close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE matches SET to_act = replace(to_act, 'anna', 'inna') WHERE number = 1")
        db.execute("UPDATE settings SET value = '723' WHERE key = 'alive'")
        db.commit()
    store = await SqliteStore.open(path)
    assert [each.match for each in await store.matches(place="web:hall")] == ["2"]
    assert caplog.messages == ["the row of 1 is not as it was written: restore the database from a backup"]
    with pytest.raises(OSError, match="The database is damaged here"):
        await store.setting("riposte", "alive")
    assert await store.setting("web:anna", "name") == "Anna"
    await store.close()


async def test_a_closed_place_is_known_after_a_restart(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "riposte.db")
    await store.commit(Change(settings=(("discord/1/", "closed", "17 locked"),)))
    assert await store.owners("closed") == [("discord/1/", "17 locked")]
    await store.close()


@pytest.mark.parametrize("table", ["seats", "homes"])
async def test_no_list_is_sorted_however_many_matches_there_are(tmp_path: Path, table: str) -> None:
    store = await SqliteStore.open(tmp_path / "riposte.db")

    def plan(db: sqlite3.Connection) -> list[str]:
        return [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {LATEST[table]}", ("x", "over", 10))]

    steps = await store._reader.run(plan)
    assert steps[0].startswith(f"SEARCH {table} USING PRIMARY KEY"), steps
    assert not [step for step in steps if "TEMP B-TREE" in step or step.startswith("SCAN")], steps
    await store.close()


async def test_a_turn_writes_no_column_of_an_index_anew_that_stays_as_it_was(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "riposte.db")
    await store.commit(Change(match="1", summary=summary("1")))
    seen: list[str] = []
    await store._writer.run(lambda db: db.set_trace_callback(seen.append))
    await store.commit(Change(match="1", summary=summary("1", updated=NOON + 1)))
    await store.commit(Change(match="1", summary=summary("1", status="over", updated=NOON + 1)))
    same, other = [sql for sql in seen if sql.startswith("UPDATE matches")]
    assert "updated =" in same
    assert "status =" not in same
    assert "status = 'over'" in other
    assert await store.summary("1") == summary("1", status="over", updated=NOON + 1)
    await store.close()


async def test_the_latest_matches_of_a_place_come_first_whatever_their_status(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "riposte.db")
    states = ("open", "running", "over")
    for number in range(1, 31):
        stands = summary(str(number), places=(PLACE,), status=states[number % 3], updated=NOON + number * 7 % 31)
        await store.commit(Change(match=str(number), summary=stands))
    again = summary("9", places=(PLACE,), status="over", updated=NOON + 99)
    await store.commit(Change(match="9", summary=again))
    told = sorted(range(1, 31), key=lambda n: NOON + 99 if n == 9 else NOON + n * 7 % 31, reverse=True)
    assert [int(each.match) for each in await store.matches(place=PLACE, limit=12)] == told[:12]
    over = [n for n in told if n == 9 or states[n % 3] == "over"]
    assert [int(each.match) for each in await store.matches(place=PLACE, status="over")] == over
    await store.close()
