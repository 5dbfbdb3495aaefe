"""How often reminders come, and where, besides what `conversations/reminders.txt` shows."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.model import OutgoingMessage
from tests.chat_room import HOUR, ChatRoom, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def reminded(room: ChatRoom, *hours: int) -> list[list[OutgoingMessage]]:
    """What is posted after each of these spans; a turn of three days has reminders after 36, 57.6 and 68.4 hours."""
    return [await room.wait(span * HOUR) for span in hours]


def heard(posts: list[OutgoingMessage]) -> list[tuple[str, tuple[str, ...]]]:
    """Who alone reads each post, and whom it rings."""
    return [(post.only.name if post.only else "", tuple(person.name for person in post.rings)) for post in posts]


async def test_usually_each_reminder_of_a_turn_rings_where_the_match_is_played(room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept 1")
    assert [heard(posts) for posts in await reminded(room, 37, 21, 11)] == [[("", ("anna",))]] * 3


@pytest.mark.parametrize(("settled", "rings"), [("last", [0, 0, 1]), ("never", [0, 0, 0]), ("all", [1, 1, 1])])
async def test_reminders_come_as_often_as_was_settled(room: ChatRoom, settled: str, rings: list[int]) -> None:
    await room.say("anna", "quiet never")
    await room.say("anna", f"quiet {settled}")
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept 1")
    assert [len(posts) for posts in await reminded(room, 37, 21, 11)] == rings


async def test_of_two_who_are_awaited_each_is_reminded_where_they_wish(room: ChatRoom) -> None:
    await room.say("anna", "quiet private")
    await room.say("anna", "challenge @ben veney side=white setup=concealed")
    await room.say("ben", "accept 1")
    match = await room.service.repository.match("1")
    assert match is not None
    assert len(match.sides_to_act) == 2
    (posts,) = await reminded(room, 37)
    assert heard(posts) == [("anna", ("anna",)), ("", ("ben",))]
    await room.say("anna", "quiet open")
    (posts,) = await reminded(room, 21)
    assert heard(posts) == [("", ("anna", "ben"))]


async def test_no_reminder_of_less_than_a_day_is_lost_to_whoever_wants_the_last(room: ChatRoom) -> None:
    await room.say("anna", "quiet last")
    await room.say("anna", "challenge @ben tokonoma side=white time=10h")
    await room.say("ben", "accept 1")
    assert [heard(posts) for posts in await reminded(room, 9)] == [[("", ("anna",))]]
