"""A database that is removed, replaced or opened twice under a running program loses no acknowledged turn."""

import asyncio
import errno
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from storage.sqlite.store import SqliteStore
from storage.store import Change
from tests.turns import bodies, filled, turn


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data/riposte.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(path)
    await store.commit(turn("1", 0))
    await store.commit(turn("1", 1))
    yield store
    await store.close()


def removed(path: Path) -> None:
    path.unlink()


def moved_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def replaced_by_an_empty_file(path: Path) -> None:
    path.unlink()
    path.touch()


def replaced_by_an_older_copy(path: Path) -> None:
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    copy.rename(path)


def overwritten_in_its_place(path: Path) -> None:
    path.write_bytes(path.read_bytes()[::-1])


def log_removed(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def folder_removed(path: Path) -> None:
    shutil.rmtree(path.parent)


def folder_moved(path: Path) -> None:
    path.parent.rename(path.parent.with_name("old"))


LOST = [
    removed,
    moved_away,
    replaced_by_an_empty_file,
    replaced_by_an_older_copy,
    log_removed,
    folder_removed,
    folder_moved,
]


@pytest.mark.parametrize("meddling", [*LOST, overwritten_in_its_place], ids=lambda each: each.__name__)
async def test_nothing_more_is_acknowledged_once_the_database_is_another(
    store: SqliteStore, path: Path, meddling: Callable[[Path], None]
) -> None:
    meddling(path)
    for number in (2, 3):
        with pytest.raises(OSError, match="nothing more is accepted") as told:
            await store.commit(turn("1", number))
        assert told.value.errno == errno.ESTALE
    with pytest.raises(OSError, match="nothing more is accepted"):
        await store.delivered(1, "remote", 5)


@pytest.mark.parametrize("meddling", LOST, ids=lambda each: each.__name__)
async def test_what_was_acknowledged_is_rescued_beside_it_and_can_be_played_on(
    path: Path, meddling: Callable[[Path], None]
) -> None:
    key = path.parent.parent / "riposte.key"
    store = await SqliteStore.open(path, key)
    for number in range(3):
        await store.commit(turn("1", number))
    meddling(path)
    with pytest.raises(OSError, match=r"riposte\.db\.rescued: stop Riposte, move that file"):
        await store.commit(turn("1", 3))
    await store.close()
    rescued = path.with_name("riposte.db.rescued")
    assert rescued.stat().st_mode & 0o777 == 0o600
    for each in path.parent.glob("riposte.db*"):
        if each != rescued:
            each.unlink()
    rescued.rename(path)
    again = await SqliteStore.open(path, key)
    assert len(await again.load("1")) == 3
    await again.commit(turn("1", 3))
    await again.close()


async def test_a_change_written_just_after_the_file_has_gone_is_not_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "riposte.db"

    def watch(statement: str) -> None:
        if statement == "COMMITTED" and armed:
            path.unlink()

    armed: list[int] = []
    store = await SqliteStore.open(path, watch=watch)
    armed.append(1)
    with pytest.raises(OSError, match="nothing more is accepted"):
        await store.commit(turn("1", 0))
    armed.clear()
    await store.close()


async def test_all_who_wait_are_told_and_one_file_is_rescued(store: SqliteStore, path: Path) -> None:
    path.unlink()
    changes = [Change(heard=f"h{number}") for number in range(50)]
    told = await asyncio.gather(*map(store.commit, changes), return_exceptions=True)
    assert {type(each) for each in told} == {OSError}
    assert [each.name for each in path.parent.glob("*.rescued*")] == ["riposte.db.rescued"]


async def test_a_file_that_is_put_back_is_written_again(store: SqliteStore, path: Path) -> None:
    elsewhere = path.with_name("elsewhere.db")
    path.rename(elsewhere)
    with pytest.raises(OSError, match="nothing more is accepted"):
        await store.commit(turn("1", 2))
    elsewhere.rename(path)
    await store.commit(turn("1", 2))
    assert len(await bodies(store, "1")) == 3


async def test_our_own_checkpoints_and_others_who_read_are_no_meddling(store: SqliteStore, path: Path) -> None:
    for number in range(2, 600):
        await store.commit(turn("1", number))
        if number % 100 == 0:
            await store._writer.run(store._writer._checkpoint)
            with sqlite3.connect(path) as reader:
                assert reader.execute("SELECT count(*) FROM events").fetchone() == (number + 1,)
            reader.close()
    assert not list(path.parent.glob("*.rescued*"))


async def test_a_start_does_not_begin_anew_beside_a_rescued_database(tmp_path: Path) -> None:
    path = tmp_path / "riposte.db"
    await filled(path)
    path.rename(tmp_path / "riposte.db.rescued")
    with pytest.raises(OSError, match=r"riposte\.db\.rescued was rescued from it\. Move that file to"):
        await SqliteStore.open(path)
    assert not path.exists()


@pytest.mark.parametrize("lost", [[".lock"], [], [".lock", "moved"]])
async def test_a_second_bot_is_refused_whatever_becomes_of_the_file_beside_it(
    store: SqliteStore, path: Path, lost: list[str]
) -> None:
    where = path
    if ".lock" in lost:
        path.with_name("riposte.db.lock").unlink()
    if "moved" in lost:
        where = path.with_name("elsewhere.db")
        os.link(path, where)
    with pytest.raises(OSError, match="Another Riposte is running"):
        await SqliteStore.open(where)
