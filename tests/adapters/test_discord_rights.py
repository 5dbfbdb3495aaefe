"""Where Discord lets Riposte say nothing, players hear in private, and whoever asks is told what is lacking."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.model import Place
from engine.match.alarms import deadline
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel, Interaction, channels

HOME = "I cannot write to the place of match 1, so the match goes on here."


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben."""
    return await room.begun(*room.people, "tokonoma side=white time=3d")


async def test_without_attach_files_the_board_goes_out_in_words(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    room.channel.deny("attach_files")
    post = await room.play(anna, "c7c5", thread)
    assert post.content.startswith("**Turn 1**")
    assert not post.attachments
    assert "Tokonoma. " in post.content
    room.channel.allow("attach_files")
    assert (await room.play(room.people[1], "e1e3", thread)).attachments


async def test_whoever_asks_is_told_in_private_what_is_lacking_and_who_can_grant_it(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben = room.people
    room.channel.deny("attach_files", "send_messages_in_threads")
    asked = ben.slash(thread, "board")
    answer = await (await asked.done()).reply()
    assert asked.whispered
    assert "I lack Attach Files and Send Messages in Threads" in answer.content
    assert "Edit Channel, Permissions" in answer.content
    assert answer.content.count("I lack") == 1
    pressed = await room.press(anna, thread.posts[-1], "Make the turn", "c7c5")
    assert "I lack" in (await pressed.shown()).text
    assert pressed.whispered
    room.channel.allow("attach_files", "send_messages_in_threads")
    asked = ben.slash(thread, "board")
    assert "I lack" not in (await (await asked.done()).reply()).content


@pytest.mark.parametrize("how", ["a command", "a button", "a form", "a person's menu", "a long answer"])
async def test_each_interaction_tells_what_is_lacking_whatever_else_it_shows(
    room: DiscordRoom, thread: Channel, how: str
) -> None:
    anna, ben = room.people
    room.channel.deny("attach_files")
    done: Interaction
    match how:
        case "a command":
            done = anna.slash(thread, "move", turn="c7c5")
        case "a button":
            await room.say(ben, "challenge @anna tokonoma")
            done = anna.press(room.channel.posts[-1], "Accept")
        case "a form":
            done = room.fill(anna, await room.form(anna, anna.press(thread.posts[-1], "Make the turn")), "c7c5")
        case "a person's menu":
            done = anna.submit(await anna.menu("Challenge", ben, room.channel).form(), {"Game": "tokonoma"})
        case "a long answer":
            done = anna.slash(thread, "riposte rules", game="veney", rule="all")
    await room.dealt_with(f"discord:i{done.id}")
    shown = await done.shown()
    assert "I lack Attach Files" in str(shown.json())
    assert shown.only is anna


@pytest.mark.parametrize("how", ["mute", "hide", "lock", "delete", "remove", "kick"])
async def test_where_the_home_is_dead_the_match_goes_on_in_direct_messages(
    room: DiscordRoom, thread: Channel, how: str
) -> None:
    anna, ben = room.people
    for person in (anna, ben):
        person.installed = True  # else nobody who shares no server could be written to
    anna.admin = True
    match how:
        case "mute":
            room.channel.deny("send_messages_in_threads")
        case "hide":
            room.channel.deny("view_channel")
        case "delete":
            anna.remove(thread)
            room.channel.deny("create_public_threads", "send_messages")
        case "lock":
            room.guild.granted.discard("manage_threads")
            anna.archive(thread, locked=True)
        case "remove":
            anna.remove(room.channel)
        case "kick":
            room.standin.world.expel(room.guild)
    before = len(thread.posts)
    await room.say(anna, "move 1 c7c5", anna.dm)
    assert len(thread.posts) == before
    assert ben.dm.posts[-1].content.startswith(HOME)
    assert "**Turn 1**" in ben.dm.posts[-1].content
    assert ben.dm.posts[-1].attachments
    assert ben.dm.posts[-1].mentions == [ben]
    await room.press(ben, ben.dm.posts[-1], "Make the turn", "e1e3")
    assert "**Turn 2**" in anna.dm.posts[-1].content
    assert HOME not in anna.dm.posts[-1].content


@pytest.mark.parametrize("away", [False, True])
async def test_the_board_is_posted_once_when_the_way_is_open_again(
    room: DiscordRoom, thread: Channel, away: bool
) -> None:
    anna, ben = room.people
    room.channel.deny("send_messages_in_threads")
    await room.say(anna, "move 1 c7c5", anna.dm)
    if away:
        await room.stop()
    room.channel.allow("send_messages_in_threads")
    if away:
        await room.start()
    await room.until(lambda: len(thread.posts) == 2, "the board")
    await room.calm()
    assert thread.posts[-1].content.startswith("I can write here again")
    assert thread.posts[-1].attachments
    assert thread.posts[-1].mentions == [ben]
    room.channel.deny("attach_files")
    room.channel.allow("attach_files")
    await room.calm()
    assert len(thread.posts) == 2
    assert await room.service.contact.closed("discord") == []


@pytest.mark.parametrize("how", ["unlocked", "another thread", "invited again"])
async def test_the_board_is_posted_whatever_has_opened_the_way(room: DiscordRoom, thread: Channel, how: str) -> None:
    anna, ben = room.people
    for person in (anna, ben):
        person.installed = person.admin = True
    match how:
        case "unlocked":
            room.guild.granted.discard("manage_threads")
            anna.archive(thread, locked=True)
        case "another thread":
            anna.remove(thread)
            room.channel.deny("create_public_threads", "send_messages")
        case "invited again":
            room.standin.world.expel(room.guild)
    await room.say(anna, "move 1 c7c5", anna.dm)
    assert ben.dm.posts[-1].content.startswith(HOME)
    match how:
        case "unlocked":
            thread.archived = thread.locked = False
            channels.tell_thread(thread, "THREAD_UPDATE")
        case "another thread":
            room.channel.allow("create_public_threads", "send_messages")
            await room.until(lambda: room.channel.threads, "another thread")
        case "invited again":
            room.guild.bot = True
            room.standin.gateway.publish("GUILD_CREATE", room.guild.json(), guild=room.guild, intent="guilds")
    home = room.channel.threads[-1]
    await room.until(lambda: home.posts and "I can write here again" in home.posts[-1].content, "the board")
    await room.calm()
    assert sum("I can write here again" in post.content for post in home.posts) == 1
    assert home.posts[-1].attachments
    assert home.posts[-1].mentions == [ben]


async def test_a_bare_turn_where_nothing_can_be_written_is_answered_in_private_once_a_turn(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, _ = room.people
    room.channel.deny("send_messages_in_threads")
    anna.say(thread, "c7c5")
    await room.until(lambda: anna.dm.posts, "a hint")
    (hint,) = anna.dm.posts
    assert hint.content == HOME
    assert hint.buttons == ["Make the turn"]
    anna.say(thread, "c7c5!")
    await room.press(anna, hint, "Make the turn", "c7c5")
    await room.until(lambda: not hint.buttons, "the button to go")
    assert sum(post.content == HOME for post in anna.dm.posts) == 1


async def test_time_stands_still_for_whom_no_way_reaches(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    ben.closed = True
    room.channel.deny("send_messages_in_threads")
    await room.say(anna, "move 1 c7c5", anna.dm)
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.unreached.keys() == {f"discord:{ben.id}"}
    assert "No message reaches Ben" in anna.dm.posts[-1].content
    room.channel.allow("send_messages_in_threads")
    await room.until(lambda: "can be reached again" in thread.posts[-1].content, "contact")
    assert await room.adapter.inbox.recall("closed", Place("discord", str(room.channel.id), "1")) == ""


async def test_who_has_shut_the_door_loses_time_while_the_thread_is_open(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    ben.closed = True
    await room.play(anna, "c7c5", thread)
    match = await room.service.repository.match("1")
    assert match is not None
    assert not match.unreached


@pytest.mark.parametrize("who", ["challenger", "challenged"])
async def test_who_blocks_us_in_a_match_that_lives_in_private_stops_nothing(room: DiscordRoom, who: str) -> None:
    anna, ben = room.people
    await room.say(anna, "challenge @ben tokonoma side=white time=3d", anna.dm)
    await room.press(ben, ben.dm.posts[-1], "Accept")
    (anna if who == "challenger" else ben).closed = True
    await room.press(anna, anna.dm.posts[-1], "Make the turn", "c7c5")
    if who == "challenger":
        assert "**Turn 1**" in ben.dm.posts[-1].content, "the other still hears of it"
        await room.press(ben, ben.dm.posts[-1], "Make the turn", "e1e3")
    match = await room.service.repository.match("1")
    assert match is not None
    assert not match.unreached
    assert deadline(match) is not None


async def test_a_challenger_in_private_is_told_whom_the_challenge_has_not_reached(room: DiscordRoom) -> None:
    anna, ben = room.people
    ben.closed = True
    await room.say(anna, "challenge @ben tokonoma", anna.dm)
    assert "I may not write to" in anna.dm.posts[-1].content
    assert "Challenge them in a channel of a server that we share" in anna.dm.posts[-1].content


async def test_a_challenge_in_a_channel_that_takes_nothing_is_told_to_both_in_private(room: DiscordRoom) -> None:
    anna, ben = room.people
    room.channel.deny("send_messages", "send_messages_in_threads")
    await room.say(anna, "challenge @ben tokonoma side=white")
    for person in (anna, ben):
        (told,) = person.dm.posts
        assert "Match 1" in told.content
        assert "I cannot write" in told.content
    assert ben.dm.posts[-1].mentions == [ben]
    await room.press(ben, ben.dm.posts[-1], "Accept")
    assert "your turn" in anna.dm.posts[-1].content


async def test_a_challenger_is_told_if_neither_channel_nor_direct_message_reaches_whom_they_challenge(
    room: DiscordRoom,
) -> None:
    anna, ben = room.people
    room.channel.deny("send_messages")
    ben.closed = True
    await room.say(anna, "challenge @ben tokonoma")
    assert "I may not write to" in anna.dm.posts[-1].content


async def test_who_joins_a_tournament_from_elsewhere_is_answered_there_and_its_place_hears_of_it(
    room: DiscordRoom,
) -> None:
    anna, ben = room.people
    await room.say(anna, "tournament round-robin tokonoma Autumn Cup seats=3")
    await room.say(ben, "join 1", ben.dm)
    assert room.channel.posts[-1].content.endswith("joins **Autumn Cup**: 1 so far.")
    (told,) = ben.dm.posts
    assert told.content.endswith("joins **Autumn Cup**: 1 so far.")


async def test_what_a_closed_channel_does_not_tell_of_a_tournament_is_told_to_whom_it_concerns(
    room: DiscordRoom,
) -> None:
    anna, ben = room.people
    await room.say(anna, "tournament knockout tokonoma Autumn Cup seats=2")
    room.channel.deny("send_messages", "send_messages_in_threads")
    await room.say(ben, "join 1")
    assert ben.dm.posts[-1].content.endswith("joins **Autumn Cup**: 1 so far."), "he asked"
    await room.say(anna, "join 1")
    assert any("**Autumn Cup** has begun" in post.content for post in ben.dm.posts), "he takes part"
    assert any("your turn" in post.content for post in (*anna.dm.posts, *ben.dm.posts)), "their match goes on there"
