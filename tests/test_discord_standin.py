"""The stand-in for Discord, driven by the unmodified discord.py: what people do there, and what the bot shows them."""

from collections.abc import AsyncIterator, Awaitable, Callable

import discord
import pytest

from tests.discord_standin import Channel, NotOffered, StandIn
from tests.discord_standin.client import PIXEL, Bot, Remembered, picture, running
from tests.discord_standin.oracle import PLACE, Oracle, description


class Club:
    """A stand-in with a bot that is ready, two people and a room."""

    def __init__(self, standin: StandIn):
        self.standin = standin
        self.anna, self.ben = standin.person("Anna"), standin.person("Ben")
        self.guild = standin.guild("The club", self.anna, self.ben)
        self.room = self.guild.channel("games")
        self.bot = Bot()

    def channel(self, channel: Channel | None = None) -> discord.TextChannel:
        """The room as the bot sees it."""
        found = self.bot.get_channel((channel or self.room).id)
        assert isinstance(found, discord.TextChannel)
        return found


@pytest.fixture
async def club() -> AsyncIterator[Club]:
    async with StandIn() as standin:
        club = Club(standin)
        async with running(standin, club.bot):
            yield club


async def test_a_client_logs_in_sees_its_guild_and_registers_its_commands(club: Club) -> None:
    assert [one.name for one in club.bot.guilds] == ["The club"]
    assert [one.name for one in club.bot.guilds[0].text_channels] == ["games"]
    registered = {command["name"] for command in club.standin.world.registry.of(0)}
    assert registered == {"board", "pick", "choose", "match", "Challenge"}
    assert {one.name for one in await club.bot.tree.fetch_commands()} == registered


async def test_a_command_is_deferred_filled_with_a_picture_and_followed_up_in_private(club: Club) -> None:
    call = club.anna.slash(club.room, "board", match=12)
    await club.standin.until(lambda: len(call.replies) == 2)
    shown, whisper = call.replies
    assert shown.content == "Match 12"
    assert [(one.alt, one.data) for one in shown.attachments] == [("a board", PIXEL)]
    assert club.room.messages == [shown]
    assert club.anna.whispers == [whisper]
    assert club.ben.whispers == []


async def test_an_option_is_completed_while_it_is_typed(club: Club) -> None:
    choices = await club.anna.autocomplete(club.room, "pick", "game", "T")
    assert [one["name"] for one in choices] == ["Tirachen", "Tokonoma"]
    assert len(await club.anna.autocomplete(club.room, "pick", "game", "25")) == 25


async def test_more_than_25_choices_are_refused_and_nothing_is_shown(club: Club) -> None:
    with pytest.raises(AssertionError, match="Must be 25 or fewer"):
        await club.anna.autocomplete(club.room, "pick", "game", "26")


async def test_only_whom_the_bot_allows_is_pinged(club: Club) -> None:
    said = await club.anna.slash(club.room, "pick", game="veney", against=club.ben).reply()
    assert said.mentions == [club.ben]
    text = f"{club.anna.mention} {club.ben.mention} `{club.ben.mention}` @everyone"
    await club.channel().send(text, allowed_mentions=discord.AllowedMentions.none())
    assert club.room.last.mentions == []
    await club.channel().send(text, allowed_mentions=discord.AllowedMentions(users=[discord.Object(club.anna.id)]))
    assert club.room.last.mentions == [club.anna]
    assert club.anna.pings == [club.room.last]


async def test_a_button_from_before_a_restart_still_works(club: Club) -> None:
    said = await club.anna.slash(club.room, "choose").reply()
    await club.bot.close()
    club.bot = Bot()
    async with running(club.standin, club.bot):
        await club.anna.press(said, "Take 3").answered()
        assert (said.content, said.buttons) == ("taken 3", [])


async def test_a_select_sends_the_value_that_was_chosen(club: Club) -> None:
    said = await club.anna.slash(club.room, "choose").reply()
    assert (await club.ben.select(said, "Tirachen").reply()).content == "chosen Tirachen"


async def test_a_form_is_shown_filled_in_and_answered_in_private(club: Club) -> None:
    form = await club.anna.slash(club.room, "match secret").form()
    assert (form.title, club.anna.modals) == ("Your secret", [form])
    said = await club.anna.submit(form, {"Secret": "42"}).reply()
    assert (said.content, said.only) == ("kept 42", club.anna)


async def test_a_menu_names_the_user_it_was_opened_on(club: Club) -> None:
    assert (await club.anna.menu("Challenge", club.ben, club.room).reply()).content == "challenged ben"


