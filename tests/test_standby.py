"""A standby is whole at every moment, and Riposte goes on from it on another disk: nothing is posted twice."""

import asyncio
import shutil
import time
from pathlib import Path
from random import Random

import pytest

from bot.cli.doctor import _standby
from bot.settings import Settings
from bot.standby import EVERY, LATE, Standby, age
from storage.seal import read_key
from storage.sqlite.inspect import inspect
from tests.faults.bot import DATABASE, KEY
from tests.faults.drill import lives_on
from tests.faults.evening import Evening

NOON = 1_800_000_000.0


def configured(folder: Path) -> Settings:
    return Settings(
        data=folder / "data", key_file=KEY, standby=folder / "other/copy", standby_keys=folder / "third/keys", web="no"
    )


class Machine:
    """A Riposte with a standby; when it is lost, the platform and what people have said stay."""

    def __init__(self, folder: Path, seed: int = 1):
        self.settings = configured(folder)
        self.data = self.settings.data
        (self.data / "matrix").mkdir(parents=True)
        (self.data / "matrix/session.json").write_text("login")
        self.now = NOON
        self.standby = Standby(self.settings, lambda: self.now)
        self.evening = Evening(self.data, Random(seed))

    async def lose(self) -> None:
        """The disk is gone; what the copies hold is put on another, as docs/hosting.md says."""
        left = {name: (self.data / name).read_bytes() for name in ("wall", "said", "acknowledged")}  # the world
        shutil.rmtree(self.data)
        assert self.settings.standby is not None
        assert self.settings.standby_keys is not None
        shutil.copytree(self.settings.standby, self.data)
        shutil.copytree(self.settings.standby_keys / "matrix", self.data / "matrix")
        for name, content in left.items():
            (self.data / name).write_bytes(content)


@pytest.mark.parametrize("seed", range(6))
async def test_what_was_played_goes_on_from_the_standby_and_nothing_is_seen_twice(tmp_path: Path, seed: int) -> None:
    machine = Machine(tmp_path, seed)
    evening = machine.evening
    await evening.start()
    await evening.play(12)
    machine.standby.copy()
    await lives_on(evening, machine.lose)


async def test_a_copy_is_whole_while_it_is_played_and_nothing_that_was_acknowledged_before_it_is_missing(
    tmp_path: Path,
) -> None:
    machine = Machine(tmp_path)
    evening = machine.evening
    await evening.start()
    for _ in range(4):
        playing = asyncio.create_task(evening.play(4))
        before = len((machine.data / "acknowledged").read_text().splitlines()) if evening.said else 0
        await asyncio.to_thread(machine.standby.copy)
        found = inspect(tmp_path / "other/copy" / DATABASE, read_key(KEY))
        assert (found.damaged, found.rows) == ((), ())
        assert found.events >= before / 2
        await playing
    await evening.rest()
    await evening.stop()


async def test_keys_lie_apart_from_what_they_open(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    await machine.evening.start()
    machine.standby.copy()
    await machine.evening.stop()
    copied = {str(path.relative_to(tmp_path / "other")) for path in (tmp_path / "other").rglob("*") if path.is_file()}
    assert copied == {"copy/riposte.db", "copy/as-of"}
    keys = {str(path.relative_to(tmp_path / "third")) for path in (tmp_path / "third").rglob("*") if path.is_file()}
    assert keys == {f"keys/{KEY.name}", "keys/matrix/session.json"}
    for path in (*(tmp_path / "other/copy").iterdir(), *(tmp_path / "third/keys").iterdir()):
        assert path.stat().st_mode & 0o077 == 0 or path.name == "as-of"


async def test_a_copy_is_made_at_least_once_a_minute(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    await machine.evening.start()
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        machine.now += seconds
        if len(pauses) == 3:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await Standby(machine.settings, lambda: machine.now, pause).run()
    assert pauses == [EVERY] * 3
    assert 2 * EVERY < LATE
    assert age(tmp_path / "other/copy", machine.now) == EVERY
    await machine.evening.stop()


async def test_a_copy_that_cannot_be_read_is_not_overwritten(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    await machine.evening.start()
    await machine.evening.play(6)
    await machine.evening.rest()
    machine.standby.copy()
    copied = tmp_path / "other/copy" / DATABASE
    with copied.open("r+b") as file:  # a disk that goes: its first page is there, the others are not what they were
        file.seek(4096)
        file.write(b"\xff" * (copied.stat().st_size - 4096))
    kept = copied.read_bytes()
    with pytest.raises(OSError, match=r"cannot be read: .* move it away"):
        Standby(machine.settings, lambda: machine.now).copy()
    assert copied.read_bytes() == kept
    await machine.evening.stop()


async def test_an_empty_riposte_destroys_no_copy(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    await machine.evening.start()
    await machine.evening.play(6)
    await machine.evening.rest()
    machine.standby.copy()
    await machine.evening.stop()
    kept = (tmp_path / "other/copy" / DATABASE).read_bytes()
    shutil.rmtree(machine.data)
    machine.data.mkdir()
    await machine.evening.start()
    with pytest.raises(OSError, match=r"holds more than the database .* Restore it"):
        Standby(machine.settings).copy()
    await machine.evening.stop()
    assert (tmp_path / "other/copy" / DATABASE).read_bytes() == kept


async def test_a_copy_that_is_cut_off_leaves_the_one_before(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    await machine.evening.start()
    machine.standby.copy()
    await machine.evening.play(3)
    await machine.evening.rest()
    kept = (tmp_path / "other/copy" / DATABASE).read_bytes()
    (tmp_path / "other/copy" / f"{DATABASE}.part").mkdir()  # nothing can be written there
    with pytest.raises(OSError, match="cannot be written"):
        machine.standby.copy()
    assert (tmp_path / "other/copy" / DATABASE).read_bytes() == kept
    assert age(tmp_path / "other/copy", NOON + 5) == 5
    await machine.evening.stop()


@pytest.mark.parametrize(("since", "state"), [(5, "ok"), (LATE + 9, "FAULT")])
async def test_doctor_tells_how_old_the_copy_is(tmp_path: Path, since: float, state: str) -> None:
    machine = Machine(tmp_path)
    await machine.evening.start()

    machine.now = time.time() - since
    machine.standby.copy()
    found = [finding async for finding in _standby(machine.settings)]
    await machine.evening.stop()
    assert [finding.state for finding in found] == [state]
    assert "s old" in found[0].fact
