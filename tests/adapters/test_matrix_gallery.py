"""Those who look on at a match talk in a room of their own on Matrix; its players are invited when it is over."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.model import Place
from bot.messages.serialization import address
from tests.adapters.matrix_room import PREFIX, Bot, Enter, challenged, club
from tests.synapse.server import Homeserver


@pytest.fixture
async def bot(synapse: Homeserver, tmp_path: Path) -> AsyncIterator[Bot]:
    bot = await Bot.enter(synapse, tmp_path / "bot", f"riposte-{tmp_path.name}".lower().replace("_", "-")[:40])
    yield bot
    await bot.stop()


async def gallery_of(bot: Bot, room: str, match: str) -> str:
    """The room of those who look on, once the bot has made it."""
    home = address(Place("matrix", room, f"k{match}"))
    await bot.saw(lambda: bool(bot.adapter._rooms.gallery(home)))
    return bot.adapter._rooms.gallery(home)


async def test_only_those_who_look_on_are_invited_until_the_match_is_over(bot: Bot, people: Enter) -> None:
    anna, ben, cleo, dora = [await people(name) for name in ("anna", "ben", "cleo", "dora")]
    room = await club(bot, anna, ben, cleo, dora)
    thread, match = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await cleo.say(room, f"{PREFIX} kibitz {match} white should look to the left")
    gallery = await cleo.see_invitation(await gallery_of(bot, room, match))
    await cleo.join(gallery)
    told = await cleo.see(gallery, "white should look to the left")
    assert "After 0 turns, " in told.text
    assert not told.encrypted, "the players could never read it"
    # what is said among them is for none but them, though one person is alone with Riposte there
    talk = await cleo.say(gallery, "resign")
    await bot.stop()
    await bot.start()
    await dora.say(room, f"{PREFIX} kibitz {match} no, to the right")
    assert await dora.see_invitation(gallery) == gallery
    await dora.join(gallery)
    await dora.see(gallery, "to the right")
    assert not [seen for seen in dora.read(gallery) if seen.relation.get("m.in_reply_to", {}).get("event_id") == talk]
    await ben.say(room, "c7c5", thread=thread)
    assert gallery not in {*anna.invited, *ben.invited}
    assert not [seen for seen in anna.read(room) if "to the left" in seen.text and seen.sender == bot.user]
    await ben.say(room, "resign yes", thread=thread)
    for player in (anna, ben):
        assert await player.see_invitation(gallery) == gallery
        await player.join(gallery)
        await player.see(gallery, "to the left")
        await player.see(gallery, "its players read along here")
    await anna.see(room, "What onlookers said about")


async def test_nobody_there_can_let_a_player_in(bot: Bot, people: Enter) -> None:
    anna, ben, cleo = [await people(name) for name in ("anna", "ben", "cleo")]
    room = await club(bot, anna, ben, cleo)
    _, match = await challenged(bot, room, anna, ben, "tokonoma side=white")
    await cleo.say(room, f"{PREFIX} kibitz {match} left")
    gallery = await cleo.see_invitation(await gallery_of(bot, room, match))
    await cleo.join(gallery)
    with pytest.raises(AssertionError, match="FORBIDDEN"):
        await cleo.invite(gallery, anna.user)
