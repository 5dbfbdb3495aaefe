"""What a rightly called turn of Tokonoma costs."""

import pytest

from engine.dice import Dice
from engine.game import SUDDEN, Outcome, Penalty
from engine.games.tokonoma import GAME

BEFORE = GAME.decode("4f/6/3A+2F/6/5 w q7")


@pytest.mark.parametrize(
    ("turn", "penalty", "after"),
    [
        ("c4c3", "friendly", "4f/6/3A+2F/6/5 w q7"),
        ("c4c3", "turn", "4f/6/3A+2F/6/5 b q7"),
        ("c4c3", "piece", "4f/6/3F2F/6/5 b q7"),
        ("Fc4c3", "piece", "4f/6/3A2F/6/5 b q7"),
        ("pass", "piece", "4f/6/3A+2F/6/5 b q7"),
    ],
)
def test_a_penalty_begins_from_the_position_before_the_turn(turn: str, penalty: Penalty, after: str) -> None:
    said = GAME.read(turn, BEFORE)
    follows = GAME.penalize(BEFORE, said, tuple(GAME.judge(BEFORE, said)), penalty, Dice(bytes(32)))
    assert not isinstance(follows, Outcome)
    assert GAME.encode(follows) == after


def test_sudden_death_ends_the_game() -> None:
    said = GAME.read("c4c3", BEFORE)
    follows = GAME.penalize(BEFORE, said, tuple(GAME.judge(BEFORE, said)), "sudden", Dice(bytes(32)))
    assert follows == Outcome(SUDDEN, frozenset({"B"}))
