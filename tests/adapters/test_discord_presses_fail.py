"""Presses that Discord acknowledges and then gives no way to answer: refused, too late, gone, killed, or at once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.discord.interactions import following, incoming, replies
from tests.adapters.discord_pressed import Held, accepting, deferred, failing, held, screen_held
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel, Interaction
from tests.discord_standin.interactions import DEFER, DEFER_UPDATE

TOO_LATE = 16 * 60
NOT_YOURS = "It is White's turn. You will be told when it is yours."
REFUSALS = [
    *("unknown webhook", "unknown interaction", "webhook token", "unknown message", "unknown channel"),
    *("missing access", "missing permissions", "acknowledged", "archived", "locked"),
]
"""Discord's documented ways not to take what follows: the token is over, or what was pressed on, or its channel."""


@pytest.fixture
async def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DiscordRoom]:
    """In which every press is a slow one, but for those that are answered at once."""
    monkeypatch.setattr(incoming, "SOON", 0.01)
    monkeypatch.setattr(incoming, "GRACE", 0.05)
    monkeypatch.setattr(replies, "AGAIN", 0.01)
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben."""
    anna, ben = room.people
    return await room.begun(anna, ben, "tokonoma side=white")


async def everything(room: DiscordRoom, pressed: Interaction) -> list[str]:
    """What whoever pressed has been told about it, wherever."""
    await room.until(lambda: pressed.replies or pressed.user.dm.posts, "an answer")  # type: ignore[attr-defined]
    await room.calm()
    return [one.content.partition("\n")[0] for one in (*pressed.replies, *pressed.user.dm.posts)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_whom_discord_lets_nothing_follow_is_answered_in_a_direct_message(
    room: DiscordRoom, thread: Channel, refusal: str
) -> None:
    anna, _ = room.people
    pressed, go = await held(room, thread)
    room.standin.fail("POST", "/webhooks/**", refusal, times=1000)
    go.set()
    assert await everything(room, pressed) == [NOT_YOURS]
    assert not pressed.replies
    assert "**Turn 1**" in (await room.play(anna, "c7c5", thread)).content, "the place is none the worse"


async def test_an_answer_that_takes_longer_than_the_token_lives_comes_in_a_direct_message(
    room: DiscordRoom, thread: Channel
) -> None:
    pressed, go = await held(room, thread)
    room.standin.advance(TOO_LATE)
    go.set()
    assert await everything(room, pressed) == [NOT_YOURS]


async def test_a_press_that_takes_longer_than_the_token_lives_is_done_all_the_same(room: DiscordRoom) -> None:
    pressed, go = await accepting(room)
    room.standin.advance(TOO_LATE)
    go.set()
    await room.until(lambda: room.channel.threads, "a match")
    await room.calm()
    assert not pressed.replies


async def test_what_follows_waits_as_long_as_discord_asks(room: DiscordRoom, thread: Channel) -> None:
    pressed, go = await held(room, thread)
    fault = room.standin.fail("POST", "/webhooks/**", "429", times=3, wait=0.01)
    go.set()
    assert await everything(room, pressed) == [NOT_YOURS]
    assert (fault.hits, len(pressed.followups)) == (3, 1)


async def test_nobody_else_waits_while_discord_asks_one_to_wait_for_long(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    pressed, go = await held(room, thread)
    fault = room.standin.fail("POST", "/webhooks/**", "429", wait=3600)
    go.set()
    await room.until(lambda: fault.hits and ben.dm.posts, "an answer another way")
    assert (ben.dm.posts[-1].content.partition("\n")[0], pressed.replies) == (NOT_YOURS, [])
    anna.say(thread, "c7c5", mention_bot=True)
    await room.until(lambda: "**Turn 1**" in thread.posts[-1].content, "the turn")


@pytest.mark.parametrize("trouble", ["500", "502", "503", "504", "cut"])
async def test_a_screen_comes_though_its_request_fails_before_the_work(
    room: DiscordRoom, thread: Channel, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "TOLD", 0.01)
    anna, _ = room.people
    pressed, go = await screen_held(room, thread, monkeypatch)
    fault = room.standin.fail("POST", "/webhooks/**", trouble, times=2)
    go.set()
    await room.until(lambda: pressed.replies, "the composer")
    await room.calm()
    assert (fault.hits, len(pressed.followups), pressed.followups[0].only) == (2, 1, anna)


async def test_a_screen_after_a_502_that_did_the_work_shows_once(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed, go = await screen_held(room, thread, monkeypatch)
    room.standin.fail("POST", "/webhooks/**", "502", after=True)
    go.set()
    await room.until(lambda: pressed.replies, "the composer")
    await room.calm()
    assert len(pressed.followups) == 1


async def test_a_fault_of_ours_is_told_though_discord_fails_too(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "TOLD", 0.01)
    pressed, go = await failing(room, thread)
    room.standin.fail("POST", "/webhooks/**", "503", times=2)
    go.set()
    assert (await everything(room, pressed))[0].startswith("Something went wrong here")


# --- two at once ------------------------------------------------------------------------------------------------
async def test_two_who_press_at_once_are_both_answered(room: DiscordRoom) -> None:
    anna, ben = room.people
    cleo = room.standin.person("Cleo", room.guild)
    await room.say(anna, "challenge tokonoma")
    slow = Held(room)
    post = room.channel.posts[-1]
    pressed = [ben.press(post, "Accept"), cleo.press(post, "Accept")]
    for one in pressed:
        await deferred(room, one)
    slow.go.set()
    await room.until(lambda: room.channel.threads, "a match")
    await room.until(lambda: pressed[1].replies, "an answer to the one who came too late")
    await room.calm()
    assert (len(room.channel.threads), pressed[0].replies, len(pressed[1].replies)) == (1, [], 1)
    assert not cleo.dm.posts


async def test_who_presses_twice_has_it_done_once_and_is_told_of_the_other(room: DiscordRoom) -> None:
    anna, ben = room.people
    await room.say(anna, "challenge @ben tokonoma")
    slow = Held(room)
    post = room.channel.posts[-1]
    pressed = [ben.press(post, "Accept"), ben.press(post, "Accept")]
    for one in pressed:
        await deferred(room, one)
    slow.go.set()
    await room.until(lambda: pressed[1].replies, "an answer")
    await room.calm()
    assert (len(room.channel.threads), pressed[0].replies, len(pressed[1].replies)) == (1, [], 1)


# --- what was pressed on is gone ----------------------------------------------------------------------------------
async def test_a_press_on_what_was_deleted_since_is_answered(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    anna.admin = True
    slow = Held(room)
    post = thread.posts[-1]
    pressed = ben.press(post, "Make the turn")
    await deferred(room, pressed)
    anna.delete(post)
    slow.go.set()
    assert await everything(room, pressed) == [NOT_YOURS]


async def test_a_press_in_a_channel_that_lost_its_rights_is_done_and_told(room: DiscordRoom) -> None:
    anna, ben = room.people
    _, go = await accepting(room)
    room.channel.deny("send_messages", "send_messages_in_threads", "create_public_threads")
    go.set()
    await room.until(lambda: anna.dm.posts and ben.dm.posts, "direct messages")
    await room.calm()
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.status == "running"


# --- the composer ---------------------------------------------------------------------------------------------
GONE = ["unknown message", "webhook token", "unknown webhook", "unknown channel"]


async def typed_into_what_goes(room: DiscordRoom, thread: Channel, turn: str, refusal: str) -> Interaction:
    """A turn that Anna types into a composer that is gone before the turn is dealt with."""
    anna, _ = room.people
    composer = await anna.press(thread.posts[-1], "Make the turn").shown()
    shown = await anna.press(composer, "Type it instead").form()
    slow = Held(room)
    sent = room.fill(anna, shown, turn)
    await sent.answered()
    room.standin.fail("PATCH", "/webhooks/**", refusal, times=1000)
    slow.go.set()
    return sent


@pytest.mark.parametrize("refusal", GONE)
async def test_a_turn_that_is_played_from_a_composer_that_is_gone_is_made_once(
    room: DiscordRoom, thread: Channel, refusal: str
) -> None:
    sent = await typed_into_what_goes(room, thread, "c7c5", refusal)
    await room.dealt_with(f"discord:i{sent.id}")
    assert [post.content.count("**Turn 1**") for post in thread.posts][-1] == 1


@pytest.mark.parametrize("refusal", GONE)
async def test_a_refused_turn_from_a_composer_that_is_gone_is_told_in_a_direct_message(
    room: DiscordRoom, thread: Channel, refusal: str
) -> None:
    anna, _ = room.people
    await typed_into_what_goes(room, thread, "zz99", refusal)
    await room.until(lambda: anna.dm.posts, "a direct message")
    await room.calm()
    assert len(anna.dm.posts) == 1


# --- a form must be the first answer ------------------------------------------------------------------------------
async def slow(room: DiscordRoom, monkeypatch: pytest.MonkeyPatch, name: str) -> asyncio.Event:
    """Has the service look something up only once it may."""
    go = asyncio.Event()
    asked = getattr(room.service, name)

    async def later(*given: Any, **how: Any) -> Any:
        await go.wait()
        return await asked(*given, **how)

    monkeypatch.setattr(room.service, name, later)
    return go


@pytest.mark.parametrize("looked_up", ["due", "board", "reader"])
async def test_a_press_is_acknowledged_though_its_first_look_takes_long(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch, looked_up: str
) -> None:
    anna, _ = room.people
    go = await slow(room, monkeypatch, looked_up)
    pressed = anna.press(thread.posts[-1], "Make the turn")
    await room.until(lambda: pressed.answer == DEFER_UPDATE, "an acknowledgement")
    go.set()
    await room.until(lambda: pressed.replies, "the composer")
    assert len(pressed.followups) == 1


@pytest.mark.parametrize("looked_up", ["board", "reader"])
async def test_a_form_that_comes_too_late_is_offered_once_more(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch, looked_up: str
) -> None:
    anna, _ = room.people
    composer = await anna.press(thread.posts[-1], "Make the turn").shown()
    with monkeypatch.context() as patched:
        go = await slow(room, patched, looked_up)
        pressed = anna.press(composer, "Type it instead")
        await room.until(lambda: pressed.answer == DEFER_UPDATE, "an acknowledgement")
        go.set()
        before = pressed.written
        await room.until(lambda: pressed.written > before, "something to press")
    monkeypatch.setattr(incoming, "SOON", 60)
    form = await anna.press(await pressed.shown(), "Type it instead").form()
    done = room.fill(anna, form, "c7c5")
    await room.dealt_with(f"discord:i{done.id}")
    assert "**Turn 1**" in thread.posts[-1].content


@pytest.mark.parametrize("command", ["move", "challenge"])
async def test_a_slash_command_is_acknowledged_though_it_takes_long_to_know_its_form(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    anna, _ = room.people
    with monkeypatch.context() as patched:
        go = await slow(room, patched, "reader")
        asked = anna.slash(thread, command)
        await room.until(lambda: asked.answer == DEFER, "an acknowledgement")
        go.set()
        answer = await asked.reply()
        await room.calm()
    assert (asked.loading, len(asked.replies), answer.only) == (False, 1, anna)


# --- a process that dies ------------------------------------------------------------------------------------------
async def interrupted(room: DiscordRoom, thread: Channel) -> Interaction:
    """A press of Ben's that the process dies over."""
    Held(room)
    pressed = room.people[1].press(thread.posts[-1], "Make the turn")
    await deferred(room, pressed)
    await room.stop()
    return pressed


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_whose_press_died_is_told_though_discord_lets_nothing_follow(
    room: DiscordRoom, thread: Channel, refusal: str
) -> None:
    pressed = await interrupted(room, thread)
    room.standin.fail("POST", "/webhooks/**", refusal, times=1000)
    await room.start()
    (told,) = await everything(room, pressed)
    assert told.startswith("I was interrupted before I could deal with that")


@pytest.mark.parametrize("trouble", ["503", "cut", "429"])
async def test_whose_press_died_is_told_once_discord_answers_again(
    room: DiscordRoom, thread: Channel, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "TOLD", 0.01)
    pressed = await interrupted(room, thread)
    room.standin.fail("POST", "/webhooks/**", trouble, times=8, wait=0.001)
    await room.start()
    while not pressed.replies:
        room.standin.advance(1)
        await asyncio.sleep(0.01)
    (told,) = await everything(room, pressed)
    assert told.startswith("I was interrupted before I could deal with that")


async def test_an_answer_that_had_just_arrived_when_the_process_was_stopped_is_not_given_again(
    room: DiscordRoom, thread: Channel
) -> None:
    pressed, go = await held(room, thread)
    fault = room.standin.fail("POST", "/webhooks/**", "slow", after=True)
    go.set()
    await room.until(lambda: pressed.replies, "an answer")
    await room.stop()
    fault.release()
    await room.start()
    assert await everything(room, pressed) == [NOT_YOURS]
