"""Display lists: what a picture is composed of, item by item, and what lies over what."""

from dataclasses import replace

import pytest

from engine.diagram import Diagram, Figure, Link, Mark
from render.compose.display_list import (
    Item,
    MarkedFigure,
    MarkItem,
    TakenFigure,
    TitleItem,
    WordItem,
    display_list,
    is_transient,
)
from render.taken import show_taken
from tests.render.handmade import busy_diagram, grid_diagram, hex_diagram, laid_out

BUSY = show_taken(busy_diagram().marked((Mark("moved", ("c7",)),)))


def items(diagram: Diagram) -> list[Item]:
    wording, layout, words = laid_out(diagram)
    return display_list(diagram, wording, layout, words)


def test_no_two_items_are_taken_for_one_another():
    found = items(BUSY)
    assert len(set(found)) == len(found)
    assert len({type(item) for item in found}) == 8


def test_marks_lie_below_pieces_and_their_signs_over_everything():
    order = []
    for item in items(BUSY):
        match item:
            case TitleItem() | WordItem():
                order.append("words")
            case MarkItem(sign=sign):
                order.append("sign" if sign else "mark")
            case Link(style=style):
                order.append(style)
            case Figure(ghost=True) | TakenFigure():
                order.append("ghost")
            case Figure() | MarkedFigure():
                order.append("piece")
    lines = [order.index(style) for style in ("dash", "string", "arrow")]
    assert lines == sorted(lines)
    assert list(dict.fromkeys(order)) == ["words", "mark", "dash", "string", "ghost", "piece", "arrow", "sign"]


def test_what_points_at_an_intersection_lies_over_the_squares_round_it() -> None:
    order = [
        (type(item), item.site if isinstance(item, MarkItem | Figure) else item.figure.site)
        for item in items(replace(grid_diagram(), marks=(Mark("culprit", ("d5",)), Mark("reach", ("A1",)))))
        if isinstance(item, MarkItem | Figure | MarkedFigure)
    ]
    ring, stone, square = order.index((MarkItem, "d5")), order.index((Figure, "d5")), order.index((MarkItem, "A1"))
    squares = [n for n, (kind, site) in enumerate(order) if kind is Figure and site.isupper()]
    assert square < min(squares)
    assert max(squares) < ring < stone


def test_what_the_next_turn_takes_away_is_known():
    moved = hex_diagram(marks=(Mark("moved", ("c7",)), Mark("zone", ("e2",))))
    transient = {item for item in items(moved) if is_transient(item)}
    here = next(figure for figure in moved.figures if figure.site == "c7")
    assert transient == {MarkItem("c7", "moved"), MarkedFigure(here)}
    string = replace(moved, marks=(), links=(Link("c1", "c2", "B"),))
    assert not any(map(is_transient, items(string)))


def test_a_place_that_a_piece_has_left_is_hollow_and_the_one_it_came_to_is_not() -> None:
    moved = hex_diagram(marks=(Mark("moved", ("c4", "c7")),))
    kinds = {item.site: item.kind for item in items(moved) if isinstance(item, MarkItem)}
    assert kinds == {"c4": "left", "c7": "moved"}


def test_each_of_two_sides_has_its_own_hatching() -> None:
    zones = hex_diagram(marks=(Mark("zone", ("c4",), "W"), Mark("zone", ("c5",), "B")))
    assert {item.site: item.falling for item in items(zones) if isinstance(item, MarkItem)} == {
        "c4": False,
        "c5": True,
    }


@pytest.mark.parametrize(("winners", "said"), [("W", {"W": "wins"}), ("WB", {"W": "draw", "B": "draw"}), ("", {})])
def test_a_game_that_is_over_says_who_has_won(winners: str, said: dict[str, str]) -> None:
    over = hex_diagram(to_act=None, winners=frozenset(winners), marks=())
    words = [item for item in items(over) if isinstance(item, WordItem) and item.said]
    assert {item.side: item.said for item in words} == said
    assert all(item.won for item in words)
