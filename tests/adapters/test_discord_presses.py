"""A press that takes its time shows nothing meanwhile, not even "thinking …", and ends with something all the same."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.discord.composer.composer import Composer
from bot.adapters.discord.interactions import following, incoming
from bot.runtime.patience import Patience
from tests.adapters.discord_pressed import Held, accepting, deferred, failing, held, screen_held
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel, Interaction
from tests.discord_standin.interactions import DEFER_UPDATE

AN_HOUR = 3600


@pytest.fixture
async def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DiscordRoom]:
    """In which every press is a slow one, but for those that are answered at once."""
    monkeypatch.setattr(incoming, "SOON", 0.01)
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben."""
    anna, ben = room.people
    return await room.begun(anna, ben, "tokonoma side=white")


async def test_a_press_that_leads_to_a_post_shows_nothing_else(room: DiscordRoom) -> None:
    pressed, go = await accepting(room)
    go.set()
    await room.until(lambda: room.channel.threads, "a match")
    await room.calm()
    assert not pressed.replies


async def test_what_is_private_follows_once_it_is_known(room: DiscordRoom, thread: Channel) -> None:
    _, ben = room.people
    pressed, go = await held(room, thread)
    go.set()
    await room.until(lambda: pressed.replies, "an answer")
    await room.calm()
    (answer,) = pressed.followups
    assert (answer.only, ben.dm.posts) == (ben, [])
    assert answer.content == "It is White's turn. You will be told when it is yours."


async def test_the_composer_follows_too_and_goes_on_in_its_place(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _ = room.people
    pressed, go = await screen_held(room, thread, monkeypatch)
    go.set()
    await room.until(lambda: pressed.replies, "the composer")
    (composer,) = pressed.followups
    assert composer.only is anna
    form = await anna.press(composer, "Type it instead").form()
    done = room.fill(anna, form, "c7c5")
    await room.dealt_with(f"discord:i{done.id}")
    assert "**Turn 1**" in thread.posts[-1].content


async def test_a_screen_that_does_not_come_is_told_of(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _ = room.people
    monkeypatch.setattr(incoming, "SCREEN", 0.1)

    async def never(*_asked: object) -> object:
        return await asyncio.get_running_loop().create_future()

    monkeypatch.setattr(Composer, "opened", never)
    pressed = anna.press(thread.posts[-1], "Make the turn")
    assert (await pressed.reply()).content.startswith("Something went wrong here")
    assert pressed.answer == DEFER_UPDATE


@pytest.mark.parametrize("after", [False, True], ids=["before the work", "after it"])
@pytest.mark.parametrize("trouble", ["502", "cut"])
async def test_what_follows_shows_once_whatever_happens_to_its_request(
    room: DiscordRoom, thread: Channel, trouble: str, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not after:
        monkeypatch.setattr(following, "TOLD", 0.01)
    _, ben = room.people
    pressed, go = await held(room, thread)
    fault = room.standin.fail("POST", "/webhooks/**", trouble, after=after)  # type: ignore[arg-type]
    go.set()
    await room.until(lambda: pressed.replies and fault.hits, "an answer")
    await room.calm()
    assert (len(pressed.followups), ben.dm.posts) == (1, [])


@pytest.mark.parametrize("trouble", ["502", "cut"])
async def test_an_answer_is_seen_though_nothing_is_known_of_the_acknowledgement(
    room: DiscordRoom, thread: Channel, trouble: str
) -> None:
    _, ben = room.people
    slow = Held(room)
    room.standin.fail("POST", "/interactions/**", trouble, after=True)  # type: ignore[arg-type]
    pressed = ben.press(thread.posts[-1], "Make the turn")
    await deferred(room, pressed)
    slow.go.set()
    await room.until(lambda: pressed.replies or ben.dm.posts, "an answer")
    await room.calm()
    assert len(pressed.replies) + len(ben.dm.posts) == 1


async def test_a_fault_of_ours_is_told(room: DiscordRoom, thread: Channel) -> None:
    pressed, go = await failing(room, thread)
    go.set()
    assert (await pressed.reply()).content.startswith("Something went wrong here")


async def test_whoever_waits_long_is_told_so(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.runtime.patience.UNTOLD", 0.1)
    _, ben = room.people
    patience = Patience(room.service.aside, room.service.answer, room.now)
    patience.platforms = {"discord": room.adapter}
    slow = Held(room)
    room.receive = patience.told(patience.stored(slow.receive))
    pressed = ben.press(thread.posts[-1], "Make the turn")
    told = await pressed.reply()
    assert told.only is ben
    assert "your message takes Riposte longer than usual" in told.content
    slow.go.set()
    await room.until(lambda: told.embeds, "the answer")
    await room.calm()
    assert pressed.followups == [told]


async def interrupted(room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch) -> Interaction:
    """A press of Ben's that the process dies over."""
    _, ben = room.people
    monkeypatch.setattr(incoming, "GRACE", 0.05)
    Held(room)
    pressed = ben.press(thread.posts[-1], "Make the turn")
    await deferred(room, pressed)
    await room.stop()
    return pressed


async def test_whose_press_died_with_the_process_is_told_once(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ben = room.people
    pressed = await interrupted(room, thread, monkeypatch)
    await room.start()
    assert (await pressed.reply()).content.startswith("I was interrupted before I could deal with that")
    await room.restart()
    await room.calm()
    assert (len(pressed.followups), ben.dm.posts) == (1, [])
    assert len(thread.posts) == 1


async def test_whose_press_died_long_ago_is_told_in_a_direct_message(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, ben = room.people
    pressed = await interrupted(room, thread, monkeypatch)
    room.standin.advance(AN_HOUR)
    await room.start()
    await room.until(lambda: ben.dm.posts, "a direct message")
    await room.restart()
    await room.calm()
    assert [post.content[:17] for post in ben.dm.posts] == ["I was interrupted"]
    assert not pressed.replies


async def test_nothing_is_said_of_a_press_that_was_dealt_with_before_the_process_died(
    room: DiscordRoom, thread: Channel
) -> None:
    _, ben = room.people
    pressed, go = await held(room, thread)
    go.set()
    await room.until(lambda: pressed.replies, "an answer")
    await room.calm()
    await room.restart()
    await room.calm()
    assert (len(pressed.replies), ben.dm.posts) == (1, [])


async def test_an_answer_that_was_on_its_way_when_the_process_died_arrives(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "TOLD", 0.01)
    monkeypatch.setattr(incoming, "GRACE", 0.05)
    _, ben = room.people
    pressed, go = await held(room, thread)
    fault = room.standin.fail("POST", "/webhooks/**", "503", times=1000)
    go.set()
    await room.until(lambda: fault.hits, "an answer that fails")
    await room.stop()
    fault.left = 0
    await room.start()
    await room.until(lambda: pressed.replies or ben.dm.posts, "the answer")
    await room.calm()
    assert len(pressed.replies) + len(ben.dm.posts) == 1
