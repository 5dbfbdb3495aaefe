"""A store that was damaged, filled up, taken or left half upgraded loses nothing and says what to do."""

import asyncio
import errno
import random
import resource
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from storage import open_store
from storage.sqlite import schema
from storage.sqlite.store import SqliteStore
from storage.store import Change
from tests.turns import bodies, filled, turn


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(tmp_path / "riposte.db")
    yield store
    await store.close()


# --- trouble ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "meddling",
    [
        "UPDATE events SET body = replace(body, 'sealed2', 'sealed1') WHERE match = 2 AND seq = 4",
        "UPDATE events SET body = (SELECT body FROM events WHERE match = 2 AND seq = 3) WHERE match = 2 AND seq = 4",
        "UPDATE events SET at = at + 1 WHERE match = 2 AND seq = 1",
        "UPDATE events SET digest = zeroblob(32) WHERE match = 2 AND seq = 8",
        "UPDATE events SET body = CAST(x'ff00' AS TEXT) WHERE match = 2 AND seq = 4",
        "UPDATE events SET seq = 99 WHERE match = 2 AND seq = 3",
        "DELETE FROM events WHERE match = 2 AND seq = 8",
        "DELETE FROM events WHERE match = 2",
        "INSERT INTO events SELECT 2, 9, at, body, digest FROM events WHERE match = 1 AND seq = 8",
        "UPDATE matches SET head = zeroblob(32) WHERE number = 2",
        "UPDATE matches SET match = 'x' WHERE number = 2",
    ],
)
async def test_a_match_that_was_meddled_with_is_put_aside_and_the_others_play_on(tmp_path: Path, meddling: str) -> None:
    path = tmp_path / "riposte.db"
    written = await filled(path)
    db = sqlite3.connect(path)
    with db:
        db.execute(meddling)
    db.close()
    store = await SqliteStore.open(path)
    with pytest.raises(OSError, match="damaged") as trouble:
        await store.load("2")
    assert trouble.value.errno == errno.EBADMSG
    assert trouble.value.strerror
    assert list(await store.load("1")) == written["1"]
    await store.commit(turn("3", 8))
    assert len(await store.load("3")) == 9
    await store.close()


async def test_one_unreadable_summary_does_not_hide_the_others(tmp_path: Path) -> None:
    path = tmp_path / "riposte.db"
    await filled(path)
    db = sqlite3.connect(path)
    with db:
        db.execute("UPDATE matches SET players = '[\"web' WHERE number = 2")
    db.close()
    store = await SqliteStore.open(path)
    assert [s.match for s in await store.matches()] == ["3", "1"]
    with pytest.raises(OSError, match="damaged"):
        await store.summary("2")
    await store.close()


