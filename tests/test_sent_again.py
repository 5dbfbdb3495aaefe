"""A turn that somebody sent twice because nothing could be saved counts once, even when a restart lay in between."""

from pathlib import Path

import pytest

from storage import open_store
from tests.chat_room import ChatRoom


@pytest.mark.parametrize("words", ["c7c5", "1. c7c5", "move 1 c7c5"])
async def test_the_second_copy_is_refused_and_changes_nothing(tmp_path: Path, words: str) -> None:
    room = ChatRoom(await open_store(tmp_path / "riposte.db"))
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept 1")
    await room.say("anna", words, "1")
    await room.store.close()
    room = ChatRoom(await open_store(tmp_path / "riposte.db"), heard=1000)
    told = await room.say("anna", words, "1")
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.turns_made == 1
    assert all(one.only is not None for one in told)
    await room.store.close()
