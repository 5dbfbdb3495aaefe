"""`board` shows more than the position: where a piece may go, a part of it larger, or the other side's view."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.showing.pictures import diagram
from engine.diagram import Diagram
from tests.chat_room import ChatRoom, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    made = await open_room(tmp_path)
    yield made
    await made.store.close()


async def begin(room: ChatRoom, terms: str) -> None:
    await room.say("Anna", f"challenge @ben {terms}")
    await room.say("Ben", "accept 1")


async def shown(room: ChatRoom, name: str, line: str) -> Diagram:
    (post,) = await room.say(name, line)
    assert post.picture is not None, post.text
    return diagram(post.picture)


async def test_where_a_piece_may_go_is_shown_with_dots_and_lines_from_it(room: ChatRoom) -> None:
    await begin(room, "tokonoma umpire=refuse side=white")
    board = await shown(room, "Anna", "board 1 legal=e5")
    assert [(mark.kind, set(mark.sites)) for mark in board.marks] == [("reach", {"d5", "e4"})]
    assert {(link.start, link.end) for link in board.links} == {("e5", "d5"), ("e5", "e4")}
    assert board.labels == board.board.outlines.keys(), "names stay where they always stand"
    (post,) = await room.say("Anna", "board 1 legal=e5")
    assert "Within reach: e4, d5." in post.picture.alt or "Within reach: d5, e4." in post.picture.alt
    (text,) = await room.say("Anna", "board 1 legal=e5 text")
    said = str(text.text)
    assert "d5*" in said
    assert "e4*" in said
    assert said.count("*") == 3, "and what that means"
    assert "* Within reach: " in said


async def test_on_a_crowded_board_where_a_piece_may_go_is_shown_close_up(room: ChatRoom) -> None:
    await begin(room, "chirality umpire=refuse side=red")
    whole, part = await shown(room, "Anna", "board 1 legal"), await shown(room, "Anna", "board 1 legal=d51")
    ((mark,), links) = part.marks, part.links
    assert (mark.kind, set(mark.sites)) == ("reach", {"D34", "D47"})
    assert {(link.start, link.end) for link in links} == {("D51", "D34"), ("D51", "D47")}
    assert len(part.board.outlines) < len(whole.board.outlines) / 4
    elsewhere = await shown(room, "Anna", "board 1 legal=d51 near=a1")
    assert "A1" in elsewhere.board.outlines, "where somebody asks to look"
    assert "D51" not in elsewhere.board.outlines


async def test_where_untenable_turns_may_stand_nobody_is_told_where_a_piece_may_go(room: ChatRoom) -> None:
    await begin(room, "tokonoma umpire=turn side=white")
    for name in ("Anna", "Ben", "Clara"):
        for line in ("board 1 legal=e5", "board 1 legal=c4", "board 1 legal"):
            (answer,) = await room.say(name, line)
            assert answer.picture is None
            assert "nobody is told what is tenable" in str(answer.text)


async def test_a_part_of_the_board_is_shown_larger(room: ChatRoom) -> None:
    await begin(room, "chirality umpire=turn side=red")
    whole, part = await shown(room, "Anna", "board 1"), await shown(room, "Anna", "board 1 near=a33")
    assert "A33" in part.board.outlines
    assert len(part.board.outlines) < len(whole.board.outlines) / 4
    assert {figure.site for figure in part.figures} <= part.board.outlines.keys() < whole.board.outlines.keys()
    (answer,) = await room.say("Anna", "board 1 near=q77")
    assert "There is no place q77 on this board." in str(answer.text)


async def test_whoever_looks_on_can_turn_the_board(room: ChatRoom) -> None:
    await begin(room, "veney umpire=turn side=white")
    plain, turned = await shown(room, "Clara", "board 1"), await shown(room, "Clara", "board 1 from=black")
    assert (plain.turned, turned.turned) == (0.0, 180.0)
    assert turned.near == "B"
    assert turned.figures == plain.figures
    (answer,) = await room.say("Clara", "board 1 from=pink")
    assert "A board is seen from a side" in str(answer.text)
