"""Whom the news of a match ring: those who are to act because of them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.chat_room import ChatRoom, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    chat = await open_room(tmp_path)
    yield chat
    await chat.store.close()


async def rung(room: ChatRoom, name: str, text: str) -> list[str]:
    return [person.name for post in await room.say(name, text, "1") for person in post.rings]


@pytest.mark.parametrize(("falsecall", "expected"), [("turn", ["anna"]), ("time", ["ben"]), ("once", [])])
async def test_a_wrong_call_rings_whoever_is_to_act_if_it_has_changed_anything(
    room: ChatRoom, falsecall: str, expected: list[str]
) -> None:
    await room.say("anna", f"challenge @ben tokonoma side=white umpire=turn falsecall={falsecall}")
    await room.say("ben", "accept")
    assert await rung(room, "anna", "c7c5") == ["ben"]
    assert await rung(room, "ben", "call sure") == expected
