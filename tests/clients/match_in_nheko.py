"""A match with a callout as somebody with an old client sees it: its screenshots are for people to look at.

They lie in `.cache/clients`. What the test itself holds: words that are typed there are heard, and every word that the
bot has to say is in an event that a client without captions shows.
"""

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.adapters.matrix_room import PREFIX, Bot, challenged
from tests.clients.nheko import CANCEL, NEEDED, ROOM, Nheko
from tests.synapse.fixtures import Start
from tests.synapse.player import Player

PICTURES = Path(".cache/clients")


@pytest.mark.parametrize("encrypted", [False, True])
async def test_a_match_with_a_callout_is_played_in_nheko(own_synapse: Start, tmp_path: Path, encrypted: bool) -> None:
    missing = [name for name in NEEDED if shutil.which(name) is None]
    assert not missing, f"apt-get install nheko xvfb xdotool imagemagick dbus: there is no {', '.join(missing)}"
    server = own_synapse(enable_authenticated_media=False)
    bot = await Bot.enter(server, tmp_path / "bot", "riposte")
    anna, ben = [await Player.enter(server, name, tmp_path) for name in ("anna", "ben")]
    kind = "encrypted" if encrypted else "plain"
    nheko = await Nheko.start(server, anna.user, tmp_path / "nheko", 70 + encrypted)
    try:
        room = await anna.create(encrypted=encrypted, invite=[bot.user, ben.user], name="Club", room_version="11")
        await ben.see_invitation(room)
        await ben.join(room)
        await anna.see_member(room, bot.user)
        await asyncio.sleep(30)  # the set-up of encryption comes late on a slow machine
        before = shown = nheko.photograph(PICTURES / f"{kind}-0-start.png")
        while shown == before:  # the set-up of encryption can wait; a slow screen misses clicks
            await nheko.click(*CANCEL)
            shown = nheko.photograph(PICTURES / f"{kind}-0-start.png")
        await nheko.click(*ROOM)
        await asyncio.sleep(3)
        nheko.photograph(PICTURES / f"{kind}-1-greeting.png")
        await nheko.write(f"{PREFIX} games")
        await ben.see(room, "The games:")
        thread, _ = await challenged(bot, room, anna, ben, "veney side=white first=white umpire=turn")
        await asyncio.sleep(4)
        nheko.photograph(PICTURES / f"{kind}-2-board.png")
        await anna.say(room, "a+ SY7", thread=thread)
        turn = await ben.see(room, "Turn 1 ·")
        await asyncio.sleep(4)
        nheko.photograph(PICTURES / f"{kind}-3-turn.png")
        await ben.react(room, turn.id, "1\ufe0f\u20e3")
        verdict = await ben.see(room, "is untenable")
        await asyncio.sleep(4)
        nheko.photograph(PICTURES / f"{kind}-4-callout.png")
        assert "Rule: " in verdict.text
        assert not verdict.picture
        for seen in ben.read(room):
            assert not seen.picture or seen.text == seen.content["filename"], "no word is a caption"
    finally:
        nheko.close()
        await bot.stop()
        await anna.close()
        await ben.close()
