"""After an error: a bug is answered with an apology, a damaged match with the reason, a full disk by waiting."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.messages.model import IncomingMessage, Person, Place
from bot.runtime.patience import Patience
from bot.service.service import Service
from bot.service.transaction import SORRY
from engine.games import GAMES
from engine.games.tokonoma import Tokonoma
from storage.sqlite.store import SqliteStore
from storage.store import Alarm
from tests.chat_room import DAY, ChatRoom, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    """Two matches run: anna against ben, carol against dave."""
    room = await open_room(tmp_path)
    for challenger, other, number in (("anna", "ben", 1), ("carol", "dave", 2)):
        await room.say(challenger, f"challenge @{other} tokonoma side=white umpire=turn")
        await room.say(other, f"accept {number}")
    yield room
    await room.store.close()


async def told(room: ChatRoom, name: str, text: str, thread: str = "") -> list[str]:
    """The words of each answer, to whom they are whispered in front."""
    posts = await room.say(name, text, thread)
    return [
        (f"{post.only.name}: " if post.only else "")
        + "".join(
            span if isinstance(span, str) else getattr(span, "text", getattr(span, "name", "")) for span in post.text
        )
        for post in posts
    ]


# --- a bug --------------------------------------------------------------------------------------------------
@pytest.fixture
def broken_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules of Tokonoma stumble over a certain turn."""
    read = Tokonoma.read

    def stumbling(self: Tokonoma, text: str, position: Any) -> Any:
        if text == "c7c6":
            raise ZeroDivisionError
        return read(self, text, position)

    monkeypatch.setattr(Tokonoma, "read", stumbling)


@pytest.mark.usefixtures("broken_rules")
async def test_a_bug_is_answered_with_an_apology_and_logged(room: ChatRoom) -> None:
    before = await room.store.load("1")
    with capture_logs() as logs:
        assert await told(room, "anna", "c7c6", "1") == [" ".join(map(str, SORRY))]
    assert [(line["match"], line["after"], line["log_level"]) for line in logs] == [("1", 3, "error")]
    assert await room.store.load("1") == before
    assert len(await told(room, "anna", "c7c5", "1")) == 1  # and the match goes on


@pytest.mark.usefixtures("broken_rules")
async def test_a_bug_is_not_met_twice_by_one_message(room: ChatRoom) -> None:
    heard = IncomingMessage("web:twice", Person("web", "anna", "anna"), Place("web", "lounge", "1"), "c7c6", room.now)
    with capture_logs() as logs:
        await room.service.receive(heard)
        await room.service.receive(heard)
    assert len(await room.store.waiting(room.now, 10)) == 1
    assert len(logs) <= 2


# --- a damaged match ----------------------------------------------------------------------------------------
@pytest.fixture
async def damaged(room: ChatRoom, tmp_path: Path) -> ChatRoom:
    """Somebody has altered an event of match 1 in the file; the bot has been started again since."""
    await room.store.close()
    with sqlite3.connect(tmp_path / "riposte.db") as db:
        db.execute("UPDATE events SET body = body || 'x' WHERE match = 1 AND seq = 1")
    db.close()
    fresh = await open_room(tmp_path)
    room.store, room.service = fresh.store, fresh.service
    return room


@pytest.mark.parametrize("text", ["c7c5", "board", "call", "draw", "export", "resign yes", "look c7", "turns"])
async def test_a_damaged_match_says_so_and_the_others_are_played_on(damaged: ChatRoom, text: str) -> None:
    with capture_logs() as logs:
        (answer,) = await told(damaged, "anna", text, "1")
    assert answer.startswith("anna: Match 1 is damaged: what is stored is not what was written.")
    assert [line["error"].startswith("Match 1 is damaged from event 1 on") for line in logs] == [True]
    (answer,) = await told(damaged, "carol", "c7c5", "2")
    assert "played c7c5" in answer


@pytest.mark.parametrize("line", ["move 1", "move"])
async def test_whoever_presses_for_a_turn_of_a_damaged_match_gets_to_where_that_is_told(
    damaged: ChatRoom, line: str
) -> None:
    assert await damaged.service.due("web:anna", line)
    assert await damaged.service.due("web:carol", "move")
    assert not await damaged.service.due("web:dave", "move"), "it is Carol's turn in theirs"


