"""What is kept has an end: who would keep one thing more is told how many there are, and how to make room."""

import sys
import threading
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import FrameType

import pytest

from engine.match.record.follow import follow_plies
from tests.chat_room import ChatRoom, open_room

TURNS = [f"{origin}{target}" for origin in ("c7", "a5") for target in ("a2", "a3", "c3", "e2", "e3")]
ANSWERS = ("e1e3", "c1c3", "d1d3", "b1b3")
FULL: dict[str, tuple[Sequence[tuple[str, str]], str]] = {
    "presets": (
        [("anna", f"preset save p{number} time=3d") for number in range(21)],
        "20 presets are kept already. `preset forget p0` makes room.",
    ),
    "boards": (
        [("anna", "analyse chirality"), *(("anna", "analyse keep one more") for _ in range(21))],
        "You keep 20 boards. `analyse kept off 1` forgets the first.",
    ),
    "lines": (
        [("ben", f"if 1 {turn} then {answer}") for turn in TURNS for answer in ANSWERS]
        + [("ben", "if 1 c7c5 then resign")],
        "You keep 40 lines in this match already. `if off` forgets them.",
    ),
    "roles": (
        [("host", f"role @p{number} arbiter") for number in range(31)],
        "There are as many as can be. `role @ben none` makes room.",
    ),
    "followers": (
        [(f"p{number}", "follow 1") for number in range(21)],
        "Many follow match 1 already. `board 1` shows it.",
    ),
    "remarks": (
        [("carol", f"kibitz 1 {number}") for number in range(201)],
        "Enough has been said about match 1.",
    ),
}


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    await room.say("anna", "challenge @ben tokonoma side=white time=3d umpire=turn")
    await room.say("ben", "accept 1")
    yield room
    await room.store.close()


@pytest.mark.parametrize("kind", FULL)
async def test_the_last_that_there_is_room_for_is_kept_and_the_next_is_refused(kind: str, room: ChatRoom) -> None:
    said, refusal = FULL[kind]
    before, told = "", ""
    for who, text in said:
        before = told
        (post,) = await room.say(who, text, host=who == "host")
        told = room.lines[-1].partition(": ")[2]
        assert post.only is not None or kind == "roles"
    assert told == refusal
    assert before != refusal


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        (50, []),
        (51, ["2 turns more were not read."]),
        (200, ["162 turns more were not read.", "Only the first 2000 characters were read."]),
    ],
)
async def test_of_a_pasted_record_so_many_turns_and_characters_are_read(
    pairs: int, told: list[str], room: ChatRoom
) -> None:
    said = len(room.lines) + 1
    await room.say("carol", "record " + "; ".join(f"{number}. eY6, eY11" for number in range(1, pairs + 1)))
    answers = [line.strip() for line in room.lines[said:]]
    assert answers[99].startswith("50. Black `eY11`")
    assert [line for line in answers if "read." in line and "cannot be" not in line] == told


async def test_a_pasted_record_is_followed_beside_everybody_else(room: ChatRoom) -> None:
    where = set[bool]()

    def called(frame: FrameType, event: str, _of: object) -> None:
        if event == "call" and frame.f_code is follow_plies.__code__:
            where.add(threading.current_thread() is threading.main_thread())

    sys.setprofile(called)
    threading.setprofile(called)
    try:
        await room.say("carol", "record 1. SX5, eY11;")
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert where == {False}, "not in the loop, where all others would wait"


async def test_of_those_who_are_blocked_the_last_two_hundred_stay(room: ChatRoom) -> None:
    for number in range(201):
        await room.say("anna", f"block @p{number}")
    blocked = (await room.store.setting("web:anna", "blocked")).splitlines()
    assert blocked == [f"web:p{number}" for number in range(1, 201)]
