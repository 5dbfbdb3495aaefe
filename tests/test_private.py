"""Private matches are in no list, page or completion elsewhere: besides `conversations/private_match.txt`."""

from pathlib import Path

import pytest

from bot.commands.suggestions.lines import complete
from bot.messages.model import Person, Place
from bot.service.composing import Glance, public_board
from tests.chat_room import open_room

pytestmark = pytest.mark.usefixtures("each_database")


async def test_a_private_match_has_no_page_and_completes_nothing_for_strangers(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    room.seed = 2
    for number, terms in (("1", "private=on"), ("2", "")):
        await room.say("anna", f"challenge @ben tokonoma {terms}", channel="attic")
        await room.say("ben", f"accept {number}", channel="attic")
        board = await public_board(room.service.repository, number, Glance(), "web")
        assert (board is None) == (number == "1")
        lines = await complete(
            room.service.repository, Person("web", "dora", "Dora"), Place("web", "lounge"), f"look {number} "
        )
        seen = await complete(
            room.service.repository, Person("web", "anna", "Anna"), Place("web", "lounge"), f"move {number} c7"
        )
        assert seen
        assert bool(lines) == (number == "2") or lines == []
        strange = await complete(
            room.service.repository, Person("web", "dora", "Dora"), Place("web", "lounge"), f"move {number} c7"
        )
        assert number == "2" or strange == []
    await room.store.close()


async def test_a_rematch_of_a_private_match_is_private(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    await room.say("anna", "challenge @ben tokonoma private=on")
    await room.say("ben", "accept 1")
    await room.say("ben", "resign 1 yes")
    await room.say("ben", "rematch 1")
    match = await room.service.repository.match("2")
    assert match is not None
    assert match.private
    await room.store.close()
