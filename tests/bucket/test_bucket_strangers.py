"""A bucket in which others write too, or things go bad, and machines that hosts really go on from."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.bucket import keeping
from bot.bucket.keeping import BucketStandby
from bot.bucket.restoring import restore
from bot.bucket.rounds import generations, read
from storage.sqlite.inspect import inspect
from tests.bucket.conftest import PAGE, Store
from tests.bucket.machine import NOON, Machine
from tests.faults.bot import DATABASE, KEY


# --- where it is put --------------------------------------------------------------------------------------
async def test_a_volume_that_holds_the_key_is_filled_and_stays_the_same_folder(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.evening.play(3)
    await machine.evening.rest()
    await machine.standby.copy()
    await machine.evening.stop()
    volume = tmp_path / "volume/data"
    (volume / "lost+found").mkdir(parents=True)
    (volume / ".env").write_text("RIPOSTE_WEB=no\n")
    (volume / "restore.part").mkdir()
    (volume / "restore.part/riposte.db").write_text("of a try that was cut off")
    key = volume / "riposte.key"
    key.write_bytes(KEY.read_bytes())
    number = volume.stat().st_ino
    made = await restore(store.settings(tmp_path / "volume", key_file=key))
    assert made.found == inspect(machine.data / DATABASE)
    assert volume.stat().st_ino == number, "a volume cannot be exchanged for another folder"
    assert sorted(path.name for path in volume.iterdir() if not path.name.startswith("riposte.db-")) == [
        ".env", "bucket.as-of", "lost+found", "matrix", "riposte.db", "riposte.key",
    ]  # fmt: skip


async def test_what_lies_in_the_way_is_named(store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.standby.copy()
    await machine.evening.stop()
    there = tmp_path / "there/data"
    there.mkdir(parents=True)
    (there / "riposte.erased").write_text("")
    with pytest.raises(
        OSError, match=r"is not empty, and nothing is overwritten\. .*move away what lies there: riposte\.erased\."
    ):
        await restore(store.settings(tmp_path / "there"))
    assert [path.name for path in there.iterdir()] == ["riposte.erased"]


# --- what is damaged --------------------------------------------------------------------------------------
async def altered(store: Store, name: str, data: bytes | None) -> None:
    """Somebody who may write in the bucket has put something else there, or deleted it."""
    url = f"{store.moto}/{store.bucket}/{name}"
    async with store.session() as session, session.request("PUT" if data else "DELETE", url, data=data) as answer:
        assert answer.status < 300


WAYS = {
    "a bit is flipped": lambda data: data[:40] + bytes([data[40] ^ 4]) + data[41:],
    "the end is missing": lambda data: data[:-1],
    "it is gone": lambda data: None,
}


@pytest.mark.parametrize("way", WAYS)
async def test_whatever_is_damaged_is_told_and_an_earlier_copy_comes_back(
    way: str, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MOST", 2)
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    states = []
    for round_ in range(4):  # two generations of two rounds
        await machine.evening.play(2)
        await machine.evening.rest()
        machine.now = NOON + 600 * round_
        await machine.standby.copy()
        states.append(inspect(machine.data / DATABASE))
    await machine.evening.stop()
    objects = keeping.opened(machine.settings)
    _, newest = await generations(objects)
    counted = await read(objects, newest)
    assert counted is not None
    whole = await store.objects()
    for name, earlier in (
        (f"{newest}/{counted.rounds[1].name}/000000", 2),
        (f"{newest}/{counted.rounds[0].name}/000000", 1),
        (f"{newest}/rounds", 1),
    ):
        await altered(store, f"club/{name}", WAYS[way](whole[f"club/{name}"]))
        then = datetime.fromtimestamp(NOON + 600 * (earlier + 1) - 1, UTC)
        if not (way == "it is gone" and name.endswith("/rounds")):  # then that copy was never finished
            with pytest.raises(OSError, match=f"riposte restore --as-of {then:%Y-%m-%dT%H:%M}"):
                await restore(store.settings(tmp_path / f"no {earlier}"))
        made = await restore(store.settings(tmp_path / name.replace("/", "-")), then.replace(second=0).timestamp())
        assert made.found == states[earlier]
        await altered(store, f"club/{name}", whole[f"club/{name}"])


# --- who else writes there --------------------------------------------------------------------------------
async def moved(machine: Machine, store: Store, folder: Path) -> Machine:
    """A second machine that goes on from what the first has sent, while the first is only out of reach."""
    other = Machine.__new__(Machine)
    other.settings = store.settings(folder)
    other.data, other.now, other.evening = other.settings.data, machine.now, machine.evening
    await restore(other.settings)
    other.standby = BucketStandby(other.settings, lambda: other.now)
    return other


async def begun_twice(store: Store, tmp_path: Path) -> tuple[Machine, Machine]:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.evening.play(3)
    await machine.evening.rest()
    await machine.standby.copy()
    await machine.evening.stop()
    return machine, await moved(machine, store, tmp_path / "there")


async def test_the_copy_of_who_went_on_is_the_newest_though_its_clock_is_behind(store: Store, tmp_path: Path) -> None:
    _, other = await begun_twice(store, tmp_path)
    other.now = NOON - 900
    (other.data / "matrix/session.json").write_text("went on")
    await other.standby.copy()
    await restore(store.settings(tmp_path / "third"))
    assert (tmp_path / "third/data/matrix/session.json").read_text() == "went on"


async def test_a_machine_from_which_another_went_on_hides_nothing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MOST", 1)
    machine, other = await begun_twice(store, tmp_path)
    (other.data / "matrix/session.json").write_text("went on")
    other.now += 60
    await other.standby.copy()
    machine.now += 900
    (machine.data / "matrix/session.json").write_text("left behind")
    kept = await store.objects()
    again = BucketStandby(machine.settings, lambda: machine.now)  # it was started anew
    for standby in (machine.standby, again):
        with pytest.raises(OSError, match=r"Another Riposte has sent into the bucket .* Stop one of the two, or name"):
            await standby.copy()
    assert await store.objects() == kept
    other.now += 960
    (other.data / "matrix/session.json").write_text("goes on")
    await other.standby.copy()
    await restore(store.settings(tmp_path / "third"))
    assert (tmp_path / "third/data/matrix/session.json").read_text() == "goes on"


async def test_a_machine_that_goes_on_from_its_own_copy_is_not_taken_for_another(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, other = await begun_twice(store, tmp_path)
    store.way, store.left = "cut", 1
    other.now += 20
    with pytest.raises(OSError):  # noqa: PT011  the copy is there, and not the list
        await other.standby.copy()
    store.way = "open"
    for _ in range(3):
        other.now += 20
        (other.data / "matrix/session.json").write_text(f"at {other.now}")
        await BucketStandby(other.settings, lambda: other.now).copy()
    await restore(store.settings(tmp_path / "third"))
    assert (tmp_path / "third/data/matrix/session.json").read_text() == f"at {other.now}"


async def test_another_is_noticed_within_minutes_though_no_copy_begins(store: Store, tmp_path: Path) -> None:
    machine, other = await begun_twice(store, tmp_path)
    other.now += 60
    await other.standby.copy()
    machine.now += keeping.LOOKED
    (machine.data / "matrix/session.json").write_text("left behind")
    with pytest.raises(OSError, match="Another Riposte"):
        await machine.standby.copy()


# --- what is put back -------------------------------------------------------------------------------------
@pytest.mark.parametrize("way", ["at once", "by the next start"])
async def test_an_older_list_of_what_counts_is_noticed_and_all_is_sent_anew(
    way: str, store: Store, tmp_path: Path
) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.evening.stop()
    erased = machine.settings.erased
    erased.write_text("")
    await machine.standby.copy()
    earlier = await store.objects()
    erased.write_text(f"{'0' * 40} 1\n")
    machine.now += 20
    await machine.standby.copy()
    (listed,) = (name for name in earlier if name.endswith("/rounds"))
    await altered(store, listed, earlier[listed])  # what is sealed there opens, and is what once was true
    await restore(store.settings(tmp_path / "put back"))
    assert (tmp_path / "put back/data/riposte.erased").read_text() == ""
    machine.now += keeping.LOOKED
    standby = machine.standby if way == "at once" else BucketStandby(machine.settings, lambda: machine.now)
    with capture_logs() as logs:
        await standby.copy()
    assert [line["event"] for line in logs if line["log_level"] == "error"] == [keeping.PUT_BACK]
    await restore(store.settings(tmp_path / "mended"))
    assert (tmp_path / "mended/data/riposte.erased").read_text() == erased.read_text()
    machine.now += keeping.LOOKED
    with capture_logs() as logs:
        await standby.copy()
    assert logs == []


# --- more than one page -----------------------------------------------------------------------------------
async def test_more_objects_than_a_page_of_a_list_holds_are_all_seen_and_deleted(store: Store, tmp_path: Path) -> None:
    objects = keeping.opened(store.settings(tmp_path))
    for count in range(PAGE + 3):
        await objects.put(f"old/{count:06d}", b"x")
        await objects.put(f"folder{count:06d}/0", b"y")
    assert len(await objects.folders()) == PAGE + 4
    await objects.clear("old")
    assert len(await objects.folders()) == PAGE + 3
