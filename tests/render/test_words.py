"""The alt text: everything that a picture shows is said."""

from dataclasses import replace

from engine.diagram import Figure, Link, Mark, Throw, Tray
from render.words import describe
from tests.render.handmade import hex_diagram


def test_pieces_are_told_by_side_and_name_with_their_places():
    text = describe(hex_diagram(marks=()))
    assert text.startswith("Tokonoma. White to move. White: Arm on a5 and c7 on a flat, Star on b6 on a flat,")
    assert "Black: Arm on e1 and c1 on a flat" in text
    assert "Flat on e5." in text


def test_trays_links_throws_notes_and_marks_are_told():
    text = describe(
        hex_diagram(
            trays=(Tray("B", "reserve", (("L", "Lantern", 1), ("e", "engagement", 3))), Tray("W", "reserve", ())),
            links=(Link("c7", "c5", "W", "arrow", "announced attack"), Link("a1", "a2", "B")),
            throws=(Throw("sticks", ("W", "B"), "throw"), Throw("die", ("4",))),
            notes=("2 passes",),
            marks=(Mark("moved", ("c7", "c5")), Mark("culprit", ("c5",)), Mark("reach", ("c3", "c4"))),
        )
    )
    for said in (
        "Black, reserve: Lantern, 3 engagement.",
        "White, reserve: nothing.",
        "White announced attack from c7 to c5.",
        "Throw: white, black.",
        "Die: 4.",
        "Last move: c7, c5.",
        "At fault: c5.",
        "Within reach: c3, c4.",
        "2 passes.",
    ):
        assert said in text
    assert "a1 to a2" not in text, "a string without a name is only the look of a row of stones"


def test_ghosts_were_badges_sit_on_top_and_tokens_are_told():
    plain = hex_diagram(marks=())
    figures = (
        Figure("c4", "W", "F", "Flat", ghost=True),
        Figure("c5", "B", "R", "robot", token="3"),
        Figure("c6", "B", "D", "Dagger", badge="Cloak", badge_side="W"),
    )
    text = describe(replace(plain, figures=figures, to_act=None))
    assert "The game is over." in text
    assert "White: no pieces on the board." in text
    assert "White Flat was on c4." in text
    assert "robot 3 on c5" in text
    assert "Dagger on c6 with White Cloak on top" in text


def test_what_was_taken_is_told_with_its_attackers():
    text = describe(hex_diagram(marks=(Mark("taken", ("c3", "a5", "b6"), "B", "F", "Flat"),)))
    assert "Black Flat was on c3." in text
    assert "Arrow from a5 to c3. Arrow from b6 to c3." in text
