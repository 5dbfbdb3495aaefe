"""Composers on Discord that no longer fit, are somebody else's, or are forged."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.discord.composer.state import Draft
from bot.adapters.discord.interactions.buttons import Signer
from tests.adapters.discord_composing import composed, id_of, match_of, menus, opened, sent, step
from tests.adapters.discord_room import DiscordRoom, discord_room
from tests.discord_standin import Channel

MINUTE = 60


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[DiscordRoom]:
    async with discord_room(tmp_path, "Anna", "Ben") as room:
        yield room


@pytest.fixture
async def thread(room: DiscordRoom) -> Channel:
    """A match between Anna, who is to move, and Ben, with calling out."""
    return await room.begun(*room.people, "tokonoma side=white umpire=turn")


async def test_a_composer_of_a_turn_that_was_made_elsewhere_says_so(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    phone, desk = await opened(room, anna, thread), await opened(room, anna, thread)
    ready = await composed(anna, phone, ("c7", "c6"))
    await sent(room, anna, await composed(anna, desk, ("c7", "c5")))
    done = anna.press(ready, id_of(ready, "Play c7c6"))
    assert (await done.shown()).text == "Turn 1 is made: `c7c5`."
    assert (await done.shown()).buttons == []
    await room.say(ben, "e1e3", thread)
    stale = anna.forge(id_of(await opened(room, anna, thread), "Type it instead").replace(" 3", " 1"), desk)
    assert "not one of mine" in (await stale.reply()).content
    assert (await match_of(room)).next_number == 3


async def test_an_old_composer_leads_to_the_turn_that_is_due(room: DiscordRoom, thread: Channel) -> None:
    anna, ben = room.people
    old = await opened(room, anna, thread)
    await room.say(anna, "c7c5", thread)
    await room.say(ben, "e1e3", thread)
    room.standin.advance(20 * MINUTE)
    closed = await anna.select(old, "c7").shown()
    assert closed.text == "Turn 1 is made: `c7c5`."
    assert closed.buttons == ["Make the turn"]
    again = await anna.press(closed, "Make the turn").shown()
    assert again is closed, "in the same private message"
    assert "turn 3" in again.text


async def test_a_menu_is_answered_as_long_as_it_is_there(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    screen = await step(anna, await opened(room, anna, thread), "c7")
    room.standin.advance(16 * MINUTE)
    await room.restart()
    await sent(room, anna, await step(anna, screen, "c5"))
    assert "**Turn 1**" in thread.posts[-1].content


async def test_somebody_elses_composer_plays_nobodys_turn_and_touches_no_post(
    room: DiscordRoom, thread: Channel
) -> None:
    anna, ben = room.people
    board = thread.posts[-1]
    ready = await composed(anna, await opened(room, anna, thread), ("c7", "c5"))
    for id_ in (id_of(ready, "Play c7c5"), id_of(ready, "Back"), id_of(ready, "Type it instead")):
        stolen = ben.forge(id_, board)
        shown = await stolen.shown()
        assert shown.only is ben
        assert shown.text == "Nothing is awaited of you in match 1 now."
        assert not shown.attachments
    assert (await match_of(room)).next_number == 1
    assert board.buttons == ["Make the turn"], "a public post is never turned into a composer"


async def test_forged_steps_are_refused_in_private(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    screen = await opened(room, anna, thread)
    for forged in (
        "rcAAAAAAAA:!00 1 1 c7 c5",
        "rc:!00 1 1",
        "rc",
        Draft("1", 1, ("c7", "c5")).id(Signer(b""), "play", 0),
    ):
        assert "not one of mine" in (await anna.forge(forged, screen).reply()).content
    assert (await match_of(room)).next_number == 1


async def test_a_value_that_no_menu_offers_is_dropped(room: DiscordRoom, thread: Channel) -> None:
    anna, _ = room.people
    screen = await opened(room, anna, thread)
    (menu,) = menus(screen)
    for value in ("c1", "z99", "c7 z99", "x" * 100):
        shown = await anna.forge(menu["custom_id"], screen, 3, [value]).shown()
        assert "no longer fits" in shown.text
        assert not any(label.startswith("Play") for label in shown.buttons)
