"""On Discord a thumb below a challenge or an offer answers it; from whoever was asked nothing it is applause."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben", "Cleo") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben."""
    anna, ben, _ = room.people
    return await room.begun(anna, ben, "tokonoma side=white")


@pytest.mark.parametrize("thumb", ["👍", "👍🏽", "✅", "✔️"])
async def test_a_thumb_accepts_a_challenge(room: DiscordRoom, thumb: str) -> None:
    anna, ben, _ = room.people
    await room.say(anna, "challenge @ben tokonoma side=white")
    (invitation,) = room.channel.posts
    ben.react(invitation, thumb)
    await room.until(lambda: room.channel.threads, "a match")
    await room.until(lambda: not invitation.buttons, "the buttons of a settled challenge to go")


@pytest.mark.parametrize(("thumb", "answer"), [("👍", "accept"), ("👎🏽", "declines"), ("❌", "declines")])
async def test_a_thumb_answers_an_offer_once(room: DiscordRoom, thread: Channel, thumb: str, answer: str) -> None:
    anna, ben, _ = room.people
    await room.play(anna, "c7c5", thread)
    offered = await room.play(anna, "draw", thread)
    ben.react(offered, thumb)
    await room.until(lambda: thread.posts[-1] is not offered, "the answer")
    assert ("declines" in thread.posts[-1].content) == (answer == "declines")
    posts = len(thread.posts)
    ben.unreact(offered, thumb)
    ben.react(offered, thumb)
    await room.calm()
    assert len(thread.posts) == posts


async def test_a_thumb_in_private_answers_a_challenge(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    await room.say(anna, "challenge @ben tokonoma side=white", anna.dm)
    ben.react(ben.dm.posts[-1], "👍")
    await room.until(lambda: "your turn" in anna.dm.posts[-1].content, "a match")


async def test_applause_answers_nothing_and_is_not_answered(room: DiscordRoom, thread: Channel) -> None:
    anna, ben, cleo = room.people
    await room.say(anna, "challenge @ben tokonoma")
    invitation = room.channel.posts[-1]
    made = await room.play(anna, "c7c5", thread)
    offered = await room.play(anna, "draw", thread)
    before = len(thread.posts)
    for who, message, sign in (
        (cleo, invitation, "👍"),  # who was not asked
        (anna, invitation, "👍"),  # who has asked
        (cleo, offered, "👎"),
        (anna, offered, "👍"),
        (ben, made, "👍"),  # where nothing is asked
        (ben, offered, "🎉"),
        (ben, cleo.say(thread, "a draw?"), "👍"),  # below somebody else's words
    ):
        who.react(message, sign)
    ben.react(invitation, "👍")
    await room.until(lambda: len(room.channel.threads) == 2, "the one answer")
    await room.calm()
    assert [one.text.split()[0] for one in room.heard if one.id.startswith("discord:r")] == ["accept"]
    assert len(thread.posts) == before
    assert not any(post for who in room.people for post in who.dm.posts)


async def test_a_thumb_given_while_the_bot_is_away_is_heard_later(room: DiscordRoom, thread: Channel) -> None:
    anna, ben, cleo = room.people
    await room.say(anna, "challenge @ben tokonoma")
    invitation = room.channel.posts[-1]
    await room.play(anna, "c7c5", thread)
    offered = await room.play(anna, "draw", thread)
    await room.calm()
    await room.stop()
    ben.react(offered, "👎")
    cleo.react(invitation, "👍")
    ben.react(invitation, "👍")
    await room.start()
    await room.until(lambda: "declines" in thread.posts[-1].content, "the answer to the offer")
    await room.until(lambda: len(room.channel.threads) == 2, "the match")
    await room.restart()
    await room.calm()
    assert sum("declines" in post.content for post in thread.posts) == 1


async def test_where_a_message_cannot_be_looked_at_its_button_still_answers(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    await room.say(anna, "challenge @ben tokonoma")
    (invitation,) = room.channel.posts
    room.channel.deny("read_message_history")
    ben.react(invitation, "👍")
    await room.press(ben, invitation, "Accept")
    assert any("your turn" in post.content for post in room.channel.posts), "no thread can be opened there either"


async def test_discord_is_asked_about_no_message_of_others_and_about_no_other_sign(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben, cleo = room.people
    offered = await room.play(anna, "draw", thread)
    talk = cleo.say(thread, "well played")
    await room.calm()
    before = len(room.standin.requests)
    for who in room.people:
        who.react(talk, "👍")
        who.react(offered, "🎉")
    ben.react(offered, "👎")
    await room.until(lambda: "declines" in thread.posts[-1].content, "the answer")
    looked = [one.path for one in room.standin.requests[before:] if one.method == "GET" and "/messages/" in one.path]
    assert looked == [f"/channels/{thread.id}/messages/{offered.id}"]
