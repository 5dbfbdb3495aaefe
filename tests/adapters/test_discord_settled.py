"""On Discord no button is left that leads to nothing, whatever has settled its matter."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.model import Place
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben, with calling out."""
    return await room.begun(*room.people, "tokonoma side=white umpire=turn time=1d")


def left(channel: Channel) -> list[list[str]]:
    """The buttons of all posts but the last."""
    return [post.buttons for post in channel.posts[:-1] if post.buttons]


@pytest.mark.parametrize("how", ["decline 1", "challenge withdrawn", "expired"])
async def test_a_challenge_that_comes_to_nothing_loses_its_buttons(room: DiscordRoom, how: str) -> None:
    anna, ben = room.people
    await room.say(anna, f"challenge {'' if how == 'expired' else '@ben '}tokonoma")
    (invitation,) = room.channel.posts
    match how:
        case "expired":  # nobody was named, and nobody has come
            await room.stop()
            room.standin.advance(40 * 24 * 3600)
            await room.start()
        case "challenge withdrawn":
            await room.say(anna, "abort 1 yes")
        case _:
            await room.say(ben, how)
    await room.until(lambda: not invitation.buttons, "the buttons of what came to nothing to go")


async def test_buttons_that_an_earlier_version_has_noted_go_too(room: DiscordRoom) -> None:
    anna, ben = room.people
    await room.say(anna, "challenge @ben tokonoma")
    (invitation,) = room.channel.posts
    match = Place("discord", "", "1")
    ((key, value),) = (await room.adapter.inbox.recall_each("buttons", match)).items()
    await room.adapter.inbox.note(f"buttons {key}", "", match)
    await room.adapter.inbox.note("buttons", f"{key} {value}", match)
    await room.stop()
    await room.start()
    await room.say(ben, "decline 1")
    await room.until(lambda: not invitation.buttons, "the buttons of what came to nothing to go")
    while await room.adapter.inbox.recall("buttons", match):
        await asyncio.sleep(0)


async def test_an_offer_falls_with_the_turn_that_is_made_and_with_the_match(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    await room.play(anna, "c7c5", thread)
    asked = await room.play(anna, "takeback", thread)
    assert asked.buttons
    await room.play(ben, "e1e3", thread)
    await room.until(lambda: not left(thread), "the buttons of an offer that fell to go")
    await room.play(anna, "draw", thread)
    await room.play(ben, "resign 1 yes", thread)
    await room.until(lambda: not left(thread), "the buttons of what the end has settled to go")
    assert thread.posts[-1].buttons == ["Rematch"]


async def test_a_reminder_loses_its_button_with_the_turn(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    await room.stop()
    room.standin.advance(20 * 3600)
    await room.start()
    await room.until(lambda: len(thread.posts) == 2, "a reminder")
    await room.calm()
    assert thread.posts[-1].buttons == ["Make the turn"]
    await room.play(anna, "c7c5", thread)
    await room.until(lambda: not left(thread), "the buttons of the past turn and of its reminder to go")


async def test_what_was_told_in_private_of_a_turn_loses_its_button_with_the_turn(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben = room.people
    room.channel.deny("send_messages_in_threads")
    await room.say(anna, "move 1 c7c5", anna.dm)
    (told,) = (post for post in ben.dm.posts if "Make the turn" in post.buttons)
    await room.say(ben, "move 1 e1e3", ben.dm)
    await room.until(lambda: not told.buttons, "the buttons in private to go")
    room.channel.allow("send_messages_in_threads")
    await room.until(lambda: "I can write here again" in thread.posts[-1].content, "the board")
    await room.play(anna, "c5d5", thread)
    await room.until(lambda: not left(thread) and not left(anna.dm) and not left(ben.dm), "all of them to go")


async def test_a_turn_that_was_called_out_cannot_be_called_out_again(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    made = await room.play(anna, "c7c4", thread)
    assert "Call it out" in made.buttons
    await room.press(ben, made, "Call it out")
    await room.until(lambda: "Call it out" not in made.buttons, "what was called out to be called out no more")
    assert left(thread) == [["Make the turn"]], "it leads to the turn that is due"
    assert thread.posts[-1].buttons == ["Make the turn"]
    await room.play(ben, "resign 1 yes", thread)
    await room.until(lambda: not left(thread), "the buttons of a match that is over to go")
    assert thread.posts[-1].buttons == ["Rematch"]


async def test_an_end_that_waits_for_a_word_loses_its_buttons_when_it_has_it(room: DiscordRoom) -> None:
    anna, ben = room.people
    thread = await room.begun(anna, ben, 'tokonoma side=white umpire=turn start="5/6/1F3f1/6/5 w"')
    won = await room.play(anna, "c2c1", thread)
    assert won.buttons == ["Call it out", "Let it stand"]
    await room.press(ben, won, "Let it stand")
    await room.until(lambda: not left(thread), "the buttons of the end to go")
    assert thread.posts[-1].buttons == ["Rematch"]


async def test_buttons_go_within_discords_limits(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben", rate_limits=True) as room:
        anna, ben = room.people
        thread = await room.begun(anna, ben, "tokonoma side=white umpire=turn")
        for number in range(6):
            one, other = (anna, ben) if number % 2 else (ben, anna)
            await room.play(one, "draw", thread)
            await room.play(other, "decline", thread)
        await room.play(anna, "resign 1 yes", thread)
        await room.until(lambda: not left(thread), "the buttons of the match to go")
        edits = [one for one in room.standin.requests if one.method == "PATCH" and "/messages/" in one.path]
        assert len(edits) >= 7, "the board's, and those of six offers"
        assert {one.status for one in edits} == {200}
