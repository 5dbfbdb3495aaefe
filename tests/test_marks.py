"""Marks become part of a diagram."""

from engine.board import Board
from engine.diagram import Diagram, Figure, Link, Mark

PLAIN = Diagram(
    title="",
    board=Board("two squares", {"a1": ((0.0, 0.0),), "a2": ((0.0, 1.0),)}),
    names={"W": "White", "B": "Black"},
    colours={"W": "white", "B": "black"},
    glyphs={},
    figures=(Figure("a1", "W", "Arm", "Arm"),),
    to_act="B",
)


def test_what_was_taken_is_drawn_as_a_ghost_in_a_burst_with_arrows_from_its_attackers() -> None:
    moved = Mark("moved", ("a1",))
    shown = PLAIN.marked((moved, Mark("taken", ("a2", "a1"), side="B", piece="Hand")))
    assert shown.figures == (Figure("a2", "B", "Hand", "Hand", ghost=True), *PLAIN.figures)
    assert shown.links == (Link("a1", "a2", style="arrow"),)
    assert shown.marks == (moved, Mark("taken", ("a2",)))
