"""Ironclad judged by given cases: a position, a turn, and what the rules say of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.game import NotationError
from engine.games import GAMES

IRONCLAD = GAMES["ironclad"]
CASES = [json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_a_given_case_is_judged_as_given(case: dict[str, Any]) -> None:
    position = IRONCLAD.decode(case["position"])
    assert IRONCLAD.encode(position) == case["position"]
    try:
        turn = IRONCLAD.read(case["turn"], position)
    except NotationError:
        assert not case["tenable"]
        return
    assert IRONCLAD.tenable(position, turn) is case["tenable"]
    if case["tenable"]:
        after = IRONCLAD.play(position, turn)
        outcome = IRONCLAD.outcome(after)
        assert IRONCLAD.encode(after) == case["after"]
        assert (outcome and {"winners": sorted(outcome.winners)}) == case["outcome"]
        assert IRONCLAD.write(turn, position) == case["turn"]
