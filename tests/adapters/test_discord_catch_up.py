"""What people write while the bot is away is heard once it is back: in every channel, once and in order.

Discord sends a new session nothing of what was written before it (a resumed one gets everything), so the channels'
histories are read. What is tested here follows from Discord's own documentation of gateway, history and threads.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest
from structlog.testing import capture_logs

from bot.adapters.discord.history.marks import Marks
from bot.messages.model import IncomingMessage
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel, Message, Person
from tests.discord_standin.traffic import Request

SEEDS = (1, 3)
AWAY = 3600.0
"""Seconds between two things that happen while the bot is away: more than anybody's clocks differ."""
UNREAD = "a channel cannot be read for what was missed there"


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


# --- marks --------------------------------------------------------------------------------------------------
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


# --- in private ---------------------------------------------------------------------------------------------
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


# --- places -------------------------------------------------------------------------------------------------
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
    assert "Read Message History" in told["trouble"]
    before = room.standin.traffic.invalid_total
    room.standin.advance(AWAY)
    await room.restart()
    room.channel.allow(permission)
    await heard(room, missed)
    assert room.standin.traffic.invalid_total == before, "what is known to be forbidden is not asked for"
    assert "**Turn 1**" in other.posts[-1].content


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
    await settled(room)
    room.standin.gateway.recover()
    await heard(room, missed)
    assert "**Turn 1**" in thread.posts[-1].content


# --- sessions -----------------------------------------------------------------------------------------------
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


# --- helpers ------------------------------------------------------------------------------------------------
def missed_turn(room: DiscordRoom, who: Person, where: Channel, text: str) -> Message:
    """Somebody writes to the bot while it is away; hours pass before and after."""
    room.standin.advance(AWAY)
    said = who.say(where, text if where.recipient else f"{room.standin.bot.mention} {text}")
    room.standin.advance(AWAY)
    return said


async def back_on_the_line(room: DiscordRoom) -> None:
    """The bot has just identified: it is told what happens from now on, but has read nothing yet."""
    known = len(room.standin.gateway.identifies)
    await room.start(wait=False)
    await room.until(lambda: len(room.standin.gateway.identifies) > known)


async def heard(room: DiscordRoom, *messages: Message) -> None:
    """Time passes until the bot has heard these, and has said all that follows."""
    wanted = {key(one) for one in messages}
    await passing(room, lambda: wanted <= {one.id for one in room.heard})
    await room.calm()


async def passing(room: DiscordRoom, predicate: Callable[[], object]) -> None:
    """Time passes until something is so."""

    def so_or_later() -> bool:
        if predicate():
            return True
        room.standin.clock.advance(0.2)
        return False

    await room.until(so_or_later, "it, whatever time passes")


async def settled(room: DiscordRoom) -> None:
    """Wait until the session that has begun has read everything."""
    await room.until(lambda: room.adapter.caught_up, "everything to be read")


async def nobody(_incoming: IncomingMessage) -> bool:
    return False


def heard_once(room: DiscordRoom, *messages: Message) -> bool:
    ids = [one.id for one in room.heard]
    return all(ids.count(key(one)) == 1 for one in messages)


def key(message: Message) -> str:
    return f"discord:m{message.id}"


def is_history(request: Request) -> bool:
    return request.method == "GET" and request.path.endswith("/messages")


def history_of(room: DiscordRoom, channel: Channel, since: int = 0) -> list[Request]:
    """The pages of a channel that were asked for."""
    asked = room.standin.requests[since:]
    return [one for one in asked if is_history(one) and one.path == f"/channels/{channel.id}/messages"]
