"""Stamps: what a picture is put together from, each for itself, and what lies over what."""

from dataclasses import replace

from engine.diagram import Figure, Link, Mark
from render.layout import Layout, arrange, heights, plan
from render.staging import Marked, Titled, Washed, Worded, passes, stamps
from render.words import settled
from tests.render.handmade import busy_diagram, hex_diagram

BUSY = settled(busy_diagram().marked((Mark("moved", ("c7",)),)))


def layout() -> Layout:
    planned = plan(BUSY, 1024)
    return arrange(BUSY, planned, heights(BUSY, planned.room, planned.unit))


def test_no_two_stamps_are_taken_for_one_another():
    staged = stamps(BUSY, layout())
    assert len(set(staged)) == len(staged)
    assert len({type(stamp) for stamp in staged}) == 6


def test_marks_lie_below_pieces_and_their_signs_over_everything():
    order = []
    for stamp in stamps(BUSY, layout()):
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
    passing = {stamp for stamp in stamps(moved, layout()) if passes(stamp)}
    here = next(figure for figure in moved.figures if figure.site == "c7")
    assert passing == {Marked("c7", "moved"), Washed(here)}
    string = replace(moved, marks=(), links=(Link("c1", "c2", "B"),))
    assert not any(map(passes, stamps(string, layout())))
