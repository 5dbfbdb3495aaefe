"""What a rightly called turn of Tirachen costs."""

import pytest

from engine.dice import Dice
from engine.game import Outcome
from engine.games import GAMES
from engine.games.tirachen.position import Position

TIRACHEN = GAMES["tirachen"]
BEFORE = TIRACHEN.decode("R: G@e1 C@a5 / W: G@e9 F@e7 / T: e5 W / pR: P9 / pW: C P9 M9 / mob: RW / to: R / quiet: 5")


def after(text: str, penalty: str) -> str:
    turn = TIRACHEN.read(text, BEFORE)
    price = TIRACHEN.penalize(BEFORE, turn, tuple(TIRACHEN.judge(BEFORE, turn)), penalty, Dice(bytes(32)))
    assert isinstance(price, Position)
    return TIRACHEN.encode(price)


def test_a_friendly_call_costs_nothing() -> None:
    assert after("Ca5-b7", "friendly") == TIRACHEN.encode(BEFORE)


def test_the_turn_is_lost_and_counts_as_no_quiet_one() -> None:
    assert after("Ca5-b7", "turn") == TIRACHEN.encode(BEFORE._replace(mover=1))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Ca5-b7", "R: G@e1 / W: G@e9 F@e7 / T: e5 W / pR: P9 / pW: C P9 M9 / mob: RW / to: W / quiet: 5"),
        ("Ca5xe5=T e5-e6", "R: G@e1 / W: G@e9 F@e7 / T: e5 W / pR: P9 / pW: C P9 M9 / mob: RW / to: W / quiet: 5"),
        ("P@d5", "R: G@e1 C@a5 / W: F@e7 G@e9 / T: e5 W / pR: P8 / pW: C P9 M9 / mob: RW / to: W / quiet: 5"),
        ("mobilize", "R: G@e1 C@a5 / W: F@e7 G@e9 / T: e5 W / pR: P9 / pW: C P9 M9 / mob: RW / to: W / quiet: 5"),
    ],
)
def test_the_piece_that_made_the_turn_is_lost(text: str, kept: str) -> None:
    assert after(text, "piece") == TIRACHEN.encode(TIRACHEN.decode(kept))


def test_a_general_that_made_the_turn_is_lost_and_the_game_with_it() -> None:
    outcome = TIRACHEN.outcome(TIRACHEN.decode(after("Ge1-e3", "piece")))
    assert outcome is not None
    assert (outcome.rule.ref, outcome.winners) == ("general", {"W"})


def test_sudden_death_loses_the_game() -> None:
    turn = TIRACHEN.read("Ca5-b7", BEFORE)
    price = TIRACHEN.penalize(BEFORE, turn, tuple(TIRACHEN.judge(BEFORE, turn)), "sudden", Dice(bytes(32)))
    assert isinstance(price, Outcome)
    assert price.winners == {"W"}


def test_what_an_untenable_extra_move_costs_is_told_of_the_piece_that_began_the_turn() -> None:
    turn = TIRACHEN.read("Ca5xe5=T e5-e6", BEFORE)
    rulings = tuple(TIRACHEN.judge(BEFORE, turn))
    assert {ruling.move for ruling in rulings} == {turn[1]}
    lost = TIRACHEN.penalize(BEFORE, turn, rulings, "piece", Dice(bytes(32)))
    assert TIRACHEN.penalty_text(BEFORE, turn, rulings, "piece", lost) is None, "a piece is lost, as is always said"


def test_a_side_that_mobilizes_loses_no_piece() -> None:
    turn = TIRACHEN.read("mobilize", BEFORE)
    rulings = tuple(TIRACHEN.judge(BEFORE, turn))
    lost = TIRACHEN.penalize(BEFORE, turn, rulings, "piece", Dice(bytes(32)))
    told = TIRACHEN.penalty_text(BEFORE, turn, rulings, "piece", lost)
    assert str(told) == "The turn is taken back and lost; no piece goes with it."
