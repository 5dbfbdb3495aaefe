"""Veney looks at a turn once and says what judge, play and write say one by one; its example gives nothing away."""

import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice import Dice
from engine.game import NotationError
from engine.games.veney import GAME
from engine.games.veney.action import Turn
from engine.games.veney.position import Position
from tests.games.veney.test_anything import said, stirred, tried

EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "15"))

THROWER = "W: S@W9 D@X10 $@W2 / B: S@Z12 $@Z16 L@W16 / a: - / to: W / flags: asked=1"


def one_by_one(position: Position, turn: Turn) -> tuple[object, ...]:
    rulings = tuple(GAME.judge(position, turn))
    return turn, rulings, GAME.play(position, turn), GAME.write(turn, position)


def at_once(position: Position, turn: Turn) -> tuple[object, ...]:
    found = GAME.examine(position, turn)
    return found.turn, found.rulings, found.after, found.text


def with_turns(chosen: Random, position: Position) -> list[Turn]:
    """Some tenable turns and whatever can be read of some nonsense, with their luck and without."""
    turns = list(GAME.turns(position))
    some = chosen.sample(turns, min(20, len(turns)))
    for _ in range(40):
        turn = tried(" ".join(said(chosen) for _ in range(chosen.choice((1, 1, 2, 2, 3)))), position)
        if not isinstance(turn, NotationError):
            some.append(turn)
    return [made for turn in some for made in (turn, GAME.roll(position, turn, Dice(bytes(32))))]


@settings(max_examples=EXAMPLES, deadline=None, derandomize="RIPOSTE_EXAMPLES" not in os.environ)
@given(st.integers(0, 10**9))
def test_one_look_at_a_turn_sees_what_judge_play_and_write_see(seed: int) -> None:
    chosen = Random(seed)
    position = stirred(chosen)
    for turn in with_turns(chosen, position):
        assert at_once(position, turn) == one_by_one(position, turn)
        after = GAME.play(position, turn)
        for text in ("--", "C~!", "SW3 $X2", "allow", "prevent", "C~! $X5"):
            follow_up = tried(text, after)
            if not isinstance(follow_up, NotationError):
                assert at_once(after, follow_up) == one_by_one(after, follow_up), text


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (THROWER, "DtZ12~"),  # in the glare: the opponent is asked first
        (THROWER.replace("L@W16 ", "").replace("asked=1", "throw=guess"), "DtZ12~"),  # the opponent hides a token
        (THROWER.replace("asked=1", "ask=throw,W,0,DtZ12~"), "allow"),
        (THROWER.replace("asked=1", "ask=distraction,W,0,"), "SW3 $X2"),
        ("W: S@W1 / B: S@Z16 / a: - / to: W / flags: over=touch:B dying=W@W1", "SW2"),
        ("W: S@Y6 $@X9 / B: $@W16 / dB: S / a: - / to: B / flags: dying=B@X9", "SX10"),
        ("W: S@B4 $@A4 / B: S@Z16 / a: - / to: W / flags: abcd=1".replace("B4", "X4").replace("A4", "W4"), "SB5 $A9"),
    ],
)
def test_a_turn_that_waits_for_somebody_is_seen_the_same_at_once(given: str, text: str) -> None:
    position = GAME.decode(given)
    turn = GAME.read(text, position)
    assert at_once(position, turn) == one_by_one(position, turn)


@settings(max_examples=EXAMPLES, deadline=None, derandomize="RIPOSTE_EXAMPLES" not in os.environ)
@given(st.integers(0, 10**9))
def test_the_example_can_be_read_wherever_it_is_shown(seed: int) -> None:
    chosen = Random(seed)
    position = stirred(chosen)
    for _ in range(20):
        assert GAME.read(GAME.example(position), position) is not None
        some = with_turns(chosen, position)
        if not some:
            return  # the game is over, and nothing that was said is a turn
        position = GAME.play(position, chosen.choice(some))


def test_the_example_is_read_in_a_setup_by_turns_and_where_the_lines_are_called_a_to_d() -> None:
    for options in ({"setup": "turns"}, {"lines": "abcd"}, {"setup": "turns", "lines": "abcd"}):
        position = GAME.setup(options, Dice(bytes(32)))
        for _ in range(20):
            text = GAME.example(position)
            position = GAME.play(position, GAME.read(text, position))
            assert GAME.outcome(position) is None


def test_among_the_turns_looked_at_are_tenable_and_untenable_ones() -> None:
    seen = {
        GAME.tenable(position, turn)
        for position in map(stirred, map(Random, range(5)))
        for turn in with_turns(Random(1), position)
    }
    assert seen == {True, False}