async def test_people_can_only_do_what_their_client_offers(club: Club) -> None:
    said = await club.anna.slash(club.room, "choose").reply()
    form = await club.anna.slash(club.room, "match secret").form()
    stranger = club.standin.person("Stranger")
    impossible: dict[str, Callable[[], object]] = {
        "an unknown command": lambda: club.anna.slash(club.room, "bored", match=1),
        "an unknown option": lambda: club.anna.slash(club.room, "board", match=1, size=3),
        "a missing option": lambda: club.anna.slash(club.room, "board"),
        "words for a number": lambda: club.anna.slash(club.room, "board", match="one"),
        "a number out of bounds": lambda: club.anna.slash(club.room, "board", match=0),
        "a group without its command": lambda: club.anna.slash(club.room, "match"),
        "an unknown button": lambda: club.anna.press(said, "Take 4"),
        "an unknown choice": lambda: club.anna.select(said, "Chess"),
        "too many choices": lambda: club.anna.select(said, "Veney", "Tirachen"),
        "somebody else's form": lambda: club.ben.submit(form, {"Secret": "42"}),
        "a form left empty": lambda: club.anna.submit(form, {}),
        "too long a text in a form": lambda: club.anna.submit(form, {"Secret": "x" * 21}),
        "a room of another guild": lambda: stranger.say(club.room, "hello"),
        "an unknown menu": lambda: club.anna.menu("Duel", club.ben, club.room),
    }
    for attempt in impossible.values():
        with pytest.raises(NotOffered):
            attempt()


async def test_a_forged_press_reaches_the_bot_as_it_is(club: Club) -> None:
    said = await club.anna.slash(club.room, "choose").reply()
    club.ben.forge("take:999", said)
    await club.standin.until(lambda: club.bot.pressed == ["take:999"])


async def test_a_message_has_one_thread_with_its_own_id(club: Club) -> None:
    message = await club.channel().send("Match 12")
    thread = await message.create_thread(name="Match 12: Anna to move")
    assert thread.id == message.id
    await thread.send("Board", file=picture())
    assert [one.name for one in club.room.threads] == ["Match 12: Anna to move"]
    assert [one.content for one in club.room.threads[0].posts] == ["Board"]
    fetched = await club.channel().fetch_message(message.id)
    with pytest.raises(discord.HTTPException) as refused:
        await fetched.create_thread(name="again")
    assert (refused.value.status, refused.value.code) == (400, 160004)


async def test_a_thread_is_renamed_with_a_notice_archived_and_comes_back_when_written_to(club: Club) -> None:
    thread = await club.channel().create_thread(name="one", type=discord.ChannelType.public_thread)
    there = club.room.threads[0]
    await thread.edit(name="two", archived=True)
    assert (there.name, there.archived, there.last.type, there.last.content) == ("two", True, 4, "two")
    assert thread.id in [one.id async for one in club.channel().archived_threads()]
    await thread.send("still here")
    assert not there.archived
    club.anna.archive(there)
    club.anna.say(there, "hello")
    assert not there.archived
    club.anna.archive(there, locked=True)
    with pytest.raises(discord.HTTPException) as refused:
        await thread.send("locked out")
    assert (refused.value.status, refused.value.code) == (400, 160005)


async def test_private_messages_go_to_one_channel_until_the_door_is_closed(club: Club) -> None:
    user = await club.bot.fetch_user(club.anna.id)
    await user.send("psst")
    await user.send("psst!")
    assert [one.content for one in club.anna.dm.messages] == ["psst", "psst!"]
    club.anna.closed = True
    with pytest.raises(discord.Forbidden) as refused:
        await user.send("psst!!")
    assert refused.value.code == 50007


async def test_words_are_blank_without_the_intent_but_for_private_ones_mentions_and_replies(club: Club) -> None:
    said = await club.channel().send("Board")
    board = club.room.message(said.id)
    club.anna.say(club.room, "blank")
    club.anna.say(club.room, "to you", mention_bot=True)
    club.anna.say(club.room, "reply", reply_to=board)
    club.anna.say(club.room, "reply without a ping", reply_to=board, ping=False)
    club.anna.say(club.anna.dm, "in private")
    await club.standin.until(lambda: len(club.bot.heard) == 5)
    mention = club.standin.bot.mention
    assert [one.content for one in club.bot.heard] == ["", f"{mention} to you", "reply", "", "in private"]
    history = [one.content async for one in club.channel().history(oldest_first=True)]
    assert history == ["Board", "", f"{mention} to you", "reply", ""]


