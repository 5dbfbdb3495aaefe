"""Private matches at the door for programs: to outsiders they are as if they were not there, whatever is asked."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.api.operations import DEEDS
from bot.messages.model import IncomingMessage, Person, Place
from tests.api.room import Room, open_room

DEN = Place("matrix", "!den:example.org")
BODIES: dict[str, dict[str, Any]] = {
    "counter": {"terms": "time=5d"},
    "move": {"turn": "c7c5"},
    "add": {"turn": "c7c5"},
    "late": {"number": "1"},
    "secret": {"answer": "x"},
    "moretime": {"span": "1d"},
    "gift": {"span": "1d"},
    "propose": {"terms": "time=5d"},
}
"""What the deeds want that want something."""


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with open_room(tmp_path) as opened:
        yield opened


async def said(room: Room, name: str, text: str) -> None:
    """Somebody writes in a room of their own on Matrix."""
    room.said += 1
    who = Person("matrix", f"@{name}:example.org", name.capitalize())
    await room.service.receive(IncomingMessage(f"matrix:{room.said}", who, DEN, text, room.clock()))


async def asked(room: Room, number: str) -> list[tuple[str, int, str]]:
    """Everything that can be asked for about a match, and what it is answered, without its number."""
    found = []
    for path in ("", "?shown=0", "/menu", "/menu?pick=c7"):
        status, answer = await room.ask("Carol", "GET", f"/matches/{number}{path}")
        found.append((f"GET {path}", status, str(answer).replace(number, "N")))
    for deed, path in DEEDS.items():
        if "{match}" in path:
            room.clock.at += 60_000
            where = path.format(match=number)
            status, answer = await room.ask("Carol", "POST", where, BODIES.get(deed, {}))
            found.append((f"POST {deed}", status, str(answer).replace(number, "N")))
    return found


@pytest.mark.parametrize("stands", ["open", "running", "over"])
async def test_a_private_match_elsewhere_is_as_if_it_were_not_there(room: Room, stands: str) -> None:
    await room.key("Carol")
    await said(room, "anna", "challenge tokonoma umpire=turn private=on")
    if stands != "open":
        await said(room, "ben", "accept 1")
    if stands == "over":
        await said(room, "ben", "resign 1 yes")
    before = await room.store.load("1")
    assert await asked(room, "1") == await asked(room, "9")
    assert [one.body for one in await room.store.load("1")] == [one.body for one in before], "and nothing was done"
    status, listed = await room.ask("Carol", "GET", "/matches")
    assert (status, listed["matches"]) == (200, [])


async def test_its_players_read_it_and_act_in_it_by_program(room: Room) -> None:
    await said(room, "anna", "challenge tokonoma umpire=turn private=on side=white")
    await said(room, "ben", "accept 1")
    room.said += 1
    who = Person("matrix", "@anna:example.org", "Anna")
    key = IncomingMessage(f"matrix:{room.said}", who, DEN, "apikey new", room.clock())
    await room.service.receive(key)
    from bot.messages.serialization import message_key, read_message
    from engine.text import Code

    (found,) = await room.store.told([message_key(key.id, 0)])
    room.keys["Anna"] = next(span.text for span in read_message(found.body).text if isinstance(span, Code))
    status, match = await room.ask("Anna", "GET", "/matches/1")
    assert (status, match["you"]) == (200, "W")
    assert (await room.ask("Anna", "POST", "/matches/1/move", {"turn": "c7c5"}))[0] == 200
