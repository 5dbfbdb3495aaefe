"""What a picture of Tokonoma shows: stacks, the houses, the last turn and what it emptied."""

import pytest

from engine.diagram import Mark
from engine.dice import Dice
from engine.games.tokonoma import GAME
from engine.games.tokonoma.board import BOARD, PLACES
from engine.games.tokonoma.picture import GLYPHS
from engine.games.tokonoma.rules import KINDS
from engine.text import Term

HOME = GAME.setup({}, Dice(bytes(32)))


def test_the_board_has_29_tiles_in_three_tones() -> None:
    assert len(BOARD.outlines) == 29
    rows = {row: "".join("LMD"[BOARD.tones[site]] for site in BOARD.outlines if site[0] == row) for row in "abcde"}
    assert rows == {"a": "DLMDL", "b": "LMDLMD", "c": "MDLMDLM", "d": "LMDLMD", "e": "DLMDL"}


def test_a_tile_touches_six_others_unless_it_lies_at_the_edge() -> None:
    assert set(BOARD.edges["c4"]) == {"c3", "c5", "b3", "b4", "d3", "d4"}
    assert set(BOARD.edges["c7"]) == {"c6", "b6", "d6"}
    assert len(BOARD.edges) == len(PLACES)


@pytest.mark.parametrize(("viewer", "lowest"), [("W", "c7"), ("B", "c1")])
def test_a_player_has_the_own_house_at_the_bottom(viewer: str, lowest: str) -> None:
    diagram = GAME.draw(HOME, viewer)
    assert diagram.near == viewer
    quarter_turns = round(diagram.turned / 90)

    def height(site: str) -> float:
        x, y = BOARD.centre(site)
        for _ in range(quarter_turns):
            x, y = -y, x  # clockwise, with y down
        return y

    assert max(BOARD.outlines, key=height) == lowest


def test_a_stack_is_one_figure_with_a_flat_under_it() -> None:
    figures = {figure.site: figure for figure in GAME.draw(HOME, None).figures}
    assert len(figures) == 12
    assert (figures["c7"].kind, figures["c7"].under, figures["c7"].below) == ("A", ("F",), "on a Flat")
    assert (figures["e5"].kind, figures["e5"].under, figures["e5"].below) == ("F", (), "")
    assert set(GLYPHS) == set(KINDS)


def test_the_last_turn_shows_what_moved_and_who_emptied_what() -> None:
    before = GAME.decode("4f/2F3/2s+4/3F2/5 w")
    turn = GAME.read("d4d3", before)
    assert GAME.marks(turn, before) == (
        Mark("moved", ("d4", "d3")),
        Mark("taken", ("c3", "b3", "d3"), "B", "S", Term("Star")),
    )
    drawn = GAME.draw_turn(before, turn, None)
    (ghost,) = (figure for figure in drawn.figures if figure.ghost)
    assert (ghost.site, ghost.side, ghost.name) == ("c3", "B", "Star")
    assert [(link.start, link.end) for link in drawn.links] == [("b3", "c3"), ("d3", "c3")]


def test_a_ruling_points_at_the_piece_its_reach_and_what_is_in_the_way() -> None:
    far, joined = GAME.judge(HOME, GAME.read("c7c6", HOME))
    assert far.marks == (Mark("culprit", ("c7",)), Mark("reach", ("c5",)))
    assert joined.marks == (Mark("culprit", ("c7",)), Mark("blocker", ("c6",)))


def test_nobody_is_to_move_once_it_is_over() -> None:
    assert GAME.draw(GAME.decode("5/6/3S2f/6/5 w"), None).to_act is None


def test_a_long_quiet_is_noted() -> None:
    noted = GAME.draw(GAME.decode("f4/6/3S3/6/4s w q80"), None).notes
    assert [*map(str, noted)] == ["80 quiet plies; 100 are a draw."]
    assert GAME.draw(HOME, None).notes == ()
