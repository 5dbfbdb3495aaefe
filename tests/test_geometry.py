"""The ready boards: squares named like a chessboard, hexagons in rows, and the turns by where they end."""

import pytest

from engine.board import Board
from engine.game import Move
from engine.geometry.hexagon import hexagon_board
from engine.geometry.move_table import LARGEST, move_tables
from engine.geometry.square import square_board

CHESS = square_board("chess", columns=8, rows=8)
HIVE = {"a": 2, "b": 3, "c": 2}


def test_squares_are_named_like_a_chessboard_with_a1_dark_at_the_lower_left() -> None:
    assert list(CHESS.outlines)[:3] == ["a1", "b1", "c1"]
    assert list(CHESS.outlines)[-1] == "h8"
    assert CHESS.centre("a1") == (0.5, 7.5)
    assert CHESS.centre("h8") == (7.5, 0.5)
    assert (CHESS.tones["a1"], CHESS.tones["b1"], CHESS.tones["h8"]) == (1, 0, 1)
    assert [legend.text for legend in CHESS.legends] == [*"abcdefgh", *"12345678"]


def test_a_square_touches_four_across_edges_and_four_across_corners() -> None:
    assert set(CHESS.edges["d4"]) == {"c4", "e4", "d3", "d5"}
    assert set(CHESS.corners["d4"]) == {"c3", "e3", "c5", "e5"}
    assert (set(CHESS.edges["a1"]), set(CHESS.corners["a1"])) == ({"b1", "a2"}, {"b2"})


def test_squares_have_as_many_columns_as_there_are_letters() -> None:
    assert "z1" in square_board("wide", 26, 1).outlines
    with pytest.raises(ValueError, match="1 to 26 columns, not 27"):
        square_board("wider", 27, 1)


def test_hexagons_touch_six_others_and_none_of_their_own_tone() -> None:
    board = hexagon_board("hive", HIVE)
    assert set(board.edges["b2"]) == {"a1", "a2", "b1", "b3", "c1", "c2"}
    assert all(board.tones[site] != board.tones[near] for site, touching in board.edges.items() for near in touching)


def test_shifted_rows_of_one_width_make_the_rhombus_of_hex() -> None:
    board = hexagon_board("hex", dict.fromkeys("abc", 3), shift=1)
    assert set(board.edges["b2"]) == {"a2", "a3", "b1", "b3", "c1", "c2"}
    assert set(board.edges["a1"]) == {"a2", "b1"}


def test_rows_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ValueError, match="odd number of tiles"):
        hexagon_board("crooked", {"a": 3, "b": 3})


@pytest.mark.parametrize("board", [CHESS, hexagon_board("hive", HIVE)], ids=lambda board: board.name)
def test_a_place_has_the_room_that_its_figure_needs(board: Board) -> None:
    for site in board.outlines:
        x, y = board.centre(site)
        assert all(abs(x - other) + abs(y - up) > 0.49 for other, up in board.outlines[site])


def test_a_move_table_gives_the_turns_that_end_on_any_of_some_places() -> None:
    turns = {1 << end: (Move("move", "P", "a1", str(end)),) for end in range(LARGEST + 2)}
    (near, first), (far, second) = move_tables(turns)
    assert (near.bit_count(), far.bit_count()) == (LARGEST, 2)
    assert first[0b101] == (turns[1], turns[4])
    assert second[far] == tuple(turns.values())[LARGEST:]
    assert first[0] == ()
