"""Whoever is erased takes nothing of somebody else along whose name begins or ends as theirs does."""

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote

import pytest

from bot.messages.model import OutgoingMessage, Place
from bot.messages.redaction import redaction
from bot.messages.serialization import write_message
from storage.seal import PLAIN, read_key
from storage.store import Arrival, Change, OutboxMessage
from tests.chat_room import ChatRoom, open_room
from tests.stores import told

pytestmark = pytest.mark.usefixtures("each_database")

NEIGHBOURS = ("Anna", "Ann-Marie", "Joann", "Ann_2")


@pytest.fixture
async def room(tmp_path: Path, each_database: str) -> AsyncIterator[ChatRoom]:
    opened = await open_room(tmp_path)
    yield opened
    await opened.store.close()


async def of_neighbours(folder: Path) -> list[str]:
    """Their settings opened, what was heard of them, and their lanes with what waits there."""
    database = folder / "riposte.db"
    sealer = read_key(folder / "riposte.key")
    assert sealer is not None
    rows = await told(database, "SELECT owner, key, value FROM settings WHERE owner <> ?1", PLAIN)
    found = [f"{owner} {key} {sealer.open_setting(owner, key, value)}" for owner, key, value in rows]
    found += [f"heard {name}" for (name,) in await told(database, "SELECT id FROM heard")]
    found += [f"waits {name}" for (name,) in await told(database, "SELECT id FROM arrivals")]
    found += [f"lane {lane} {done}" for lane, done in await told(database, "SELECT lane, done FROM letters")]
    return sorted(line for line in found if any(f"web:{name.lower()}" in line for name in NEIGHBOURS))


async def test_neighbours_keep_their_settings_their_programs_and_what_was_heard_of_them(
    room: ChatRoom, tmp_path: Path
) -> None:
    for name in ("Ann", *NEIGHBOURS):
        key = f"web:{name.lower()}"
        await room.say(name, "zone Europe/Berlin")
        await room.say(name, "preset save slow time=7d")
        await room.say(name, "apikey new")
        await room.say(name, "challenge @ben tokonoma umpire=turn")
        await room.say("Ben", f"accept {max((one.match for one in await room.store.matches()), key=int)}")
        post = write_message(OutgoingMessage(f"{key}:1", Place("web", "lounge"), ("It is your turn.",)))
        letter = OutboxMessage(f"{key}:1", f"program:{quote(key, safe=':@')}", post)
        said = f'{{"who":{{"platform":"web","id":"{name.lower()}"}},"text":"{key} waits"}}'
        await room.store.commit(Change(heard=f"{key}:3", messages=(letter,), arrivals=(Arrival(f"{key}:2", said),)))
    await room.deliver()
    before = await of_neighbours(tmp_path)
    assert len(before) == 10 * len(NEIGHBOURS)
    await room.say("Ann", "privacy erase")
    await room.say("Ann", "privacy erase yes")
    assert await of_neighbours(tmp_path) == before


async def test_words_about_neighbours_stay() -> None:
    without = redaction({"web:ann": "former:1"}, ["Ann"])
    assert without.text("Ann-Marie plays Ann, Anna and Joann.") == "Ann-Marie plays former player, Anna and Joann."
