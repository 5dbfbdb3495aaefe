"""What people say to a lesson or a puzzle besides an answer, in their own words."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.commands.learning.asides import ASIDES
from tests.chat_room import ChatRoom, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def answer(room: ChatRoom, text: str) -> str:
    room.now += 60_000
    before = len(room.lines) + 1
    await room.say("anna", text)
    return "\n".join(room.lines[before:])


@pytest.mark.parametrize("said", ["no", "untenable", "breaks", "call because it cannot go there", "illegal", "Call!"])
async def test_a_turn_is_called_out_in_other_words(said: str, room: ChatRoom) -> None:
    await answer(room, "spot tokonoma")
    assert "So far " in await answer(room, f"spot {said}")


@pytest.mark.parametrize("said", ["yes", "holds", "fine", "ok.", "Tenable", "it holds"])
async def test_a_turn_is_let_stand_in_other_words(said: str, room: ChatRoom) -> None:
    await answer(room, "spot tokonoma")
    assert "So far " in await answer(room, f"spot {said}")


async def test_what_is_no_answer_to_spot_hears_what_is_one_and_another_turn_can_be_had(room: ChatRoom) -> None:
    first = await answer(room, "spot tokonoma")
    said = await answer(room, "spot banana")
    assert "That is neither a game nor an answer. Does it hold? Answer `spot call` or `spot ok`." in said
    second = await answer(room, "spot next")
    assert "**Tokonoma**" in second
    assert second != first


@pytest.mark.parametrize("said", [word for word, meant in ASIDES.items() if meant == "answer"])
async def test_a_puzzle_is_given_up_in_other_words(said: str, room: ChatRoom) -> None:
    await answer(room, "solve chirality")
    assert "The answer begins with" in await answer(room, f"solve {said}")


async def test_a_puzzle_is_left_for_another_one_or_shown_again(room: ChatRoom) -> None:
    first = await answer(room, "solve ironclad")
    assert await answer(room, "solve again") == first
    other = await answer(room, "solve skip")
    assert "**Ironclad, a puzzle**" in other
    assert other != first


async def test_a_lesson_goes_on_stays_and_begins_again_in_other_words(room: ChatRoom) -> None:
    first = await answer(room, "learn tokonoma")
    assert "Step 2 of 4" in await answer(room, "learn next")
    assert "Step 2 of 4" in await answer(room, "learn again")
    assert "Step 3 of 4" in await answer(room, "learn show me")
    assert await answer(room, "learn start over") == first
    assert "Write from where to where" in await answer(room, "learn clue")
    assert "put aside" in await answer(room, "learn quit")


async def test_a_board_of_one_s_own_is_used_in_other_words(room: ChatRoom) -> None:
    first = await answer(room, "analyse tokonoma")
    await answer(room, "analyse c7c5")
    assert await answer(room, "analyse take back") == first
    await answer(room, "analyse c7c5")
    assert await answer(room, "analyse undo") == first
    assert "Riposte would play" in await answer(room, "analyse best move")
    assert "put away" in await answer(room, "analyse close")


@pytest.mark.parametrize("called", ["course", "plot", "graph"])
async def test_how_both_stood_from_turn_to_turn_has_other_names(called: str, room: ChatRoom) -> None:
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept 1")
    await room.say("anna", "c7c5", "1")
    await room.say("ben", "resign 1 yes")
    assert "from turn to turn" in await answer(room, f"review 1 {called}")
