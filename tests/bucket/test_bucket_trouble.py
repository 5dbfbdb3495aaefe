"""Whatever is wrong with a bucket is told with its remedy, the next copy has it all, and nobody who plays waits."""

import asyncio
import time
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.bucket import keeping, objects
from bot.bucket.blocks import BLOCK
from bot.bucket.keeping import BucketStandby, told
from bot.bucket.restoring import restore
from bot.cli.doctor import _bucket
from bot.settings import Settings
from bot.standby import LATE
from storage.sqlite.inspect import inspect
from tests.bucket.conftest import Store
from tests.bucket.machine import Machine
from tests.faults.bot import DATABASE


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not answer is given up soon."""
    monkeypatch.setattr(objects, "PATIENCE", 4.0)
    monkeypatch.setattr(objects, "GRACE", 1.0)
    monkeypatch.setattr(objects, "RETRIES", 1)


TROUBLE = {
    "busy": "is too busy or broken to store anything. It is tried again",
    "broken": "is too busy or broken to store anything. It is tried again",
    "closed": "refuses RIPOSTE_BUCKET_KEY for the bucket .* Write ID:SECRET",
    "skewed": "The clock of this machine and that of .* are minutes apart.*timedatectl",
    "slow": "answers too slowly. It is tried again",
    "cut": "cannot be reached, or does not speak S3|too busy or broken",
}


@pytest.mark.parametrize("way", TROUBLE)
async def test_trouble_is_told_and_the_next_copy_has_it_all(
    way: str, store: Store, tmp_path: Path, quick: None
) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.evening.play(2)
    await machine.standby.copy()
    store.way = way
    await machine.evening.play(4)
    with pytest.raises(OSError, match=TROUBLE[way]):
        await machine.standby.copy()
    assert not (machine.data / keeping.ASIDE).exists()
    await machine.evening.play(2)
    await machine.evening.rest()
    store.way = "open"
    await machine.standby.copy()
    await machine.evening.stop()
    made = await restore(store.settings(tmp_path / "there"))
    assert made.found == inspect(machine.data / DATABASE)


@pytest.mark.parametrize("left", range(3))
async def test_an_upload_that_is_cut_off_counts_for_nothing(
    left: int, store: Store, tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.bucket.blocks.PART", BLOCK)
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    await machine.evening.play(2)
    await machine.evening.rest()
    await machine.standby.copy()
    events = inspect(machine.data / DATABASE).events
    await machine.evening.play(6)
    await machine.evening.rest()
    store.way, store.left = "cut", left
    with pytest.raises(OSError, match=TROUBLE["cut"]):
        await machine.standby.copy()
    made = await restore(store.settings(tmp_path / "there"))
    assert made.found is not None
    assert (made.found.events, made.found.damaged) == (events, ())
    store.way = "open"
    await machine.standby.copy()
    await machine.evening.stop()
    made = await restore(store.settings(tmp_path / "later"))
    assert made.found == inspect(machine.data / DATABASE)


async def test_a_bucket_that_is_missing_is_told(store: Store, tmp_path: Path, quick: None) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    settings = store.settings(tmp_path, bucket=store.url.replace(store.bucket, "nowhere-at-all"))
    with pytest.raises(
        OSError, match=r"There is no bucket nowhere-at-all at .* Make it there, or correct RIPOSTE_BUCKET"
    ):
        await BucketStandby(settings).copy()
    await machine.evening.stop()


async def test_a_store_that_is_off_is_told_in_the_log_and_nobody_who_plays_waits(
    store: Store, tmp_path: Path, quick: None
) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    settings = store.settings(tmp_path, bucket="s3://club?endpoint=http://127.0.0.1:9")

    async def pause(_: float) -> None:
        raise asyncio.CancelledError

    with capture_logs() as log, pytest.raises(asyncio.CancelledError):
        await BucketStandby(settings, pause=pause).run()
    (line,) = log
    assert line["event"] == "the standby in the bucket is not up to date"
    assert "http://127.0.0.1:9 cannot be reached" in line["error"]
    store.way = "slow"
    slow = asyncio.create_task(machine.standby.copy())
    await machine.evening.play(4)
    await machine.evening.rest()
    assert not slow.done(), "all was played before the store has answered"
    slow.cancel()
    await asyncio.gather(slow, return_exceptions=True)
    await machine.evening.stop()


@pytest.mark.parametrize(("since", "state"), [(5, "ok"), (LATE + 9, "warn")])
async def test_doctor_tells_how_old_it_is(since: float, state: str, store: Store, tmp_path: Path) -> None:
    machine = Machine(store, tmp_path)
    await machine.evening.start()
    found = [finding async for finding in _bucket(machine.settings)]
    assert [(one.state, one.fact) for one in found] == [("warn", f"there is no copy in the bucket {store.bucket} yet")]
    machine.now = time.time() - since
    await machine.standby.copy()
    found = [finding async for finding in _bucket(machine.settings)]
    await machine.evening.stop()
    assert [finding.state for finding in found] == [state]
    assert "s old" in found[0].fact
    store.way = "closed"
    found = [finding async for finding in _bucket(machine.settings)]
    assert [finding.state for finding in found] == ["FAULT"]
    assert told(machine.settings, machine.now + 90)[1]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"bucket": "https://s3.example.org/club"}, "write it like s3://"),
        ({"bucket": "s3://club?endpoint=example.org", "bucket_key": "a:b"}, "write it like s3://"),
        ({"bucket": "s3://club?zone=eu", "bucket_key": "a:b"}, "write it like s3://"),
        ({"bucket": "s3://club?endpoint=http://[:/", "bucket_key": "a:b"}, "write it like s3://"),
        ({"bucket": "s3://club?endpoint=http://a:b/", "bucket_key": "a:b"}, "write it like s3://"),
        ({"bucket": "s3://club"}, "RIPOSTE_BUCKET_KEY is missing"),
        ({"bucket": "s3://club", "bucket_key": "secret"}, "RIPOSTE_BUCKET_KEY is missing"),
    ],
)
def test_an_address_that_cannot_be_is_told(given: dict[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Settings(**given)  # type: ignore[arg-type]
