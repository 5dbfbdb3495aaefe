"""A backup is whole, whatever happens meanwhile, and Riposte starts from it as if nothing had been."""

import asyncio
import os
import shutil
import sqlite3
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.adapters.web.history.history import History, Image, Message
from bot.cli.backup import back_up
from bot.messages.model import Place
from bot.messages.serialization import read_event, write_event
from bot.program import app
from engine.match.evolve import replay
from storage import open_store
from storage.sqlite.inspect import inspect
from tests.chat_room import ChatRoom, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    """Riposte runs in `data`; match 1 is under way."""
    (tmp_path / "data").mkdir()
    room = await open_room(tmp_path / "data")
    await room.say("anna", "challenge @ben tokonoma side=white umpire=turn")
    await room.say("ben", "accept 1")
    yield room
    await room.store.close()


def copied(tmp_path: Path, name: str = "copy") -> Path:
    back_up(str(tmp_path / "data/riposte.db"), tmp_path / "data", tmp_path / name)
    return tmp_path / name


async def test_riposte_starts_from_a_backup_as_if_nothing_had_been(room: ChatRoom, tmp_path: Path) -> None:
    await room.say("anna", "c7c5", "1")
    kept = copied(tmp_path)
    await room.say("ben", "c1c3", "1")  # is lost
    await room.store.close()
    key = (tmp_path / "data/riposte.key").read_text()  # its backup is the host's own
    shutil.rmtree(tmp_path / "data")
    shutil.copytree(kept, tmp_path / "data")
    (tmp_path / "data/riposte.key").write_text(key)
    room.store = (await open_room(tmp_path / "data")).store
    room.restart()
    match = await room.service.repository.match("1")
    assert match is not None
    assert [ply.text for ply in match.plies] == ["c7c5"]
    (post,) = await room.say("ben", "c1c3", "1")
    assert "played" in str(post.text)


async def test_a_backup_under_load_holds_every_turn_that_was_acknowledged_before_it(
    room: ChatRoom, tmp_path: Path
) -> None:
    written = 0

    async def play() -> None:
        nonlocal written
        while True:
            await room.say(f"anna{written}", "challenge @ben tokonoma")
            written += 1

    playing = asyncio.create_task(play())
    try:
        for number in range(5):
            while written < 20 * (number + 1):
                await asyncio.sleep(0)
            before = written
            kept = await asyncio.to_thread(copied, tmp_path, f"copy-{number}")
            found = inspect(kept / "riposte.db")
            assert before < found.matches <= written + 2
            assert found.damaged == ()
    finally:
        playing.cancel()
    store = await open_store(kept / "riposte.db", tmp_path / "data/riposte.key")
    try:
        summaries = await store.matches()
        assert len(summaries) == found.matches
        for summary in summaries:
            events = [read_event(record.body) for record in await store.load(summary.match)]
            assert replay(events, check=True) is not None
            assert [write_event(event) for event in events] == [r.body for r in await store.load(summary.match)]
    finally:
        await store.close()


async def test_what_platforms_keep_goes_with_it(room: ChatRoom, tmp_path: Path) -> None:
    data = tmp_path / "data"
    history = History(data / "web-room.db")
    await history.open()
    where = Place("web", "lounge")
    await history.add(Message(0, "key", where, "", "", "", "", "{}", 1), Image("token", b"PNG"))
    (data / "matrix").mkdir()
    (data / "matrix/session.json").write_text("login")
    keys = sqlite3.connect(data / "matrix/keys.db")
    keys.execute("CREATE TABLE accounts (name)")
    keys.execute("INSERT INTO accounts VALUES ('kept')")
    keys.commit()
    keys.execute("INSERT INTO accounts VALUES ('not yet')")  # a write under way
    kept = copied(tmp_path)
    keys.rollback()
    keys.close()
    await history.close()
    names = sorted(str(path.relative_to(kept)) for path in kept.rglob("*"))
    assert names == ["matrix", "matrix/keys.db", "matrix/session.json", "riposte.db", "web-room.db"]
    assert (kept / "matrix/session.json").read_text() == "login"
    keys = sqlite3.connect(kept / "matrix/keys.db")
    assert keys.execute("SELECT name FROM accounts").fetchall() == [("kept",)]
    keys.close()
    copy = History(kept / "web-room.db", key=data / "web-room.key")
    await copy.open()
    assert [message.id for message in await copy.page("", where, 0)] == ["key"]
    assert await copy.picture("token") == b"PNG"
    await copy.close()


