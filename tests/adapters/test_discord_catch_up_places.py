"""What is heard later, and where: private messages, threads, channels that cannot be read, servers that come back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tests.adapters.discord_missed import AWAY, heard, heard_once, key, missed_turn, passing, settled
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel

UNREAD = "messages missed in a channel cannot be read"


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben", "Cleo") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben."""
    return await room.begun(*room.people[:2], "tokonoma side=white")


@pytest.fixture
async def other(room: DiscordRoom, thread: Channel) -> Channel:
    """Another one, in another channel."""
    room.channel = room.guild.channel("attic")
    return await room.begun(*room.people[:2], "tokonoma side=white")


async def test_an_answer_in_private_to_a_whisper_is_heard_later(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "veney side=white setup=concealed")
    await room.stop()
    missed = missed_turn(room, anna, anna.dm, "secret 1 SC$B 5676")
    await room.start()
    await heard(room, missed)
    assert "Anna (White) has answered privately" in thread.posts[-1].content


async def test_a_private_channel_without_any_match_is_read(room: DiscordRoom) -> None:
    *_, cleo = room.people
    await room.say(cleo, "games", cleo.dm)
    before = len(cleo.dm.posts)
    await room.stop()
    missed = missed_turn(room, cleo, cleo.dm, "help")
    await room.start()
    await heard(room, missed)
    assert len(cleo.dm.posts) > before


async def test_whoever_is_unknown_and_writes_again_is_heard_from_their_first_word_on(room: DiscordRoom) -> None:
    *_, cleo = room.people
    await room.stop()
    missed = missed_turn(room, cleo, cleo.dm, "help")
    await room.start()
    live = cleo.say(cleo.dm, "games")
    await heard(room, missed, live)
    assert heard_once(room, missed, live)
    assert [one.id for one in room.heard[-2:]] == [key(missed), key(live)]


