"""Four games held to cases that somebody worked out from the rules and rulings who had not read the code.

They wrote each game down a second time, judged some 20,000 random positions a game with it, and kept what differs most.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.cli.judge import Answer, Request, judge
from engine.games import GAMES

CASES = [
    pytest.param(file.parent.name, case, id=f"{file.parent.name}-{case['id']}")
    for file in sorted(Path(__file__).parent.glob("*/audit.jsonl"))
    for case in map(json.loads, file.read_text("utf-8").splitlines())
]


@pytest.mark.parametrize(("game", "case"), CASES)
def test_a_turn_is_judged_and_played_as_the_rules_say(game: str, case: dict[str, Any]) -> None:
    answer = judge(Request(game, case["turn"], case["position"]))
    assert isinstance(answer, Answer), answer
    assert answer.tenable is case["tenable"], answer.because
    if case["tenable"]:
        assert answer.after == case["after"]
        assert (answer.outcome and {"winners": sorted(answer.outcome.winners)}) == case["outcome"]


def test_each_game_but_veney_which_has_its_own_is_audited() -> None:
    assert {param.values[0] for param in CASES} == GAMES.keys() - {"veney"}
