"""What people wrote in their own words goes with whoever wrote it, and no chain of events breaks."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from bot.messages.model import WORDS_REMOVED
from bot.messages.serialization import read_event
from engine.match.events import Declined
from engine.match.events.rulings import Ruled
from engine.match.evolve import replay
from storage.chain import GENESIS, link
from storage.people.words import DONE, FIELDS, REMOVED, WRITE, unsaid
from storage.seal import Sealer, read_key
from storage.sqlite import schema
from storage.sqlite.inspect import inspect
from storage.store import Change
from storage.transfer.copy import copy
from tests.chat_room import ChatRoom, open_room
from tests.stores import opened

pytestmark = pytest.mark.usefixtures("each_database")

SCRIPT = Path(__file__).parent.parent / "docs" / "verify.py"
WHO, NAME = "zacharias", "Zacharias"


@pytest.fixture
async def room(tmp_path: Path, each_database: str) -> AsyncIterator[ChatRoom]:
    opened = await open_room(tmp_path)
    yield opened
    await opened.store.close()


async def talked(room: ChatRoom) -> None:
    """Somebody has written whatever words matches and tournaments keep, and somebody else has named them."""
    room.seed = 0
    await room.say("Hana", f"role @{WHO} arbiter", host=True)
    await room.say("Hana", f"role @{WHO} organiser", host=True)
    await room.say("Ben", f"challenge @{WHO} tokonoma")
    await room.say(NAME, "decline 1 my knee hurts on Tuesdays")
    await room.say(NAME, "challenge @ben tokonoma")
    await room.say("Ben", "decline 2 Zacharias is too quick for me")
    await room.say("Ben", "challenge @cleo tokonoma")
    await room.say("Cleo", "accept 3 @1")
    await room.say(NAME, "kibitz 3 green walks into a swamp")
    await room.say("Dora", "kibitz 3 Zacharias sees swamps everywhere")
    await room.say(NAME, "arbiter 3 pause 2d both asked me by telephone")
    await room.say(NAME, "tournament round-robin tokonoma name=Zacharias_Cup")
    await room.say(NAME, "tournament round-robin tokonoma name=Autumn")


SAID = ("knee hurts", "a swamp", "by telephone")


async def erased(room: ChatRoom) -> None:
    await room.say(NAME, "privacy erase")
    await room.say(NAME, "privacy erase yes")


async def heard(room: ChatRoom, *says: tuple[str, str]) -> str:
    before = len(room.lines)
    for who, text in says:
        await room.say(who, text)
    return "\n".join(room.lines[before:])


async def bodies(room: ChatRoom) -> str:
    """All events as they are read."""
    logs = ("1", "2", "3", "k3", "t1", "t2")
    return "\n".join([one.body for log in logs for one in await room.store.load(log)])


def stored(folder: Path) -> str:
    """All events and words that are in the file, opened."""
    sealer = read_key(folder / "riposte.key")
    assert sealer is not None
    with closing(sqlite3.connect(folder / "riposte.db")) as db:
        events = db.execute(
            "SELECT matches.match, seq, body FROM events JOIN matches ON number = events.match ORDER BY number, seq"
        ).fetchall()
        words = db.execute("SELECT match, seq, body FROM words WHERE body <> ''").fetchall()
    told = [sealer.open(body, "events", match, seq) for match, seq, body in events]
    return "\n".join([*told, *(sealer.open(body, "words", match, seq) for match, seq, body in words)])


async def test_words_go_with_whoever_wrote_them_and_the_rest_stays(room: ChatRoom) -> None:
    await talked(room)
    before = await bodies(room)
    assert all(words in before for words in (*SAID, "Zacharias_Cup", "Autumn", "too quick for me"))
    logs = {match: [read_event(one.body) for one in await room.store.load(match)] for match in "123"}
    await erased(room)
    after = await bodies(room)
    assert not any(words in after for words in (*SAID, NAME))
    assert after.count(REMOVED) == 4
    assert "former player is too quick for me" in after
    assert "former player sees swamps everywhere" in after
    assert '"name":"Autumn"' in after
    for match, log in logs.items():  # as they were, but for the words, and its chain is verified by `load`
        now = [read_event(one.body) for one in await room.store.load(match)]
        assert [type(one) for one in now[: len(log)]] == [type(one) for one in log]
        assert replay(now, check=True) == await room.service.repository.match(match)
    (declined,) = [one for one in map(read_event, _of(after, "Declined")) if one.reason == REMOVED]  # type: ignore[union-attr]
    assert isinstance(declined, Declined)
    (ruled,) = map(read_event, _of(after, "Ruled"))
    assert isinstance(ruled, Ruled)
    assert ruled.reason == REMOVED


def _of(told: str, kind: str) -> list[str]:
    return [line for line in told.splitlines() if line.startswith(f'{{"event":"{kind}"')]


async def test_they_are_told_to_be_gone_in_the_reader_s_language(room: ChatRoom) -> None:
    assert REMOVED == WORDS_REMOVED
    await talked(room)
    await erased(room)
    await room.say("Ben", "resign 3 yes")
    told = await heard(room, ("Dora", "kibitz 3"))
    assert "former player: (words removed)" in told
    assert "former player sees swamps everywhere" in told
    await room.say("Dora", "language de")
    assert "ehemaliges Mitglied: (Worte entfernt)" in await heard(room, ("Dora", "kibitz 3"))
    assert "(Worte entfernt)" in await heard(room, ("Dora", "tournament 1"))
    await room.say("Dora", "language ja")
    assert "本人の言葉は削除されました" in await heard(room, ("Dora", "kibitz 3"))


async def test_the_record_of_a_match_that_lost_words_is_found_true(room: ChatRoom, tmp_path: Path) -> None:
    await talked(room)
    await erased(room)
    await room.say("Ben", "resign 3 yes")
    (post,) = await room.say("Dora", "export 3")
    record = "".join(getattr(span, "text", span) for span in post.text)
    (tmp_path / "record").write_text(record[record.index("Riposte record") :], "utf-8")
    verified = subprocess.run(
        [sys.executable, SCRIPT, tmp_path / "record"], capture_output=True, text=True, check=False
    )
    assert "numbers follow from the turns and what has these hashes" in verified.stdout
    assert verified.returncode == 0


@pytest.mark.sqlite
async def test_the_file_holds_none_of_them_and_checks_out(room: ChatRoom, tmp_path: Path) -> None:
    await talked(room)
    assert '"reason":true' in stored(tmp_path)
    assert "knee hurts" in stored(tmp_path)
    await erased(room)
    left = stored(tmp_path)
    assert [words for words in (*SAID, NAME) if words in left] == []
    found = inspect(tmp_path / "riposte.db", read_key(tmp_path / "riposte.key"))
    assert (found.damaged, found.rows, found.unfit) == ((), (), ())


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "change", ["DELETE FROM words", "UPDATE words SET body = ''", "UPDATE words SET seq = seq + 1"]
)
async def test_words_that_are_missing_or_changed_by_others_are_damage(
    room: ChatRoom, tmp_path: Path, change: str
) -> None:
    await talked(room)
    with closing(sqlite3.connect(tmp_path / "riposte.db")) as db, db:
        db.execute(f"{change} WHERE match = 1")
    found = inspect(tmp_path / "riposte.db", read_key(tmp_path / "riposte.key"))
    assert "1" in found.damaged
    with pytest.raises(OSError, match="Match 1 is damaged"):
        await room.store.load("1")
    assert await room.store.load("2")


@pytest.mark.sqlite
async def test_words_that_nobody_was_erased_with_are_missed(room: ChatRoom, tmp_path: Path) -> None:
    await talked(room)
    from storage.checksum import checksum

    with closing(sqlite3.connect(tmp_path / "riposte.db")) as db, db:
        (row,) = db.execute("SELECT match, seq, field, person FROM words WHERE match = 1").fetchall()
        db.execute(
            WRITE.replace("?1", "''")
            .replace("?2", str(checksum(*row, "")))
            .replace("?3", "1")
            .replace("?4", str(row[1]))
        )
    assert inspect(tmp_path / "riposte.db", read_key(tmp_path / "riposte.key")).rows == (f"words 1 {row[1]}",)


async def test_an_export_holds_one_s_own_words(room: ChatRoom) -> None:
    await talked(room)
    (post,) = await room.say(NAME, "privacy export")
    told = msgspec.json.decode("".join(getattr(span, "text", span) for span in post.text).encode())
    assert {(one["log"], one["field"]) for one in told["words"]} == {
        *(("1", "reason"), ("3", "reason"), ("k3", "text"), ("t1", "name"), ("t2", "name"))
    }
    assert {"log": "1", "field": "reason", "words": "my knee hurts on Tuesdays"} in told["words"]
    assert "too quick" not in str(told["words"])


@pytest.mark.sqlite
async def test_a_transfer_carries_them_and_what_is_gone_stays_gone(room: ChatRoom, tmp_path: Path) -> None:
    await talked(room)
    await erased(room)
    before = stored(tmp_path)
    there = tmp_path / "there"
    await copy(str(tmp_path / "riposte.db"), str(there / "riposte.db"))
    shutil.copy(tmp_path / "riposte.key", there)
    assert stored(there) == before
    assert "former player is too quick for me" in before
    found = inspect(there / "riposte.db", read_key(there / "riposte.key"))
    assert (found.damaged, found.rows) == ((), ())


def _as_before(db: sqlite3.Connection, sealer: Sealer) -> None:
    """Put all words back into their events, as the form before had them; the chains are made anew."""
    words = {
        (match, seq): (field, body)
        for match, seq, field, body in db.execute("SELECT match, seq, field, body FROM words")
    }
    for number, match in db.execute("SELECT number, match FROM matches").fetchall():
        digest = GENESIS
        rows = db.execute("SELECT seq, at, body FROM events WHERE match = ? ORDER BY seq", (number,)).fetchall()
        for seq, at, held in rows:
            body = held
            if (number, seq) in words:
                field, sealed = words[number, seq]
                event = msgspec.json.decode(sealer.open(held, "events", match, seq))
                event[field] = sealer.open(sealed, "words", number, seq)
                body = sealer.seal(msgspec.json.encode(event).decode(), "events", match, seq)
            digest = link(digest, match, seq, at, body)
            db.execute(
                "UPDATE events SET body = ?, digest = ? WHERE match = ? AND seq = ?", (body, digest, number, seq)
            )
        db.execute("UPDATE matches SET head = ? WHERE number = ?", (digest, number))
    db.execute("DELETE FROM settings WHERE owner = ? AND key = ?", DONE)
    db.execute("DROP TABLE words")
    db.execute("DELETE FROM migrations WHERE number = 8")
    db.execute("PRAGMA user_version = 7")


@pytest.mark.sqlite
async def test_a_database_of_the_form_before_is_brought_on(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    await talked(room)
    before = await bodies(room)
    await room.store.close()
    sealer = read_key(tmp_path / "riposte.key")
    assert sealer is not None
    with closing(sqlite3.connect(tmp_path / "riposte.db")) as db, db:
        _as_before(db, sealer)
    found = inspect(tmp_path / "riposte.db", sealer)
    assert (found.version, found.damaged, found.rows) == (7, (), ())
    again = ChatRoom(await opened(tmp_path / "riposte.db"), now=room.now)
    assert await bodies(again) == before
    await again.store.commit(Change(settings=((f"web:{WHO}", "erasing", "1"),)))
    await again.erasing.work()
    left = stored(tmp_path)
    assert [words for words in (*SAID, NAME) if words in left] == []
    found = inspect(tmp_path / "riposte.db", sealer)
    assert (found.version, found.damaged, found.rows) == (len(schema.migrations()), (), ())
    assert not list(tmp_path.glob("*.before-*"))
    await again.store.close()


@pytest.mark.sqlite
async def test_a_backup_from_before_loses_them_when_it_is_restored(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    await talked(room)
    await room.store.flush()
    with closing(sqlite3.connect(tmp_path / "riposte.db")) as db:
        db.execute("VACUUM INTO ?", (str(tmp_path / "backup"),))
    await erased(room)
    await room.store.close()
    for stale in tmp_path.glob("riposte.db*"):
        stale.unlink()
    (tmp_path / "backup").rename(tmp_path / "riposte.db")
    assert "knee hurts" in stored(tmp_path)
    again = ChatRoom(await opened(tmp_path / "riposte.db"), now=room.now)
    assert await again.erasing.restored() == 1
    left = stored(tmp_path)
    assert [words for words in (*SAID, NAME) if words in left] == []
    told = await bodies(again)
    assert not any(words in told for words in (*SAID, NAME))
    await again.store.close()


def test_every_field_for_words_is_known() -> None:
    """By the source: texts that are neither a name, a key, a digest nor notation are words of whoever wrote them."""
    assert set(FIELDS.values()) == {"token", "reason", "name", "text"}
    assert unsaid('{"event":"Declined","at":1,"by":2,"reason":true}') == (
        f'{{"event":"Declined","at":1,"by":2,"reason":"{REMOVED}"}}'
    )
    assert unsaid('{"event":"Answered","at":1,"by":2,"what":"draw","yes":true}').endswith('"yes":true}')
