"""The store keeps what it acknowledged, all or nothing, in order, and notices when somebody else meddled."""

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from storage.chain import GENESIS, link
from storage.checksum import SUMMED, checksum
from storage.plan import ask
from storage.sqlite.store import SqliteStore
from storage.store import Alarm, Arrival, Change, Conflict, OutboxMessage
from tests.stores import opened, scanned
from tests.turns import NOON, bodies, summary, turn

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
async def store(tmp_path: Path, each_database: str) -> AsyncIterator[SqliteStore]:
    store = await opened(tmp_path / "riposte.db")
    yield store
    await store.close()


# --- one change -------------------------------------------------------------------------------------------
async def test_a_change_is_there_whole_once_it_is_acknowledged(store: SqliteStore) -> None:
    await store.commit(turn("1", 0))
    (record,) = await store.load("1")
    assert (record.match, record.seq, record.at, record.body) == ("1", 1, NOON, '{"turn": 0}')
    ((stored,),) = await store._rows("SELECT body FROM events")
    assert record.digest == link(GENESIS, "1", 1, NOON, stored), "the chain is over what is stored: no key is needed"
    assert await store.known("heard 1 0")
    assert [o.message for o in await store.waiting(NOON)] == [OutboxMessage("letter 1 0", "web:hall", '{"text": "…"}')]
    assert await store.due(NOON + 5000) == [Alarm("1", "flag", NOON + 1000)]
    assert await store.summary("1") == summary("1")
    assert await store.setting("web:anna", "theme") == "dark 0"


async def test_what_was_never_written_is_empty(store: SqliteStore) -> None:
    assert await store.load("1") == []
    assert not await store.known("heard")
    assert await store.summary("1") is None
    assert await store.matches() == []
    assert await store.setting("web:anna", "theme") == ""
    assert await store.waiting(NOON) == []
    assert await store.next_waiting(NOON) is None
    assert await store.due(NOON) == []
    assert await store.next_alarm() is None


async def test_events_of_one_change_are_numbered_in_order_and_chained(store: SqliteStore) -> None:
    await store.commit(Change(match="1", events=((1, "a"), (2, "b"))))
    await store.commit(Change(match="1", expected=2, events=((3, "c"),)))
    records = await store.load("1")
    assert [(r.seq, r.at, r.body) for r in records] == [(1, 1, "a"), (2, 2, "b"), (3, 3, "c")]
    stored = [body for (body,) in await store._rows("SELECT body FROM events ORDER BY seq")]
    assert records[2].digest == link(records[1].digest, "1", 3, 3, stored[2])


async def test_letters_alone_need_no_match(store: SqliteStore) -> None:
    await store.commit(Change(heard="h", messages=(OutboxMessage("k", "web:hall", "{}"),)))
    assert [o.message.key for o in await store.waiting(NOON)] == ["k"]
    assert await store.known("h")


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(turn("1", 0, heard="another"), id="somebody was faster"),
        pytest.param(turn("1", 2), id="events are missing"),
        pytest.param(turn("1", 1, heard="heard 1 0"), id="heard before"),
        pytest.param(
            Change(match="2", events=((1, "x"),), messages=(OutboxMessage("letter 1 0", "l", ""),)), id="same letter"
        ),
        pytest.param(Change(match="2", expected=1, alarms=()), id="no such match"),
    ],
)
async def test_after_a_conflict_nothing_of_the_change_was_written(store: SqliteStore, second: Change) -> None:
    await store.commit(turn("1", 0))
    with pytest.raises(Conflict):
        await store.commit(second)
    assert await bodies(store, "1") == ['{"turn": 0}']
    assert await store.load("2") == []
    assert [o.message.key for o in await store.waiting(NOON)] == ["letter 1 0"]
    assert not await store.known("another")
    assert await store.next_alarm() == NOON + 1000
    assert await store.setting("web:anna", "theme") == "dark 0"
    await store.commit(turn("1", 1))


async def test_a_conflict_does_not_touch_the_changes_written_with_it(store: SqliteStore) -> None:
    changes = [turn("1", 0), turn("1", 0, heard="late"), turn("2", 0), turn("2", 1), turn("3", 0)]
    answers = await asyncio.gather(*map(store.commit, changes), return_exceptions=True)
    assert [type(answer) for answer in answers] == [list, Conflict, list, list, list]
    assert [len(await store.load(match)) for match in "123"] == [1, 2, 1]


@pytest.mark.sqlite
async def test_many_waiting_changes_share_one_transaction(tmp_path: Path) -> None:
    seen: list[str] = []
    store = await opened(tmp_path / "riposte.db", watch=seen.append)
    seen.clear()
    await asyncio.gather(*(store.commit(turn(str(match), 0)) for match in range(1, 51)))
    assert seen.count("COMMITTED") <= 2
    await store.close()


