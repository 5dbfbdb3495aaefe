"""What lies in a bucket is sealed, whole at every moment, and enough to go on from."""

import asyncio
import shutil
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import msgspec
import pytest
from typer.testing import CliRunner

from bot.bucket import keeping
from bot.bucket.blocks import BLOCK, Piece, parts, put_in_place
from bot.bucket.keeping import KEEP, BucketStandby, age
from bot.bucket.restoring import restore
from bot.bucket.rounds import begun, generations, new_generation, read
from bot.program import app
from bot.standby import EVERY, LATE
from storage.seal import make_key
from storage.sqlite.inspect import inspect
from tests.bucket.conftest import Store
from tests.bucket.machine import NOON, Machine
from tests.faults.bot import DATABASE, KEY
from tests.faults.drill import lives_on


# --- going on from it -------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(2))
async def test_what_was_played_goes_on_from_the_bucket_and_nothing_is_seen_twice(
    store: Store, tmp_path: Path, seed: int
) -> None:
    machine = Machine(store, tmp_path, seed)
    evening = machine.evening
    await evening.start()
    for _ in range(3):
        await evening.play(4)
        machine.now += 20
        await machine.standby.copy()
    await lives_on(evening, machine.lose)
    assert (machine.data / "matrix/session.json").read_text() == "the login on Matrix"


