"""Nothing is left in the web room's file of a seat that was erased, and a restored file is erased again."""

import shutil
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

from bot.adapters.web.history.checksums import damaged_rows
from bot.adapters.web.history.file import opened_words
from bot.adapters.web.history.history import History, Message, Room
from bot.messages.model import Person, Place
from storage.seal import read_key
from storage.sqlite.checksums import known_to

LOUNGE, MATCH = Place("web", "lounge"), Place("web", "lounge", "1")
WHO = Person("web", "zacharias", "Zacharias")
BODY = (
    '{"text":[{"person":"web:zacharias","name":"Zacharias"}," plays. Zacharias, your turn."],'
    '"picture":{"source":"picture/token","alt":"Zacharias (White)","width":1,"height":1}}'
)


async def lived(folder: Path) -> History:
    history = History(folder / "web-room.db", key=folder / "riposte.key")
    await history.open()
    for person, token in ((WHO, "his"), (Person("web", "ben", "Ben"), "bens")):
        await history.take(person.id, "", token, local=True, now=1)
        assert await history.enter(person, token, 1) is not None
    said = '{"text":["I am here"]}'
    await history.add(Message(0, "1", LOUNGE, "zacharias", "Zacharias", "", "I am here", said, 5))
    await history.add(Message(0, "2", LOUNGE, "ben", "Ben", "", "hello Zacharias!", '{"text":["hello Zacharias!"]}', 6))
    await history.add(Message(0, "3", MATCH, "", "Riposte", "", "", BODY, 7), ("token", b"a picture with a name", ""))
    await history.add(Message(0, "4", MATCH, "", "Riposte", "zacharias", "", '{"text":["for you alone"]}', 8))
    await history.describe(Room(MATCH, "tokonoma", ("web:zacharias", "web:ben"), ("web:zacharias",), False, 0))
    await history.mark_read("zacharias", MATCH, 3)
    return history


def left_of(folder: Path) -> list[str]:
    """What of him stands in the file, its log, or behind its seals."""
    found = [path.read_bytes().decode("utf-8", "replace") for path in folder.glob("web-room.db*")]
    sealer = read_key(folder / "riposte.key")
    assert sealer is not None
    with closing(connect(folder / "web-room.db")) as db:
        for author, key, said, body in db.execute("SELECT author, id, said, body FROM message"):
            found += opened_words(sealer, author, key, said, body)
    return [text for text in found if "zacharias" in text.lower()]


async def test_an_erased_seat_leaves_nothing_in_the_room_s_file(tmp_path: Path) -> None:
    history = await lived(tmp_path)
    assert len(left_of(tmp_path)) >= 3
    await history.forget((WHO,), 9)
    assert left_of(tmp_path) == []
    assert "zacharias" not in history.users
    kept = await history.page("ben", LOUNGE, 0)
    assert [message.text for message in kept] == ["hello former player!"]
    (shown,) = await history.page("ben", MATCH, 0)
    assert "former player, your turn" in shown.body
    assert await history.picture("token") is None
    room = await history.place(MATCH)
    assert room is not None
    assert room.players == ("former", "web:ben")
    assert await history.enter(WHO, "his", 10) is None  # his browser opens nothing any more
    with closing(connect(tmp_path / "web-room.db")) as db:
        known_to(db)
        assert damaged_rows(db) == []
    await history.close()


async def test_a_room_from_an_older_backup_is_erased_again_and_a_newcomer_s_is_not(tmp_path: Path) -> None:
    history = await lived(tmp_path)
    await history.close()
    shutil.copy(tmp_path / "web-room.db", tmp_path / "yesterday")
    sealer = read_key(tmp_path / "riposte.key")
    assert sealer is not None
    listed: Mapping[str, int] = {sealer.mark("erased web:zacharias"): 9}
    history = History(tmp_path / "web-room.db", key=tmp_path / "riposte.key")
    await history.open()
    await again(history, listed)
    await history.take("zacharias", "", "new", local=True, now=10)
    assert await history.enter(WHO, "new", 10) is not None
    assert await history.brought_back(listed) == []
    await history.close()
    for stale in tmp_path.glob("web-room.db*"):
        stale.unlink()
    shutil.copy(tmp_path / "yesterday", tmp_path / "web-room.db")
    (tmp_path / "yesterday").unlink()
    history = History(tmp_path / "web-room.db", key=tmp_path / "riposte.key")
    await history.open()
    assert await history.brought_back(listed) == [(WHO, 9)]
    await again(history, listed)
    assert left_of(tmp_path) == []
    await history.close()


async def again(history: History, listed: Mapping[str, int]) -> None:
    """As the page does it when it opens."""
    for person, at in await history.brought_back(listed):
        await history.forget((person,), at)


ELSEWHERE = Person("discord", "700000000000000017", "Zacharias")
SHOWN_HERE = (
    '{"text":[{"person":"discord:700000000000000017","name":"Zacharias"}," plays. Zacharias, your turn."],'
    '"picture":{"source":"picture/token","alt":"Zacharias (White)","width":1,"height":1}}'
)


async def shown_here(folder: Path) -> History:
    """A match of theirs lives in the room too; they have never sat there."""
    history = History(folder / "web-room.db", key=folder / "riposte.key")
    await history.open()
    await history.add(Message(0, "3", MATCH, "", "Riposte", "", "", SHOWN_HERE, 7), ("token", b"a name", ""))
    await history.describe(Room(MATCH, "tokonoma", (ELSEWHERE.key, "web:ben"), (ELSEWHERE.key,), False, 0))
    return history


async def test_whoever_never_sat_there_is_forgotten_too_and_after_a_restore(tmp_path: Path) -> None:
    history = await shown_here(tmp_path)
    await history.close()
    shutil.copy(tmp_path / "web-room.db", tmp_path / "yesterday")
    sealer = read_key(tmp_path / "riposte.key")
    assert sealer is not None
    listed = {sealer.mark(f"erased {ELSEWHERE.key}"): 9, sealer.mark("erased matrix:@nobody:here"): 9}
    for step in ("erased", "restored"):
        history = History(tmp_path / "web-room.db", key=tmp_path / "riposte.key")
        await history.open()
        if step == "erased":
            await history.forget((ELSEWHERE,), 9)
        else:
            assert await history.brought_back(listed) == [(ELSEWHERE, 9)]
            await again(history, listed)
        assert await history.brought_back(listed) == []
        assert await history.picture("token") is None
        assert left_of(tmp_path) == []
        await history.close()
        assert b"700000000000000017" not in (tmp_path / "web-room.db").read_bytes()
        for stale in tmp_path.glob("web-room.db*"):
            stale.unlink()
        if step == "erased":
            (tmp_path / "yesterday").rename(tmp_path / "web-room.db")