async def test_a_reply_refers_to_the_message_it_answers(club: Club) -> None:
    question = club.anna.say(club.room, "please answer", mention_bot=True)
    await club.standin.until(lambda: club.room.posts)
    answer = club.room.posts[0]
    assert (answer.reference, answer.mentions) == (question, [])


async def test_a_nonce_keeps_a_message_single_for_minutes_and_no_longer(club: Club) -> None:
    first = await club.channel().send("once", nonce="r7")
    assert (await club.channel().send("once", nonce="r7")).id == first.id
    assert len(club.room.messages) == 1
    club.standin.advance(200)
    assert (await club.channel().send("once", nonce="r7")).id != first.id
    assert len(club.room.messages) == 2
    assert [one.nonce async for one in club.channel().history()] == [None, None]


async def test_reactions_are_counted_and_told_of(club: Club) -> None:
    message = await club.channel().send("React")
    await message.add_reaction("👍")
    club.ben.react(club.room.last, "👍")
    await club.standin.until(lambda: len(club.bot.reacted) == 2)
    assert club.room.last.reactions == {"👍": [club.standin.bot, club.ben]}
    with pytest.raises(discord.HTTPException) as refused:
        await message.add_reaction("\u2654")
    assert (refused.value.status, refused.value.code) == (400, 10014)


async def test_an_attachment_can_be_fetched_again(club: Club) -> None:
    message = await club.channel().send(file=picture())
    assert await message.attachments[0].read() == PIXEL
    assert (message.attachments[0].width, message.attachments[0].content_type) == (1, "image/png")


async def test_a_file_that_is_sent_a_second_time_is_empty_and_refused(club: Club) -> None:
    file = picture()
    await club.channel().send(file=file)
    with pytest.raises(discord.HTTPException) as refused:
        await club.channel().send(file=file)
    assert (refused.value.status, refused.value.code) == (400, 50006)


async def test_messages_are_edited_and_deleted_by_their_author_alone(club: Club) -> None:
    message = await club.channel().send("one", file=picture())
    await message.edit(content="two", attachments=[picture("another")])
    assert (club.room.last.content, [one.alt for one in club.room.last.attachments]) == ("two", ["another"])
    foreign = club.channel().get_partial_message(club.anna.say(club.room, "mine").id)
    for attempt, code in ((foreign.edit(content="yours"), 50005), (foreign.delete(), 50013)):
        with pytest.raises(discord.Forbidden) as refused:
            await attempt
        assert refused.value.code == code
    await message.delete()
    assert [one.content for one in club.room.messages] == ["mine"]
    with pytest.raises(discord.NotFound) as gone:
        await message.edit(content="three")
    assert gone.value.code == 10008


@pytest.mark.parametrize(
    ("denied", "code"), [("view_channel", 50001), ("send_messages", 50013), ("attach_files", 50013)]
)
async def test_the_bot_does_only_what_a_channel_permits(club: Club, denied: str, code: int) -> None:
    club.room.deny(denied)
    with pytest.raises(discord.Forbidden) as refused:
        await club.channel().send("Board", file=picture())
    assert refused.value.code == code
    club.room.allow(denied)
    await club.channel().send("Board", file=picture())


async def test_each_permission_opens_its_own_door(club: Club) -> None:
    channel = club.channel()
    message = await channel.send("Board")
    thread = await channel.create_thread(name="one", type=discord.ChannelType.public_thread)

    async def refused(denied: str, attempt: Callable[[], Awaitable[object]]) -> int:
        club.room.deny(denied)
        with pytest.raises(discord.HTTPException) as refusal:
            await attempt()
        club.room.allow(denied)
        await attempt()
        return refusal.value.code

    assert await refused("embed_links", lambda: channel.send(embed=discord.Embed(title="Board"))) == 50013
    assert await refused("send_messages_in_threads", lambda: thread.send("Board")) == 50013
    assert await refused("read_message_history", lambda: channel.fetch_message(message.id)) == 50013
    assert await refused("read_message_history", lambda: message.reply("Board")) == 160002
    assert await refused("add_reactions", lambda: message.add_reaction("👍")) == 50013
    assert await refused("create_public_threads", lambda: message.create_thread(name="two")) == 50013
    assert await refused("create_private_threads", lambda: channel.create_thread(name="private")) == 50013


