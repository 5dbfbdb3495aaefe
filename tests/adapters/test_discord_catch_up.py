"""What people write while the bot is away is heard once it is back: in every channel, once and in order.

Discord sends a new session nothing of what was written before it (a resumed one gets everything), so the channels'
histories are read. What is tested here follows from Discord's own documentation of gateway, history and threads.
"""

from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.adapters.discord.history.marks import Marks
from bot.messages.model import IncomingMessage
from engine.match.alarms import deadline
from tests.adapters.discord_missed import AWAY, heard, heard_once, key, missed_turn, passing, settled
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel
from tests.discord_standin.traffic import Request

SEEDS = (1, 3)


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


async def test_a_message_right_after_identify_does_not_hide_what_was_missed_elsewhere(
    room: DiscordRoom, thread: Channel, other: Channel
) -> None:
    anna, _, cleo = room.people
    await room.stop()
    missed = missed_turn(room, anna, thread, "c7c5")
    await back_on_the_line(room)
    live = cleo.say(other, f"{room.standin.bot.mention} board")
    await heard(room, missed, live)
    assert "**Turn 1**" in thread.posts[-1].content


async def test_a_message_right_after_identify_does_not_hide_what_was_missed_in_the_same_channel(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben, _ = room.people
    await room.stop()
    missed = missed_turn(room, anna, thread, "c7c5")
    await back_on_the_line(room)
    live = ben.say(thread, f"{room.standin.bot.mention} e1e3")
    await heard(room, missed, live)
    assert [post.content[2:8] for post in thread.posts[1:]] == ["Turn 1", "Turn 2"], "in the order of writing"


@pytest.mark.parametrize(("before", "counts"), [(20, True), (-20, False)])
async def test_a_turn_counts_by_when_discord_has_it_written(room: DiscordRoom, before: int, counts: bool) -> None:
    """The snowflake tells; forty seconds are no outage that would be given back."""
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white time=1d")
    match = await room.service.repository.match("1")
    assert match is not None
    due = deadline(match)
    assert due is not None
    await room.stop()
    room.flags_wait = True
    room.standin.advance((due - room.now()) / 1000 - before)
    missed = anna.say(thread, f"{room.standin.bot.mention} c7c5")
    room.standin.advance(before + 20)
    await room.start()
    await heard(room, missed)
    match = await room.service.repository.match("1")
    assert match is not None
    assert (match.status, match.turns_made) == (("running", 1) if counts else ("over", 0))


async def test_what_was_missed_outlives_two_restarts_in_a_row(
    room: DiscordRoom, thread: Channel, other: Channel
) -> None:
    anna, _, cleo = room.people
    await room.stop()
    missed = missed_turn(room, anna, thread, "c7c5")
    down = room.standin.fail("GET", f"/channels/{thread.id}/messages", "503", times=1000)
    for _ in range(2):
        await room.start()
        live = await room.say(cleo, "board", other)
        await passing(room, lambda: down.hits)
        await room.stop()
        room.standin.advance(AWAY)
    down.release()
    await room.start()
    await heard(room, missed)
    assert heard_once(room, missed, live)
    assert "**Turn 1**" in thread.posts[-1].content


async def test_a_page_that_discord_fails_to_give_is_asked_for_again(room: DiscordRoom, thread: Channel) -> None:
    anna, *_ = room.people
    await room.stop()
    missed = missed_turn(room, anna, thread, "c7c5")
    fault = room.standin.fail("GET", f"/channels/{thread.id}/messages", "503")
    await room.start()
    await heard(room, missed)
    assert fault.hits == 1


async def test_a_second_page_that_discord_fails_to_give_is_asked_for_again(room: DiscordRoom, thread: Channel) -> None:
    anna, ben, _ = room.people
    await room.stop()
    for n in range(150):
        ben.say(thread, f"talk {n}")
    missed = missed_turn(room, anna, thread, "c7c5")
    await room.start()
    await room.until(lambda: history_of(room, thread))
    fault = room.standin.fail("GET", f"/channels/{thread.id}/messages", "503")
    await heard(room, missed)
    assert fault.hits <= 1


async def test_new_messages_do_not_wait_long_for_a_channel_that_cannot_be_read(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben, _ = room.people
    await room.stop()
    missed = missed_turn(room, anna, thread, "c7c5")
    down = room.standin.fail("GET", f"/channels/{thread.id}/messages", "503", times=1000)
    await room.start()
    before = room.standin.clock.now()
    live = ben.say(thread, f"{room.standin.bot.mention} board")
    await heard(room, live)
    assert room.standin.clock.now() - before < 60
    assert not heard_once(room, missed)
    down.release()
    await heard(room, missed)


async def test_a_kill_between_two_channels_loses_nothing_of_the_second(
    room: DiscordRoom, thread: Channel, other: Channel
) -> None:
    anna, _, cleo = room.people
    room.standin.advance(AWAY)
    await room.say(cleo, "board", thread)
    await room.stop()
    second = missed_turn(room, anna, thread, "c7c5")
    first = missed_turn(room, anna, other, "c7c5")
    slow = room.standin.fail("GET", f"/channels/{thread.id}/messages", "slow")
    await room.start()
    await heard(room, first)
    await room.stop()
    slow.release()
    room.standin.advance(AWAY)
    await room.start()
    await heard(room, second)
    assert heard_once(room, first, second)
    assert "**Turn 1**" in thread.posts[-1].content
    assert "**Turn 1**" in other.posts[-1].content


async def test_two_thousand_messages_in_two_hundred_channels_are_read_within_discords_limits(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben", rate_limits=True, global_limit=50) as room:
        anna, _ = room.people
        channels = [room.guild.channel(f"room-{n}") for n in range(200)]
        await room.stop()
        room.standin.advance(AWAY)
        written = [anna.say(one, f"{room.standin.bot.mention} {n}") for n in range(10) for one in channels]
        room.standin.advance(AWAY)
        before = len(room.standin.requests)
        await room.start(wait=False)
        room.receive = nobody
        await room.until(lambda: len(room.heard) >= len(written))
        await room.calm()
        assert heard_once(room, *written)
        order = defaultdict(list)
        for one in room.heard:
            order[one.where.channel].append(one.text)
        assert all(texts == [str(n) for n in range(10)] for texts in order.values())
        asked = room.standin.requests[before:]
        assert not [one.path for one in asked if one.status == 429]
        assert len([one for one in asked if is_history(one)]) <= 2 * len(channels)


async def test_what_was_read_once_is_not_read_again_at_every_restart(room: DiscordRoom, thread: Channel) -> None:
    anna, ben, _ = room.people
    for n in range(250):
        ben.say(thread, f"talk {n}")
    room.standin.advance(AWAY)  # what is less than a minute older than the mark is read again, since it may be late
    await room.play(anna, "c7c5", thread)
    for _ in range(2):
        await room.stop()
        room.standin.advance(AWAY)
        before = len(room.standin.requests)
        await room.start()
        missed = ben.say(room.channel, f"{room.standin.bot.mention} board 1")
        await heard(room, missed)
        assert len(history_of(room, thread, before)) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
async def test_whatever_happens_to_the_bot_and_to_discord_everything_is_heard(tmp_path: Path, seed: int) -> None:
    luck = Random(seed)
    async with discord_room(tmp_path, "Anna", "Ben", "Cleo") as room:
        anna = room.people[0]
        channels = [room.channel, *(room.guild.channel(f"room-{n}") for n in range(3))]
        threads = [anna.thread(one, "aside", anna.say(one, "Let us talk")) for one in channels[:2]]
        said: list[str] = []
        running = True
        for who in room.people:  # of whoever has never been heard, Discord does not tell the bot
            await room.say(who, "games", who.dm)

        def talk() -> None:
            for _ in range(luck.randint(1, 6)):
                who = luck.choice(room.people)
                where = luck.choice([*channels, *threads, who.dm])
                addressed = luck.random() < 0.7 or where.recipient
                text = f"{room.standin.bot.mention} {len(said)}"
                message = who.say(where, text if addressed else "talk")
                if addressed:
                    said.append(key(message))
                room.standin.advance(luck.choice([0, 0, 1, 100]))

        for _ in range(8):
            talk()
            match luck.choice(["stop", "kill", "503", "cut", "invalidate", "history"]):
                case "stop" | "kill" as end:
                    if end == "kill":
                        room.adapter._marks = Marks(room.adapter.inbox, room.now)  # nothing is saved at the end
                    await room.stop()
                    running = False
                case "503":
                    room.standin.fail("GET", "/channels/*/messages", "503", times=luck.randint(1, 4))
                case "cut":
                    room.standin.gateway.cut()
                case "invalidate":
                    room.standin.gateway.invalidate()
                case "history":
                    luck.choice(channels).deny("read_message_history")
            talk()
            if not running:
                await room.start(wait=False)
                room.hear = nobody
                running = True
            for _ in range(luck.randint(0, 30)):
                room.standin.clock.advance(0.2)
                await room.store.waiting(0)
            talk()
        for channel in channels:
            channel.allow("read_message_history")
        await passing(room, lambda: room.adapter.history._started)
        room.standin.advance(1000)
        await passing(room, lambda: set(said) <= {one.id for one in room.heard})


@pytest.mark.parametrize("wrote_before", [True, False])
async def test_a_turn_in_private_for_a_match_on_a_server_is_heard_later(
    room: DiscordRoom, thread: Channel, wrote_before: bool
) -> None:
    anna, *_ = room.people
    if wrote_before:
        await room.say(anna, "matches", anna.dm)
    await room.stop()
    missed = missed_turn(room, anna, anna.dm, "move 1 c7c5")
    await room.start()
    await heard(room, missed)
    assert "**Turn 1**" in thread.posts[-1].content


async def test_a_resumed_session_is_told_by_discord_and_reads_nothing(room: DiscordRoom, thread: Channel) -> None:
    anna, *_ = room.people
    await room.say(anna, "board 1", thread)
    await settled(room)
    before = len(room.standin.requests)
    room.standin.gateway.cut()
    live = anna.say(thread, f"{room.standin.bot.mention} c7c5")
    await heard(room, live)
    assert room.standin.gateway.resumes == 1
    assert not [one for one in room.standin.requests[before:] if is_history(one)]


async def test_a_new_session_of_the_same_process_reads_what_fell_between_the_two(
    room: DiscordRoom, thread: Channel, other: Channel
) -> None:
    anna, _, cleo = room.people
    await settled(room)
    room.standin.gateway.refused_sockets = 1
    room.standin.gateway.invalidate()
    missed = missed_turn(room, anna, thread, "c7c5")
    await room.until(lambda: len(room.standin.gateway.identifies) == 2)
    live = cleo.say(other, f"{room.standin.bot.mention} board")
    await heard(room, missed, live)
    assert heard_once(room, missed, live)


async def test_a_message_that_was_edited_meanwhile_is_heard_as_it_stands(room: DiscordRoom, thread: Channel) -> None:
    anna, *_ = room.people
    await room.stop()
    missed = missed_turn(room, anna, thread, "c7c4")
    anna.edit(missed, f"{room.standin.bot.mention} c7c5")
    await room.start()
    await heard(room, missed)
    assert room.heard[-1].text == "c7c5"


async def test_a_message_that_was_heard_and_edited_since_is_not_heard_again(room: DiscordRoom, thread: Channel) -> None:
    anna, ben, _ = room.people
    first = await room.say(anna, "c7c5", thread)
    await room.stop()
    anna.edit(first, f"{room.standin.bot.mention} c7c6")
    missed = missed_turn(room, ben, thread, "e1e3")
    await room.start()
    await heard(room, missed)
    assert [one.text for one in room.heard if one.id == key(first)] == ["c7c5"]


async def test_an_explanation_is_not_given_again_after_a_restart(room: DiscordRoom, thread: Channel) -> None:
    anna, ben, _ = room.people
    anna.say(thread, "c7c5", reply_to=thread.posts[0], ping=False)
    await room.until(lambda: anna.dm.posts)
    await room.play(anna, "c7c5", thread)
    await room.stop()
    room.standin.advance(AWAY)
    await room.start()
    missed = ben.say(thread, f"{room.standin.bot.mention} e1e3")
    await heard(room, missed)
    assert len(anna.dm.posts) == 1


async def back_on_the_line(room: DiscordRoom) -> None:
    """The bot has just identified: it is told what happens from now on, but has read nothing yet."""
    known = len(room.standin.gateway.identifies)
    await room.start(wait=False)
    await room.until(lambda: len(room.standin.gateway.identifies) > known)


async def nobody(_incoming: IncomingMessage) -> bool:
    return False


def is_history(request: Request) -> bool:
    return request.method == "GET" and request.path.endswith("/messages")


def history_of(room: DiscordRoom, channel: Channel, since: int = 0) -> list[Request]:
    """The pages of a channel that were asked for."""
    asked = room.standin.requests[since:]
    return [one for one in asked if is_history(one) and one.path == f"/channels/{channel.id}/messages"]
