"""A whole game of Tirachen, from the first turn to the last, as playthrough.txt tells it."""

from pathlib import Path

from engine.dice import Dice
from engine.games import GAMES

TIRACHEN = GAMES["tirachen"]
LINES = [line for line in Path(__file__).with_name("playthrough.txt").read_text().splitlines() if line[0] != "#"]


def test_a_whole_game_is_played_to_its_end() -> None:
    *told, end, over = LINES
    position = TIRACHEN.setup({}, Dice(bytes(32)))
    for line in told:
        _, side, text = line.split(" ", 2)
        assert TIRACHEN.outcome(position) is None, line
        assert TIRACHEN.to_act(position) == side, line
        turn = TIRACHEN.read(text, position)
        assert not list(TIRACHEN.judge(position, turn)), line
        assert TIRACHEN.write(turn, position) == text
        position = TIRACHEN.play(position, turn)
    outcome = TIRACHEN.outcome(position)
    assert outcome is not None
    assert end == f"end {TIRACHEN.encode(position)}"
    assert over == f"over {outcome.rule.ref} {' '.join(sorted(outcome.winners))}"
