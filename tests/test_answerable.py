"""Which buttons of a challenge are somebody's to press: the page shows no others."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.model import Person, Place
from tests.chat_room import ChatRoom, open_room

LOUNGE, ELSEWHERE = Place("web", "lounge"), Place("web", "elsewhere")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    made = await open_room(tmp_path)
    yield made
    await made.store.close()


async def answers(room: ChatRoom, name: str, terms: int = 1, where: Place = LOUNGE) -> set[str]:
    """The answers to match 1 that are somebody's to give."""
    who = Person("web", name, name.title())
    words = ("accept", "decline")
    return {word for word in words if await room.service.answerable(who, where, f"{word} 1 @{terms}")}


async def test_the_challenged_answer_the_challenger_withdraws_and_nobody_else_does_anything(room: ChatRoom) -> None:
    await room.say("Anna", "challenge @ben tokonoma")
    assert await answers(room, "ben") == {"accept", "decline"}
    assert await answers(room, "anna") == {"decline"}
    assert await answers(room, "clara") == set()
    await room.say("Ben", "counter 1 time=5d")
    assert await answers(room, "ben", 1) == await answers(room, "anna", 1) == set()
    assert (await answers(room, "ben", 2), await answers(room, "anna", 2)) == ({"decline"}, {"accept", "decline"})
    await room.say("Anna", "accept 1")
    for name in ("anna", "ben", "clara"):
        assert await answers(room, name, 2) == set()


async def test_a_free_seat_is_for_whoever_reads_of_it(room: ChatRoom) -> None:
    await room.say("Anna", "challenge @ben chirality players=3")
    assert await answers(room, "clara") == {"accept"}
    assert await answers(room, "clara", where=ELSEWHERE) == set(), "there it is as if it were not there"
    assert await answers(room, "ben", where=ELSEWHERE) == {"accept", "decline"}
    await room.say("Clara", "accept 1")
    assert await answers(room, "clara") == {"decline"}
    assert await answers(room, "dora") == set()
    await room.say("Clara", "decline 1")
    assert await answers(room, "clara", 2) == set(), "lots are not drawn twice for those who go"
    assert await answers(room, "dora", 2) == {"accept"}
    await room.say("Anna", "decline 1")
    assert await answers(room, "ben", 2) == await answers(room, "dora", 2) == set()


async def test_an_offer_is_answered_by_the_other_player_alone(room: ChatRoom) -> None:
    await room.say("Anna", "challenge @ben tokonoma side=white")
    await room.say("Ben", "accept 1")
    match = await room.service.repository.match("1")
    assert match is not None
    await room.say("Anna", "draw", "1")
    for name, theirs in (("ben", {"accept", "decline"}), ("anna", {"decline"}), ("clara", set())):
        lines = {word: f"{word} 1 @{match.stamp} draw" for word in ("accept", "decline")}
        who = Person("web", name, name.title())
        assert {word for word, line in lines.items() if await room.service.answerable(who, LOUNGE, line)} == theirs
        applauded = {word for word, line in lines.items() if await room.service.applauded(who, LOUNGE, line)}
        assert applauded == {"accept", "decline"} - theirs, "whoever was not asked only claps"
    await room.say("Ben", "decline draw", "1")
    assert not await room.service.answerable(Person("web", "ben", "Ben"), LOUNGE, lines["accept"])
    assert not await room.service.applauded(Person("web", "carol", "Carol"), LOUNGE, lines["accept"]), "it is told so"


@pytest.mark.parametrize("line", ["", "accept", "accept 7 @1", "accept 1 @9", "7c", "accept " + "9" * 90])
async def test_what_names_no_open_challenge_is_nobody_s(room: ChatRoom, line: str) -> None:
    await room.say("Anna", "challenge @ben tokonoma")
    assert not await room.service.answerable(Person("web", "ben", "Ben"), LOUNGE, line)
