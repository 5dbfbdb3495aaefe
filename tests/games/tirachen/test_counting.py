"""Tirachen counted: the known numbers of lines, and how random games end."""

from pathlib import Path
from random import Random

import pytest

from engine.dice import Dice
from engine.games import GAMES

TIRACHEN = GAMES["tirachen"]
LINES = (Path(__file__).parent / "perft.txt").read_text().splitlines()
ROWS = [line.split(" | ") for line in LINES if not line.startswith("#")]


@pytest.mark.parametrize(("text", "counts"), ROWS)
def test_a_position_has_its_number_of_lines(text: str, counts: str) -> None:
    position = TIRACHEN.decode(text)
    for depth, lines in enumerate(map(int, counts.split()), start=1):
        assert TIRACHEN.perft(position, depth) == lines


def test_two_hundred_random_games_come_to_an_end() -> None:
    endings: dict[str, int] = {}
    for seed in range(200):
        chosen = Random(seed)
        position, counts = TIRACHEN.setup({}, Dice(bytes(32))), {}
        while True:
            same = TIRACHEN.identity(position)
            counts[same] = counts.get(same, 0) + 1
            outcome = TIRACHEN.outcome(position, counts[same])
            if outcome is not None:
                break
            position = TIRACHEN.play(position, chosen.choice(list(TIRACHEN.turns(position))))
        endings[outcome.rule.ref] = endings.get(outcome.rule.ref, 0) + 1
    assert sum(endings.values()) == 200
    assert endings["general"] > 100
