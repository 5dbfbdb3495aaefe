"""Stamps: what a picture is put together from, each for itself, and what lies over what."""

from dataclasses import replace

from engine.diagram import Diagram, Figure, Link, Mark
from render.layout import arrange, flows, plan
from render.staging import Marked, Stamp, Titled, Washed, Worded, left, passes, stamps
from render.words import settled
from tests.render.handmade import busy_diagram, hex_diagram

BUSY = settled(busy_diagram().marked((Mark("moved", ("c7",)),)))


def staged(diagram: Diagram) -> list[Stamp]:
    planned = plan(diagram, 1024)
    words = flows(diagram, planned.room, planned.unit)
    return stamps(diagram, arrange(diagram, planned, words), words)


def test_no_two_stamps_are_taken_for_one_another():
    found = staged(BUSY)
    assert len(set(found)) == len(found)
    assert len({type(stamp) for stamp in found}) == 6


def test_marks_lie_below_pieces_and_their_signs_over_everything():
    order = []
    for stamp in staged(BUSY):
        match stamp:
            case Titled() | Worded():
                order.append("words")
            case Marked(sign=sign):
                order.append("sign" if sign else "mark")
            case Link(style=style):
                order.append("string" if style == "string" else "line")
            case Figure(ghost=True):
                order.append("ghost")
            case Figure() | Washed():
                order.append("piece")
    assert list(dict.fromkeys(order)) == ["words", "mark", "string", "ghost", "piece", "line", "sign"]


def test_what_the_next_turn_takes_away_is_known():
    moved = hex_diagram(marks=(Mark("moved", ("c7",)), Mark("zone", ("e2",))))
    passing = {stamp for stamp in staged(moved) if passes(stamp)}
    here = next(figure for figure in moved.figures if figure.site == "c7")
    assert passing == {Marked("c7", "moved"), Washed(here)}
    later = replace(moved, marks=moved.marks[1:])
    assert [stamp for stamp in map(left, staged(moved)) if stamp] == staged(later)
    string = replace(moved, marks=(), links=(Link("c1", "c2", "B"),))
    assert not any(map(passes, staged(string)))
