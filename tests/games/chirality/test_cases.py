"""Chirality judged by given cases: a position, a turn, and what the rules say of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.game import NotationError
from engine.games import GAMES

CHIRALITY = GAMES["chirality"]
CASES = [json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_a_given_case_is_judged_as_given(case: dict[str, Any]) -> None:
    position = CHIRALITY.decode(case["position"])
    assert CHIRALITY.encode(position) == case["position"]
    try:
        turn = CHIRALITY.read(case["turn"], position)
    except NotationError:
        assert not case["tenable"]
        return
    assert CHIRALITY.tenable(position, turn) is case["tenable"]
    assert CHIRALITY.write(turn, position) == case["turn"]
    if case["tenable"]:
        after = CHIRALITY.play(position, turn)
        outcome = CHIRALITY.outcome(after)
        assert CHIRALITY.encode(after) == case["after"]
        assert (outcome and sorted(outcome.winners)) == (case["outcome"] and case["outcome"]["winners"])
