"""What Discord refuses, sends twice, closes or loses at an unlucky moment leaves nobody unheard."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.match.alarms import deadline
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel, Person
from tests.discord_standin.message import Message


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben", "Cleo") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben."""
    anna, ben, _ = room.people
    return await room.begun(anna, ben, "tokonoma side=white time=3d")


async def turns(room: DiscordRoom, number: str = "1") -> list[str]:
    match = await room.service.repository.match(number)
    assert match is not None
    return [ply.text for ply in match.plies]


async def unreached(room: DiscordRoom) -> dict[str, int]:
    match = await room.service.repository.match("1")
    assert match is not None
    return dict(match.unreached)


def heard(who: Person) -> str:
    return "\n".join(post.content for post in who.dm.posts)


# --- refused ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("refusal", ["filtered", "newer than us", "channel type"])
async def test_what_a_thread_does_not_take_is_told_to_its_players_in_private(
    room: DiscordRoom, thread: Channel, refusal: str
) -> None:
    """A server's own filter, say, or a reason that is newer than this version."""
    anna, ben, _ = room.people
    room.standin.fail("POST", f"/channels/{thread.id}/messages", refusal)
    await room.say(anna, "c7c5", thread)
    assert await turns(room) == ["c7c5"]
    assert "c7c5" in heard(ben)
    assert ben.dm.posts[-1].attachments
    await room.play(ben, "e1e3", ben.dm)
    assert "e1e3" in thread.posts[-1].content, "the next one is taken"


@pytest.mark.parametrize("refusal", ["filtered", "newer than us"])
async def test_what_a_channel_does_not_take_is_told_to_whom_it_is_for(room: DiscordRoom, refusal: str) -> None:
    anna, ben, _ = room.people
    room.standin.fail("POST", f"/channels/{room.channel.id}/messages", refusal, times=1000)
    await room.say(anna, "challenge @ben tokonoma side=white")
    assert "challenges" in heard(ben)
    await room.press(ben, ben.dm.posts[-1], "Accept")
    assert await room.service.repository.match("1")
    assert "your turn" in heard(anna)


@pytest.mark.parametrize("refusal", ["flagged", "newer than us"])
async def test_who_cannot_be_written_to_for_any_reason_is_offered_in_the_thread_what_is_for_them(
    room: DiscordRoom, refusal: str
) -> None:
    anna, ben, _ = room.people
    room.standin.fail("POST", f"/channels/{anna.dm.id}/messages", refusal, times=1000)
    thread = await room.begun(anna, ben, "veney side=white setup=concealed")
    (aside,) = [post for post in thread.posts if "something for you alone" in post.content]
    assert aside.mentions == [anna]
    shown = await anna.press(aside, "Show me").done()
    assert "layout" in (await shown.reply()).content
    assert shown.whispered


@pytest.mark.parametrize("refusal", ["flagged", "newer than us"])
async def test_a_reply_that_cannot_be_read_is_explained_where_it_was_written(
    room: DiscordRoom, thread: Channel, refusal: str
) -> None:
    anna, _, _ = room.people
    room.standin.fail("POST", f"/channels/{anna.dm.id}/messages", refusal, times=1000)
    anna.say(thread, "c7c5", reply_to=thread.posts[0], ping=False)
    await room.until(lambda: "reply with the mention on" in thread.posts[-1].content, "an answer")


@pytest.mark.parametrize("refusal", ["flagged", "newer than us"])
async def test_whoever_challenges_somebody_who_cannot_be_written_to_is_told(room: DiscordRoom, refusal: str) -> None:
    anna, ben, _ = room.people
    room.standin.fail("POST", f"/channels/{ben.dm.id}/messages", refusal, times=1000)
    await room.say(anna, "challenge @ben tokonoma", anna.dm)
    assert "who has not seen" in heard(anna)


async def test_where_no_way_is_taken_nobodys_time_runs(room: DiscordRoom, thread: Channel) -> None:
    anna, ben, _ = room.people
    places = [f"/channels/{one.id}/messages" for one in (thread, ben.dm)]
    refused = [room.standin.fail("POST", place, "flagged", times=1000) for place in places]
    await room.say(anna, "c7c5", thread)
    match = await room.service.repository.match("1")
    assert match is not None
    assert deadline(match) is None
    assert [*match.unreached] == [f"discord:{ben.id}"]
    for one in refused:
        one.release()
    await room.say(anna, "draw", thread)
    assert not await unreached(room), "the thread takes posts again"


async def test_a_board_that_is_too_large_for_a_server_goes_out_in_words(room: DiscordRoom, thread: Channel) -> None:
    anna, _, _ = room.people
    room.standin.fail("POST", f"/channels/{thread.id}/messages", "too large")
    post = await room.play(anna, "c7c5", thread)
    assert post.content.startswith("**Turn 1**")
    assert not post.attachments
    assert "Tokonoma. " in post.content