async def test_a_round_sends_little_and_what_comes_of_all_of_them_is_whole(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.evening.play(10)
    await machine.standby.copy()
    whole = sum(map(len, (await store.objects()).values()))
    for _ in range(3):
        playing = asyncio.create_task(machine.evening.play(3))
        await machine.standby.copy()
        await playing
    machine.now += 60
    await machine.standby.copy()
    assert sum(map(len, (await store.objects()).values())) < 4 * whole
    (generation,) = await generations(keeping.opened(machine.settings))
    counted = await read(keeping.opened(machine.settings), generation)
    assert counted is not None
    assert counted.at == NOON + 60
    await machine.evening.rest()
    await machine.evening.stop()
    await machine.standby.copy()
    there = store.settings(tmp_path / "there")
    made = await restore(there)
    assert made.found is not None
    assert (made.found.damaged, made.found.rows) == ((), ())
    assert made.found == inspect(machine.data / DATABASE)
    for path in (tmp_path / "there").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0 or path == tmp_path / "there"


async def test_nobody_who_sees_the_bucket_reads_anything_in_it(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.evening.play(4)
    await machine.standby.copy()
    await machine.evening.stop()
    found = await store.objects()
    assert all(name.startswith("club/20") for name in found)
    for data in found.values():
        for word in (b"SQLite", b"tokonoma", b"web:", b"Matrix", b"riposte", KEY.read_bytes().strip()):
            assert word not in data


async def test_with_another_key_nothing_opens_and_the_host_is_told(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.standby.copy()
    await machine.evening.stop()
    other = tmp_path / "other.key"
    make_key(other)
    with pytest.raises(OSError, match=r"does not open under this key: .* Put the right data\.key in its place"):
        await restore(store.settings(tmp_path / "there", key_file=other))
    assert not (tmp_path / "there/data").exists()
    with pytest.raises(OSError, match=r"There is no key .* put your copy of the key there"):
        await restore(store.settings(tmp_path / "there", key_file=tmp_path / "none.key"))


async def test_an_object_that_was_exchanged_for_another_does_not_open(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.standby.copy()
    await machine.evening.play(3)
    await machine.standby.copy()
    await machine.evening.stop()
    there = keeping.opened(machine.settings)
    (generation,) = await generations(there)
    counted = await read(there, generation)
    assert counted is not None
    names = [f"club/{generation}/{one.name}/000000" for one in counted.rounds[:2]]
    found = await store.objects()
    async with (
        store.session() as session,
        session.put(f"{store.moto}/{store.bucket}/{names[1]}", data=found[names[0]]),
    ):
        pass
    with pytest.raises(OSError, match="does not open"):
        await restore(store.settings(tmp_path / "there"))


async def test_an_earlier_state_can_be_had(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.evening.play(4)
    await machine.evening.rest()
    await machine.standby.copy()
    events = inspect(machine.data / DATABASE).events
    await machine.evening.play(6)
    await machine.evening.rest()
    machine.now += 100
    await machine.standby.copy()
    await machine.evening.stop()
    made = await restore(store.settings(tmp_path / "there"), NOON + 50)
    assert made.found is not None
    assert (made.at, made.found.events) == (NOON + 50, events)
    with pytest.raises(OSError, match="holds no copy from before that"):
        await restore(store.settings(tmp_path / "elsewhere"), NOON - 1)


async def test_nothing_is_overwritten_by_what_comes_back(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.standby.copy()
    with pytest.raises(OSError, match=r"is not empty, and nothing is overwritten\. Stop Riposte and move away"):
        await restore(machine.settings)
    await machine.evening.stop()


async def test_an_empty_riposte_hides_no_copy(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.evening.play(6)
    await machine.evening.rest()
    await machine.standby.copy()
    await machine.evening.stop()
    kept = await store.objects()
    shutil.rmtree(machine.data)
    machine.data.mkdir()
    await machine.evening.start()
    with pytest.raises(OSError, match=r"holds more than the database .* Restore it"):
        await BucketStandby(machine.settings, lambda: machine.now).copy()
    await machine.evening.stop()
    assert await store.objects() == kept


async def test_a_file_that_is_gone_does_not_come_back(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.standby.copy()
    (machine.data / "matrix/session.json").rename(machine.data / "matrix/login.json")
    await machine.standby.copy()
    await machine.evening.stop()
    await restore(store.settings(tmp_path / "there"))
    assert [path.name for path in (tmp_path / "there/data/matrix").iterdir()] == ["login.json"]


def test_a_file_is_put_together_from_its_blocks_however_it_changed(tmp_path: Path) -> None:
    chance, source, known = Random(5), tmp_path / "a", {}
    (tmp_path / "to").mkdir()
    content = b""
    for _ in range(30):
        at, size = chance.randrange(len(content) + 1), chance.choice([0, 1, BLOCK, 3 * BLOCK + 7])
        content = (content[:at] + chance.randbytes(size) + content[at + size :])[: chance.randrange(8 * BLOCK)]
        source.write_bytes(content)
        looked: dict[str, keeping.Known] = {}
        for part in parts({"a": source}, known, looked):
            put_in_place(part, tmp_path / "to")
        known = looked
        assert (tmp_path / "to/a").read_bytes() == content
    assert [*parts({"a": source}, known, {})] == []


def test_a_piece_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    part = msgspec.msgpack.encode([Piece("../a", 1, 0, b"x")])
    with pytest.raises(OSError, match="leads out of the folder"):
        put_in_place(part, tmp_path)
    assert not (tmp_path.parent / "a").exists()


async def test_riposte_restore_makes_the_data_folder_and_tells_as_of_when(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.evening.play(6)
    await machine.evening.rest()
    await machine.standby.copy()
    await machine.evening.stop()
    (tmp_path / "new").mkdir()
    monkeypatch.chdir(tmp_path / "new")
    told = await asyncio.to_thread(CliRunner().invoke, app, ["restore"])
    assert (told.exit_code, told.stderr.partition(".")[0]) == (2, "RIPOSTE_BUCKET is not set")
    for name, value in (("BUCKET", store.url), ("BUCKET_KEY", "anna:secret"), ("KEY_FILE", str(KEY))):
        monkeypatch.setenv(f"RIPOSTE_{name}", value)
    for words in (["restore", "--as-of", "2020-01-01T00:00"], ["restore"]):
        told = await asyncio.to_thread(CliRunner().invoke, app, words)
    assert told.exit_code == 0, told.stderr
    assert told.stdout.startswith(
        "data is as it was on 15 January 2027 at 08:00:00 UTC: 2 matches. Now `riposte doctor`"
    )
    assert (inspect(Path("data") / DATABASE)) == inspect(machine.data / DATABASE)
    told = await asyncio.to_thread(CliRunner().invoke, app, ["restore"])
    assert told.exit_code == 2
    assert "is not empty" in told.stderr


# --- how long, and how much is kept -----------------------------------------------------------------------
async def test_what_is_lost_is_less_than_a_minute(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        machine.now += seconds
        if len(pauses) == 3:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await BucketStandby(machine.settings, lambda: machine.now, pause).run()
    assert min(pauses) == EVERY
    assert 2 * EVERY < LATE
    assert age(machine.settings, machine.now) == pauses[-1]
    await machine.evening.stop()


async def test_generations_follow_each_other_and_old_ones_go_after_a_week(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MOST", 2)
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    there = keeping.opened(machine.settings)
    for day in range(1, 12):
        await machine.evening.play(2)
        machine.now = NOON + day * 86_400
        await machine.standby.copy()
    kept = await generations(there)
    assert begun(kept[1]) >= machine.now - KEEP, "all but one begin in the last week"
    assert begun(kept[0]) < machine.now - KEEP, "and one that was the newest when the week began"
    await machine.evening.rest()
    await machine.standby.copy()
    await machine.evening.stop()
    made = await restore(store.settings(tmp_path / "there"))
    assert made.found == inspect(machine.data / DATABASE)


async def test_where_nothing_has_changed_that_is_said_every_other_time(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.standby.copy()
    store.asked.clear()
    for second in range(20, 140, 20):
        machine.now = NOON + second
        await machine.standby.copy()
        assert (age(machine.settings, machine.now) or 0) + EVERY < LATE
    assert [method for method, _ in store.asked] == ["PUT"] * 3
    await machine.evening.stop()


async def test_with_a_server_the_bucket_holds_what_is_beside_it_and_nothing_where_there_is_nothing(
    store: Store, tmp_path: Path
) -> None:
    settings = store.settings(tmp_path, database="postgresql://riposte@db/riposte")
    settings.data.mkdir()
    standby = BucketStandby(settings, lambda: NOON)
    await standby.copy()
    assert await store.objects() == {}
    (settings.data / "matrix").mkdir()
    (settings.data / "matrix/session.json").write_text("login")
    await standby.copy()
    assert (await restore(store.settings(tmp_path / "there"))).found is None
    assert (tmp_path / "there/data/matrix/session.json").read_text() == "login"


def test_a_generation_tells_when_it_began() -> None:
    assert begun(new_generation(NOON)) == NOON
    assert new_generation(NOON) < new_generation(NOON + 1)
    assert begun(datetime.fromtimestamp(NOON, UTC).strftime("%Y%m%dT%H%M%SZ-x")) == NOON
