"""What was said in the web room is nobody's who copies its file, and nothing of it is lost unsaid."""

import asyncio
import errno
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.web.history.history import History, Image, Message
from bot.messages.model import Place
from storage.sqlite.file import rescued_from
from tests.test_sealed import UNDO

CLEAR = Path(__file__).parent / "databases/web-room-0.2.0.db"
"""Written by version 0.2.0 before it sealed anything: Anna's private answer, the bot's whisper with its picture."""
WHERE = Place("web", "lounge", "1")
SAID = Message(0, "1", WHERE, "anna", "Anna", "anna", "secret 1 SC$B 5676", '{"text":["secret 1 SC$B 5676"]}', 5)
SHOWN = Message(0, "k", WHERE, "", "Riposte", "anna", "", '{"text":["Your layout is SC$B 5676."]}', 6)
PICTURE = Image("token", b"\x89PNG picture of SC$B 5676", "what SC$B 5676 shows")


@pytest.fixture
async def history(tmp_path: Path) -> AsyncIterator[History]:
    history = History(tmp_path / "web-room.db")
    await history.open()
    await history.add(SAID)
    await history.add(SHOWN, PICTURE)
    yield history
    await history.close()


def everything(folder: Path) -> bytes:
    """All bytes of the file and its log, and what unpacking its texts gives."""
    raw = b"\n".join(path.read_bytes() for path in sorted(folder.glob("web-room.db*")))
    with closing(sqlite3.connect(folder / "web-room.db")) as db:
        rows = (*db.execute("SELECT said, body FROM message"), *db.execute("SELECT described FROM picture"))
        values = [value.encode() for row in rows for value in row if value]
    return raw + b"\n".join(UNDO[0](value.removeprefix(b"sealed2:")) for value in values)


async def test_a_copied_file_tells_nothing_that_was_said_or_shown(history: History, tmp_path: Path) -> None:
    copied = everything(tmp_path)
    for secret in (b"5676", b"layout", b"PNG"):
        assert secret not in copied
    assert b"SELECT" not in copied
    first, second = await history.page("anna", WHERE, 0)
    assert (first, second) == (replace(SAID, number=1), replace(SHOWN, number=2))
    assert await history.picture("token") == PICTURE[1]
    assert await history.described("token") == PICTURE.described


async def test_a_file_from_before_is_sealed_when_it_is_opened_and_keeps_all(tmp_path: Path) -> None:
    shutil.copy(CLEAR, tmp_path / "web-room.db")
    assert b"5676" in (tmp_path / "web-room.db").read_bytes()
    history = History(tmp_path / "web-room.db")
    await history.open()
    assert b"5676" not in everything(tmp_path)
    assert await history.page("anna", WHERE, 0) == [replace(SAID, number=1), replace(SHOWN, number=2)]
    assert await history.picture("token") == PICTURE[1]
    assert await history.described("token") == ""
    await history.close()


async def test_a_wrong_key_opens_nothing_and_changes_nothing(history: History, tmp_path: Path) -> None:
    shutil.copy(tmp_path / "web-room.db", tmp_path / "copy.db")
    await history.close()
    before = (tmp_path / "web-room.db").read_bytes()
    for key, kind in ((tmp_path / "none.key", errno.ENOENT), (await other_key(tmp_path), errno.EACCES)):
        with pytest.raises(OSError, match="Put your copy of the") as refused:
            await History(tmp_path / "web-room.db", key=key).open()
        assert refused.value.errno == kind
    assert (tmp_path / "web-room.db").read_bytes() == before
    await history_again(history)


async def other_key(folder: Path) -> Path:
    other = History(folder / "other.db")
    await other.open()
    await other.close()
    return folder / "other.key"


async def history_again(history: History) -> None:
    """The fixture closes it."""
    history.__init__(history._path)  # type: ignore[misc]  # closed by hand above
    await history.open()


async def test_a_damaged_message_is_told_to_the_host_and_hides_no_other(
    history: History, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(tmp_path / "web-room.db")) as db:
        (body,) = db.execute("SELECT body FROM message WHERE number = 2").fetchone()
        other = f"{body[:20]}{'B' if body[20] == 'A' else 'A'}{body[21:]}"
        db.execute("UPDATE message SET body = ? WHERE number = 2", (other,))
        db.execute("UPDATE picture SET png = zeroblob(60)")
        db.commit()
    await history_reread(history)
    assert [message.id for message in await history.page("anna", WHERE, 0)] == ["1"]
    assert "a message of the web room is damaged" in capsys.readouterr().out
    with pytest.raises(OSError, match="Restore"):
        await history.picture("token")


async def history_reread(history: History) -> None:
    """Take the file as it is now for ours."""
    await asyncio.get_running_loop().run_in_executor(history._thread, history._file.file.settle)


async def test_a_file_that_is_taken_away_is_rescued_and_nothing_more_is_accepted(
    history: History, tmp_path: Path
) -> None:
    (tmp_path / "web-room.db").unlink()
    with pytest.raises(OSError, match="was removed while Riposte was running") as told:
        await history.add(replace(SAID, id="2"))
    assert told.value.errno == errno.ESTALE
    rescued = rescued_from(tmp_path / "web-room.db")
    assert rescued is not None
    kept = History(rescued, key=tmp_path / "web-room.key")
    await kept.open()
    assert [message.id for message in await kept.page("anna", WHERE, 0)] == ["1", "k"]
    await kept.close()


async def test_a_second_program_is_refused(history: History, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Another Riposte is running"):
        await History(tmp_path / "web-room.db").open()
