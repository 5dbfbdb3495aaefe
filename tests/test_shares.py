"""Shares in the dice as they are typed, posted and counted in chat."""

import asyncio
import re
from pathlib import Path

import pytest

from bot.service.service import Service
from engine.dice import COUNTED, share_hash
from engine.games import GAMES
from engine.match.events import Challenged
from engine.match.record.read import read_record
from engine.match.record.verify import verify
from tests.chat_room import open_room


async def _posts(tmp_path: Path, challenge: str, accept: str) -> tuple[list[str], str, Service]:
    room = await open_room(tmp_path)
    try:
        told = [str(post.text) for post in await room.say("Anna", challenge)]
        told += [str(post.text) for post in await room.say("Ben", accept)]
        await room.say("Anna", "resign 1 yes")
        (record,) = [post for post in await room.say("Anna", "export 1") if "Riposte record 1" in str(post.text)]
        return told, str(record.text), room.service
    finally:
        await room.store.close()


@pytest.mark.parametrize("typed", [False, True])
def test_the_record_fits_the_hashes_that_were_posted(typed: bool, tmp_path: Path) -> None:
    shares = (" share=h4Rt9k", " share=oak-17") if typed else ("", "")
    told, record, _ = asyncio.run(_posts(tmp_path, f"challenge @ben ironclad{shares[0]}", f"accept 1{shares[1]}"))
    posted = re.findall(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b", " ".join(told))
    assert len(posted) == 3
    text = record[record.index("Riposte record 1") :].split("'")[0].encode().decode("unicode_escape")
    assert verify(read_record(text), tuple(posted)) == ()
    if typed:
        assert posted[1:] == [share_hash("h4Rt9k"), share_hash("oak-17")]


@pytest.mark.parametrize("share", ["", "a b", "ä", "x" * 65, "a,b", "a|b"])
async def test_a_share_that_cannot_be_is_refused_with_an_example(share: str, tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    (told,) = await room.say("Anna", f'challenge @ben ironclad share="{share}"')
    await room.store.close()
    assert "share=h4Rt9k" in str(told.text)


def test_what_began_with_counted_dice_goes_on_with_them() -> None:
    old = Challenged(0, "7", "anna", "ironclad", GAMES["ironclad"].version, {}, ("ben",), "web/lounge/")
    assert old.luck == COUNTED
    assert (old.seed, old.share) == ("", "")


async def test_who_calls_matches_off_after_the_lot_is_counted_and_their_challenges_say_so(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    for number in ("1", "2"):
        await room.say("Anna", "challenge @ben tokonoma side=lot")
        await room.say("Ben", f"accept {number}")
        await room.say("Anna", f"abort {number} yes")
    (told, *_) = await room.say("Anna", "challenge @ben tokonoma side=lot")
    assert "has called 2 matches off after their lots were drawn." in str(told.text)
    (told, *_) = await room.say("Cleo", "challenge @dave tokonoma side=lot")
    assert "called" not in str(told.text)
    await room.store.close()
