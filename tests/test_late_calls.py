"""Late calls of turns of long ago, where the terms know them."""

import pytest

from engine.match.alarms import deadline
from engine.match.commands import Call, CallLate, Play, Resign
from engine.match.evolve import replay
from tests.table import DAY, Table, begun
from tests.test_calling import recorded


def answered(**terms: str) -> Table:
    """Anna's Sword has left its range in turn 1, which ben has answered; it is ben's turn again."""
    table = begun("veney", **{"umpire": "turn", "first": "white", **terms})
    table.play("$X9", "SX14", "SY3")
    return table


def test_a_turn_called_out_late_resets_the_board_and_the_innocent_player_moves_next() -> None:
    for terms in ({}, {"umpire": "piece-lenient"}, {"umpire": "time"}, {"umpire": "friendly"}):
        table = answered(**terms)
        before = table.now.position
        assert table.done(CallLate("ben", 1)) == ("CalledOut",)
        assert table.to_act == "ben"
        start = begun("veney", umpire="turn", first="white").now.position
        assert table.now.position.cells == start.cells
        assert table.now.position.retreated == before.retreated == (0, 0)
        assert replay(table.events, check=True) == table.now
        assert "already" in table.refused(CallLate("ben", 1))
    table = answered()
    table.play("SX13")
    assert table.to_act == "anna"
    assert table.done(CallLate("ben", 1)) == ("CalledOut",)
    assert table.to_act == "ben", "whoever's turn it was"


def test_a_late_call_that_does_not_hold_costs_what_two_wrong_calls_cost() -> None:
    table = answered()
    assert "still" in table.refused(CallLate("ben", 3))
    table = answered(falsecall="turn")
    table.play("SX13", "SY4")
    assert table.done(CallLate("ben", 3)) == ("CallFailed",)
    assert table.to_act == "anna"
    assert table.now.turns_owed == {"B": 1}
    assert table.done(Play("anna", "SY3")) == ("Played", "TurnLost")
    assert table.to_act == "anna"
    assert replay(table.events) == table.now
    assert recorded(table)
    timed = answered(falsecall="time", time="10d")
    timed.play("SX13", "SY4")
    timed.done(CallLate("ben", 3), after=0)
    assert deadline(timed.now) == timed.at + 8 * DAY


def test_what_was_called_out_already_or_is_over_cannot_be_called_out_late() -> None:
    table = begun("veney", umpire="turn", first="white")
    table.play("SY3")
    table.done(Call("ben"))
    table.play("SX14", "SY4")
    assert "already" in table.refused(CallLate("ben", 1))
    table.done(Resign("anna"))
    assert "over" in table.refused(CallLate("ben", 1))


@pytest.mark.parametrize(
    ("terms", "fact"),
    [
        ({"umpire": "sudden"}, "at once, and never later"),
        ({"delayed_reset": "off"}, "no late calls"),
    ],
)
def test_late_calls_are_heard_only_where_the_terms_know_them(terms: dict[str, str], fact: str) -> None:
    assert fact in answered(**terms).refused(CallLate("ben", 1))


def test_while_the_board_cannot_be_reset_nothing_is_called_out_late() -> None:
    table = begun("veney", umpire="turn", start="W: S@Y6 $@Y10 / B: S@Y11 $@W13 / a: - / to: W")
    table.play("$Y9", "SX11", "$tX11")
    assert table.now.position.dying is not None
    assert "can't be reset" in table.refused(CallLate("ben", 1))
