"""What a picture of Chirality shows, and what a look at a tile tells."""

import pytest

from engine.diagram import Mark
from engine.dice import Dice
from engine.game import NotationError
from engine.games.chirality import GAME

GARRISON = GAME.decode("P1: A8 A10 A19 E14 E20 / P2: A6 C44 E7 / res: 3 2 / to: P1")
START = GAME.setup({}, Dice(bytes(32)))


def test_the_picture_shows_every_piece_with_what_its_tile_makes_of_it() -> None:
    shown = {(figure.side, figure.site, figure.kind) for figure in GAME.draw(GARRISON, None).figures}
    assert {("P1", "A10", "Thick"), ("P1", "A8", "Thin"), ("P2", "C44", "Thick")} <= shown
    assert len(shown) == 8


def test_throne_stars_moats_and_gates_are_tinted() -> None:
    board = GAME.board(START)
    tinted = {tint: {zone for zone, own in board.tints.items() if own == tint} for tint in board.tints.values()}
    assert tinted["goal"] == {"Throne"}
    assert len(tinted["star"]) == 10
    assert len(tinted["moat"]) == 11
    assert len(tinted["gate"]) == 5
    assert {str(zone): sites for zone, sites in board.zones.items()}["Gate 1"] == {"A44", "A45", "A50", "A51"}
    assert list(map(str, board.tints))[-5:] == [f"Gate {n}" for n in range(1, 6)], "a Gate shows over its Star and Moat"


def test_only_those_who_play_are_named() -> None:
    assert list(GAME.draw(GARRISON, None).names.values()) == ["Red", "Blue"]


def test_captures_of_the_last_turn_are_ghosts_in_a_burst() -> None:
    shown = GAME.draw_turn(GARRISON, GAME.read("A8-A13", GARRISON), None)
    assert {(figure.side, figure.site, figure.kind) for figure in shown.figures if figure.ghost} == {
        ("P2", "A6", "Thin"),
        ("P2", "E7", "Thin"),
    }
    assert not shown.links
    assert shown.marks == (Mark("moved", ("A8", "A13")), Mark("taken", ("A6",)), Mark("taken", ("E7",)))


def test_what_an_untenable_turn_pushed_aside_is_a_ghost_too() -> None:
    before = GAME.decode("P1: A3 / P2: A6 C44 / res: 0 0 / to: P1")
    assert GAME.marks(GAME.read("A3-A6", before), before) == (
        Mark("moved", ("A3", "A6")),
        Mark("taken", ("A6",), "P2", "Thin"),
    )


def test_the_viewer_is_named_below_a_board_that_is_never_turned() -> None:
    shown = GAME.draw(GARRISON, "P2")
    assert (shown.near, shown.turned) == ("P2", 0.0)
    assert GAME.draw(GARRISON, None).near == ""


def test_reserves_lie_beside_the_board() -> None:
    trays = {tray.side: tray.pieces for tray in GAME.draw(GARRISON, None).trays}
    assert trays == {"P1": (("reserve", "pieces", 3),), "P2": (("reserve", "pieces", 2),)}


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("P1: A10 A13 A19 E14 E20 / P2: C44 / res: 3 2 / to: P1", "Red holds I1."),
        ("P1: A44 / P2: out / P3: C44 / res: 3 2 0 / to: P1", "Blue is out."),
        ("P1: A44 / P2: - / res: 15 16 / to: P2 / gates: - 3", "Blue begins at Gate 3."),
        ("P1: A44 / P2: B44 / res: 1 1 / to: P2 / quiet: 108", "12 quiet turns until a draw."),
    ],
)
def test_what_is_not_to_be_seen_at_once_is_noted(text: str, note: str) -> None:
    assert [str(said) for said in GAME.draw(GAME.decode(text), None).notes] == [note]


def test_nobody_is_to_move_once_the_game_is_over() -> None:
    won = GAME.decode("P1: A1 B1 C1 D1 E1 / P2: C44 / res: 0 0 / to: P2")
    assert GAME.draw(won, None).to_act is None


# --- looks ------------------------------------------------------------------------------------------------
def test_a_look_tells_type_occupant_neighbours_features_and_attackers() -> None:
    position = GAME.decode("P1: A10 A13 A19 E14 E20 / P2: A44 A8 / res: 3 2 / to: P1")
    assert [str(said) for said in GAME.look(position, "a8", None)] == [
        "A8: Thin, a piece of Blue.",
        "By an edge: A6 (Thin), A10 (Thick, Red), A11 (Thick) and A13 (Thick, Red).",
        "By a corner: A3 (Thick), A15 (Thick), A17 (Thin), E4 (Thick), E7 (Thin) and E9 (Thin).",
        "Star I1, Red's Garrison: in its Moat.",
        "Attacked by A10 (Thick, Red) and A13 (Thick, Red).",
    ]
    assert [str(said) for said in GAME.look(position, "A50", "P1")] == [
        "A50: Thin, empty.",
        "By an edge: A44 (Thick, Blue) and A46 (Thick).",
        "By a corner: A33 (Thick) and A36 (Thin).",
        "Star O1: in its Moat.",
        "Part of Gate 1.",
        "Attacked by A44 (Thick, Blue).",
    ]


def test_a_look_at_the_throne_says_so() -> None:
    assert "The Throne: one of its tiles." in map(str, GAME.look(START, "A1", None))
    assert "The Throne: in its Moat." in map(str, GAME.look(START, "C2", None))
    assert "Attacked by nothing." in map(str, GAME.look(START, "C2", None))


def test_a_look_at_no_tile_is_refused_with_an_example() -> None:
    with pytest.raises(NotationError) as caught:
        GAME.look(START, "Z9", None)
    assert str(caught.value.because) == "There is no tile Z9 on this board."
    assert str(caught.value.remedy) == "Look at one from A1 to E51: `look A44`."
    with pytest.raises(NotationError) as caught:
        GAME.look(GAME.decode("P1: A53 / P2: C44 / res: 8 8 / to: P1 / board: r2-265"), "Z9", None)
    assert str(caught.value.remedy) == "Look at one from A1 to E53: `look A44`."
