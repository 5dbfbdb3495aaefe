"""Whoever writes on Discord while nothing can be stored is told so there, though every post goes by the same disk."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.runtime.patience import Patience
from storage.sqlite.store import SqliteStore
from tests.adapters.discord_room import DiscordRoom, discord_room


async def room_on_disk(room: DiscordRoom, pages: int) -> None:
    assert isinstance(room.store, SqliteStore)
    await room.store._writer.run(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchall())


async def note_for_ever(room: DiscordRoom, size: int) -> None:
    while True:
        await room.adapter.inbox.note(f"filler {size} {room.standin.clock.next_id()}", "x" * size)


async def fill(room: DiscordRoom) -> None:
    """Leave no room for anything."""
    await room_on_disk(room, 1)  # as many as there are
    for size in (4_000, 10):
        with pytest.raises(OSError, match="disk is full"):
            await note_for_ever(room, size)


@pytest.mark.parametrize("how", ["a message", "a slash command"])
async def test_whoever_waits_for_a_full_disk_is_told_where_they_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr("bot.runtime.patience.UNTOLD", 2.0)
    monkeypatch.setattr("bot.runtime.patience.PAUSES", (0.01,))
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        anna, ben = room.people
        thread = await room.begun(anna, ben, "tokonoma side=white")
        patience = Patience(room.service.aside, room.service.answer, room.now)
        patience.platforms = {"discord": room.adapter}
        room.receive = patience.told(patience.stored(room.service.receive))
        await room.calm()
        with capture_logs():
            await fill(room)
            if how == "a message":
                anna.say(thread, "c7c5", mention_bot=True)
                told = await room.until(lambda: [post for post in thread.posts if "message waits" in post.content])
            else:
                asked = anna.slash(thread, "move", turn="c7c5")
                told = await room.until(lambda: [one for one in asked.replies if "message waits" in one.content])
            assert "the disk of this Riposte is full" in told[0].content
            await room_on_disk(room, 100_000)
            await room.until(lambda: "**Turn 1**" in thread.posts[-1].content, "the turn")
