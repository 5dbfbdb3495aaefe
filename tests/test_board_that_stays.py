"""What somebody sees of a match on the board that stays, and of the turn they are composing."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.adapters.web.board.shown import shown
from bot.messages.model import Person, Place
from bot.service.composing import Board, Glance, board_of, glanced, public_board
from engine.games import GAMES
from tests.chat_room import ChatRoom, open_room
from tests.parts_of_games import start

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


async def look(room: ChatRoom, who: Person, *picks: str, at: int | None = None, where: Place = MATCH) -> Board:
    found = await board_of(room.service.repository, who, where, picks, at)
    assert found is not None
    return found


async def test_whoever_is_to_act_is_offered_everything_that_can_be_picked(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "umpire=friendly side=white")
    board = await look(room, ANNA, "c7")
    assert board.menu is not None
    assert len(board.menu.sites) == 28
    assert not board.leads


async def test_where_the_umpire_refuses_at_once_only_what_leads_on_is_offered(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "umpire=refuse side=white")
    board = await look(room, ANNA, "c7")
    assert board.menu is not None
    assert board.menu.sites == ("c5",)
    assert board.leads
    assert (await look(room, ANNA, "c7", "a1")).picks == ("c7",), "what leads nowhere does not fit"


async def test_nobody_else_is_offered_anything(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white")
    for who in (BEN, CLARA):
        board = await look(room, who, "c7")
        assert board.menu is None
        assert board.picks == ()
    assert (await look(room, BEN)).viewer == "B"
    assert (await look(room, CLARA)).viewer is None


async def test_picks_that_the_position_has_outlived_are_dropped(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white umpire=friendly")
    await room.say("Anna", "e5d5", "1")
    board = await look(room, BEN, "c7", "c5")
    assert board.picks == ()
    assert board.menu is not None
    assert "c1" in board.menu.sites


async def test_a_match_is_seen_only_where_it_lives(room: ChatRoom) -> None:
    await begin(room, "tokonoma")
    for where in (Place("web", "elsewhere", "1"), Place("web", "lounge", "2"), Place("discord", "lounge", "1")):
        assert await board_of(room.service.repository, ANNA, where) is None


async def test_every_step_can_be_looked_at_again(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white umpire=friendly")
    await room.say("Anna", "e5d5", "1")
    await room.say("Ben", "a1a2", "1")
    start = await look(room, BEN, at=0)
    assert {figure.site for figure in start.diagram.figures} >= {"e5", "a1"}
    first = await look(room, BEN, at=1)
    assert {figure.site for figure in first.diagram.figures if not figure.ghost} >= {"d5", "a1"}
    assert [mark.sites for mark in first.diagram.marks if mark.kind == "moved"] == [("e5", "d5")]
    assert first.menu is None
    assert (await look(room, BEN, at=99)).shown == 2


async def test_a_match_that_is_over_is_looked_at_and_no_more(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white")
    await room.say("Anna", "resign 1 yes", "1")
    board = await look(room, ANNA, "c7")
    assert board.menu is None
    assert board.diagram.to_act is None


async def test_what_the_rules_leave_unmarked_is_on_nobodys_board(room: ChatRoom) -> None:
    start = "W: S@W1 $@W3 / B: S@Z16 $@Y15 / a: - / to: W / flags: fire=B@X9"
    await begin(room, "veney", f'side=white start="{start}"')
    for who in (ANNA, CLARA):
        board = await look(room, who)
        assert board.diagram.marks == ()
        assert "X9" not in str(board.diagram.notes)


@pytest.mark.parametrize("game", GAMES)
async def test_a_board_of_every_game_is_told_to_the_page_once_and_then_only_what_changes(
    room: ChatRoom, game: str
) -> None:
    await begin(room, game)
    for who in (ANNA, BEN, CLARA):
        board = await look(room, who)
        told = shown(board, str, "")
        text = msgspec.json.encode(told)
        sites = {cell["site"] for cell in told["geometry"]["cells"]}
        assert {figure["site"] for figure in told["figures"]} <= sites
        again = shown(board, str, told["key"])
        assert again["geometry"] is None
        assert len(msgspec.json.encode(again)) < 12_000 < 120_000 > len(text)


def commands(board: Board) -> tuple[list[str], list[str]]:
    return [choice.command for choice in board.due], [choice.command for choice in board.further]


async def test_what_a_button_beside_the_board_offers_would_be_taken(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white umpire=friendly takeback=consent")
    assert commands(await look(room, BEN)) == ([], ["draw 1 @0", "abort 1", "resign 1 yes"])
    await room.say("Anna", "e5d5", "1")
    assert commands(await look(room, BEN)) == (["call 1 @1"], ["draw 1 @1", "abort 1", "resign 1 yes"])
    assert commands(await look(room, ANNA)) == ([], ["draw 1 @1", "takeback 1 @1", "abort 1", "resign 1 yes"])
    assert commands(await look(room, CLARA)) == ([], [])
    await room.say("Anna", "draw 1 @1", "1")
    assert commands(await look(room, BEN))[0] == ["call 1 @1", "accept 1 @1 draw", "decline 1 @1 draw"]
    assert commands(await look(room, ANNA))[0] == ["decline 1 @1 draw"]
    told = await room.say("Ben", "accept 1 @1 draw", "1")
    assert any("Draw" in str(post.text) for post in told)
    (again,), further = commands(await look(room, BEN))
    assert further == []
    assert again == "challenge @Anna tokonoma umpire=friendly side=white"
    await room.say("Ben", again, "1")
    await room.say("Anna", "accept 2")
    assert (await look(room, BEN, where=Place("web", "lounge", "2"))).viewer == "W"
    assert commands(await look(room, CLARA)) == ([], [])


async def test_buttons_beside_the_board_are_the_same_whether_a_turn_was_tenable_or_not(room: ChatRoom) -> None:
    for number, turn in enumerate(("e5d5", "e5d4"), 1):
        await room.say("Anna", "challenge @ben tokonoma side=white umpire=friendly")
        await room.say("Ben", f"accept {number}")
        await room.say("Anna", turn, str(number))
    for who in (ANNA, BEN, CLARA):
        tenable, untenable = [await look(room, who, where=Place("web", "lounge", number)) for number in ("1", "2")]
        assert [choice.label for choice in (*tenable.due, *tenable.further)] == [
            choice.label for choice in (*untenable.due, *untenable.further)
        ]
        assert not tenable.leads
        assert not untenable.leads


async def test_a_turn_rightly_or_wrongly_called_out_is_not_offered_for_a_call_again(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white umpire=friendly")
    await room.say("Anna", "e5d5", "1")
    await room.say("Ben", "call 1", "1")
    assert commands(await look(room, BEN))[0] == []


async def test_where_a_cast_piece_fell_is_on_no_board_that_is_looked_at_later(room: ChatRoom) -> None:
    start = "W: S@Y4 $@X4 J@W2 e@X3 / B: S@X14 $@Z14 e@X12 / rW: L / a: ^XY8 / to: W"
    await begin(room, "veney", f'side=white start="{start}"')
    await room.say("Anna", "~L:X6", "1")
    assert (await look(room, BEN)).diagram.marks
    await room.say("Ben", "SX15", "1")
    past = (await look(room, BEN, at=1)).diagram
    assert (past.marks, past.throws) == ((), ())


async def glance(room: ChatRoom, who: Person, **asked: str) -> Board:
    found = await glanced(room.service.repository, who, MATCH, Glance(**asked))  # type: ignore[arg-type]
    assert found is not None
    return found


async def test_a_note_is_shown_to_its_owner_alone(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white")
    await room.say("Anna", "note 1 watch the left side")
    await room.say("Clara", "note 1 a nice start")
    assert (await glance(room, ANNA)).note == "watch the left side"
    assert (await glance(room, BEN)).note == ""
    assert (await glance(room, CLARA)).note == "a nice start"
    public = await public_board(room.service.repository, "1", Glance(), "web")
    assert public is not None
    assert public.note is None


@pytest.mark.parametrize("game", GAMES)
async def test_a_board_that_is_turned_shows_nothing_else(room: ChatRoom, game: str) -> None:
    """Neither what the other side hides, nor less than before; only from where it is seen."""
    hidden = "setup=concealed" if game == "veney" else ""
    await begin(room, game, hidden)
    homes = any(GAMES[game].draw(start(GAMES[game]), side).near for side in GAMES[game].seats({}))
    for who in (ANNA, CLARA):
        own = (await glance(room, who)).diagram
        for side in GAMES[game].seats({}):
            turned = (await glance(room, who, side=side)).diagram
            assert replace(turned, turned=own.turned, near=own.near) == own
            assert turned.near == (side if homes else "")
    assert (await glance(room, CLARA, side="nowhere")).diagram == own


# --- a line that is prepared ------------------------------------------------------------------------------
async def prepared(room: ChatRoom, who: Person, *line: str, picks: tuple[str, ...] = ()) -> Board:
    found = await glanced(room.service.repository, who, MATCH, Glance(picks, line=line))
    assert found is not None
    return found


@pytest.mark.parametrize("umpire", ["turn", "refuse"])
async def test_whoever_waits_plays_a_line_out_and_is_told_nothing_of_what_is_tenable(
    room: ChatRoom, umpire: str
) -> None:
    await begin(room, "tokonoma", f"side=white umpire={umpire}")
    first = await prepared(room, BEN)
    assert (first.prepares, first.line, first.due, first.further) == (True, (), (), ())
    assert first.menu is not None
    assert "c7" in first.menu.sites, "the other side's turn is picked first"
    for turn in ("c7c5", "c7a1"):  # no piece reaches that far
        after = await prepared(room, BEN, turn, picks=("c1",))
        assert after.line == (turn,)
        assert after.menu is not None
        assert (after.picks, after.leads, len(after.menu.sites)) == (("c1",), False, 28)
        assert any(figure.site == turn[2:] for figure in after.diagram.figures)
    assert (await look(room, BEN)).diagram != after.diagram, "on the board of the match nothing has moved"


async def test_what_cannot_stand_in_a_line_ends_it_there(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white")
    assert (await prepared(room, BEN, "c7c5", "z9z9", "c5c3")).line == ("c7c5",)
    await room.say("Ben", "if c7c5 then e1e3", "1")
    await room.say("Anna", "c7c5", "1")
    assert len((await look(room, BEN)).plies) == 2, "what was played out there is what is made"


async def test_among_three_a_line_is_played_out_for_everybody_and_ends_with_ones_own_turn(room: ChatRoom) -> None:
    room.seed = 70
    await room.say("Anna", "challenge @ben @clara chirality players=3")
    await room.say("Ben", "accept 1")
    await room.say("Clara", "accept 1")
    first = await prepared(room, ANNA, picks=("muster",))
    assert first.menu is not None
    assert "D44" in first.menu.sites, "Clara's turn is picked first, then Ben's, then Anna's own"
    lines = [("*D44",), ("*D44", "*A44"), ("*D44", "*A44", "*B50")]
    assert [(await prepared(room, ANNA, *line)).answers for line in lines] == [True, True, False]
    assert [(await prepared(room, BEN, *line)).answers for line in lines] == [True, False, True]
    await room.say("Anna", "if *D44 then *A44 then *B50", "1")
    await room.say("Clara", "*D44", "1")
    await room.say("Ben", "*A44", "1")
    assert [ply.text for ply in (await look(room, BEN)).plies] == ["*D44", "*A44", "*B50"]


async def test_nobody_prepares_whom_the_match_waits_for_or_who_does_not_play(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "side=white")
    for who in (ANNA, CLARA):
        board = await prepared(room, who, "c7c5")
        assert (board.prepares, board.line) == (False, None)
        assert board.diagram == (await look(room, who)).diagram


async def test_a_line_shows_nothing_that_the_other_side_hides(room: ChatRoom) -> None:
    start = "W: S@Y4 $@X4 e@X3 / B: S@X14 $@Z14 e@X12 / rW: L / rB: J / a: ^XY8 / to: W"
    await begin(room, "veney", f'side=white start="{start}"')
    board = await prepared(room, BEN, "SX5")
    seen = GAMES["veney"].seen_by(board.match.position, "B")  # type: ignore[attr-defined]
    turn = GAMES["veney"].read("SX5", seen)
    after = GAMES["veney"].play(seen, turn)
    assert board.line == ("SX5",)
    assert board.diagram.figures == GAMES["veney"].draw(after, "B").figures


async def told(room: ChatRoom, who: Person, **glance: Any) -> str:
    board = await glanced(room.service.repository, who, MATCH, Glance(**glance))
    assert board is not None
    return " ".join(map(str, board.told))


async def test_of_a_place_is_told_what_look_tells_and_of_another_board_what_is_seen_there(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "umpire=refuse side=white")
    await room.say("Anna", "c7c5", "1")
    (said,) = await room.say("Ben", "look c5", "1")
    assert await told(room, BEN, site="c5") == str(said.text[0])
    assert "White could go from here next" in await told(room, BEN, site="c5")
    earlier = await told(room, BEN, site="c5", shown=0)
    assert earlier.startswith("c5 is empty. It is")
    assert "could" not in earlier
    assert (await told(room, BEN, site="c3", picks=("c1", "c3"))).startswith("c3: Black Arm.")
    assert await told(room, BEN, site="zz9") == ""
    assert await told(room, CLARA, site="c5", side="B") == await told(room, CLARA, site="c5")


async def test_where_untenable_turns_may_stand_a_place_tells_nothing_of_what_can_come_there(room: ChatRoom) -> None:
    await begin(room, "tokonoma", "umpire=turn side=white")
    await room.say("Anna", "c7c4", "1")
    for who in (ANNA, BEN, CLARA):
        heard = await told(room, who, site="c4")
        assert heard == "c4: White Arm. It is of the middle tone. Neighbours: b3, b4, c3, c5, d3, d4."
