"""What pictures of Veney point at."""

import pytest

from engine.games import GAMES

VENEY = GAMES["veney"]


@pytest.mark.parametrize(
    ("start", "turn", "left", "standing"),
    [
        ("W: S@X4 $@Y6 C@X11 / B: S@Z11 $@X11 / a: ^XY8 / to: W", "CY9", {"X11"}, {"X11", "Y9"}),
        ("W: S@X4 $@Y6 / B: S@Z11 $@X13 / a: ^XY8 / to: W", "$Y7", {"Y6"}, {"Y7"}),
    ],
    ids=["a Cloak leaves the blade that it had captured", "a Sword leaves nothing"],
)
def test_both_ends_of_a_move_differ_though_a_piece_stays_behind(
    start: str, turn: str, left: set[str], standing: set[str]
) -> None:
    position = VENEY.decode(start)
    made = VENEY.read(turn, position)
    shown = VENEY.draw_turn(position, made, None)
    (moved,) = (mark for mark in shown.marks if mark.kind == "moved")
    assert set(moved.left) == left
    assert set(moved.sites) & shown.standing == standing


def test_pieces_that_trade_places_have_both_come() -> None:
    position = VENEY.decode("W: S@X4 $@X6 B@W6 / B: S@Z11 $@X13 / a: ^XY8 / to: W")
    (moved,) = VENEY.marks(VENEY.read("BX6~$W6", position), position)
    assert moved.sites == ("W6", "X6")
    assert not moved.left