async def test_no_flipped_bit_passes_for_the_truth(tmp_path: Path) -> None:
    path, copy = tmp_path / "riposte.db", tmp_path / "copy.db"
    written = await filled(path)
    whole = path.read_bytes()
    chance, noticed = random.Random(11), 0
    for _ in range(150):
        flipped = bytearray(whole)
        flipped[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        copy.write_bytes(flipped)
        try:
            store = await SqliteStore.open(copy, tmp_path / "riposte.key")
        except OSError:
            noticed += 1
            continue
        for match, records in written.items():
            try:
                assert list(await store.load(match)) == records
            except OSError:
                noticed += 1
        await store.close()
    assert noticed > 5


async def test_a_full_disk_changes_nothing_and_the_store_goes_on_when_there_is_space(store: SqliteStore) -> None:
    await store.commit(turn("1", 0))
    big = Change(heard="big", match="2", events=((1, "x" * 500_000),))

    def room(pages: int) -> Callable[[sqlite3.Connection], object]:
        return lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchall()

    await store._writer.run(room(40))
    with pytest.raises(OSError, match="disk is full") as trouble:
        await store.commit(big)
    assert trouble.value.errno == errno.ENOSPC
    answers = await asyncio.gather(*map(store.commit, (turn("1", 1), big, turn("1", 2))), return_exceptions=True)
    assert [type(answer) for answer in answers] == [list, OSError, list]
    assert len(await store.load("1")) == 3
    assert await store.load("2") == []
    assert not await store.known("big")
    await store._writer.run(room(100_000))
    await store.commit(big)
    assert await bodies(store, "2") == ["x" * 500_000]


async def test_a_disk_that_fails_inside_the_commit_changes_nothing(store: SqliteStore, tmp_path: Path) -> None:
    await store.commit(turn("1", 0))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "riposte.db-wal").stat().st_size + 100_000, hard))
    try:
        with pytest.raises(OSError, match="nothing was changed"):
            await store.commit(Change(heard="big", match="1", expected=1, events=((1, "x" * 500_000),)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not await store.known("big")
    await store.commit(turn("1", 1))
    assert len(await store.load("1")) == 2


async def test_a_second_bot_on_the_same_database_is_refused(store: SqliteStore, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Another Riposte is running"):
        await SqliteStore.open(tmp_path / "riposte.db")
    await store.commit(turn("1", 0))


@pytest.mark.parametrize("content", [b"a shopping list", b"\0" * 5000])
async def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "riposte.db"
    path.write_bytes(content)
    with pytest.raises(OSError, match="not a database"):
        await SqliteStore.open(path)
    assert path.read_bytes() == content


async def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "riposte.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE bookmarks (url)")
    db.close()
    for version in (0, 1):
        with pytest.raises(OSError, match="another program's data"):
            await SqliteStore.open(path)
        db = sqlite3.connect(path)
        db.execute(f"PRAGMA user_version = {version + 1}")
        db.close()


@pytest.mark.parametrize("where", ["mysql://host/riposte", "sqlite:relative"])
async def test_an_unknown_kind_of_store_is_refused_with_an_example_that_works(where: str, tmp_path: Path) -> None:
    if "://" in where:
        with pytest.raises(OSError, match=r"sqlite:///data/riposte\.db"):
            await open_store(where)
    store = await open_store(f"sqlite:///{tmp_path}/new/riposte.db")
    await store.close()
    assert (tmp_path / "new/riposte.db").stat().st_mode & 0o777 == 0o600


# --- migrations -------------------------------------------------------------------------------------------
FIRST = schema.migrations()
SECOND = schema.Migration(
    len(FIRST) + 1,
    "9999_colours",
    "ALTER TABLE settings ADD COLUMN colour TEXT;\nUPDATE settings SET colour = 'red';\n",
)
BROKEN = schema.Migration(SECOND.number, SECOND.name, SECOND.sql + "SELECT nonsense FROM nowhere;\n")


async def test_an_upgrade_keeps_everything_and_a_copy_of_before(tmp_path: Path) -> None:
    path = tmp_path / "riposte.db"
    written = await filled(path)
    store = await SqliteStore.open(path, steps=(*FIRST, SECOND))
    assert list(await store.load("2")) == written["2"]
    await store.commit(turn("2", 8))
    await store.close()
    shutil.copy(tmp_path / f"riposte.db.before-{SECOND.number:04}", tmp_path / "old.db")
    store = await SqliteStore.open(tmp_path / "old.db", tmp_path / "riposte.key", steps=FIRST)
    assert list(await store.load("2")) == written["2"]
    await store.close()


async def test_an_upgrade_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "riposte.db"
    written = await filled(path)
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        await SqliteStore.open(path, steps=(*FIRST, BROKEN))
    store = await SqliteStore.open(path, steps=FIRST)
    assert list(await store.load("2")) == written["2"]
    await store.close()


async def test_a_database_of_a_newer_riposte_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "riposte.db"
    store = await SqliteStore.open(path, steps=(*FIRST, SECOND))
    await store.close()
    before = path.read_bytes()
    with pytest.raises(OSError, match="newer Riposte"):
        await SqliteStore.open(path, steps=FIRST)
    assert path.read_bytes() == before


async def test_a_database_made_by_other_migrations_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "riposte.db"
    await filled(path)
    tampered = schema.Migration(1, FIRST[0].name, FIRST[0].sql + "-- one more word\n")
    with pytest.raises(OSError, match="other migrations"):
        await SqliteStore.open(path, steps=(tampered, *FIRST[1:]))


async def test_a_place_that_cannot_be_written_is_told_of_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "riposte.db").mkdir()
    with pytest.raises(OSError, match=r"riposte\.db cannot be written: Is a directory\. Give Riposte write access"):
        await SqliteStore.open(tmp_path / "riposte.db")