async def test_every_change_is_written_exactly_once_however_many_try_at_once(store: SqliteStore) -> None:
    async def player(name: str) -> None:
        for round_ in range(10):
            while True:
                expected = len(await store.load("1"))
                try:
                    await store.commit(Change(f"{name} {round_}", "1", expected, ((expected, f"{name} {round_}"),)))
                except Conflict:
                    continue
                break

    await asyncio.gather(*(player(name) for name in "abcde"))
    assert sorted(await bodies(store, "1")) == sorted(f"{name} {n}" for name in "abcde" for n in range(10))


async def test_a_storm_of_cancellations_tears_nothing_and_stops_nobody(store: SqliteStore) -> None:
    chance = random.Random(7)
    tasks = []
    for match in range(1, 201):
        tasks.append(asyncio.create_task(store.commit(turn(str(match), 0))))
        for _ in range(chance.randrange(3)):
            await asyncio.sleep(0)
        chance.choice(tasks).cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    await store.commit(turn("999", 0))
    letters = {o.message.key for o in await store.waiting(NOON, 1000)}
    for match, answer in enumerate(answers, 1):
        written = await store.known(f"heard {match} 0")
        assert written or isinstance(answer, asyncio.CancelledError)
        assert await bodies(store, str(match)) == ['{"turn": 0}'] * written
        assert (await store.summary(str(match)) is not None) == written
    assert letters  # one lane, so its first letter only