async def test_nobody_else_can_read_a_backup(room: ChatRoom, tmp_path: Path) -> None:
    (tmp_path / "data/matrix").mkdir()
    (tmp_path / "data/matrix/session.json").write_text("login")
    mask = os.umask(0)
    try:
        kept = copied(tmp_path)
    finally:
        os.umask(mask)
    for path in (kept, *kept.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


async def test_a_backup_overwrites_nothing(room: ChatRoom, tmp_path: Path) -> None:
    kept = copied(tmp_path)
    before = (kept / "riposte.db").read_bytes()
    await room.say("anna", "c7c5", "1")
    with pytest.raises(OSError, match="is there already"):
        copied(tmp_path)
    assert (kept / "riposte.db").read_bytes() == before
    (tmp_path / "empty").mkdir()
    with pytest.raises(OSError, match="is there already"):
        copied(tmp_path, "empty")


async def test_one_that_was_cut_off_is_begun_anew(room: ChatRoom, tmp_path: Path) -> None:
    (tmp_path / "copy.part").mkdir()
    (tmp_path / "copy.part/riposte.db").write_bytes(b"half")
    assert inspect(copied(tmp_path) / "riposte.db").matches == 1
    assert not (tmp_path / "copy.part").exists()


async def test_a_damaged_database_is_no_backup(room: ChatRoom, tmp_path: Path) -> None:
    await room.store.close()
    file = tmp_path / "data/riposte.db"
    raw = bytearray(file.read_bytes())
    for page in range(4096 * 3, len(raw), 4096):
        raw[page : page + 2048] = bytes(2048)
    file.write_bytes(raw)
    with pytest.raises(OSError, match="is damaged"):
        copied(tmp_path)
    assert list(tmp_path.glob("copy*")) == []
    room.store = await open_store(tmp_path / "other.db")  # for whoever closes it


async def test_a_backup_beyond_reach_is_told_in_a_sentence(room: ChatRoom, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r"cannot be written: .*Name a folder"):
        copied(tmp_path, "file/copy")
    with pytest.raises(OSError, match="There is nothing to copy"):
        back_up(str(tmp_path / "none.db"), tmp_path, tmp_path / "copy")


# --- typed --------------------------------------------------------------------------------------------------
async def test_the_command_says_how_to_restore(room: ChatRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["backup", "copy"])
    assert told.exit_code == 0
    assert told.output == (
        "copy holds riposte.db: 1 match, verified. The settings are not in it.\n"
        f"Its key is not in it either: keep a copy of {tmp_path}/data.key elsewhere; "
        "without it a backup cannot be read.\n"
        "To restore it: stop Riposte, move data away, copy copy there in its place,\n"
        "and copy riposte.erased back into it, if there was one: it says who stays erased.\n"
    )
    again = CliRunner().invoke(app, ["backup", "copy"])
    assert again.exit_code == 2
    assert again.output == "The folder copy is there already, and a backup overwrites nothing. Name a new one.\n"


async def test_a_match_that_was_damaged_before_is_named_and_the_others_are_kept(
    room: ChatRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.say("carol", "challenge @dave tokonoma")
    with sqlite3.connect(tmp_path / "data/riposte.db") as db:
        db.execute("UPDATE events SET body = body || 'x' WHERE match = 1 AND seq = 1")
    db.close()
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["backup", "copy"])
    assert told.exit_code == 1
    assert "Damaged already before it was copied: match 1." in told.output
    assert inspect(tmp_path / "copy/riposte.db").matches == 2