async def test_who_has_installed_the_bot_uses_it_where_it_is_no_member(club: Club) -> None:
    traveller = club.standin.person("Traveller", installed=True)
    elsewhere = club.standin.guild("Elsewhere", traveller, bot=False).channel("lobby")
    assert (await traveller.slash(elsewhere, "board", match=1).reply()).content == "Match 1"
    assert elsewhere.guild
    elsewhere.guild.members.append(club.ben)
    with pytest.raises(NotOffered):
        club.ben.slash(elsewhere, "board", match=1)
    assert (await traveller.slash(traveller.dm, "pick", game="veney").reply()).content == "veney against nobody"
    with pytest.raises(discord.Forbidden):
        await club.bot.fetch_channel(elsewhere.id)


async def test_commands_installed_for_users_work_between_two_people(club: Club) -> None:
    traveller = club.standin.person("Traveller", installed=True)
    aside = traveller.private_with(club.ben)
    with pytest.raises(NotOffered, match="not offered here"):
        traveller.slash(aside, "board", match=1)
    for command in club.standin.world.registry.of(0):
        command["contexts"] = [2]
    assert (await traveller.slash(aside, "pick", game="veney").reply()).content == "veney against nobody"
    assert club.ben.sees == traveller.sees == aside.messages
    with pytest.raises(discord.Forbidden):
        await club.bot.fetch_channel(aside.id)


async def test_a_thread_in_which_nothing_happens_is_archived(club: Club) -> None:
    thread = await club.channel().create_thread(
        name="one", auto_archive_duration=60, type=discord.ChannelType.public_thread
    )
    club.standin.advance(59 * 60)
    await thread.send("just in time")
    club.standin.advance(59 * 60)
    assert not club.room.threads[0].archived
    club.standin.advance(60)
    assert club.room.threads[0].archived


async def test_a_layout_is_shown_instead_of_text(club: Club) -> None:
    view = discord.ui.LayoutView().add_item(discord.ui.TextDisplay("A board"))
    view.add_item(discord.ui.ActionRow(Remembered(5)))
    await club.channel().send(view=view)
    assert (club.room.last.text, club.room.last.buttons) == ("A board", ["Take 5"])


async def test_everything_the_bot_ever_sent_can_be_searched(club: Club) -> None:
    await club.channel().send("canary", file=picture("hidden canary"))
    assert len(club.standin.search("canary")) == 1
    assert club.standin.search("IHDR")
    assert club.standin.search("another bird") == []


async def test_all_that_was_asked_and_answered_fits_the_published_description(club: Club) -> None:
    described = description()
    if described is None:
        pytest.skip(f"{PLACE} does not name a copy of Discord's API description")
    await everything(club)
    oracle = Oracle(described)
    assert [words for request in club.standin.requests for words in oracle.misfits(request)] == []


async def everything(club: Club) -> None:
    """The bot and its people take every road once."""
    anna, room, channel, bot = club.anna, club.room, club.channel(), club.bot
    call = anna.slash(room, "board", match=12)
    await club.standin.until(lambda: len(call.replies) == 2)
    await anna.autocomplete(room, "pick", "game", "T")
    said = await anna.slash(room, "choose").reply()
    await anna.select(said, "Veney").reply()
    await anna.press(said, "Take 3").answered()
    await anna.submit(await anna.slash(room, "match secret").form(), {"Secret": "42"}).reply()
    embed = discord.Embed(title="Board", description="Anna to move", timestamp=discord.utils.utcnow())
    pinging = discord.AllowedMentions(users=[discord.Object(anna.id)])
    message = await channel.send(anna.mention, embed=embed, file=picture(), allowed_mentions=pinging, nonce="r7")
    await message.edit(content="Edited", attachments=[picture()])
    await message.reply("A reply")
    await message.add_reaction("👍")
    await message.remove_reaction("👍", discord.Object(club.standin.bot.id))
    await channel.send(view=discord.ui.LayoutView().add_item(discord.ui.TextDisplay("A board")))
    thread = await message.create_thread(name="Match 12")
    await thread.send("Your move")
    await thread.edit(name="Match 12, over", archived=True)
    await channel.create_thread(name="Alone", type=discord.ChannelType.public_thread)
    assert [one async for one in channel.history()]
    assert [one async for one in channel.archived_threads()]
    await (await bot.fetch_user(anna.id)).send("psst")
    await bot.fetch_channel(thread.id)
    await (await bot.fetch_guild(club.guild.id)).fetch_member(anna.id)
    await bot.application_info()
    await bot.tree.fetch_commands()
    await message.delete()
