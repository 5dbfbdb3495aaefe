"""Four games held to cases that people worked out from the rules and rulings who had not read the code.

The first wrote each game down a second time, judged some 20,000 random positions a game with it, and kept what differs
most. The second went through every sentence of the rules and wrote down what it says of made-up positions.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.cli.judge import Answer, Request, judge
from engine.games import GAMES
from tests.parts_of_games import OURS

CASES = [
    pytest.param(file.parent.name, case, id=f"{file.parent.name}-{case['id']}")
    for name in ("audit", "second_audit")
    for file in sorted(Path(__file__).parent.glob(f"*/{name}.jsonl"))
    for case in map(json.loads, file.read_text("utf-8").splitlines())
]


@pytest.mark.parametrize(("game", "case"), CASES)
def test_a_turn_is_judged_and_played_as_the_rules_say(game: str, case: dict[str, Any]) -> None:
    answer = judge(Request(game, case["turn"], case["position"]))
    assert isinstance(answer, Answer), answer
    assert answer.tenable is case["tenable"], answer.because
    if "rule" in case:
        assert case["rule"] in (answer.rules if answer.readable else ("unreadable",))
    if case["tenable"]:
        assert answer.after == case["after"]
        assert (answer.outcome and {"winners": sorted(answer.outcome.winners)}) == case["outcome"]


@pytest.mark.parametrize(("game", "case"), CASES)
def test_what_is_judged_can_be_written_down_and_is_found_among_the_turns(game: str, case: dict[str, Any]) -> None:
    rules = GAMES[game]
    position = rules.decode(case["position"])
    assert rules.decode(rules.encode(position)) == position
    found = {*rules.turns(position)}
    if rules.outcome(position) is None:
        assert all(rules.tenable(position, turn) for turn in found)
    if case["tenable"]:
        turn = rules.read(case["turn"], position)
        written = rules.write(turn, position)
        assert rules.read(written, position) == turn
        declared = rules.read(written.partition("(")[0], position)  # a throw is the die's, not the player's to find
        assert declared in found
    else:
        assert case["turn"] not in {rules.write(turn, position) for turn in found}


def test_each_game_but_veney_which_has_its_own_is_audited() -> None:
    assert {param.values[0] for param in CASES} == {*OURS} - {"veney"}
