"""What only whoever interacts sees: one message for each interaction, once, and no "thinking …" that stays."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.discord.interactions import incoming
from bot.messages.model import IncomingMessage
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel
from tests.discord_standin.interactions import DEFER, SAY


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben."""
    return await room.begun(*room.people, "tokonoma side=white")


async def test_a_private_answer_to_a_press_is_the_first_answer_itself(room: DiscordRoom, thread: Channel) -> None:
    _, ben = room.people
    pressed = await room.press(ben, thread.posts[-1], "Make the turn")
    assert (pressed.answer, pressed.whispered) == (SAY, True)


@pytest.mark.parametrize("after", [False, True], ids=["before the work", "after it"])
@pytest.mark.parametrize("trouble", ["502", "cut"])
async def test_an_answer_shows_once_whatever_happens_to_its_request(
    room: DiscordRoom, thread: Channel, trouble: str, after: bool
) -> None:
    _, ben = room.people
    fault = room.standin.fail("POST", "/interactions/**", trouble, after=after)  # type: ignore[arg-type]
    pressed = await room.press(ben, thread.posts[-1], "Make the turn")
    assert fault.hits == 1
    await room.until(lambda: pressed.replies or ben.dm.posts, "an answer")
    await room.calm()
    assert len(pressed.replies) + len(ben.dm.posts) == 1
    assert not pressed.followups


async def test_a_long_answer_is_one_message(room: DiscordRoom) -> None:
    anna, _ = room.people
    asked = anna.slash(room.channel, "riposte rules", game="veney", rule="all")
    answer = await (await asked.done()).reply()
    await room.calm()
    assert len(asked.replies) == 1
    assert answer.embeds or answer.attachments
    assert not [one for one in room.standin.requests if one.method == "POST" and "/webhooks/" in one.path]


async def test_who_was_thinking_when_the_bot_died_is_told_that_nothing_was_done(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _ = room.people
    monkeypatch.setattr(incoming, "GRACE", 0.05)
    reached = asyncio.Event()

    async def never(heard: IncomingMessage) -> bool:
        reached.set()
        return await asyncio.get_running_loop().create_future()

    room.receive = never
    asked = anna.slash(thread, "move", turn="c7c5")
    await reached.wait()
    await room.restart()
    assert asked.answer == DEFER
    await room.until(lambda: not asked.loading, "an end of thinking")
    assert (await asked.reply()).content.startswith("I was interrupted before I could deal with that")
    assert len(thread.posts) == 1


async def test_thinking_is_taken_away_after_a_restart_where_the_post_says_it_all(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _ = room.people
    monkeypatch.setattr(incoming, "GRACE", 0.05)
    dealt_with = asyncio.Event()

    async def and_then_nothing(heard: IncomingMessage) -> bool:
        await room.service.receive(heard)
        dealt_with.set()
        return await asyncio.get_running_loop().create_future()

    room.receive = and_then_nothing
    asked = anna.slash(thread, "move", turn="c7c5")
    await dealt_with.wait()
    await room.restart()
    await room.until(lambda: room.standin.advance(1) or not asked.loading, "an end of thinking")
    await room.calm()
    assert not asked.replies
    assert "**Turn 1**" in thread.posts[-1].content


async def test_a_record_is_a_file(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    await room.play(anna, "c7c5", thread)
    asked = anna.slash(thread, "match export")
    answer = await (await asked.done()).reply()
    (file,) = answer.attachments
    assert file.name == "match-1.txt"
    assert b"1. W c7c5" in file.data
    assert answer.content == "Here it is, as a file."


async def test_matches_are_listed_with_links_and_the_button_for_the_next_turn(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, _ = room.people
    asked = anna.slash(room.channel, "matches")
    answer = await (await asked.done()).reply()
    assert thread.mention in answer.content
    assert answer.buttons == ["Make the next turn"]
    await room.press(anna, answer, "Make the next turn", "c7c5")
    assert "**Turn 1**" in thread.posts[-1].content


async def test_a_reminder_shows_the_board_and_the_button(room: DiscordRoom) -> None:
    thread = await room.begun(*room.people, "tokonoma side=white time=1d")
    await room.stop()
    room.standin.advance(20 * 3600)
    await room.start()
    await room.until(lambda: len(thread.posts) == 2, "a reminder")
    await room.calm()
    assert thread.posts[-1].attachments
    assert thread.posts[-1].buttons == ["Make the turn"]


@pytest.mark.parametrize("language", ["de", "es", "ja"])
async def test_help_is_short_in_every_language(room: DiscordRoom, language: str) -> None:
    anna, _ = room.people
    await room.say(anna, f"language {language}", anna.dm)
    await room.say(anna, "help", anna.dm)
    assert "`/challenge`" in anna.dm.posts[-1].content
    assert len(anna.dm.posts[-1].content) < 1000


@pytest.mark.parametrize("subject", ["arbiter", "privacy"])
async def test_words_that_follow_a_command_are_no_slash_commands(room: DiscordRoom, subject: str) -> None:
    anna, _ = room.people
    await room.say(anna, f"help {subject}", anna.dm)
    told = anna.dm.posts[-1].content
    assert f"`/club {subject}" in told
    assert not re.search(r"`/(match|riposte|move)", told)


async def test_help_says_how_to_be_heard_here_and_is_short(room: DiscordRoom) -> None:
    anna, _ = room.people
    asked = anna.slash(room.channel, "riposte help")
    answer = await (await asked.done()).reply()
    assert "press the button, reply to one of my messages" in answer.content
    assert "`/challenge`" in answer.content
    assert len(answer.content) < 1000
    assert not answer.embeds
