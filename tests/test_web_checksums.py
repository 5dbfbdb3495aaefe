"""A changed value in the file of the web room's talk is noticed, and what it may concern is shown to nobody."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.adapters.web.history.checksums import SUMMED
from bot.adapters.web.history.file import damaged
from bot.adapters.web.history.history import History, Image, Message, Room
from bot.cli.backup import back_up
from bot.cli.doctor import report
from bot.messages.model import Person, Place
from storage import open_store
from tests.turns import NOON

THREAD = Place("web", "lounge", "1")
WHISPER = Message(0, "id", THREAD, "anna", "Anna", "anna", "secret 1 abc", "{}", NOON)
NUMBERS = ("number", "at", "heard", "since", "over", "first", "used", "local", "until", "due")
PLACES = [(table, column) for table, columns in SUMMED.items() for column in columns]
SEALED = [("message", "said"), ("message", "body"), ("picture", "png")]


async def opened(path: Path) -> History:
    history = History(path)
    await history.open()
    return history


def broken(path: Path, change: str) -> None:
    """Change something as a disk does: the file keeps no checksum of it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for table in SUMMED:
            for what in ("insert", "update"):
                db.execute(f"DROP TRIGGER {table}_{what}")
        assert db.execute(change).rowcount


async def test_a_value_that_has_changed_in_any_column_is_noticed(tmp_path: Path) -> None:
    history = await opened(tmp_path / "room.db")
    await history.take("anna", "", "token", local=True, now=NOON)
    await history.enter(Person("web", "anna", "Anna"), "token", NOON)
    await history.make_link("anna", "link", NOON)
    await history.add(WHISPER, Image("picture", b"png"))
    await history.describe(Room(THREAD, "tokonoma", ("web:anna",), (), over=False, first=1))
    await history.mark_read("anna", THREAD, 1)
    sealer = history._file.sealer
    await history.close()
    whole = (tmp_path / "room.db").read_bytes()
    assert damaged(tmp_path / "room.db", sealer) == []
    for number, (table, column) in enumerate([*PLACES, *SEALED]):
        path = tmp_path / f"{number}.db"
        path.write_bytes(whole)
        other = "x'00'" if column == "png" else f"{column} + 1" if column in NUMBERS else f"{column} || 'x'"
        broken(path, f"UPDATE {table} SET {column} = {other}")
        found = damaged(path, sealer)
        assert {one.partition(" ")[0] for one in found} == {table}, column


async def test_a_whisper_whose_reader_was_damaged_is_shown_to_nobody(tmp_path: Path) -> None:
    history = await opened(tmp_path / "room.db")
    await history.add(WHISPER)
    await history.add(Message(0, "id 2", THREAD, "anna", "Anna", "", "hello", "{}", NOON))
    await history.close()
    broken(tmp_path / "room.db", "UPDATE message SET only_for = ''")
    history = await opened(tmp_path / "room.db")
    assert [message.text for message in await history.after("ben", 0)] == ["hello"]
    await history.close()


async def test_doctor_and_backup_name_what_is_damaged_in_the_talk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir(mode=0o700)
    await (await open_store(tmp_path / "data/riposte.db")).close()
    path = tmp_path / "data/web-room.db"
    history = await opened(path)
    await history.add(WHISPER)
    await history.close()
    await report(quick=False)
    assert "ok: the web room's talk data/web-room.db can be read." in capsys.readouterr().out
    broken(path, "UPDATE message SET only_for = 'ben'")
    await report(quick=False)
    assert "FAULT: 1 row of the web room's talk data/web-room.db not as written: message 1." in capsys.readouterr().out
    assert back_up("data/riposte.db", tmp_path / "data", tmp_path / "copy").rows == ("message 1",)


@pytest.mark.parametrize("changed", [False, True])
async def test_a_file_of_the_last_version_gets_its_checksums(tmp_path: Path, changed: bool) -> None:
    path = tmp_path / "room.db"
    history = await opened(path)
    await history.add(WHISPER)
    sealer = history._file.sealer
    await history.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for table in SUMMED:
            for what in ("insert", "update"):
                db.execute(f"DROP TRIGGER {table}_{what}")
            db.execute(f"ALTER TABLE {table} DROP COLUMN sum")
        db.execute("ALTER TABLE place DROP COLUMN due")
        db.execute("ALTER TABLE picture DROP COLUMN described")
        db.execute("PRAGMA user_version = 3")
    assert damaged(path, sealer) == []
    history = await opened(path)
    assert [message.text for message in await history.after("anna", 0)] == ["secret 1 abc"]
    await history.close()
    if changed:
        broken(path, "UPDATE message SET at = at + 1")
    assert damaged(path, sealer) == ["message 1"] * changed