async def test_a_damaged_match_hides_no_other_from_the_list(damaged: ChatRoom) -> None:
    (answer,) = await told(damaged, "eve", "matches all")
    assert "\nMatch 1 is damaged: what is stored is not what was written." in answer
    assert "2 Tokonoma: carol (White) against dave (Black)" in answer
    (answer,) = await told(damaged, "anna", "c7c5")
    assert answer == "anna: There is no command c7c5. help lists them."


async def test_a_damaged_match_stops_neither_credits_nor_alarms(damaged: ChatRoom) -> None:
    await damaged.service.credit(damaged.now - DAY, damaged.now)
    assert {alarm.match for alarm in await damaged.store.due(damaged.now + 30 * DAY)} == {"1", "2"}
    with pytest.raises(OSError, match="Match 1 is damaged"):  # the scheduler logs it and goes on
        await damaged.service.alarm_fired(Alarm("1", "nudge", damaged.now))


async def test_a_match_of_a_game_that_is_gone_says_so(room: ChatRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    room.service.repository.forget("1")
    monkeypatch.setattr(GAMES, "_taken", {})
    monkeypatch.setattr("engine.games.__path__", [])
    (answer,) = await told(room, "anna", "board", "1")
    assert answer.startswith("anna: Match 1 cannot be replayed as it was written")


async def test_a_match_whose_rules_were_others_says_so(room: ChatRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    await room.say("anna", "c7c5", "1")
    room.service.repository.forget("1")
    monkeypatch.setattr(Tokonoma, "play", lambda self, position, turn: position)
    (answer,) = await told(room, "anna", "board", "1")
    assert answer.startswith("anna: Match 1 cannot be replayed as it was written")


# --- a full disk --------------------------------------------------------------------------------------------
async def test_a_full_disk_loses_no_message(room: ChatRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(room.store, SqliteStore)
    writing = room.store._writer

    async def space(pages: int) -> None:
        await writing.run(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchall())

    await space(1)  # as many as there are
    for text in ("help", "!x"):  # until even a short answer finds no room
        with pytest.raises(OSError, match="disk is full"):
            await say_for_ever(room, text)
    monkeypatch.setattr("bot.runtime.patience.PAUSES", (0.01,))
    heard = IncomingMessage("web:full", Person("web", "anna", "anna"), Place("web", "lounge", "1"), "c7c5", room.now)
    patience = Patience(room.service.aside, room.service.answer, lambda: room.now)
    with capture_logs() as logs:
        waiting = asyncio.create_task(patience.stored(room.service.receive)(heard))
        async with asyncio.timeout(10):
            while not logs:
                await asyncio.sleep(0)
            await space(100_000)
            await waiting
    match = await room.service.repository.match("1")
    assert match is not None
    assert [ply.text for ply in match.plies] == ["c7c5"]


async def say_for_ever(room: ChatRoom, text: str) -> None:
    while True:
        await room.say("eve", text)


# --- a hurry ------------------------------------------------------------------------------------------------
async def test_two_who_act_at_once_are_dealt_with_one_after_the_other(room: ChatRoom) -> None:
    other = Service(room.store, now=lambda: room.now, seed=lambda: bytes(32))  # a second process, say
    assert await other.repository.match("1") is not None
    await room.say("anna", "c7c5", "1")
    where = Place("web", "lounge", "1")
    heard = [
        IncomingMessage("web:a", Person("web", "ben", "ben"), where, "c1c3", room.now),
        IncomingMessage("web:b", Person("web", "ben", "ben"), where, "e1e3", room.now),
        IncomingMessage("web:c", Person("web", "anna", "anna"), where, "draw", room.now),
        IncomingMessage("web:d", Person("web", "ben", "ben"), where, "call", room.now),
    ]
    managers = (other, room.service, other, room.service)
    await asyncio.gather(*(service.receive(message) for service, message in zip(managers, heard, strict=True)))
    other.repository.forget("1")
    match = await other.repository.match("1")
    assert match is not None
    assert len(match.plies) == 2
    assert match.length == 6 + len(match.failed_calls)  # Challenged, Joined, Started, two turns and the offer
    assert len(match.offers) == 1
