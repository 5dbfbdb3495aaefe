"""A whole game of Ironclad, from the first turn to the last, as playthrough.txt tells it."""

from pathlib import Path

from engine.dice import Dice
from engine.games import GAMES

IRONCLAD = GAMES["ironclad"]
LINES = [line for line in Path(__file__).with_name("playthrough.txt").read_text().splitlines() if line[0] != "#"]


def test_a_whole_game_is_played_to_its_end() -> None:
    *told, end, over = LINES
    position = IRONCLAD.setup({}, Dice(bytes(32)))
    for line in told:
        _, side, text = line.split(" ", 2)
        assert IRONCLAD.outcome(position) is None, line
        assert IRONCLAD.to_act(position) == side, line
        turn = IRONCLAD.read(text, position)
        assert not list(IRONCLAD.judge(position, turn)), line
        assert IRONCLAD.write(turn, position) == text
        position = IRONCLAD.play(position, turn)
    outcome = IRONCLAD.outcome(position)
    assert outcome is not None
    assert end == f"end {IRONCLAD.encode(position)}"
    assert over == f"over {outcome.rule.ref} {' '.join(sorted(outcome.winners))}"
