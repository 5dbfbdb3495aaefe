"""A whole game of Tokonoma in both notations, to a Flat in the house, as playthrough.txt tells it."""

from pathlib import Path

from engine.dice import Dice
from engine.games.tokonoma import GAME

LINES = [line for line in Path(__file__).with_name("playthrough.txt").read_text().splitlines() if line[0] != "#"]


def test_a_whole_game_is_played_to_its_end() -> None:
    *told, end, over = LINES
    position = GAME.setup({}, Dice(bytes(32)))
    for line in told:
        _, side, text, short = line.split()
        assert GAME.outcome(position) is None, line
        assert GAME.to_act(position) == side, line
        turn = GAME.read(text, position)
        assert not list(GAME.judge(position, turn)), line
        assert (GAME.write(turn, position), GAME.short(turn, position)) == (text, short)
        assert GAME.read(short, position) == turn
        position = GAME.play(position, turn)
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert end == f"end {GAME.encode(position)}"
    assert over == f"over {outcome.rule.ref} {' '.join(sorted(outcome.winners))}"
