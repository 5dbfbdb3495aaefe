"""What no direct message can bring is offered by a button where it was asked: to one person, and never shown there."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.runtime.pruning import Pruning
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel, Message

MONTH = 31 * 24 * 3600


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, whom no direct message reaches and who is to move, and Ben."""
    room.people[0].closed = True
    return await room.begun(*room.people, "tokonoma side=white")


async def offered(room: DiscordRoom, thread: Channel, asked: str) -> Message:
    """What the thread shows instead of the answer to what Anna has asked there."""
    anna, _ = room.people
    before = len(thread.posts)
    await room.say(anna, asked, thread)
    (aside,) = thread.posts[before:]
    assert "something for you alone" in aside.content
    assert aside.mentions == [anna]
    assert aside.buttons == ["Show me"]
    return aside


@pytest.mark.parametrize("again", [False, True])
async def test_an_answer_is_shown_to_whom_it_is_for_even_after_a_restart(
    room: DiscordRoom, thread: Channel, again: bool
) -> None:
    anna, _ = room.people
    aside = await offered(room, thread, "board legal")
    if again:
        await room.restart()
    posts = len(thread.posts)
    pressed = await anna.press(aside, "Show me").done()
    shown = await pressed.reply()
    assert pressed.whispered
    assert shown.attachments
    assert "Tokonoma" in str(shown.json())
    await room.until(lambda: not aside.buttons, "the button to go")
    assert len(thread.posts) == posts
    assert anna.dm.posts == []


async def test_somebody_elses_press_shows_nothing_and_takes_nothing_away(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    aside = await offered(room, thread, "move z9z9")
    pressed = await ben.press(aside, "Show me").done()
    shown = await pressed.reply()
    assert pressed.whispered
    assert "That is for" in shown.content
    assert "z9" not in shown.content
    assert not shown.attachments
    await room.calm()
    assert aside.buttons == ["Show me"]
    pressed = await anna.press(aside, "Show me").done()
    assert "z9" in (await pressed.reply()).content


async def test_the_thread_tells_nothing_of_the_answer(room: DiscordRoom, thread: Channel) -> None:
    aside = await offered(room, thread, "move z9z9")
    shown = json.dumps(aside.json())
    assert "z9" not in shown
    other = await offered(room, thread, "rules king")
    assert aside.content == other.content, "whatever it is"


async def test_what_was_shown_is_not_shown_again(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    aside = await offered(room, thread, "move z9z9")
    (button,) = (part for row in aside.components for part in row["components"])
    await anna.press(aside, "Show me").done()
    await room.calm()
    again = await anna.forge(button["custom_id"], aside).done()  # a client that still shows it
    assert again.whispered
    assert "You have had that" in (await again.reply()).content


async def test_what_asks_for_a_word_is_not_asked_of_everybody(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    aside = await offered(room, thread, "resign")
    assert "resign" not in json.dumps(aside.json()).lower()
    pressed = await anna.press(aside, "Show me").done()
    assert "Resign" in (await pressed.reply()).buttons
    await room.press(anna, await pressed.reply(), "Resign")
    assert "resigns" in thread.posts[-1].content


async def test_an_answer_that_is_kept_no_longer_is_to_be_asked_again(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    aside = await offered(room, thread, "move z9z9")
    room.standin.advance(MONTH)
    await Pruning(room.store, room.now).prune()
    pressed = await anna.press(aside, "Show me").done()
    assert "ask again" in (await pressed.reply()).content.lower()


async def test_an_answer_whose_press_was_too_late_is_offered_again(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    aside = await offered(room, thread, "move z9z9")
    down = room.standin.fail("POST", "/interactions/**", "cut", times=1000)
    posts = len(thread.posts)
    anna.press(aside, "Show me")
    await room.until(lambda: len(thread.posts) > posts, "another offer")
    assert down.hits > 10
    down.left = 0
    (other,) = thread.posts[posts:]
    pressed = await anna.press(other, "Show me").done()
    assert "z9" in (await pressed.reply()).content


# --- what the adapter says by itself ----------------------------------------------------------------------------
async def test_whom_a_challenge_meant_is_asked_where_it_was_said(room: DiscordRoom) -> None:
    anna, _ = room.people
    anna.closed = True
    anna.say(room.channel, f"{room.standin.bot.mention} challenge @bennn tokonoma")
    await room.until(lambda: room.channel.posts, "an answer")
    (told,) = room.channel.posts
    assert "whom you mean by @bennn" in told.content
    assert told.mentions == [anna]


async def test_a_reply_that_cannot_be_read_is_explained_where_it_was_written(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, _ = room.people
    before = len(thread.posts)
    anna.say(thread, "c7c5", reply_to=thread.posts[0], ping=False)
    await room.until(lambda: len(thread.posts) > before, "an answer")
    assert "reply with the mention on" in thread.posts[-1].content
    assert thread.posts[-1].mentions == [anna]


async def test_whoever_says_a_secret_aloud_is_told_there_and_it_is_not_repeated(room: DiscordRoom) -> None:
    anna, ben = room.people
    anna.closed = True
    thread = await room.begun(anna, ben, "veney side=white setup=concealed")
    before = len(thread.posts)
    await room.say(anna, "secret SC$B 5676", thread)
    await room.until(lambda: any("others" in post.content for post in thread.posts[before:]), "a warning")
    assert not any("5676" in post.content for post in thread.posts if post.author != anna)
