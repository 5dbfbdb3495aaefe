"""Where words go on a picture: none beyond the room it has, and no legend on a tile."""

from dataclasses import replace
from itertools import pairwise

import pytest

from engine.diagram import Throw
from engine.dice import Dice
from engine.games import GAMES
from engine.text import Term, Text
from render import lettering
from render.layout.page import arrange, plan
from render.layout.words import DIE, LABEL, NOTE, PIECE, STICK, flows, type_size, worded
from tests.render.handmade import hex_diagram
from tests.render.test_golden import midgame

SIZES = (360, 440, 640, 1024)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("faces", range(1, 13))
@pytest.mark.parametrize("kind", ["sticks", "die"])
def test_a_throw_of_any_length_stays_on_the_picture(kind: str, faces: int, size: int) -> None:
    veney = GAMES["veney"]
    throw = Throw("sticks" if kind == "sticks" else "die", ("W",) * faces, Term("Dagger"))
    diagram = replace(veney.draw(veney.setup({}, Dice(bytes(32))), None), throws=(throw,))
    planned = plan(diagram, size)
    foot = flows(worded(diagram, str), diagram.near, planned.room, planned.unit, narrow=planned.beside)[-1]
    wide = {"note": lambda word: lettering.width(word.text, type_size(NOTE, planned.unit))}
    wide |= {"sticks": lambda _: STICK[0] * planned.unit, "die": lambda _: DIE[0] * planned.unit}
    shown = [word for word in foot.words if word.sort == kind]
    assert len(shown) == faces
    assert all(word.x >= 0 and word.x + wide[word.sort](word) <= planned.room for word in foot.words)
    assert all(word.y < foot.height for word in foot.words)
    assert len({(word.x, word.y) for word in shown}) == faces


@pytest.mark.parametrize("size", SIZES[1:])
@pytest.mark.parametrize("terms", [{}, {"setup": "long"}, *({"players": str(many)} for many in (3, 4, 5))])
def test_no_tile_lies_under_a_gates_name(terms: dict[str, str], size: int) -> None:
    chirality = GAMES["chirality"]
    diagram = chirality.draw(chirality.setup(terms, Dice(bytes(32))), None)
    planned = plan(diagram, size)
    words = flows(worded(diagram, str), diagram.near, planned.room, planned.unit, narrow=planned.beside)
    layout = arrange(diagram, planned, words)
    edges = [edge for cell in layout.cells.values() for edge in pairwise((*cell.corners, cell.corners[0]))]
    rim = [(x + (u - x) * k / 8, y + (v - y) * k / 8) for (x, y), (u, v) in edges for k in range(8)]
    for text, (x, y) in layout.legends:
        half = lettering.width(text, layout.legend_size) / 2
        assert not [p for p in rim if abs(p[0] - x) < half and abs(p[1] - y) < 0.3 * layout.legend_size], text


@pytest.mark.parametrize("size", SIZES)
def test_a_trays_label_is_never_parted_from_its_first_piece(size: int) -> None:
    ironclad = GAMES["ironclad"]
    diagram = ironclad.draw(ironclad.setup({}, Dice(bytes(32))), None)
    planned = plan(diagram, size)
    for flow in flows(worded(diagram, str), diagram.near, planned.room, planned.unit, narrow=False)[:-1]:
        (label,) = [word for word in flow.words if word.sort == "label"]
        (piece,) = [word for word in flow.words if word.sort == "piece"]
        assert label.y == piece.y


@pytest.mark.parametrize("size", SIZES)
def test_the_board_stays_where_it_is_when_lines_of_words_come_below_it(size: int) -> None:
    ironclad = GAMES["ironclad"]
    drawn = ironclad.draw(ironclad.setup({}, Dice(bytes(32))), None)
    planned = plan(drawn, size)
    layouts = []
    for lines in range(4):
        diagram = replace(drawn, notes=(Text("A note that is long enough to fill most of a line."),) * lines)
        words = flows(worded(diagram, str), diagram.near, planned.room, planned.unit, narrow=planned.beside)
        layouts.append(arrange(diagram, planned, words))
    assert len({layout.board for layout in layouts}) == 1
    heights = [layout.height for layout in layouts]
    assert heights == sorted(set(heights))


@pytest.mark.parametrize("kinds", ["SDGLJ", "eCBDGL"])
@pytest.mark.parametrize("size", [390, 640, 1024])
def test_a_reserve_of_six_lies_in_one_line(size: int, kinds: str) -> None:
    counted = tuple((kind, Term("piece"), 4 if kind == "e" else 1) for kind in kinds)
    start = GAMES["veney"].draw(GAMES["veney"].setup({}, Dice(bytes(32))), None)
    diagram = replace(start, trays=tuple(tray._replace(pieces=counted) for tray in start.trays))
    planned = plan(diagram, size)
    for flow in flows(worded(diagram, str), diagram.near, planned.room, planned.unit, narrow=planned.beside)[:-1]:
        pieces = [word for word in flow.words if word.sort == "piece"]
        assert len(pieces) == len(kinds)
        assert len({word.y for word in pieces}) == 1
        assert pieces[-1].x + 2 * PIECE * planned.unit <= planned.room
        for one, after in pairwise(pieces):
            number = lettering.width(one.text, type_size(LABEL, planned.unit)) if one.text else 0.0
            assert after.x - one.x - number > 36 * planned.unit, "and none touches the next"


@pytest.mark.parametrize("size", [390, 420, 480, 640, 1024])
def test_what_has_fallen_is_never_parted_and_stands_in_its_sides_line_where_that_has_room(size: int) -> None:
    diagram = replace(midgame("tirachen"), players=(("R", "Anna"), ("W", "Ben")))
    planned = plan(diagram, size)
    for flow in flows(worded(diagram, str), diagram.near, planned.room, planned.unit, narrow=False)[:-1]:
        at = next(number for number, word in enumerate(flow.words) if word.text == "fallen")
        assert len({word.y for word in flow.words[at:]}) == 1
        assert len({word.y for word in flow.words}) == (1 if size >= 480 else 2)


@pytest.mark.parametrize("turned", [0.0, 90.0, 270.0])
def test_the_names_of_like_tiles_stand_alike_at_every_size(turned: float) -> None:
    diagram = hex_diagram(turned=turned)
    for size in range(360, 1281, 40):
        planned = plan(diagram, size)
        words = flows(worded(diagram, str), diagram.near, planned.room, planned.unit, narrow=planned.beside)
        cells = arrange(diagram, planned, words).cells.values()
        assert len({cell.label == cell.centre for cell in cells}) == 1, size
        assert len({cell.label_size for cell in cells}) == 1, size
