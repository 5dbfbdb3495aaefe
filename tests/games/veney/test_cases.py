"""The given cases of Veney and those of audits: verdicts, rules and effects of turns, sequences, calls and queries.

`cases.json` is given. The audits were written from the rulings, section by section, without a look at the rules' code.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.dice import Dice
from engine.game import NotationError, Outcome, Penalty
from engine.games.veney import GAME
from engine.games.veney.board.squares import BIT, LIGHT, NUMBER, SQUARES
from engine.games.veney.judge.taking import overextended
from engine.games.veney.pieces import FREE
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import SIDES, Position, letter_of
from engine.games.veney.setup.initiative import initiative

CASES: list[dict[str, Any]] = [
    case
    for name in ("cases.json", "audit.json", "second_audit.json", "third_audit.json")
    for case in json.loads(Path(__file__).with_name(name).read_text())["cases"]
]
THIRD = [case for case in CASES if case["id"].startswith("third")]
REFS = [rule.ref for rule in GAME.rules]


def of(*kinds: str) -> Any:
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES if c["kind"] in kinds])


def standing(position: Position, at: int) -> str:
    code = position.cells[at]
    if code in (0, FREE):
        return "empty"
    cloak = f" {SIDES[1 - (code >> 4)]}C" if position.caught & BIT[at] else ""
    return f"{SIDES[code >> 4]}{letter_of(code)}{cloak}"


def effects(before: Position, after: Position) -> dict[str, Any]:
    """What differs, in the words of the cases."""
    found: dict[str, Any] = {}
    squares = {
        site: standing(after, at) for at, site in enumerate(SQUARES) if standing(before, at) != standing(after, at)
    }
    if squares:
        found["at"] = squares
    for tray in ("reserve", "discard"):
        old, new = getattr(before, tray), getattr(after, tray)
        changed = {letter: "".join(sorted(new[side])) for side, letter in enumerate(SIDES) if old[side] != new[side]}
        if changed:
            found[tray] = changed
    spots = [GAME.encode(position).partition(" / a: ")[2].split(" / ")[0] for position in (before, after)]
    if spots[0] != spots[1]:
        found["a"] = spots[1]
    if after.over is not None:
        found["outcome"] = f"{after.over[1] or '-'} {after.over[0]}"
    elif after.dying is not None:
        found["outcome"] = f"{SIDES[1 - after.dying[0]]} touch"
    return found


def expected(case: dict[str, Any]) -> dict[str, Any]:
    said = json.loads(json.dumps(case["expect"]["effects"]))
    for tray in ("reserve", "discard"):
        for letter, pieces in said.get(tray, {}).items():
            said[tray][letter] = "".join(sorted(pieces.replace(" ", "").replace("-", "")))
    return said


@of("turn", "sequence")
def test_the_judge_decides_as_given(case: dict[str, Any]) -> None:
    expect = case["expect"]
    start = position = GAME.decode(case["position"])
    assert GAME.decode(GAME.encode(start)) == start
    for text in case["turn"].split(" ; "):
        try:
            turn = GAME.read(text, position)
        except NotationError:
            assert case.get("refusable")
            return
        assert GAME.read(GAME.write(turn, position), position) == turn
        broken = [ruling.rule.ref for ruling in GAME.judge(position, turn)]
        assert broken == sorted(broken, key=REFS.index)
        position = GAME.play(position, turn)
        assert GAME.decode(GAME.encode(position)) == position
    assert (not broken) is expect["tenable"], broken
    if broken:
        assert {expect["rule"], *expect.get("also", ())} <= set(broken)
    else:
        assert effects(start, position) == expected(case)
        assert GAME.to_act(position) == expect.get("next_to_move", GAME.to_act(position))


UNLISTED = {"intend", "throw", "cast"}
"""An intention may name anything, and where Self and blade are put depends on how a throw or a cast falls."""


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in THIRD if c["kind"] in ("turn", "sequence")])
def test_exactly_what_is_tenable_is_listed(case: dict[str, Any]) -> None:
    position = GAME.decode(case["position"])
    for text in case["turn"].split(" ; "):
        try:
            turn = GAME.read(text, position)
        except NotationError:
            return
        listed = GAME.tenable(position, turn)
        if not UNLISTED.isdisjoint(action.verb for action in turn):
            assert listed or turn not in set(GAME.turns(position))
        else:
            assert (turn in set(GAME.turns(position))) is listed
        position = GAME.play(position, turn)


PENALTIES: dict[str, Penalty] = {"lenient": "piece-lenient", "absolute": "piece-absolute"}


@of("call")
def test_a_call_ends_as_given(case: dict[str, Any]) -> None:
    before = GAME.decode(case["position"])
    turn = GAME.read(case["turn"], before)
    rulings = tuple(GAME.judge(before, turn))
    assert case["expect"]["rule"] in {ruling.rule.ref for ruling in rulings}
    follows = GAME.penalize(before, turn, rulings, PENALTIES.get(case["terms"], case["terms"]), Dice(bytes(32)))
    if isinstance(follows, Outcome):
        assert " ".join(follows.winners) == case["expect"]["outcome"]
        return
    assert GAME.to_act(follows) == case["expect"]["next_to_move"]
    assert effects(before, follows) == expected(case)


def told(position: Position, query: str) -> object:
    """The answer to a question about a position."""
    match query.split()[1:]:
        case ["possession"]:
            return SIDES[0 if LIGHT & BIT[position.cells.index(FREE)] else 1]
        case ["overextended", site]:
            at = NUMBER[site]
            return overextended(WorkingBoard(position), position.cells[at] >> 4, at)
        case ["initiative"]:
            first = initiative(position)
            return SIDES[first] if first >= 0 else "draw lots"
        case _:
            raise AssertionError(query)


@of("query")
def test_a_question_is_answered_as_given(case: dict[str, Any]) -> None:
    assert told(GAME.decode(case["position"]), case["turn"]) == case["expect"]["answer"]
