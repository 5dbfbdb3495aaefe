"""Those who look on at a match talk in a private thread on Discord; its players come in when it is over."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel
from tests.discord_standin.world import PRIVATE_THREAD


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben", "Cleo", "Dora") as room:
        yield room


def galleries(room: DiscordRoom) -> list[Channel]:
    return [thread for thread in room.channel.threads if thread.type == PRIVATE_THREAD]


def inside(thread: Channel) -> list[str]:
    return sorted(user.name for user in thread.joined if not user.bot)


async def test_only_those_who_look_on_are_in_it_until_the_match_is_over(room: DiscordRoom) -> None:
    anna, ben, cleo, dora = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    await room.say(cleo, "kibitz 1 white should look to the left")
    (gallery,) = galleries(room)
    assert "looking on" in gallery.name
    assert "After 0 turns, " in gallery.posts[-1].content
    assert "white should look to the left" in gallery.posts[-1].content
    assert inside(gallery) == ["Cleo"]
    await room.restart()
    await room.say(dora, "kibitz 1 no, to the right")
    assert galleries(room) == [gallery]
    assert inside(gallery) == ["Cleo", "Dora"]
    await room.say(anna, "c7c5", thread)
    assert not any("to the left" in post.content for post in (*thread.posts, *room.channel.posts) if post.author.bot)
    await room.say(ben, "resign yes", thread)
    assert inside(gallery) == ["Anna", "Ben", "Cleo", "Dora"]
    assert "its players read along here" in gallery.posts[-1].content
    assert any("to the right" in post.content for post in thread.posts if post.author.bot)


async def test_who_has_left_it_is_not_brought_back(room: DiscordRoom) -> None:
    anna, ben, cleo, dora = room.people
    await room.begun(anna, ben, "tokonoma side=white")
    await room.say(cleo, "kibitz 1 left")
    (gallery,) = galleries(room)
    gallery.joined.remove(cleo)
    await room.say(dora, "kibitz 1 right")
    assert inside(gallery) == ["Dora"]


async def test_where_riposte_may_open_none_the_remark_is_kept_and_nobody_is_told_of_it(room: DiscordRoom) -> None:
    anna, ben, cleo, _ = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    room.channel.deny("create_private_threads")
    await room.say(cleo, "kibitz 1 left")
    assert galleries(room) == []
    assert anna.dm.posts == ben.dm.posts == []
    assert not await room.service.contact.closed("discord")
    await room.say(ben, "resign yes", thread)
    assert any("left" in post.content for post in thread.posts if post.author.bot)


async def test_talk_there_is_no_turn_and_no_command(room: DiscordRoom) -> None:
    anna, ben, cleo, _ = room.people
    await room.begun(anna, ben, "tokonoma side=white")
    await room.say(cleo, "kibitz 1 left")
    (gallery,) = galleries(room)
    posts, told = len(gallery.posts), len(cleo.dm.posts)
    cleo.say(gallery, "resign", reply_to=gallery.posts[-1], ping=False)
    await room.say(cleo, "kibitz 1 right")
    assert (len(gallery.posts), len(cleo.dm.posts)) == (posts + 1, 2 * told), "no more than what the first one led to"
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.status == "running"
