"""Buttons, selects and forms on Discord work for months, for the right people only; and play where nobody else is."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from bot.adapters.discord.interactions.buttons import Signer
from bot.messages.model import Choice, OutgoingMessage, Place
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel, Message, Request


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben, with calling out."""
    return await room.begun(*room.people, "tokonoma side=white umpire=turn")


# --- for months ---------------------------------------------------------------------------------------------
async def test_a_button_and_a_form_outlive_the_process_that_made_them(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    form = await room.form(anna, anna.press(thread.posts[-1], "Make the turn"))
    await room.restart()
    sent = room.fill(anna, form, "c7c5")
    await room.dealt_with(f"discord:i{sent.id}")
    assert "**Turn 1**" in thread.posts[-1].content
    ids = ids_of(thread.posts[-1])
    await room.calm()
    room.standin.advance(90 * 24 * 3600)
    await room.restart()
    await room.calm()
    await room.until(lambda: not thread.posts[1].buttons, "buttons that lead to nothing to go")
    await room.until(lambda: thread.posts[-1].buttons == ["Rematch"], "the result")
    pressed = ben.forge(ids["Call it out"], thread.posts[1])  # a client that still shows it
    await room.dealt_with(f"discord:i{pressed.id}")
    assert room.heard[-1].text == "call 1 @1"


def ids_of(message: Message) -> dict[str, str]:
    """The ids of a message's buttons, by their labels."""
    return {part["label"]: part["custom_id"] for row in message.components for part in row["components"]}


async def test_a_settled_challenge_and_a_past_turn_lose_their_buttons_even_after_a_restart(room: DiscordRoom) -> None:
    anna, ben = room.people
    await room.say(anna, "challenge @ben tokonoma side=white")
    (invitation,) = room.channel.posts
    down = room.standin.fail("PATCH", "/channels/*/messages/*", "503", times=1000)
    await room.press(ben, invitation, "Accept")
    await room.until(lambda: down.hits, "an edit that fails")
    assert invitation.buttons
    await room.stop()
    down.left = 0
    await room.start()
    await room.until(lambda: not invitation.buttons, "the buttons of a settled challenge to go")
    thread = room.channel.threads[-1]
    board = thread.posts[-1]
    await room.play(anna, "c7c5", thread)
    await room.until(lambda: not board.buttons, "the button of a past turn to go")
    assert thread.posts[-1].buttons == ["Make the turn"]
    await room.press(ben, thread.posts[-1], "Make the turn", "e1e3")
    offered = await room.play(ben, "draw", thread)
    assert offered.buttons == ["Accept", "Decline"]
    assert thread.posts[-2].buttons == ["Make the turn"], "an offer settles no turn"
    await room.press(anna, offered, "Decline")
    await room.until(lambda: not offered.buttons, "the buttons of a settled offer to go")


async def test_buttons_in_a_thread_that_is_archived_go_once_somebody_plays_on(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben = room.people
    board = thread.posts[-1]
    down = room.standin.fail("PATCH", "/channels/*/messages/*", "503", times=1000)
    await room.play(anna, "c7c5", thread)
    await room.until(lambda: down.hits, "an edit that fails")
    await room.stop()
    down.left = 0
    room.standin.advance(8 * 24 * 3600)
    assert thread.archived
    await room.start()
    await room.until(lambda: edits(room, 400), "an edit in the archived thread")
    assert board.buttons
    await room.say(ben, "time 1", thread)
    await room.until(lambda: not board.buttons, "the button of a past turn to go")
    assert len(edits(room, 400)) < 3, "it is not tried again and again"


def edits(room: DiscordRoom, status: int) -> list[Request]:
    """Edits of messages that were answered so."""
    return [one for one in room.standin.requests if one.method == "PATCH" and one.status == status]


async def test_a_refused_form_is_opened_again_filled_in(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    done = await room.press(anna, thread.posts[-1], "Make the turn", "c7c9")
    answer = await done.shown()
    assert answer.buttons == ["Change it"]
    again = await anna.press(answer, "Change it").form()
    (field,) = (top["component"] for top in again.data["components"])
    assert field["value"] == "c7c9"
    sent = room.fill(anna, again, "c7c5")
    await room.dealt_with(f"discord:i{sent.id}")
    assert "**Turn 1**" in thread.posts[-1].content


@pytest.mark.parametrize("again", [False, True])
async def test_a_refused_challenge_is_opened_again_with_all_that_was_picked(room: DiscordRoom, again: bool) -> None:
    anna, ben = room.people
    picked = {"game": "tokonoma", "whom": [str(ben.id)], "umpire": "umpire=turn", "time": "time=7d"}
    done = anna.submit(await anna.slash(room.channel, "challenge").form(), picked | {"line": "side=green judge=open"})
    await room.dealt_with(f"discord:i{done.id}")
    answer = await done.shown()
    assert answer.only is anna
    assert "`side=` cannot be `green`" in answer.text
    if again:
        await room.restart()
    form = await anna.press(answer, "Change it").form()
    (line,) = (top["component"] for top in form.data["components"] if top["component"]["custom_id"] == "line")
    assert line["value"] == "side=green judge=open"
    done = anna.submit(form, {"line": "side=white"})
    await room.dealt_with(f"discord:i{done.id}")
    (invitation,) = room.channel.posts
    assert invitation.mentions == [ben]
    assert "7 days a turn" in invitation.content
    assert "Untenable turns stand" in invitation.content


async def test_a_term_is_no_command_though_it_has_a_command_s_name(room: DiscordRoom) -> None:
    anna, _ = room.people
    await room.say(anna, "challenge @ben tokonoma colour=red", anna.dm)
    assert "`takeback=`" in anna.dm.posts[-1].content
    await room.say(anna, "challenge @ben tokonoma takeback=never", anna.dm)
    assert anna.dm.posts[-1].content.startswith("`takeback=` cannot be `never`.")


@pytest.mark.parametrize(
    ("command", "wrong", "right", "told"),
    [
        ("match late", "x", "1", "no late calls"),
        ("riposte moretime", "soon", "2d", "2 days"),
    ],
)
async def test_every_refused_form_is_opened_again(
    room: DiscordRoom, thread: Channel, command: str, wrong: str, right: str, told: str
) -> None:
    anna, _ = room.people
    done = room.fill(anna, await anna.slash(thread, command).form(), wrong)
    await room.dealt_with(f"discord:i{done.id}")
    answer = await done.shown()
    assert answer.buttons == ["Change it"]
    again = await anna.press(answer, "Change it").form()
    (field,) = (top["component"] for top in again.data["components"])
    assert field["value"] == wrong
    done = room.fill(anna, again, right)
    await room.dealt_with(f"discord:i{done.id}")
    assert told in (thread.posts[-1].content + (done.replies[-1].text if done.replies else "")).lower()


async def test_a_form_for_many_opponents_is_no_longer_than_discord_takes(room: DiscordRoom) -> None:
    anna, ben = room.people
    others = [room.standin.person(name, room.guild) for name in ("Cleo", "Dora", "Emil")]
    named = {"player": ben, **{f"player{n}": one for n, one in enumerate(others, 2)}}
    done = anna.submit(
        await anna.slash(room.channel, "challenge", **named).form(), {"game": "chirality", "line": "players=5"}
    )
    await room.dealt_with(f"discord:i{done.id}")
    assert room.channel.posts[-1].mentions == [ben, *others]


async def test_a_call_that_may_cost_something_is_asked_about_once_when_it_is_a_button(room: DiscordRoom) -> None:
    anna, ben = room.people
    thread = await room.begun(anna, ben, "tokonoma side=white umpire=turn")
    made = await room.play(anna, "c7c5", thread)
    asked = await room.press(anna, made, "Call it out")
    question = await asked.reply()
    assert "Call your own turn out?" in question.content
    assert len(thread.posts) == 2
    await room.press(anna, question, "Call it out")
    assert "breaks no rule" in thread.posts[-1].content


@pytest.mark.parametrize("arrived", [False, True])
async def test_a_private_answer_is_given_where_it_was_asked_for_even_after_a_restart(
    room: DiscordRoom, thread: Channel, arrived: bool
) -> None:
    anna, _ = room.people
    fault = room.standin.fail("PATCH", "/webhooks/**", "503", times=1000, after=arrived)
    asked = anna.slash(thread, "match turns")
    await room.until(lambda: fault.hits, "an answer that fails")
    await room.stop()
    fault.left = 0
    await room.start()
    await room.until(lambda: asked.replies, "the answer")
    await room.calm()
    assert [whisper.content for whisper in asked.replies] == ["No turn has been made in match 1 yet."]
    assert not anna.dm.posts, "nobody is told twice"


async def test_thinking_stays_as_long_as_its_answer_is_on_its_way(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    fault = room.standin.fail("PATCH", "/webhooks/**", "503", times=1000)
    asked = anna.slash(thread, "match turns")
    await room.until(lambda: fault.hits and asked.loading, "an answer that fails")
    await room.stop()
    fault.left = 0
    slow = room.standin.fail("PATCH", "/webhooks/**", "slow", wait=3600)
    await room.start()
    await room.until(lambda: slow.hits, "an answer that takes its time")
    for _ in range(3):
        room.standin.advance(60)
        await ben.slash(room.channel, "matches").reply()  # so much is done meanwhile
    assert asked.loading
    slow.release()
    await room.until(lambda: asked.replies, "the answer")
    await room.calm()
    assert [whisper.content for whisper in asked.replies] == ["No turn has been made in match 1 yet."]
    assert not anna.dm.posts


async def test_a_match_goes_on_in_its_thread_after_a_restart(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    await room.restart()
    await room.play(anna, "c7c5", thread)
    await room.restart()
    await room.say(ben, "e1e3", thread, reply_to=thread.posts[-1])
    assert "**Turn 2**" in thread.posts[-1].content
    assert room.channel.threads == [thread]


async def test_a_form_says_what_it_asks_for(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    form = await room.form(anna, anna.press(thread.posts[-1], "Make the turn"))
    assert form.title == "Your turn · match 1"
    assert "For example: c7c5" in str(form.data)


async def test_what_does_not_fit_as_buttons_is_chosen_from_a_select(room: DiscordRoom) -> None:
    anna, _ = room.people
    choices = tuple(Choice(f"Rule {n}", f"rules tokonoma {n}") for n in range(30))
    where = Place("discord", str(room.channel.id))
    await room.adapter.deliver(OutgoingMessage("a" * 24, where, ("Which?",), choices=choices, at=room.now()), None)
    post = room.channel.posts[-1]
    menus = [row["components"][0] for row in post.components]
    assert [len(menu["options"]) for menu in menus] == [25, 5]
    done = anna.select(post, "Rule 27", custom_id=menus[1]["custom_id"])
    await room.dealt_with(f"discord:i{done.id}")
    assert room.heard[-1].text == "rules tokonoma 27"


# --- for the right people -----------------------------------------------------------------------------------
async def test_a_button_of_a_turn_that_is_past_answers_in_private(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    first = await room.play(anna, "c7c5", thread)
    ids = ids_of(first)
    await room.play(ben, "e1e3", thread)
    await room.play(anna, "c5d5", thread)
    await room.until(lambda: not first.buttons, "the buttons of a past turn to go")
    posts = len(thread.posts)
    done = ben.forge(ids["Call it out"], first)
    await room.dealt_with(f"discord:i{done.id}")
    assert done.whispered
    assert len(thread.posts) == posts
    assert "turn 1" in (await done.reply()).content.lower()


async def test_only_who_was_challenged_can_accept(room: DiscordRoom) -> None:
    anna, ben = room.people
    cleo = room.standin.person("Cleo", room.guild)
    await room.say(anna, "challenge @ben tokonoma")
    invitation = room.channel.posts[-1]
    for who in (cleo, anna):
        done = await room.press(who, invitation, "Accept")
        assert done.whispered
    assert not room.channel.threads
    await room.press(ben, invitation, "Accept")
    assert len(room.channel.threads) == 1


async def test_forged_and_foreign_buttons_are_answered_in_private_and_do_nothing(
    room: DiscordRoom, thread: Channel
) -> None:
    _, ben = room.people
    board = thread.posts[-1]
    real = "rs" + Signer(bytes(32)).sign("s", "resign 1 yes")[2:]
    heard, posts = len(room.heard), len(thread.posts)
    for forged in ("r", "rs", "rsAAAAAAAA:resign 1 yes", real, "rf" + real[2:], "mafia:vote:3", "rl:0", "x" * 100):
        done = ben.forge(forged, board)
        assert "not one of mine" in (await done.reply()).content
        assert done.whispered
    assert len(room.heard) == heard
    assert len(thread.posts) == posts


def test_no_seal_is_guessed_and_none_fits_another_command() -> None:
    signer, luck = Signer(b"key"), Random(1)
    good = signer.sign("s", "call 12 @7")
    assert signer.read(good) == ("s", "call 12 @7")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for _ in range(20_000):
        assert signer.read("rs" + "".join(luck.choices(alphabet, k=8)) + ":resign 12 yes") is None
    assert signer.read(good.replace("call", "move")) is None
    assert signer.read("ra" + good[2:]) is None, "what it is for is sealed too"
    assert signer.read(good + "\n") is None
    assert Signer(b"another").read(good) is None
    assert signer.read(f"{good}\udcbb") is None


# --- too late -----------------------------------------------------------------------------------------------
async def test_what_was_pressed_counts_even_if_discord_thinks_we_were_late(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    await room.play(anna, "c7c5", thread)
    late = anna.press(thread.posts[-1], "Call it out")
    room.standin.advance(4)
    await room.dealt_with(f"discord:i{late.id}")
    assert not late.answer
    assert "called out turn 1, but it breaks no rule" in thread.posts[-1].content or anna.dm.posts


async def test_an_answer_that_comes_after_a_quarter_of_an_hour_is_a_direct_message(
    room: DiscordRoom, thread: Channel
) -> None:
    _, ben = room.people
    down = room.standin.fail("PATCH", "/webhooks/**", "cut", times=100)
    ben.slash(thread, "move", turn="e1e3")
    await room.until(lambda: ben.dm.posts)
    assert down.hits > 10
    assert ben.dm.posts[-1].content.startswith("It is White's turn")


# --- where nobody else is -----------------------------------------------------------------------------------
async def test_two_people_play_in_their_private_channels(room: DiscordRoom) -> None:
    anna, ben = room.people
    await room.say(anna, "challenge @ben tokonoma side=white", anna.dm)
    await room.press(ben, ben.dm.posts[-1], "Accept")
    assert anna.dm.posts[-1].buttons == ["Make the turn"]
    assert anna.dm.posts[-1].mentions == [anna]
    await room.say(anna, "c7c5", anna.dm)
    assert "**Turn 1**" in ben.dm.posts[-1].content
    await room.press(ben, ben.dm.posts[-1], "Make the turn", "e1e3")
    await room.say(anna, "c5d5", anna.dm, reply_to=anna.dm.posts[-1])
    assert "**Turn 3**" in ben.dm.posts[-1].content
    assert [p.content[:10] for p in anna.dm.posts[1:]] == [p.content[:10] for p in ben.dm.posts[1:]]
    assert not room.channel.posts


async def test_whoever_alone_sees_their_own_turn_is_not_offered_to_call_it_out(room: DiscordRoom) -> None:
    anna, ben = room.people
    await room.say(anna, "challenge @ben tokonoma side=white umpire=turn", anna.dm)
    await room.press(ben, ben.dm.posts[-1], "Accept")
    await room.say(anna, "c7c5", anna.dm)
    assert anna.dm.posts[-1].buttons == ["Make the turn"]
    assert ben.dm.posts[-1].buttons == ["Make the turn", "Call it out"]
    await room.press(ben, ben.dm.posts[-1], "Make the turn", "e1e3")
    board = anna.dm.posts[-1]
    assert board.buttons == ["Make the turn", "Call it out"]
    await room.say(anna, "c5d5", anna.dm)
    await room.until(lambda: not board.buttons, "the buttons of a past turn to go")


async def test_who_brings_us_to_a_server_where_we_are_not_is_answered_in_private(room: DiscordRoom) -> None:
    anna, ben = room.people
    anna.installed = ben.installed = True
    elsewhere = room.standin.guild("Elsewhere", anna, ben, bot=False).channel("lobby")
    done = anna.slash(elsewhere, "challenge", player=ben, game="tokonoma")
    await room.dealt_with(f"discord:i{done.id}")
    assert (await done.reply()).content == "I have written to you in private."
    assert anna.dm.posts[-1].buttons == ["Accept", "Decline"]
    await room.press(ben, ben.dm.posts[-1], "Accept")
    assert ben.dm.posts[-1].attachments
    assert not elsewhere.posts


@pytest.mark.parametrize("may", [True, False])
async def test_a_secret_said_aloud_is_taken_away_if_we_may_and_counts(room: DiscordRoom, may: bool) -> None:
    anna, ben = room.people
    room.guild.granted.add("manage_messages") if may else room.guild.granted.discard("manage_messages")
    thread = await room.begun(anna, ben, "veney side=white setup=concealed")
    aloud = await room.say(anna, "secret SC$B 5676", thread)
    await room.until(lambda: "That was for me alone" in anna.dm.posts[-1].content)
    assert (aloud not in thread.messages) == may
    assert ("deleted your message" in anna.dm.posts[-1].content) == may
    assert "Anna (White) has answered privately" in thread.posts[-1].content
