"""Pictures of the web room's talk come in the colours of whoever looks, unless somebody asked for others."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.web.history.file import damaged
from bot.adapters.web.history.history import History
from bot.messages.model import Picture
from bot.messages.serialization import read_picture, write_picture
from bot.painting import Painting
from tests.adapters.web_room import OpenRoom, open_room, outgoing
from tests.chat_room import open_room as open_chat

BOARD = Picture("tokonoma", "f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w", None, theme="light", size=320, alt="A board.")


class Room:
    """An open room with one picture in it."""

    def __init__(self, opened: OpenRoom, source: str, asked: list[Picture]):
        self.opened = opened
        self.source = source
        self.asked = asked
        """What was painted since it was posted."""

    async def picture(self, theme: str) -> bytes:
        async with self.opened.session.get(f"{self.opened.address}{self.source}{theme}") as answer:
            assert answer.content_type == "image/png"
            return await answer.read()


@asynccontextmanager
async def shown(folder: Path, picture: Picture) -> AsyncIterator[Room]:
    painting, asked = Painting(), list[Picture]()

    async def paint(picture: Picture) -> bytes:
        asked.append(picture)
        return await painting.paint(picture)

    async with open_room(folder, paint=paint) as opened:
        anna, _ = await opened.enter("Anna")
        await opened.room.deliver(outgoing("k", "Look.", picture=picture), await painting.paint(picture))
        yield Room(opened, (await anna.hear("message"))["body"]["picture"]["source"], asked)


async def test_a_picture_is_painted_anew_for_those_who_see_other_colours_and_once_for_all_of_them(
    tmp_path: Path,
) -> None:
    async with shown(tmp_path, BOARD) as room:
        posted = await Painting().paint(BOARD)
        for theme in ("", "?theme=light", "?theme=pink"):
            assert await room.picture(theme) == posted
        assert room.asked == []
        dark = await Painting().paint(replace(BOARD, theme="dark"))
        assert dark != posted
        assert set(await asyncio.gather(*(room.picture("?theme=dark") for _ in range(20)))) == {dark}
        assert room.asked == [replace(BOARD, theme="dark")]


async def test_colours_that_somebody_asked_for_stay(tmp_path: Path) -> None:
    async with shown(tmp_path, replace(BOARD, chosen=True)) as room:
        assert await room.picture("?theme=dark") == await Painting().paint(BOARD)


async def test_only_colours_that_a_command_names_are_asked_for(tmp_path: Path) -> None:
    room = await open_chat(tmp_path)
    for who, line in (("Anna", "challenge @ben tokonoma umpire=turn side=white"), ("Ben", "accept 1")):
        await room.say(who, line)
    chosen = []
    for line in ("board 1", "board 1 dark", "board 1 light"):
        *_, post = await room.say("Anna", line)
        assert post.picture is not None
        assert read_picture(write_picture(post.picture)) == post.picture
        chosen.append((post.picture.theme, post.picture.chosen))
    assert chosen == [("light", False), ("dark", True), ("light", True)]
    await room.store.close()


async def test_what_is_not_there_is_not_painted(tmp_path: Path) -> None:
    async with shown(tmp_path, BOARD) as room:
        async with room.opened.session.get(f"{room.opened.address}picture/guessed?theme=dark") as answer:
            assert answer.status == 404
        assert room.asked == []


async def test_what_a_picture_shows_is_sealed_and_its_damage_is_told(tmp_path: Path) -> None:
    async with shown(tmp_path, BOARD):
        pass
    path = tmp_path / "room.db"
    history = History(path)
    await history.open()
    sealer = history._file.sealer
    await history.close()
    with closing(sqlite3.connect(path)) as db:
        token, told = db.execute("SELECT token, described FROM picture").fetchone()
        assert BOARD.position not in told
        assert damaged(path, sealer) == []
        db.execute("UPDATE picture SET described = ?", (f"{told[:20]}{'B' if told[20] == 'A' else 'A'}{told[21:]}",))
        db.commit()
    assert damaged(path, sealer) == [f"picture {token}"]
    again = History(path)
    await again.open()
    with pytest.raises(OSError, match="Restore"):
        await again.described(token)
    assert await again.described("guessed") == ""
    await again.close()
