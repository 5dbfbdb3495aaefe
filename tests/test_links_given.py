"""A link to one's board on the page: who is given one, what it opens, and for how long."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.commands.person.links import Found, forgotten, found
from tests.chat_room import MINUTE, ChatRoom, open_room

PUBLIC = "https://riposte.example"


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    """A match on Discord, of a Riposte that has a page elsewhere."""
    room = await open_room(tmp_path)
    room.service.repository.public = PUBLIC
    await answer(room, "anna", "challenge @ben tokonoma side=white")
    await answer(room, "ben", "accept 1")
    room.seed = 7
    yield room
    await room.store.close()


async def answer(room: ChatRoom, who: str, text: str, platform: str = "discord") -> str:
    """The last line that somebody is answered."""
    await room.say(who, text, platform=platform)
    return room.lines[-1].strip()


async def opened_by(room: ChatRoom, link: str) -> Found | None:
    return await found(room.service.repository, link.partition("#")[2].partition(">")[0], room.now)


async def test_a_player_is_given_one_that_opens_their_board_for_ten_minutes(room: ChatRoom) -> None:
    told = await answer(room, "anna", "open 1")
    assert told == (
        f"Riposte to anna: Your board of match 1: <{PUBLIC}/enter#{'0' * 63}7> "
        "The link works once, for ten minutes, for whoever has it: show it to nobody."
    )
    room.now += 10 * MINUTE - 1
    assert await opened_by(room, told) == Found("discord:anna", "1")
    room.now += 1
    assert await opened_by(room, told) is None


async def test_the_last_one_counts_and_a_spent_one_opens_nothing(room: ChatRoom) -> None:
    first = await answer(room, "anna", "open 1")
    room.seed = 8
    second = await answer(room, "anna", "open 1")
    assert await opened_by(room, first) is None
    assert await opened_by(room, second) == Found("discord:anna", "1")
    spent = forgotten(f"{'0' * 63}8", "discord:anna")
    assert [(key, value) for _, key, value in spent] == [("visit", ""), ("visit", "")]
    room.service.repository.remember(None, spent)
    assert await opened_by(room, second) is None


async def test_whoever_has_no_seat_there_or_is_on_the_page_is_told_so(room: ChatRoom) -> None:
    assert await answer(room, "carol", "open 1") == (
        "Riposte to carol: You do not play in match 1. `board 1` shows the position here."
    )
    assert await answer(room, "anna", "open 1", "web") == (
        "Riposte to anna: You are on the page already. The list shows all your matches."
    )
    await answer(room, "carol", "challenge @dora tokonoma")
    assert await answer(room, "carol", "open 2") == (
        "Riposte to carol: Match 2 has not begun. The others have yet to `accept`."
    )


async def test_without_a_page_there_is_none_and_no_button_for_one(room: ChatRoom) -> None:
    assert "(Open the board: open 1)" in await answer(room, "anna", "board 1")
    assert "(Open the board: open 1)" not in await answer(room, "carol", "board 1")
    assert "(Open the board: open 1)" not in await answer(room, "anna", "board 1", "web")
    room.service.repository.public = ""
    assert "(Open the board: open 1)" not in await answer(room, "anna", "board 1")
    assert await answer(room, "anna", "open 1") == (
        "Riposte to anna: Riposte shows no matches on the web here, so match 1 has no link. "
        "`board 1` shows the position here."
    )