async def test_what_is_queued_is_written_before_the_store_closes(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    tasks = [asyncio.create_task(store.commit(turn(str(match), 0))) for match in range(1, 31)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*tasks)
    with pytest.raises(RuntimeError, match="closed"):
        await store.commit(turn("99", 0))
    store = await opened(tmp_path / "riposte.db")
    assert len(await store.matches()) == 30
    await store.close()


async def test_readers_see_whole_changes_only(store: SqliteStore) -> None:
    await store.commit(turn("1", 0))

    async def watch() -> None:
        while (seen := await store.load("1"))[-1].seq < 60:
            assert len(seen) == seen[-1].seq
            assert len(seen) % 2  # two events a change, after the first

    async def play() -> None:
        for n in range(1, 61, 2):
            await store.commit(Change(match="1", expected=n, events=((n, "a"), (n, "b"))))

    await asyncio.gather(watch(), play())


@pytest.mark.parametrize("name", ["07", "٧", "-7", "7.0", "9" * 40, "seven", "", "7 "])
async def test_a_match_goes_by_its_name_alone(store: SqliteStore, name: str) -> None:
    await store.commit(turn("7", 0))
    assert await store.load(name) == []
    assert await store.summary(name) is None
    if name:
        await store.commit(turn(name, 0))
        assert len(await store.load(name)) == 1
    assert len(await store.load("7")) == 1


# --- matches ----------------------------------------------------------------------------------------------
async def test_two_who_ask_for_a_match_number_at_once_get_two(store: SqliteStore) -> None:
    assert sorted(await asyncio.gather(store.next_match(), store.next_match())) == ["1", "2"]  # in either order
    await store.commit(turn("4", 0))
    given = [await store.next_match() for _ in range(4)]
    assert len(set(given)) == 4
    assert not {"1", "2", "4"} & set(given)


async def test_matches_are_found_by_player_place_and_status_latest_first(store: SqliteStore) -> None:
    sheets = [
        summary("1", updated=1),
        summary("2", updated=3, status="over"),
        summary("3", updated=2, players=("web:anna", "web:cleo"), places=("web:hall", "matrix:!x")),
    ]
    for sheet in sheets:
        await store.commit(Change(match=sheet.match, events=((1, "x"),), summary=sheet))
    assert [s.match for s in await store.matches()] == ["2", "3", "1"]
    assert [s.match for s in await store.matches(player="web:anna")] == ["2", "3", "1"]
    assert [s.match for s in await store.matches(player="web:bert", status="playing")] == ["1"]
    assert [s.match for s in await store.matches(place="matrix:!x")] == ["3"]
    assert [s.match for s in await store.matches(place="web:hall", player="web:cleo")] == ["3"]
    assert [s.match for s in await store.matches(status="over")] == ["2"]
    await store.commit(Change(match="1", expected=1, summary=summary("1", players=("web:dora",), places=())))
    assert await store.matches(player="web:bert", status="playing") == []
    assert [s.match for s in await store.matches(player="web:dora")] == ["1"]


async def test_an_empty_value_forgets_a_setting(store: SqliteStore) -> None:
    await store.commit(Change(settings=(("web:anna", "theme", "dark"), ("web:bert", "theme", "light"))))
    await store.commit(Change(settings=(("web:anna", "theme", ""),)))
    assert await store.setting("web:anna", "theme") == ""
    assert await store.setting("web:bert", "theme") == "light"


# --- letters and alarms -----------------------------------------------------------------------------------
async def test_only_the_first_letter_of_a_lane_waits_at_the_door(store: SqliteStore) -> None:
    lanes = ["a", "b", "a", "c", "b"]
    await store.commit(Change(messages=tuple(OutboxMessage(f"k{n}", lane, "") for n, lane in enumerate(lanes))))
    first = await store.waiting(NOON)
    assert [o.message.key for o in first] == ["k0", "k1", "k3"]
    assert [o.message.key for o in await store.waiting(NOON, 2)] == ["k0", "k1"]
    await store.delivered(first[0].number, "remote", NOON)
    await store.undeliverable(first[1].number, "the room is gone", NOON)
    assert [o.message.key for o in await store.waiting(NOON)] == ["k2", "k3", "k4"]


async def test_so_many_letters_wait_at_the_door_of_each_platform(store: SqliteStore) -> None:
    lanes = [*(f"matrix/{n}" for n in range(5)), "web/hall", "discord/1", "discord/2", "api/anna", "old/a", "old/b"]
    await store.commit(Change(messages=tuple(OutboxMessage(lane, lane, "") for lane in lanes)))
    found = [one.message.key for one in await store.waiting(NOON, 1, ("discord", "matrix", "web"))]
    assert found == ["matrix/0", "web/hall", "discord/1", "api/anna"]


async def test_a_letter_put_off_holds_its_lane_until_it_is_due(store: SqliteStore) -> None:
    await store.commit(
        Change(messages=(OutboxMessage("k0", "a", ""), OutboxMessage("k1", "a", ""), OutboxMessage("k2", "b", "")))
    )
    (first, _) = await store.waiting(NOON)
    await store.put_off(first.number, NOON + 5)
    assert [o.message.key for o in await store.waiting(NOON + 4)] == ["k2"]
    assert await store.next_waiting(NOON) == NOON + 5
    again, _ = await store.waiting(NOON + 5)
    assert (again.message.key, again.attempts) == ("k0", 1)
    assert await store.next_waiting(NOON + 5) is None


async def test_a_letter_that_has_arrived_stays_arrived(store: SqliteStore) -> None:
    await store.commit(Change(messages=(OutboxMessage("k0", "a", ""),)))
    ((number, *_),) = [(o.number,) for o in await store.waiting(NOON)]
    await store.delivered(number, "remote", NOON)
    await store.put_off(number, NOON + 5)
    assert await store.waiting(NOON + 10) == []


@pytest.mark.parametrize("before", ["first try", "put off", "moved"])
async def test_a_letter_that_has_arrived_is_recorded_alike_whether_it_is_read_first_or_not(
    store: SqliteStore, before: str
) -> None:
    letters = (OutboxMessage("k0", "a", ""), OutboxMessage("k1", "b", ""))
    first, second = await store.commit(Change(messages=letters))
    for outgoing in (first, second):
        if before == "put off":
            await store.put_off(outgoing.number, NOON, tried=False)
        if before == "moved":
            await store._write(partial(ask, "UPDATE letters SET lane = lane || '2' WHERE number = ?1", outgoing.number))
    await store.delivered(first.number, "remote", NOON, untried=first.message)
    await store.delivered(first.number, "another", NOON + 1, untried=first.message)
    await store.delivered(second.number, "remote", NOON)
    columns = ", ".join(SUMMED["letters"])
    rows = await store._rows(f"SELECT {columns}, sum FROM letters ORDER BY number")
    assert [row[2:-1] for row in rows] == [(0, NOON if before == "put off" else 0, NOON, "remote", None, 0)] * 2
    assert [row[-1] for row in rows] == [checksum(*row[:-1]) for row in rows]


async def test_alarms_are_replaced_with_the_change_that_says_so(store: SqliteStore) -> None:
    await store.commit(Change(match="1", events=((1, "x"),), alarms=(Alarm("1", "nudge", 50), Alarm("1", "flag", 90))))
    await store.commit(Change(match="2", events=((1, "x"),), alarms=(Alarm("2", "flag", 70),)))
    assert await store.next_alarm() == 50
    assert await store.due(69) == [Alarm("1", "nudge", 50)]
    assert await store.due(99, 2) == [Alarm("1", "nudge", 50), Alarm("2", "flag", 70)]
    await store.commit(Change(match="1", expected=1, events=((2, "y"),)))
    assert await store.next_alarm() == 50
    await store.commit(Change(match="1", expected=2, alarms=(Alarm("1", "flag", 95),)))
    assert await store.next_alarm() == 70
    await store.commit(Change(match="1", expected=2, alarms=()))
    assert await store.due(99) == [Alarm("2", "flag", 70)]


# --- arrivals ---------------------------------------------------------------------------------------------
async def test_what_a_platform_will_not_repeat_is_kept_with_its_cursor_until_it_is_dealt_with(
    store: SqliteStore,
) -> None:
    told = (Arrival("matrix:$2", "b"), Arrival("matrix:$1", "a"), Arrival("discord:9", "c"))
    await store.commit(Change(arrivals=told, settings=(("matrix", "cursor", "s7"),)))
    await store.commit(Change(arrivals=told[:1]))
    assert await store.arrived("matrix") == list(told[:2])
    await store.commit(Change(heard="matrix:$2"))
    assert await store.arrived("matrix") == [told[1]]
    await store.commit(Change(arrivals=told[:1], dismissed=("matrix:$1",)))
    assert await store.arrived("matrix") == [], "what was dealt with once is not kept again"
    assert await store.arrived("discord") == [told[2]]


async def test_a_letter_is_found_by_the_id_that_its_platform_gave_it(store: SqliteStore) -> None:
    await store.commit(turn("1", 0))
    await store.commit(turn("2", 0))
    for outgoing in await store.waiting(NOON):
        await store.delivered(outgoing.number, f"${outgoing.message.key}", NOON)
    assert [letter.key for letter in await store.sent("$letter 1 0")] == ["letter 1 0"]
    assert await store.sent("$nothing") == []


# --- how it is done ---------------------------------------------------------------------------------------
async def test_no_turn_is_slower_because_there_are_many_others(store: SqliteStore) -> None:
    await store.commit(turn("1", 0))
    async with scanned(store) as found:
        await store.commit(turn("1", 1))
        await store.commit(turn("2", 0))
        gone = summary("2", players=("web:cleo",), places=("web:den",))
        await store.commit(Change(match="2", expected=1, summary=gone))
        for outgoing in await store.waiting(NOON):
            await store.put_off(outgoing.number, NOON + 1)
            await store.delivered(outgoing.number, "remote", NOON)
        await store.next_waiting(NOON)
        await store.sent("remote")
        await store.commit(Change(arrivals=(Arrival("matrix:$1", "a"),), dismissed=("matrix:$0",)))
        await store.arrived("matrix")
        await store.next_match()
        await store.load("1")
        await store.summary("1")
        await store.matches(player="web:anna")
        await store.matches(place="web:hall")
        await store.matches(status="playing")
        await store.known("x")
        await store.due(NOON)
        await store.next_alarm(NOON)
        await store.setting("web:anna", "theme")
        await store.settings("web:anna")
    assert found == []


@pytest.mark.sqlite
async def test_a_turn_takes_as_many_steps_however_much_was_said_before(store: SqliteStore) -> None:
    async def steps(length: int) -> int:
        """How many instructions SQLite carries out for a turn whose letter arrives."""
        counted = [0]

        def count() -> int:
            counted[0] += 1
            return 0

        await store._writer.run(lambda db: db.set_progress_handler(count, 1))
        (letter,) = await store.commit(turn("1", length))
        await store.delivered(letter.number, "remote", NOON)
        await store._writer.run(lambda db: db.set_progress_handler(None, 1))
        return counted[0]

    await steps(0)
    first = await steps(1)
    letters = await asyncio.gather(*(store.commit(turn(str(other), 0)) for other in range(2, 302)))
    await asyncio.gather(*(store.delivered(letter.number, "remote", NOON) for (letter,) in letters))
    assert await steps(2) <= first * 1.1


@pytest.mark.sqlite
async def test_every_table_is_strict_and_the_log_is_written_through(store: SqliteStore) -> None:
    def ask(db: sqlite3.Connection) -> tuple[set[str], list[object]]:
        tables = {name for name, strict in db.execute("SELECT name, strict FROM pragma_table_list") if not strict}
        pragmas = ("journal_mode", "synchronous", "foreign_keys", "mmap_size", "wal_autocheckpoint")
        return tables, [db.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas]

    loose, pragmas = await store._writer.run(ask)
    assert not {name for name in loose if not name.startswith("sqlite_")} - {"heads", "summaries"}
    assert pragmas == ["wal", 2, 1, 0, 0]
