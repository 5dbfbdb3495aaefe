"""What has happened in a match turn by turn, as the list beside the board tells it."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.web.board.shown import shown
from bot.messages.catalogue import language
from bot.messages.model import Person, Place
from bot.service.composing import Glance, glanced, public_board
from engine.match.record.course import Course, follow_course
from tests.chat_room import ChatRoom, open_room

ANNA, BEN, CLARA = (Person("web", name.lower(), name) for name in ("Anna", "Ben", "Clara"))
MATCH = Place("web", "lounge", "1")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    made = await open_room(tmp_path)
    yield made
    await made.store.close()


async def begin(room: ChatRoom, game: str, terms: str = "") -> None:
    await room.say("Anna", f"challenge @ben {game} {terms}")
    await room.say("Ben", "accept 1")


async def play(room: ChatRoom, *said: str) -> None:
    for line in said:
        name, _, text = line.partition(": ")
        await room.say(name, text, "1")


async def look(room: ChatRoom, who: Person = CLARA, heard: int = 0, **glance: Any) -> dict[str, Any]:
    found = await glanced(room.service.repository, who, MATCH, Glance(**glance))
    assert found is not None
    return shown(found, language("").say, "", heard)


def told(board: dict[str, Any]) -> list[tuple[int, str, bool]]:
    return [(step["number"], step["text"], step["stands"]) for step in board["course"]["steps"]]


async def test_a_turn_that_was_called_out_stays_in_the_list_with_who_called_it_and_why(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "umpire=friendly side=white")
    await play(room, "Anna: e5d5", "Ben: c1a2", "Anna: call", "Ben: c1c3")
    board = await look(room)
    assert told(board) == [(1, "e5d5", True), (2, "c1a2", False), (2, "c1c3", True)]
    fallen = board["course"]["steps"][1]
    assert fallen["calledBy"] == "Anna"
    assert fallen["because"] == ["The Arm on c1 reaches c3, not a2."]


async def test_before_a_call_the_list_is_the_same_whether_a_turn_is_tenable_or_not(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "umpire=friendly side=white")
    await play(room, "Anna: e5d5", "Ben: c1a2")
    untenable = (await look(room))["course"]["steps"][1]
    await play(room, "Anna: call", "Ben: c1c3")
    tenable = (await look(room))["course"]["steps"][2]
    assert untenable.keys() == tenable.keys()
    assert untenable | {"index": 2, "text": "c1c3"} == tenable


async def test_a_callout_can_be_looked_at_again_as_it_was_shown(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "umpire=friendly side=white")
    await play(room, "Anna: e5d5", "Ben: c1a2")
    assert (await look(room, called=1))["callout"] is None
    await play(room, "Anna: call")
    board = await look(room, BEN, called=1)
    assert board["callout"]["rules"] == ["the Arm's movement"]
    assert {"culprit", "reach"} <= {mark["kind"] for mark in board["marks"]}
    assert board["near"] == "B"
    assert board["menu"] is None
    assert (await look(room, called=7))["callout"] is None


async def test_what_is_taken_back_lost_or_called_out_in_vain_is_told(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "umpire=turn side=white")
    await play(room, "Anna: e5d5", "Ben: call", "Ben: takeback", "Anna: takeback", "Ben: accept", "Anna: d6d5")
    await play(room, "Ben: c1a2", "Anna: call")
    board = await look(room)
    assert told(board)[0] == (1, "e5d5", False)
    assert board["course"]["steps"][0]["inVain"] == ["Ben"]
    assert [step["text"] for step in board["course"]["steps"] if step["stands"]][-1] == ""  # the turn that was lost
    assert sum(step["stands"] for step in board["course"]["steps"]) == len(board["plies"])


async def test_a_half_that_is_added_completes_its_turn_in_the_list(room: ChatRoom) -> None:
    await begin(room, "ironclad", "umpire=friendly side=white")
    await play(room, "Anna: c3", "Anna: c3 +a2-a3")
    board = await look(room)
    assert sum(step["stands"] for step in board["course"]["steps"]) == len(board["plies"])


async def test_only_what_has_changed_is_told_again(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "umpire=friendly side=white")
    await play(room, "Anna: e5d5", "Ben: c1a2")
    heard = (await look(room))["course"]["heard"]
    assert (await look(room, heard=heard))["course"]["steps"] == []
    await play(room, "Anna: call", "Ben: c1c3")
    assert told(await look(room, heard=heard)) == [(2, "c1a2", False), (2, "c1c3", True)]


async def test_the_course_followed_step_by_step_is_that_of_the_whole_log(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "umpire=friendly side=white")
    for line in ("Anna: e5d5", "Ben: c1a2", "Anna: call", "Ben: c1c3", "Anna: takeback", "Ben: decline"):
        await play(room, line)
        match = await room.service.repository.match("1")
        assert match is not None
        found = await room.service.repository.course(match)
        assert found.match is not None
        assert found.match.length == match.length
    whole = Course()
    from bot.messages.serialization import read_event

    for record in await room.store.load("1"):
        whole = follow_course(whole, read_event(record.body))
    assert [(s.ply.text, s.stands, s.since) for s in whole.steps] == [
        (s.ply.text, s.stands, s.since) for s in found.steps
    ]


async def test_both_clocks_are_told_and_which_of_them_runs(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "umpire=friendly side=white time=20d+1d")
    white, black = sorted((await look(room))["sides"], key=lambda side: side["side"] != "W")
    assert black["left"] == 20 * 86_400_000
    assert black["until"] is None
    assert white["until"] > 0
    await play(room, "Anna: resign yes")
    assert [(side["left"], side["until"]) for side in (await look(room))["sides"]] == [(None, None)] * 2
    assert (await look(room))["result"] == "Ben (Black) wins by resignation."


async def test_strangers_read_what_stands_in_an_open_place_and_nothing_else(room: ChatRoom) -> None:
    await begin(room, "veney", "umpire=friendly")
    found = await public_board(room.service.repository, "1", Glance(("a1",)), "web")
    assert found is not None
    assert found.viewer is None
    assert (found.menu, found.due, found.further) == (None, (), ())
    assert await public_board(room.service.repository, "2", Glance(), "web") is None
    assert await public_board(room.service.repository, "1", Glance(), "discord") is None


async def test_how_sides_stood_is_told_once_with_the_turns_of_a_match_that_is_over(room: ChatRoom) -> None:
    await begin(room, "tokonoma", 'side=white umpire=turn start="1f1SA+/1f1BBF/1ff1F2/6/2F1A w"')
    await play(room, "Anna: e3d3", "Ben: c2d2")
    running = await glanced(room.service.repository, CLARA, MATCH, Glance(heard=0))
    assert running is not None
    assert not running.standings, "it would tell what Riposte thinks of a turn that can be called"
    assert "stood" not in (await look(room))["course"]
    await play(room, "Anna: resign yes")
    over = await glanced(room.service.repository, CLARA, MATCH, Glance(heard=0))
    assert over is not None
    told_first = shown(over, language("").say, "", 0)["course"]
    (white,) = told_first["stood"]
    assert white["side"] == "W"
    assert len(white["values"]) == 3, "the start, and after each turn"
    assert white["values"][0] > white["values"][2], "the Flat was lost"
    again = await glanced(room.service.repository, CLARA, MATCH, Glance(heard=told_first["heard"]))
    assert again is not None
    assert not again.standings
    called = await glanced(room.service.repository, CLARA, MATCH, Glance(heard=0, shown=1))
    assert called is not None
    assert called.standings == over.standings


@pytest.mark.parametrize(("umpire", "told_to_anna"), [("refuse", True), ("friendly", False)])
async def test_where_a_piece_can_go_is_told_only_where_untenable_turns_are_refused(
    room: ChatRoom, umpire: str, told_to_anna: bool
) -> None:
    await begin(room, "tokonoma", f"umpire={umpire} side=white")
    await play(room, "Anna: look c7")
    assert ("White can go from here to c5." in room.lines[-1]) == told_to_anna
