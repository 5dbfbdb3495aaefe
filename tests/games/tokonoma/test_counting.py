"""Tokonoma counted: the published numbers of lines, and the fast count against the rules, as perft.txt tells them."""

from pathlib import Path

import pytest

from engine.game import Game
from engine.games.tokonoma import GAME

LINES = [line for line in Path(__file__).with_name("perft.txt").read_text().splitlines() if line[0] != "#"]


@pytest.mark.parametrize("line", LINES)
def test_as_many_lines_are_counted_as_there_are(line: str) -> None:
    text, _, counts = line.partition(" | ")
    position = GAME.decode(text)
    assert GAME.perft(position, 0) == 1
    for depth, lines in enumerate(map(int, counts.split()), start=1):
        assert GAME.perft(position, depth) == lines
        assert depth > 3 or Game.perft(GAME, position, depth) == lines
