"""The alt text: everything that a picture shows is said."""

import re
from dataclasses import replace
from random import Random

import pytest

from engine.diagram import Diagram, Figure, Link, Mark, Throw, Tray
from engine.dice import Dice
from engine.games import GAMES
from engine.text import Term, Text
from render.alt_text import describe
from tests.render.handmade import HEXES, busy_diagram, grid_diagram, hex_diagram


def told(diagram: Diagram) -> list[str]:
    return [*map(str, describe(diagram))]


def test_pieces_are_told_by_side_and_name_with_their_places():
    assert told(hex_diagram(marks=())) == [
        "Tokonoma.",
        "White to move.",
        "White: Arm on a flat on a5 and c7, Star on a flat on b6, Blind on a flat on c6 and d6, Flat on e5.",
        "Black: Arm on a flat on e1 and c1, Star on a flat on d1, Blind on a flat on c2 and b1, Flat on a1.",
    ]


def test_trays_links_throws_notes_and_marks_are_told():
    said = told(
        hex_diagram(
            trays=(
                Tray("B", Term("reserve"), (("L", Term("Lantern"), 1), ("e", Term("engagement"), 3))),
                Tray("W", Term("reserve"), ()),
            ),
            links=(
                Link("c7", "c5", "W", "arrow", Term("announced attack")),
                Link("a1", "a2", "B"),
                Link("a1", "b3", style="dash", name=Term("line of fire")),
                Link("c2", "c3", "B", "arrow"),
            ),
            throws=(
                Throw("sticks", ("W", "B"), Term("throw")),
                Throw("sticks", ("B",)),
                Throw("die", ("4",)),
                Throw("die", ("2", "6")),
                Throw("die", ("5",), Term("Dagger")),
                Throw("die", ("5", "1"), Term("Sword")),
            ),
            notes=(Text("2 passes."),),
            marks=(Mark("moved", ("c7", "c5")), Mark("culprit", ("c5",)), Mark("reach", ("c3", "c4"))),
        )
    )
    assert [sentence for sentence in said if "Lantern" in sentence or "nothing" in sentence] == [
        "White, reserve: nothing.",
        "Black, reserve: Lantern, 3 engagement.",
    ]
    assert said[6:] == [
        "White announced attack from c7 to c5.",
        "From a1 to b3: line of fire.",
        "Black arrow from c2 to c3.",
        "Sticks (throw): white, black.",
        "Sticks: black.",
        "Die: 4.",
        "Dice: 2, 6.",
        "Die (Dagger): 5.",
        "Dice (Sword): 5, 1.",
        "Last move: c7, c5.",
        "At fault: c5.",
        "Within reach: c3, c4.",
        "2 passes.",
    ], "a string without a name is only the look of a row of stones"


def test_ghosts_were_badges_sit_on_top_and_tokens_are_told():
    plain = hex_diagram(marks=())
    figures = (
        Figure("c4", "W", "F", Term("Flat"), ghost=True),
        Figure("a1", "", "T", Term("traitor"), ghost=True),
        Figure("c5", "B", "R", Term("robot"), token="3"),
        Figure("c6", "B", "D", Term("Dagger"), badge="Cloak", badge_side="W"),
        Figure("c7", "B", "D", Term("Dagger"), badge="Cloak"),
        Figure("d6", "B", "D", Term("Dagger"), below=Term("captured"), badge="Cloak"),
        Figure("e1", "", "T", Term("traitor")),
    )
    assert told(replace(plain, figures=figures, to_act=None))[1:] == [
        "The game is over.",
        "White has no pieces on the board.",
        "Black: robot 3 on c5, Dagger on c6 with White Cloak on top, Dagger on c7 with Cloak on top, "
        "Dagger captured on d6 with Cloak on top.",
        "Nobody's: traitor on e1.",
        "White Flat was on c4.",
        "Nobody's traitor was on a1.",
    ]


def test_what_was_taken_is_told_with_its_attackers():
    said = told(hex_diagram(marks=(Mark("taken", ("c3", "a5", "b6"), "B", "F", Term("Flat")),)))
    assert said[4:] == ["Black Flat on c3 has left the board, attacked from a5 and b6."]
    two = (Mark("taken", ("c3",), "B", "F", Term("Flat")), Mark("taken", ("a5",), "", "F", Term("Flat")))
    assert told(hex_diagram(marks=two))[4:] == [
        "Black Flat on c3 has left the board.",
        "Nobody's Flat on a5 has left the board.",
    ]


