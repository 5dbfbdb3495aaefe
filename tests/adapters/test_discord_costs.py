"""On Discord whatever can cost something asks once, in private; and nobody is offered what is not theirs to do."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel, Message, Person

LONG = 'tokonoma side=white umpire=turn start="f4/6/7/6/4F w"'
"""A house that is far from each flat: many turns can be made before the end."""
ASKED = {"call": "Call it out", "resign": "Resign", "abort": "Call it off"}
SLASH = {"call": "match call", "resign": "match resign", "abort": "match abort"}


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match in which Anna has just moved, and Ben has used up the wrong calls that cost nothing."""
    anna, ben = room.people
    thread = await room.begun(anna, ben, LONG)
    for hers, his in (("e5e4", "a1a2"), ("e4e3", "a2a3"), ("e3e2", "a3a4")):
        await room.play(anna, hers, thread)
        await room.play(ben, "call yes", thread)
        await room.play(ben, his, thread)
    await room.play(anna, "e2e1", thread)
    return thread


async def question(room: DiscordRoom, who: Person, thread: Channel, what: str, how: str) -> Message:
    """What somebody is asked before it is done: it is shown to nobody else, and nothing has happened."""
    posts = len(thread.posts)
    if how == "a word":
        before = len(who.dm.posts)
        await room.say(who, what, thread)
        (asked,) = who.dm.posts[before:]
    else:
        done = who.slash(thread, SLASH[what]) if how == "a command" else who.press(thread.posts[-1], ASKED[what])
        await room.dealt_with(f"discord:i{done.id}")
        asked = await done.reply()
        assert done.whispered
    assert len(thread.posts) == posts, "nobody else is told"
    return asked


@pytest.mark.parametrize(
    ("what", "how"),
    [(what, how) for what in ASKED for how in ("a word", "a command")] + [("call", "a button")],
)
async def test_whatever_can_cost_something_asks_whoever_does_it_once(
    room: DiscordRoom, thread: Channel, what: str, how: str
) -> None:
    anna, ben = room.people
    if what == "abort":  # which is for matches that have hardly begun
        thread = await room.begun(anna, ben, LONG)
    asked = await question(room, ben, thread, what, how)
    assert ASKED[what] in asked.buttons
    posts = len(thread.posts)
    pressed = await room.press(ben, asked, ASKED[what])
    assert len(thread.posts) == posts + 1, "it is done, and not asked about again"
    assert not pressed.replies


async def test_a_call_that_can_cost_nothing_is_not_asked_about(room: DiscordRoom) -> None:
    anna, ben = room.people
    thread = await room.begun(anna, ben, LONG)
    made = await room.play(anna, "e5e4", thread)
    await room.press(ben, made, "Call it out")
    assert "breaks no rule" in thread.posts[-1].content


@pytest.mark.parametrize("command", ["board", "match turns", "matches", "move"])
async def test_whoever_has_moved_is_not_offered_to_call_their_own_turn_out_where_they_alone_read(
    room: DiscordRoom, thread: Channel, command: str
) -> None:
    anna, _ = room.people
    asked = anna.slash(thread, command)
    shown = await (await asked.done()).reply()
    assert shown.only is anna
    assert "Call it out" not in shown.buttons


async def test_a_refused_secret_is_answered_in_private_and_opened_again_filled_in(room: DiscordRoom) -> None:
    anna, ben = room.people
    thread = await room.begun(anna, ben, "veney side=white setup=concealed")
    posts = len(thread.posts)
    composer = await anna.slash(thread, "secret").shown()
    done = room.fill(anna, await anna.press(composer, "Type it instead").form(), "SC$B 99")
    await room.dealt_with(f"discord:i{done.id}")
    answer = await done.shown()
    assert answer.only is anna
    assert len(thread.posts) == posts
    assert "Change it" in answer.buttons, answer.text
    form = await anna.press(answer, "Change it").form()
    (field,) = (top["component"] for top in form.data["components"])
    assert field["value"] == "SC$B 99"
    done = room.fill(anna, form, "SC$B 5676")
    await room.dealt_with(f"discord:i{done.id}")
    assert "Anna (White) has answered privately" in thread.posts[-1].content
    assert not any("5676" in post.content or "99" in post.content for post in thread.posts[posts:])
