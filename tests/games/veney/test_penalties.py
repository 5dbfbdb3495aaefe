"""What a correct call costs in Veney: who offended, and what becomes of it under each penalty."""

import pytest

from engine.dice import Dice
from engine.game import Outcome, Penalty
from engine.games.veney import GAME
from engine.games.veney.position import Position


def called(given: str, turn: str, penalty: Penalty) -> Position | Outcome:
    before = GAME.decode(given)
    played = GAME.read(turn, before)
    rulings = tuple(GAME.judge(before, played))
    assert rulings, "only an untenable turn can be called out"
    return GAME.penalize(before, played, rulings, penalty, Dice(bytes(32)))


def left(given: str, turn: str, penalty: Penalty) -> str:
    follows = called(given, turn, penalty)
    assert not isinstance(follows, Outcome)
    return GAME.encode(follows)


CROOKED = "W: S@Y4 $@X4 B@W1 / B: S@Z16 C@X3 / a: - / to: W"
"""The Balance on W1 cannot reach X3."""


@pytest.mark.parametrize(
    ("penalty", "after"),
    [
        ("friendly", CROOKED),
        ("time", CROOKED),
        ("turn", CROOKED.replace("to: W", "to: B")),
        ("piece-lenient", "W: $@X4 S@Y4 / B: C@X3 S@Z16 / dW: B / a: - / to: B"),
        ("piece-absolute", "W: $@X4 S@Y4 / B: C@X3 S@Z16 / dW: B / a: - / to: B"),
    ],
)
def test_each_penalty_takes_the_whole_turn_back_first(penalty: Penalty, after: str) -> None:
    assert GAME.decode(left(CROOKED, "BfX3", penalty)) == GAME.decode(after)


def test_sudden_death_loses() -> None:
    lost = called(CROOKED, "BfX3", "sudden")
    assert isinstance(lost, Outcome)
    assert lost.winners == {"B"}


@pytest.mark.parametrize("turn", ["SX9", "$X15"])
def test_self_and_only_blade_are_put_back_leniently_and_lost_absolutely(turn: str) -> None:
    kept = GAME.decode(left(CROOKED, turn, "piece-lenient"))
    assert kept == GAME.decode(CROOKED.replace("to: W", "to: B"))
    lost = called(CROOKED, turn, "piece-absolute")
    assert isinstance(lost, Outcome)
    assert lost.winners == {"B"}


def test_a_sword_is_discarded_while_a_dagger_is_on_the_board() -> None:
    after = left("W: S@Y4 $@X4 D@Z4 / B: S@Z16 / a: - / to: W", "$X15", "piece-lenient")
    assert "dW: $" in after
    assert "over" not in after


def test_a_skipped_turn_is_no_pass_and_clears_the_count() -> None:
    assert "passes" not in left(CROOKED + " / flags: passes=1", "BfX3", "turn")


@pytest.mark.parametrize(
    ("given", "turn", "lost"),
    [
        ("W: S@Y4 $@X4 D@Z1 / B: S@Z16 / a: - / to: W", "SY5 DZ16", "D"),  # in a concert the armament out of range
        ("W: S@Y4 C@Y6 $@X4 / B: S@Z16 / a: - / to: W", "CY4~SY6", "C"),  # a feign: the Cloak
        ("W: S@Y5 B@W13 $@Y6 / B: S@Z16 / a: - / to: W", "BY6~$W13", "B"),  # a shift: the Balance
        ("W: S@W1 $@W4 C@Y4 e@X5 / B: S@Z16 / a: - / to: W", "$X5 CX6", "C"),  # what is not linked
        ("W: S@W1 $@W2 C@W3 e@X5 / B: S@Z16 / a: - / to: W", "CX5 CX6", "C"),  # the second half of a stone move
        ("W: S@Y6 $@X6 / B: S@Z16 / rW: G / a: - / to: W", "SY7 G*Y8", "G"),  # what was placed goes from reserve
    ],
)
def test_the_piece_of_the_first_broken_part_offends(given: str, turn: str, lost: str) -> None:
    after = GAME.decode(left(given, turn, "piece-lenient"))
    assert after.discard == (lost, "")
    before = GAME.decode(given)
    rest = [code for code in before.cells if code]
    assert sorted(code for code in after.cells if code) == sorted(
        code for code in rest if code != next(k for k in (2, 3, 4, 5) if "?eCBDGLJRS$"[k] == lost)
    )


def test_the_free_engagement_merely_goes_home() -> None:
    after = left("W: S@W1 / B: S@Z16 / a: X7 / to: W", "aX8", "piece-lenient")
    assert "a: ^XY8" in after
    assert "to: B" in after
    assert "dW" not in after


def test_a_forced_pass_has_no_piece_to_lose() -> None:
    given = "W: S@W1 $@X4 / B: S@Z16 / a: - / to: W / flags: passes=2"
    assert GAME.decode(left(given, "--", "piece-lenient")) == GAME.decode("W: S@W1 $@X4 / B: S@Z16 / a: - / to: B")


CONTROLLED = "W: S@X10 B@Y9 / B: S@Z16 J@X15 $@Z15 / a: - / to: B"


def test_a_jutsu_that_entered_under_control_is_fended_not_lost() -> None:
    for penalty in ("piece-lenient", "piece-absolute"):
        after = GAME.decode(left(CONTROLLED, "JX11", penalty))
        assert after.reserve == ("", "J")
        assert after.discard == ("", "")
        assert GAME.to_act(after) == "W"
    assert GAME.decode(left(CONTROLLED, "JX11", "friendly")) == GAME.decode(CONTROLLED)
    assert isinstance(called(CONTROLLED, "JX11", "sudden"), Outcome)


def test_a_jutsu_placed_under_control_stays_in_reserve() -> None:
    given = "W: S@X10 B@Y9 / B: S@X13 $@Z16 / rB: J / a: - / to: B"
    after = GAME.decode(left(given, "J*X12", "piece-lenient"))
    assert after.reserve == ("", "J")
    assert after.discard == ("", "")


def test_a_touch_called_out_never_was() -> None:
    given = "W: S@X1 $@X4 / B: S@X13 $@Z16 / a: - / to: W"
    touched = GAME.play(GAME.decode(given), GAME.read("$tX13", GAME.decode(given)))
    assert touched.dying is not None
    assert "dying" not in left(given, "$tX13", "turn")


def test_a_dying_turn_called_out_is_over() -> None:
    given = "W: $@W1 / B: S@Y12 $@Y8 / dW: S / a: - / to: W / flags: dying=W@Y8"
    after = GAME.decode(left(given, "$tY12", "turn"))
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert outcome.winners == {"B"}
