"""Chirality counted: the known numbers of lines, by the fast count and by the rules."""

from pathlib import Path

import pytest

from engine.game import Game
from engine.games.chirality import GAME

LINES = Path(__file__).with_name("perft.txt").read_text().splitlines()
ROWS = [line.split(" | ") for line in LINES if not line.startswith("#")]


@pytest.mark.parametrize(("text", "counts"), ROWS)
def test_a_position_has_its_number_of_lines(text: str, counts: str) -> None:
    position = GAME.decode(text)
    for depth, lines in enumerate(map(int, counts.split()), start=1):
        assert GAME.perft(position, depth) == lines
        if lines < 7_000:
            assert Game.perft(GAME, position, depth) == lines