async def test_a_server_with_too_many_threads_has_its_match_in_the_channel(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    room.standin.fail("POST", "/channels/*/messages/*/threads", "too many threads", times=1000)
    await room.say(anna, "challenge @ben tokonoma side=white")
    await room.press(ben, room.channel.posts[-1], "Accept")
    await room.say(anna, "move 1 c7c5")
    assert any("c7c5" in post.content for post in room.channel.posts)
    await room.restart()
    await room.say(ben, "move 1 e1e3")
    assert "e1e3" in room.channel.posts[-1].content


# --- told twice ---------------------------------------------------------------------------------------------
async def test_a_turn_that_discord_tells_of_twice_is_made_once(room: DiscordRoom, thread: Channel) -> None:
    anna, ben, _ = room.people
    for who, text in ((anna, "c7c5"), (ben, "e1e3")):
        said = await room.say(who, text, thread)
        again(room, said)
        again(room, said)
    await room.restart()
    again(room, said)
    await room.say(anna, "c5d5", thread)
    assert await turns(room) == ["c7c5", "e1e3", "c5d5"]
    assert len(thread.posts) == 4


def again(room: DiscordRoom, said: Message) -> None:
    data = said.json(fresh=True)
    room.standin.gateway.publish("MESSAGE_CREATE", data, guild=room.guild, intent="guild_messages", message=said)


async def test_a_press_that_discord_tells_of_twice_is_one(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    await room.say(anna, "challenge @ben tokonoma side=white")
    pressed = await room.press(ben, room.channel.posts[-1], "Accept")
    for _ in range(2):
        room.standin.gateway.publish("INTERACTION_CREATE", pressed.json(), guild=room.guild)
    await room.restart()
    room.standin.gateway.publish("INTERACTION_CREATE", pressed.json(), guild=room.guild)
    thread = room.channel.threads[-1]
    await room.say(anna, "c7c5", thread)
    assert len(room.channel.threads) == 1
    assert len(thread.posts) == 2
    assert [post.content for post in ben.whispers] == []


# --- between press and answer -------------------------------------------------------------------------------
@pytest.mark.parametrize("how", ["archived", "locked", "deleted", "channel deleted", "hidden", "expelled"])
async def test_a_form_sent_after_its_thread_has_closed_counts_and_both_hear_of_it(
    room: DiscordRoom, thread: Channel, how: str
) -> None:
    anna, ben, _ = room.people
    form = await room.form(anna, anna.press(thread.posts[-1], "Make the turn"))
    anna.admin = True
    match how:
        case "archived":
            anna.archive(thread)
        case "locked":
            room.channel.deny("manage_threads")
            anna.archive(thread, locked=True)
        case "deleted":
            anna.remove(thread)
        case "channel deleted":
            anna.remove(room.channel)
        case "hidden":
            room.channel.deny("view_channel")
        case "expelled":
            room.standin.world.expel(room.guild)
    done = room.fill(anna, form, "c7c5")
    await room.dealt_with(f"discord:i{done.id}")
    assert await turns(room) == ["c7c5"]
    posts = [post.content for one in (room.channel, *room.channel.threads) for post in one.posts]
    assert any("Turn 1" in post for post in posts) == (how in ("archived", "deleted"))
    assert ("c7c5" in heard(ben)) == (how in ("locked", "channel deleted", "hidden"))
    assert (await unreached(room) != {}) == (how == "expelled"), "they share no server any more"
    assert not done.loading


async def test_a_turn_that_is_deleted_as_soon_as_it_is_written_stands_and_is_shown(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben, _ = room.people
    said = anna.say(thread, f"{room.standin.bot.mention} c7c5")
    anna.delete(said)
    await room.dealt_with(f"discord:m{said.id}")
    assert "Turn 1" in thread.posts[-1].content
    await room.play(ben, "e1e3", thread)
    assert await turns(room) == ["c7c5", "e1e3"]


async def test_an_edit_that_overtakes_its_turn_makes_no_second_turn(room: DiscordRoom, thread: Channel) -> None:
    anna, _, _ = room.people
    said = anna.say(thread, f"{room.standin.bot.mention} c7c5")
    anna.edit(said, f"{room.standin.bot.mention} c7d7")
    await room.dealt_with(f"discord:m{said.id}")
    assert len(await turns(room)) == 1
    assert sum("Turn 1" in post.content for post in thread.posts) == 1


# --- partly away --------------------------------------------------------------------------------------------
async def test_one_thread_that_discord_cannot_write_to_for_an_hour_delays_no_other_match(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben, cleo = room.people
    other = await room.begun(cleo, ben, "tokonoma side=white")
    down = room.standin.fail("POST", f"/channels/{thread.id}/messages", "503", times=100_000)
    anna.say(thread, f"{room.standin.bot.mention} c7c5")
    await room.until(lambda: down.hits)
    cleo.say(other, f"{room.standin.bot.mention} c7c5")
    await room.until(lambda: any("Turn 1" in post.content for post in other.posts), "the other match")
    room.standin.advance(3600)
    ben.say(thread, f"{room.standin.bot.mention} e1e3")
    await room.until(lambda: len(room.heard) >= 6, "the answer to be heard")
    down.release()
    await room.calm()
    assert [post.content[2:8] for post in thread.posts[1:]] == ["Turn 1", "Turn 2"]


async def test_a_token_that_is_revoked_under_way_is_told_and_no_turn_is_lost(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben, _ = room.people
    revoked, room.standin.token = room.standin.token, "another"
    room.standin.gateway.close(4004)
    await room.until(room.tasks[0].done, "the adapter to say so")
    with pytest.RaisesGroup(pytest.RaisesExc(PermissionError, match="does not take the bot's token")):
        await room.tasks[0]
    anna.say(thread, f"{room.standin.bot.mention} c7c5")
    await room.stop()
    room.standin.token = revoked
    await room.start()
    await room.until(lambda: len(thread.posts) == 2, "the turn")
    await room.play(ben, "e1e3", thread)
    assert await turns(room) == ["c7c5", "e1e3"]
