"""Tokonoma counted: the published numbers of lines, and the fast count against the slow one."""

import pytest

from engine.dice import Dice
from engine.game import Game
from engine.games import GAMES

TOKONOMA = GAMES["tokonoma"]
START = TOKONOMA.setup({}, Dice(bytes(32)))


@pytest.mark.parametrize(("depth", "lines"), [(0, 1), (1, 9), (2, 81), (3, 917), (4, 10_322)])
def test_the_start_has_the_published_number_of_lines(depth: int, lines: int) -> None:
    assert TOKONOMA.perft(START, depth) == lines


@pytest.mark.parametrize(
    "text",
    [
        "f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F b",
        "5/2F3/a1s2B1/3A2/1f1S1 w",
        "5/f1F3/3A+b2/1s1SB1/5 b",
        "5/6/FA4f/6/5 w",
    ],
)
def test_the_fast_count_agrees_with_the_rules(text: str) -> None:
    position = TOKONOMA.decode(text)
    for depth in (1, 2, 3):
        assert TOKONOMA.perft(position, depth) == Game.perft(TOKONOMA, position, depth)