async def test_a_challenge_in_a_channel_without_any_match_is_heard_later(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    hall = room.guild.channel("hall")
    await room.stop()
    missed = missed_turn(room, anna, hall, f"challenge {ben.mention} tokonoma")
    await room.start()
    await heard(room, missed)
    assert hall.posts[-1].buttons[0] == "Accept"


@pytest.mark.parametrize("locked", [False, True])
async def test_a_turn_in_a_thread_that_was_archived_since_is_heard(
    room: DiscordRoom, thread: Channel, locked: bool
) -> None:
    anna, *_ = room.people
    room.guild.granted.add("manage_threads")
    await room.stop()
    missed = missed_turn(room, anna, thread, "c7c5")
    anna.archive(thread, locked=locked)
    await room.start()
    await heard(room, missed)
    assert "**Turn 1**" in thread.posts[-1].content


async def test_a_turn_in_a_thread_that_went_to_sleep_by_itself_is_heard(room: DiscordRoom, thread: Channel) -> None:
    anna, *_ = room.people
    await room.stop()
    missed = missed_turn(room, anna, thread, "c7c5")
    room.standin.advance(8 * 24 * 3600)
    assert thread.archived
    await room.start()
    await heard(room, missed)


@pytest.mark.parametrize("archived", [False, True])
async def test_a_challenge_in_a_thread_that_was_opened_meanwhile_is_heard(room: DiscordRoom, archived: bool) -> None:
    anna, ben, _ = room.people
    await room.stop()
    room.standin.advance(AWAY)
    aside = anna.thread(room.channel, "aside", anna.say(room.channel, "Let us talk there"))
    missed = missed_turn(room, anna, aside, f"challenge {ben.mention} tokonoma")
    if archived:
        anna.archive(aside)
    await room.start()
    await heard(room, missed)
    assert aside.posts[-1].buttons[0] == "Accept"


async def test_a_match_in_somebodys_own_thread_goes_on_though_that_was_archived(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    aside = anna.thread(room.channel, "aside", anna.say(room.channel, "Let us play there"))
    await room.say(anna, "challenge @ben tokonoma side=white", aside)
    await room.press(ben, aside.posts[-1], "Accept")
    board = aside.posts[-1]
    await room.stop()
    room.standin.advance(AWAY)
    missed = anna.say(aside, f"{room.standin.bot.mention} c7c5", reply_to=board)
    anna.archive(aside)
    await room.start()
    await heard(room, missed)
    assert "**Turn 1**" in aside.posts[-1].content


async def test_what_only_a_host_may_settle_is_settled_later_by_a_host_and_by_nobody_else(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    await room.stop()
    by_host = missed_turn(room, anna, room.channel, "theme dark here")
    by_guest = missed_turn(room, ben, room.channel, "theme dark here")
    await room.start()
    await heard(room, by_host, by_guest)
    assert {one.id: one.host for one in room.heard} == {key(by_host): True, key(by_guest): False}


@pytest.mark.parametrize("permission", ["view_channel", "read_message_history"])
async def test_a_channel_that_cannot_be_read_is_told_of_and_read_when_it_can_be(
    room: DiscordRoom, thread: Channel, other: Channel, permission: str
) -> None:
    anna, *_ = room.people
    await room.stop()
    missed = missed_turn(room, anna, other, "c7c5")
    room.channel.deny(permission)
    read = missed_turn(room, anna, thread, "c7c5")
    with capture_logs() as logs:
        await room.start()
        await heard(room, read)
        await room.until(lambda: any(one["event"] == UNREAD for one in logs))
    assert not heard_once(room, missed)
    (told,) = [one for one in logs if one["event"] == UNREAD and one["channel"] == other.id]
    assert "Read Message History" in told["error"]
    before = room.standin.traffic.invalid_total
    room.standin.advance(AWAY)
    await room.restart()
    room.channel.allow(permission)
    await heard(room, missed)
    assert room.standin.traffic.invalid_total == before, "what is known to be forbidden is not asked for"
    assert "**Turn 1**" in other.posts[-1].content


async def test_what_is_hidden_before_the_client_is_told_so_is_read_when_it_is_shown(
    room: DiscordRoom, thread: Channel
) -> None:
    """Whoever may not read the history is shown an empty one, and may have to wait for being told why."""
    anna, *_ = room.people
    await room.stop()
    missed = missed_turn(room, anna, room.channel, "games")
    down = room.standin.fail("GET", f"/channels/{room.channel.id}/messages", "503")
    await room.start()
    await room.until(lambda: down.hits, "the first attempt")
    room.channel.denied.add("read_message_history")  # and no event tells of it
    before = len(room.standin.requests)
    page = f"/channels/{room.channel.id}/messages"
    await passing(room, lambda: page in [one.path for one in room.standin.requests[before:]])
    await room.calm()
    assert not heard_once(room, missed)
    room.channel.allow("read_message_history")
    await heard(room, missed)


async def test_a_newest_message_that_was_deleted_is_waited_for_by_nobody(room: DiscordRoom, thread: Channel) -> None:
    anna, *_ = room.people
    await room.stop()
    room.standin.advance(AWAY)
    said = anna.say(room.channel, "Hello, everybody")
    anna.delete(said)
    await room.start()
    await room.until(lambda: room.adapter.history.complete, "everything to be read")


async def test_a_deleted_channel_keeps_no_other_waiting(room: DiscordRoom, thread: Channel, other: Channel) -> None:
    anna, *_ = room.people
    await room.stop()
    missed = missed_turn(room, anna, thread, "c7c5")
    missed_turn(room, anna, other, "c7c5")
    anna.remove(other)
    await room.start()
    await heard(room, missed)


async def test_a_server_that_was_not_there_at_first_is_read_when_it_comes_back(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, *_ = room.people
    await room.stop()
    missed = missed_turn(room, anna, thread, "c7c5")
    room.standin.gateway.outage()
    await room.start()
    await room.until(lambda: room.adapter.history.complete, "what Discord tells of to be read")
    assert not room.adapter.caught_up, "a turn may stand there that was made in time"
    room.standin.gateway.recover()
    await heard(room, missed)
    assert "**Turn 1**" in thread.posts[-1].content
    await settled(room)


async def test_a_server_that_stays_away_holds_nobody_up_for_long(room: DiscordRoom, thread: Channel) -> None:
    await room.stop()
    room.standin.gateway.outage()
    await room.start()
    await room.until(lambda: room.adapter.history.complete, "what Discord tells of to be read")
    assert not room.adapter.caught_up
    await passing(room, lambda: room.adapter.caught_up)