def test_neighbours_in_a_row_are_told_by_the_first_and_the_last():
    row = tuple(Figure(f"{letter}1", "", "N", Term("negation")) for letter in "abcdefg")
    ironclad = GAMES["ironclad"]
    drawn = ironclad.draw(ironclad.setup({}, Dice(bytes(32))), None)
    assert "Nobody's: negation on a1 up to g1." in told(replace(drawn, figures=row))
    assert "Nobody's: negation on a1 up to d1 and f1." in told(replace(drawn, figures=(*row[:4], row[5])))
    assert "Nobody's: negation on a1, b1 and c1." in told(replace(drawn, figures=row[:3]))


def test_a_zone_with_a_name_is_told_with_its_owner():
    assert told(hex_diagram(marks=(Mark("zone", ("c4", "c5"), "W", name=Term("beside the fort")),)))[-1] == (
        "White, beside the fort: c4, c5."
    )
    assert told(hex_diagram(marks=(Mark("zone", ("c4",), name=Term("fire square")),)))[-1] == "fire square: c4."


def test_a_whole_region_is_told_by_its_name():
    row = frozenset(site for site in HEXES.outlines if site[0] == "c")
    board = replace(HEXES, zones={**HEXES.zones, "middle row": row})
    said = told(hex_diagram(board=board, marks=(Mark("zone", (*sorted(row), "a1")),)))
    assert said[-1] == "Zone: middle row, a1."


def test_every_kind_of_mark_is_told_in_a_sentence_of_its_own():
    kinds = ("moved", "culprit", "blocker", "reach", "zone")
    said = told(hex_diagram(marks=tuple(Mark(kind, ("c4",)) for kind in kinds)))
    assert said[4:] == ["Last move: c4.", "At fault: c4.", "In the way: c4.", "Within reach: c4.", "Zone: c4."]


def test_where_nothing_is_within_reach_nothing_is_told_of_it():
    said = told(hex_diagram(marks=(Mark("culprit", ("c4",)), Mark("reach", ()))))
    assert said[4:] == ["At fault: c4."]


def test_a_sentence_holds_no_sentence():
    for diagram in (busy_diagram(), grid_diagram()):
        for text in describe(diagram):
            assert type(text) is Text
            assert all(type(value) is not Text for value in text.values.values())


def test_of_several_that_were_taken_at_once_each_is_told_with_its_attackers():
    game = GAMES["tokonoma"]
    before = game.decode("2fF1/4F1/3fFF1/3f2/5 w")
    turn = game.read("b5b4", before)
    said = told(game.draw_turn(before, turn, None, game.play(before, turn)))
    assert "Black Flat on a3 has left the board, attacked from a4 and b4." in said
    assert "Black Flat on c4 has left the board, attacked from b4 and c5." in said


def test_places_around_a_ring_are_told_one_by_one():
    game = GAMES["chirality"]
    position = game.decode("P1: A1 B1 C1 D1 / P2: C44 / res: 1 8 / to: P1")
    assert "Red: Thick on A1, B1, C1 and D1." in told(game.draw(position, None))


def test_one_piece_in_reserve_is_said_to_be_one():
    game = GAMES["chirality"]
    position = game.decode("P1: A1 B1 / P2: C44 / res: 1 8 / to: P1")
    assert "Red, reserve: one piece." in told(game.draw(position, None))


EMPTY = re.compile(r"  | [.,:]|: [.,]|, [.,]|\(\)|^[.,:]|\b(?:on|of|at|from|to)[.,]")
"""A value that was missing in its sentence."""


@pytest.mark.parametrize("key", sorted(GAMES))
def test_no_phrase_is_empty_in_any_position_of_a_random_match(key: str) -> None:
    game, chosen = GAMES[key], Random(key)
    position, dice = game.setup({}, Dice(bytes(32))), Dice(bytes(32))
    for _ in range(40):
        if game.outcome(position) is not None or game.asks(position):
            break
        turn = game.roll(position, chosen.choice(list(game.turns(position))), dice)
        after = game.play(position, turn)
        said = told(game.draw_turn(position, turn, None, after))
        assert [sentence for sentence in said if EMPTY.search(sentence)] == []
        assert [sentence for sentence in said if sentence.count(",") > 30] == []
        position = after
