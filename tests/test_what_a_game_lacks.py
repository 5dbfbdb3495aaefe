"""A game may have neither lessons nor puzzles, nor anything that Riposte plays by: whoever asks for them is told so."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import engine.games
from engine.games import GAMES
from tests.chat_room import ChatRoom, open_room

BARE = "daisy"
"""The game of the guide: its rules, and nothing else."""
LACKS = {
    f"learn {BARE}": "Daisy has no lessons yet.",
    f"spot {BARE}": "Daisy has nothing to spot yet.",
    f"solve {BARE}": "Daisy has no puzzles yet.",
    f"play {BARE}": "Riposte does not know how to play Daisy. "
    "Challenge somebody, or play another game against it: `play tokonoma`.",
    "analyse ask": "Riposte does not play Daisy.",
}


@pytest.fixture
async def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ChatRoom]:
    """A room where that game is played too, and lies open on somebody's board."""
    folder = Path(__file__).parent / "sixth_game"
    monkeypatch.setattr(engine.games, "__path__", [*engine.games.__path__, str(folder)])
    monkeypatch.setattr(GAMES, "_taken", {})
    room = await open_room(tmp_path)
    await room.say("anna", f"analyse {BARE}")
    yield room
    await room.store.close()


@pytest.mark.parametrize("asked", LACKS)
async def test_what_a_game_has_not_is_told_in_a_sentence(asked: str, room: ChatRoom) -> None:
    await room.say("anna", asked)
    assert room.lines[-1] == f"  Riposte to anna: {LACKS[asked]}"


async def test_its_rules_are_listed_and_its_board_offers_nothing_that_needs_more(room: ChatRoom) -> None:
    assert room.lines[-1].strip() == "(Try a turn: analyse …)"
    said = len(room.lines) + 1
    await room.say("anna", f"rules {BARE}")
    assert [line.strip() for line in room.lines[said:]] == [
        "Riposte to anna: **The rules of Daisy**",
        "`1` Plucking: A turn plucks one petal, or two that touch.",
        "`2` Touching: Petals touch if they grew side by side.",
        "`3` The last petal: Whoever plucks the last petal has won.",
    ]


async def test_without_examples_of_its_own_a_turn_at_the_start_shows_how_to_write_one(room: ChatRoom) -> None:
    said = len(room.lines) + 1
    await room.say("anna", f"games {BARE}")
    lines = [line.strip() for line in room.lines[said:]]
    assert lines[1] == "A turn looks like this: `p1 p2`."
    assert not any("learn" in line for line in lines)


async def test_a_match_of_it_is_looked_back_at_without_a_course(room: ChatRoom) -> None:
    for name, text in (("anna", f"challenge @ben {BARE} side=sun"), ("ben", "accept")):
        await room.say(name, text)
    for text in ("p1 p2", "resign yes", "review course"):
        await room.say("anna", text, "1")
    assert room.lines[-1].strip() == "Riposte in match 1 to anna: Riposte does not know how to play Daisy."
