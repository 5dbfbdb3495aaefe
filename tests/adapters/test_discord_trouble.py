"""Discord in trouble, or in somebody's way: nothing is posted twice or lost, nothing destroyed, others play on."""

import errno
import logging
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from discord.gateway import KeepAliveHandler
from structlog.testing import capture_logs

from bot.adapters.discord import DiscordAdapter
from bot.runtime.inbox import Inbox
from storage import open_store
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel, StandIn, redirected

POST = ("POST", "/channels/*/messages")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben."""
    return await room.begun(*room.people, "tokonoma side=white")


# --- exactly once -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("after", [False, True], ids=["before the work", "after it"])
@pytest.mark.parametrize("trouble", ["502", "503", "504", "cut"])
async def test_a_post_arrives_once_whatever_happens_to_its_request(
    room: DiscordRoom, thread: Channel, trouble: str, after: bool
) -> None:
    anna, _ = room.people
    fault = room.standin.fail(*POST, trouble, after=after)  # type: ignore[arg-type]
    await room.play(anna, "c7c5", thread)
    assert fault.hits == 1
    assert [post.content[:10] for post in thread.posts[1:]] == ["**Turn 1**"]


async def test_an_answer_waits_for_a_moment_until_it_is_for_this_process_to_speak_again(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.discord.client.MOMENTS", (0.01,) * 20)
    anna, _ = room.people
    asked = anna.slash(thread, "move", turn="c7c5")
    await room.until(lambda: asked.loading)
    looks = iter([False] * 10)
    room.speaks = lambda: next(looks, True)
    await room.until(lambda: "**Turn 1**" in thread.posts[-1].content)
    await room.calm()
    assert not asked.loading
    assert next(looks, None) is None


async def test_a_slash_command_waits_for_a_store_that_is_away(
    room: DiscordRoom, thread: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.discord.interactions.incoming.AWAY", 0.01)
    anna, _ = room.people
    found, tries = room.store.setting, iter(range(3))

    async def setting(owner: str, key: str) -> str:
        if key == "match" and next(tries, None) is not None:
            raise OSError(errno.EIO, "away")
        return await found(owner, key)

    monkeypatch.setattr(room.store, "setting", setting)
    with capture_logs() as logs:
        asked = anna.slash(thread, "move", turn="c7c5")
        await room.until(lambda: "**Turn 1**" in thread.posts[-1].content)
        await room.calm()
    assert not asked.loading
    assert [line["event"] for line in logs].count("an interaction waits for the database") == 3


async def test_what_the_library_still_holds_is_not_posted_once_another_process_may_have_taken_over(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, _ = room.people
    fault = room.standin.fail(*POST, "503")
    asked: list[bool] = []
    anna.say(thread, f"{room.standin.bot.mention} c7c5")
    await room.until(lambda: fault.hits == 1)
    room.speaks = lambda: bool(asked.append(False))
    await room.until(lambda: len(asked) > 2)
    assert thread.posts[1:] == []
    room.speaks = lambda: True
    await room.calm()
    assert [post.content[:10] for post in thread.posts[1:]] == ["**Turn 1**"]


async def test_a_storm_of_refusals_delays_posts_and_changes_neither_their_number_nor_their_order(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben = room.people
    storm = room.standin.fail(*POST, "429", times=25, wait=45.0)
    for who, turn in ((anna, "c7c5"), (ben, "e1e3"), (anna, "c5d5")):
        await room.play(who, turn, thread)
    assert storm.hits == 25
    assert [post.content[2:8] for post in thread.posts[1:]] == ["Turn 1", "Turn 2", "Turn 3"]


async def test_a_post_is_found_again_when_discord_has_forgotten_its_key(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    cut = room.standin.fail(*POST, "cut", after=True, times=1)
    down = room.standin.fail(*POST, "503", times=1000)
    who = anna.say(thread, f"{room.standin.bot.mention} c7c5")
    await room.until(lambda: cut.hits == 1 and down.hits)
    await room.stop()
    room.standin.advance(3600)
    down.release()
    await room.start()
    await room.calm()
    assert who in thread.messages
    assert [post.content[:10] for post in thread.posts[1:]] == ["**Turn 1**"]


async def test_what_a_moderator_has_deleted_is_not_posted_again(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    room.standin.fail(*POST, "cut", after=True)
    down = room.standin.fail(*POST, "503", times=3)
    anna.say(thread, f"{room.standin.bot.mention} c7c5")
    await room.until(lambda: down.hits)
    anna.admin = True
    anna.delete(thread.posts[-1])
    await room.calm()
    assert len(thread.posts) == 1


async def test_the_thread_of_a_match_is_opened_once(room: DiscordRoom) -> None:
    room.standin.fail("POST", "/channels/*/messages/*/threads", "cut", after=True)
    thread = await room.begun(*room.people, "tokonoma")
    assert room.channel.threads == [thread]
    assert len(thread.posts) == 1
    assert sum("has begun" in post.content for post in room.channel.posts) == 1


# --- the connection -----------------------------------------------------------------------------------------
async def test_what_is_said_while_the_socket_is_cut_is_heard_once(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    room.standin.gateway.cut()
    await room.play(anna, "c7c5", thread)
    assert room.standin.gateway.resumes == 1
    assert len(thread.posts) == 2


async def test_play_goes_on_in_another_session_when_discord_calls_ours_invalid(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, _ = room.people
    room.standin.gateway.invalidate()
    await room.until(lambda: len(room.standin.gateway.identifies) == 2)
    await room.play(anna, "c7c5", thread)
    assert len(thread.posts) == 2


async def test_when_discord_tells_of_no_servers_nothing_is_left_deleted_or_forgotten(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        anna, ben = room.people
        thread = await room.begun(anna, ben, "tokonoma side=white")
        room.standin.gateway.empty = True
        before = len(room.standin.requests)
        await room.restart()
        await room.say(anna, "move 1 c7c5", anna.dm)
        asked = [one for one in room.standin.requests[before:] if one.method in ("DELETE", "PUT", "PATCH")]
        titles = f"/channels/{thread.id}"  # and the notices that come with them
        settled = f"/channels/{room.channel.id}/messages/"  # the challenge, whose buttons have had their time
        assert not [one.path for one in asked if not one.path.startswith((titles, settled))]
        assert len(thread.posts) == 2
        room.standin.gateway.empty = False
        await room.restart()
        await room.play(ben, "e1e3", thread)
        assert len(thread.posts) == 3


async def test_commands_are_registered_once_as_long_as_they_stay_the_same(room: DiscordRoom) -> None:
    await room.restart()
    await room.restart()
    assert sum(one.method == "PUT" for one in room.standin.requests) == 1


async def test_a_wrong_token_is_told_in_a_sentence(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "riposte.db")
    try:
        async with StandIn() as standin:
            with redirected(standin):
                adapter = DiscordAdapter("wrong", Inbox(store, "discord"), clock=lambda: 0)
                with pytest.raises(ExceptionGroup) as told:
                    await adapter.run(lambda _heard: pytest.fail("nobody speaks"))
    finally:
        await store.close()
    (trouble,) = told.value.exceptions
    assert isinstance(trouble, OSError)
    assert "RIPOSTE_DISCORD_TOKEN" in trouble.strerror


async def test_a_bot_that_cannot_reach_discord_tries_again_with_a_new_client(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        await room.stop()
        down = room.standin.fail("GET", "/users/@me", "cut", times=4)
        known = len(room.standin.gateway.identifies)
        with capture_logs() as logs:
            await room.start(wait=False)
            while len(room.standin.gateway.identifies) == known:
                room.standin.advance(1)
                await room.until(lambda: True)
                await room.store.waiting(0)
        assert down.hits == 4
        assert "Discord cannot be reached" in [line["event"] for line in logs]
        await room.begun(*room.people, "tokonoma")


# --- threads and channels -----------------------------------------------------------------------------------
async def test_a_turn_takes_an_archived_thread_out_again(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    anna.archive(thread)
    await room.press(anna, thread.posts[-1], "Make the turn", "c7c5")
    assert not thread.archived
    assert len(thread.posts) == 2


@pytest.mark.parametrize("manages", [True, False])
async def test_a_locked_thread_is_opened_if_we_may(room: DiscordRoom, thread: Channel, manages: bool) -> None:
    anna, _ = room.people
    anna.admin = True
    if manages:
        room.guild.granted.add("manage_threads")
    else:
        room.guild.granted.discard("manage_threads")
    anna.archive(thread, locked=True)
    with capture_logs() as logs:
        anna.slash(room.channel, "move", match="1", turn="c7c5")
        await room.until(lambda: len(room.heard) == 3)
        await room.calm()
    assert len(thread.posts) == 1 + manages
    if not manages:
        (told,) = [line for line in logs if line["event"] == "a message is undeliverable"]
        assert "Manage Threads" in told["error"]


async def test_a_match_whose_thread_was_deleted_goes_on_in_another(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    anna.remove(thread)
    anna.slash(room.channel, "move", match="1", turn="c7c5")
    await room.until(lambda: room.channel.threads)
    await room.calm()
    (other,) = room.channel.threads
    assert "**Turn 1**" in other.posts[-1].content
    await room.play(room.people[1], "e1e3", other)
    assert "**Turn 2**" in other.posts[-1].content


async def test_a_match_is_played_in_the_channel_where_threads_are_not_for_us(room: DiscordRoom) -> None:
    anna, ben = room.people
    room.channel.deny("create_public_threads")
    await room.say(anna, "challenge @ben tokonoma side=white")
    await room.press(ben, room.channel.posts[-1], "Accept")
    board = room.channel.posts[-1]
    assert board.buttons == ["Make the turn"]
    await room.say(anna, "c7c5", reply_to=board)
    assert "**Turn 1**" in room.channel.posts[-1].content
    assert not room.channel.threads


async def test_a_channel_that_is_gone_is_nobody_elses_trouble(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    attic = room.guild.channel("attic")
    await room.say(ben, "challenge @anna tokonoma", attic)
    ben.remove(attic)
    anna.slash(room.channel, "match accept", match="2")
    await room.play(anna, "c7c5", thread)
    assert len(thread.posts) == 2


async def test_a_server_that_has_thrown_us_out_is_left_alone(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    board = thread.posts[-1]
    room.standin.world.expel(room.guild)
    before = len(room.standin.requests)
    anna.say(anna.dm, "move 1 c7c5")
    await room.until(lambda: any(one.text == "move 1 c7c5" for one in room.heard))
    await room.calm()
    assert thread.posts == [board]
    asked = room.standin.requests[before:]
    assert {one.method for one in asked} <= {"POST", "GET", "PATCH"}
    edits = [one.path for one in asked if one.method == "PATCH"]
    settled = f"/channels/{room.channel.id}/messages/"
    assert [path for path in edits if not path.startswith(settled)] == [f"/channels/{thread.id}/messages/{board.id}"], (
        "its buttons cannot be taken away, which is tried once"
    )


# --- closed doors -------------------------------------------------------------------------------------------
async def test_who_takes_no_private_messages_is_offered_in_the_thread_what_is_asked_of_them(room: DiscordRoom) -> None:
    anna, ben = room.people
    anna.closed = True
    thread = await room.begun(anna, ben, "veney side=white setup=concealed")
    (aside,) = [post for post in thread.posts if "something for you alone" in post.content]
    assert aside.mentions == [anna]
    assert "layout" not in aside.content
    shown = await (await anna.press(aside, "Show me").done()).reply()
    await room.press(anna, shown, "Answer", "SC$B 5676")
    assert "Anna (White) has answered privately" in thread.posts[-1].content


async def test_a_warning_that_cannot_be_whispered_is_not_hinted_at(room: DiscordRoom) -> None:
    anna, ben = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white umpire=turn judge=advisory")
    anna.closed = True
    await room.play(anna, "c7c4", thread)
    assert [post.content[:10] for post in thread.posts[1:]] == ["**Turn 1**"], "as after any other turn"
    await room.say(anna, "c7c5", thread)
    assert "something for you alone" in thread.posts[-1].content, "that she was refused is no secret of the game"


async def test_a_name_pings_nobody_and_marks_nothing_up(tmp_path: Path) -> None:
    wicked = "@everyone **x** [y](http://z) <@&1>"
    async with discord_room(tmp_path, wicked, "Ben") as room:
        thread = await room.begun(*room.people, "tokonoma")
        posts = [*room.channel.posts, *thread.posts]
        assert not any(post.everyone for post in posts)
        assert all(set(post.mentions) <= set(room.people) for post in posts)
        assert not any("@everyone" in post.content for post in posts)


# --- downtime -----------------------------------------------------------------------------------------------
async def test_what_was_written_while_we_were_away_is_heard_once_and_in_order(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben = room.people
    await room.play(anna, "c7c5", thread)
    await room.stop()
    room.standin.advance(3600)
    bot = room.standin.bot.mention
    for n in range(120):
        anna.say(thread, f"talk {n}")
    ben.say(thread, f"{bot} e1e3")
    anna.say(thread, f"{bot} c5d5")
    invitation = f"{bot} challenge {anna.mention} veney"
    ben.say(room.channel, invitation)
    await room.start()
    await room.until(lambda: len(thread.posts) == 4 and len(room.channel.posts) == 3)
    before = len(room.standin.requests)
    await room.restart()
    history = ("GET", f"/channels/{thread.id}/messages")
    await room.until(lambda: history in [(one.method, one.path) for one in room.standin.requests[before:]])
    await room.play(anna, "d5c5", thread)
    assert [post.content[2:8] for post in thread.posts[1:]] == ["Turn 1", "Turn 2", "Turn 3"]
    assert len(room.channel.posts) == 3


# --- the log ------------------------------------------------------------------------------------------------
async def test_no_log_however_wordy_holds_a_secret_or_a_token(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with capture_logs() as lines:
        async with discord_room(tmp_path, "Anna", "Ben") as room:
            anna, ben = room.people
            await room.begun(anna, ben, "veney side=white setup=concealed")
            await room.press(anna, anna.dm.posts[-1], "Answer", "SC$B 5676")
            await room.say(ben, "secret 1 BSC$ 5885", ben.dm)
            tokens = [room.standin.token, *room.standin.interactions]
            told = caplog.text + str(lines) + repr(room.adapter) + str(vars(room.adapter).keys())
    assert not [word for word in ("SC$B", "BSC$", *tokens) if word in told]  # digits alone may stand in any id
    assert "logging in" in caplog.text, "the library's log was looked at"


async def test_an_intent_that_is_not_granted_is_told_in_a_sentence(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "riposte.db")
    try:
        async with StandIn() as standin:
            with redirected(standin):
                adapter = DiscordAdapter(standin.token, Inbox(store, "discord"), clock=lambda: 0, reads_all=True)
                with pytest.raises(ExceptionGroup) as told:
                    await adapter.run(lambda _heard: pytest.fail("nobody speaks"))
    finally:
        await store.close()
    (trouble,) = told.value.exceptions
    assert isinstance(trouble, OSError)
    assert "RIPOSTE_DISCORD_CONTENT" in trouble.strerror


async def test_a_socket_that_is_cut_off_before_it_identifies_is_closed_with_its_heartbeat(room: DiscordRoom) -> None:
    gateway = room.standin.gateway
    gateway.invalidate()  # discord.py opens another socket, and waits five seconds before it identifies
    await room.until(lambda: any(one.session is None for one in gateway.connections), "another socket")
    await room.until(_heartbeats, "its heartbeat")
    await room.stop()
    await room.until(lambda: not gateway.connections, "the sockets to close")
    assert not _heartbeats()
    await room.start()


def _heartbeats() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if isinstance(one, KeepAliveHandler)]
