"""Riposte on Discord, through the real discord.py: matches from the challenge to the end, and private words."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.adapters.discord.threads import titles
from engine.dice import Dice
from engine.games import GAMES
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Message, Person
from tests.discord_standin.interactions import DEFER_UPDATE


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben", "Cleo") as room:
        yield room


def mover(post: Message, room: DiscordRoom) -> Person:
    """Whom a post pings."""
    (user,) = post.mentions
    return next(person for person in room.people if person is user)


# --- whole matches ------------------------------------------------------------------------------------------
async def test_a_tokonoma_match_is_played_to_its_end_in_a_thread_of_its_own(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "tokonoma")
    game = GAMES["tokonoma"]
    position = game.setup({option.key: option.default for option in game.options}, Dice(bytes(32)))
    luck, turns = Random(196), 0
    while (outcome := game.outcome(position)) is None:
        choices = list(game.turns(position))
        luck.shuffle(choices)
        me = frozenset((game.to_act(position),))
        winning = (t for t in choices if (end := game.outcome(game.play(position, t))) and end.winners == me)
        turn = next(winning, choices[0])
        board = thread.posts[-1]
        assert len(board.attachments) == 1
        assert board.attachments[0].alt.startswith("Tokonoma.")
        who, text = mover(board, room), game.write(turn, position)
        if turns % 3 == 0:
            await room.press(who, board, "Make the turn", text)
        elif turns % 3 == 1:
            await room.say(who, text, thread, reply_to=board)
        else:
            await room.say(who, text, thread)
        position, turns = game.play(position, turn), turns + 1
        assert f"**Turn {turns}**" in thread.posts[-1].content
    assert outcome.rule.title in thread.posts[-1].content
    assert thread.posts[-1].buttons == ["Rematch"]
    assert len(thread.posts) == turns + 1, "the board at the start, and one post for each turn"
    assert "**wins**" in room.channel.posts[-1].content
    assert thread.posts[-1].content.count("<@") == 0
    room.standin.advance(600)
    await room.until(lambda: thread.name.endswith("over"), "a title that says so")


async def test_an_untenable_turn_of_veney_stands_until_it_is_called_out(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "veney side=white first=white umpire=turn")
    made = await room.play(anna, "a+ SY7", thread)
    assert "untenable" not in made.content
    assert made.buttons == ["Make the turn", "Call it out"]
    before = len(thread.posts)
    await room.press(ben, made, "Call it out")
    (called,) = thread.posts[before:]
    assert "is **untenable**" in called.content
    assert "The Self leaps over nothing" in called.content
    assert len(called.attachments) == 1
    assert called.mentions == [ben]


async def test_a_challenge_pings_whom_it_is_for_and_nobody_else(room: DiscordRoom) -> None:
    anna, ben, cleo = room.people
    await room.say(anna, "challenge @ben tokonoma")
    (invitation,) = room.channel.posts
    assert invitation.mentions == [ben]
    assert invitation.content.startswith(f"Anna challenges {ben.mention}"), "who never spoke is Discord's to name"
    assert not anna.pings + cleo.pings


async def test_a_thread_hangs_from_a_message_and_says_whose_turn_it_is(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    root = room.channel.posts[-1]
    assert root.thread is thread
    assert root.content == "**Match 1 · Tokonoma** has begun: Anna (White) against Ben (Black)."
    assert thread.name == "#1 Tokonoma · Anna–Ben · Anna to move"
    await room.play(anna, "c7c5", thread)
    await room.until(lambda: thread.name == "#1 Tokonoma · Anna–Ben · Ben to move", "another title")


async def test_a_thread_is_renamed_no_more_often_than_discord_lets_us_and_no_post_waits_for_it(
    tmp_path: Path,
) -> None:
    async with discord_room(tmp_path, "Anna", "Ben", rate_limits=True) as room:
        anna, ben, *_ = room.people
        thread = await room.begun(anna, ben, "tokonoma side=white")
        for who, turn in ((anna, "c7c5"), (ben, "e1e3"), (anna, "c5d5")):
            await room.play(who, turn, thread)
        assert len(thread.posts) == 4
        renames = [one for one in room.standin.requests if one.method == "PATCH" and "name" in (one.payload or {})]
        assert len(renames) <= 2
        assert all(one.status == 200 for one in renames)


async def test_titles_of_threads_in_which_nothing_happens_any_more_are_forgotten(
    room: DiscordRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(titles, "KEPT", 2)
    anna, ben, _ = room.people
    threads = [await room.begun(anna, ben, "tokonoma side=white") for _ in range(4)]
    known = room.adapter._delivery.titles
    for thread in threads:
        await room.play(anna, "c7c5", thread)
        await room.until(lambda thread=thread: thread.name.endswith("Ben to move"), "another title")
        room.standin.advance(titles.SPAN + 1)
    assert [*known._renamed] == [threads[-1].id]
    await room.until(lambda: [*known._names] == [thread.id for thread in threads[-2:]], "only two names")


async def test_the_first_board_says_how_to_be_heard(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    assert thread.posts[0].content.endswith(
        " For example: `c7c5`.\n-# I can read only what is meant for me: press the button, "
        "reply to one of my messages with your turn, or mention me."
    )
    assert "here" not in thread.posts[0].content
    await room.say(anna, "how do I move?", thread)
    assert "press the button, reply to one of my messages" in anna.dm.posts[-1].content
    assert "For example: `c7c5`." in anna.dm.posts[-1].content
    assert "-#" not in (await room.play(anna, "c7c5", thread)).content


async def test_where_nobody_else_is_the_first_board_says_to_write_there(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    await room.say(anna, "challenge @ben tokonoma side=white", anna.dm)
    await room.press(ben, ben.dm.posts[-1], "Accept")
    for post in (anna.dm.posts[-1], ben.dm.posts[-1]):
        assert post.content.endswith("Write it here, for example `c7c5`.")


async def test_talk_among_players_is_not_heard(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    heard, posts = len(room.heard), len(thread.posts)
    ben.say(thread, "good luck!", reply_to=anna.say(room.channel, "hello"))
    await room.play(anna, "c7c5", thread)
    assert not anna.dm.posts + ben.dm.posts
    assert len(room.heard) == heard + 1
    assert len(thread.posts) == posts + 1


async def test_a_bare_turn_that_discord_does_not_show_is_answered_with_the_button_once_a_turn(
    room: DiscordRoom,
) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    anna.say(thread, "c7c5")
    await room.until(lambda: len(thread.posts) == 2, "a hint")
    hint = thread.posts[-1]
    assert hint.content.startswith("Anna, Discord does not show me what you write here.")
    assert (hint.buttons, hint.mentions) == (["Make the turn"], [])
    anna.say(thread, "c7c5!")
    await room.press(anna, hint, "Make the turn", "c7c5")
    assert "**Turn 1**" in thread.posts[-1].content
    assert len(thread.posts) == 3
    await room.until(lambda: not hint.buttons, "the button to go")
    await room.restart()
    ben.say(thread, "e1e3")
    await room.until(lambda: len(thread.posts) == 4, "a hint for the other")


async def test_who_is_not_to_move_or_has_no_seat_gets_no_hint_for_what_discord_does_not_show(room: DiscordRoom) -> None:
    anna, ben, cleo = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    for who, where in ((ben, thread), (cleo, thread), (anna, room.channel)):
        who.say(where, "c7c5")
    await room.play(anna, "c7c5", thread)
    await room.calm()
    assert len(thread.posts) == 2
    assert not [post for post in room.channel.posts if "does not show me" in post.content]
    assert not anna.dm.posts + ben.dm.posts + cleo.dm.posts


async def test_the_button_of_a_hint_goes_although_we_were_killed_before_we_could_note_it(room: DiscordRoom) -> None:
    anna, _, _ = room.people
    thread = await room.begun(anna, room.people[1], "tokonoma side=white")
    accepted = room.standin.fail("POST", f"/channels/{thread.id}/messages", "503", times=1000, after=True)
    anna.say(thread, "c7c5")
    await room.until(lambda: len(thread.posts) == 2 and accepted.hits, "a hint")
    await room.stop()
    accepted.left = 0
    hint = thread.posts[-1]
    await room.start()
    await room.press(anna, hint, "Make the turn", "c7c5")
    await room.until(lambda: not hint.buttons, "the button to go")
    assert len(thread.posts) == 3


async def test_with_the_intent_a_bare_turn_is_played_and_talk_is_let_be(tmp_path: Path) -> None:
    async with discord_room(tmp_path, "Anna", "Ben", "Cleo", privileged=("message_content",)) as room:
        room.reads_all = True
        await room.restart()
        anna, ben, _ = room.people
        thread = await room.begun(anna, ben, "tokonoma side=white")
        assert thread.posts[0].content.endswith(" For example: `c7c5`.\n-# Write your turn here, or press the button.")
        for asked, told in (
            ("help", "In a match's thread, just write your turn."),
            ("how do I move?", "Write your turn here, for example `c7c5`."),
        ):
            await room.say(ben, asked, thread)
            assert ben.dm.posts[-1].content.startswith(told)
        await room.say(anna, "c7c5", thread, mention_bot=False)
        assert "**Turn 1**" in thread.posts[-1].content
        await room.say(ben, "that is a fine turn, thank you", thread, mention_bot=False)
        assert len(thread.posts) == 2
        heard = len(room.heard)
        anna.say(room.channel, "c7c5")
        await room.play(ben, "e1e3", thread)
        assert len(room.heard) == heard + 1, "elsewhere only what is meant for us is heard"


async def test_a_reply_that_we_are_not_shown_is_explained_to_its_author_once(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    for turn in ("c7c5", "e5e4"):
        anna.say(thread, turn, reply_to=thread.posts[0], ping=False)
    await room.play(anna, "c7c5", thread)
    (told,) = anna.dm.posts
    assert "reply with the mention on" in told.content


async def test_an_edit_of_what_made_no_turn_is_the_new_text_and_one_of_a_turn_is_answered_once(
    room: DiscordRoom,
) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white umpire=turn")
    slip = anna.say(thread, "c7c9", mention_bot=True)
    await room.until(lambda: room.heard and room.heard[-1].text == "c7c9", "the slip")
    bot = room.standin.world.bot
    anna.edit(slip, f"{bot.mention} c7c5")
    await room.until(lambda: "**Turn 1**" in thread.posts[-1].content, "the turn")
    for later in ("c7c6", "c7b6"):
        room.standin.advance(1)
        anna.edit(slip, f"{bot.mention} {later}")
    await room.until(lambda: any("changes nothing" in post.content for post in anna.dm.posts), "an answer")
    await room.say(ben, "e1e3", thread)
    assert "**Turn 2**" in thread.posts[-1].content
    assert sum("changes nothing" in post.content for post in anna.dm.posts) == 1


async def test_a_name_that_was_typed_and_not_chosen_is_asked_about(room: DiscordRoom) -> None:
    anna, *_ = room.people
    for n, name in enumerate(("bennn", "9" * 19, "99999999999999999999", "²")):
        anna.say(room.channel, f"{room.standin.bot.mention} challenge @{name} tokonoma")
        await room.until(lambda n=n: len(anna.dm.posts) > n)
        assert f"whom you mean by @{name}" in anna.dm.posts[-1].content
    assert not room.heard
    assert not room.channel.posts


# --- in private ---------------------------------------------------------------------------------------------
async def test_an_answer_to_a_button_is_seen_by_whoever_pressed_it_alone(room: DiscordRoom) -> None:
    anna, ben, cleo = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    done = await room.press(cleo, thread.posts[-1], "Make the turn")
    assert done.modal is None, "who may not move gets no form"
    assert done.whispered
    assert "You have no seat" in (await done.reply()).content
    assert not cleo.dm.posts
    assert len(thread.posts) == 1


async def test_what_led_to_a_post_leaves_no_thinking_behind(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white umpire=turn")
    done = await room.press(anna, thread.posts[-1], "Make the turn", "c7c5")
    assert (await done.shown()).text == "Turn 1 is made: `c7c5`.", "in the composer's place"
    assert done.original is done.message
    called = await room.press(ben, thread.posts[-1], "Call it out")
    assert called.answer == DEFER_UPDATE, "a press is acknowledged without a sign"
    slashed = ben.slash(thread, "move", turn="e1e3")
    await room.dealt_with(f"discord:i{slashed.id}")
    await slashed.done()
    assert not slashed.replies
    assert not ben.whispers


async def test_a_secret_is_given_in_a_form_and_appears_in_no_post(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "veney side=white setup=concealed")
    (ask_ben,) = ben.whispers
    (ask_anna,) = anna.dm.posts
    assert ask_ben.content.startswith("Send your layout"), "who has just accepted is asked where they did"
    assert ask_anna.content.endswith(f"\n-# In {thread.mention}"), "who has not, by a direct message"
    await room.press(anna, ask_anna, "Answer", "SC$B 5676")
    assert "Anna (White) has answered privately" in thread.posts[-1].content
    done = await room.press(ben, ask_ben, "Answer", "BSC$")
    assert "four steps" in (await done.shown()).text
    await room.press(ben, ask_ben, "Answer", "BSC$ 5885")
    assert "Ben (Black) has answered privately" in thread.posts[-1].content
    assert not room.standin.search("SC$B 5676")
    assert not room.standin.search("BSC$ 5885")


async def test_a_typed_answer_comes_by_direct_message_with_a_link_to_the_match(room: DiscordRoom) -> None:
    anna, ben, _ = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white")
    await room.say(ben, "e1e3", thread)
    (answer,) = ben.dm.posts
    assert answer.content == f"It is White's turn. You will be told when it is yours.\n-# In {thread.mention}"
    assert len(thread.posts) == 1
