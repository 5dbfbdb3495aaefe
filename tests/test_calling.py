"""Untenable turns that stand: who may call them out, until when, and what it costs."""

import pytest

from engine.match.alarms import LAST_WORD, alarms, deadline
from engine.match.commands import Acknowledge, AlarmFired, Answer, Call, Challenge, Offer, Play
from engine.match.events import CalledOut, Played
from engine.match.state import open_to_call, sides_to_act
from tests.table import DAY, Table, begun


def untenable(umpire: str, text: str = "e5e3") -> Table:
    """White has made a turn that its Flat cannot make."""
    table = begun(umpire=umpire)
    assert table.done(Play("anna", text)) == ("Played",)
    return table


def test_an_untenable_turn_stands_silently_and_the_log_alone_knows() -> None:
    table = untenable("friendly")
    played = table.events[-1]
    assert isinstance(played, Played)
    assert played.broken == ("flat",)
    assert sides_to_act(table.now) == ("B",)


@pytest.mark.parametrize("umpire", ["friendly", "turn", "piece", "sudden"])
def test_the_same_is_awaited_after_a_tenable_and_an_untenable_turn(umpire: str) -> None:
    wrong, right = untenable(umpire), begun(umpire=umpire)
    right.play("c7c5")
    assert sides_to_act(wrong.now) == sides_to_act(right.now)
    assert deadline(wrong.now) == deadline(right.now)
    assert alarms(wrong.now) == alarms(right.now)
    assert [p.number for p in open_to_call(wrong.now)] == [p.number for p in open_to_call(right.now)]


def test_called_out_in_a_friendly_match_it_is_taken_back_and_its_player_plays_again() -> None:
    table = untenable("friendly")
    assert table.done(Call("ben")) == ("CalledOut",)
    assert table.to_act == "anna"
    assert table.position == begun().position
    table.play("c7c5")


def test_called_out_under_turn_penalty_the_turn_is_lost() -> None:
    table = untenable("turn")
    table.done(Call("ben"))
    assert table.to_act == "ben"
    assert table.position == begun().position.replace(" w", " b")


def test_called_out_under_piece_penalty_the_piece_is_lost_too() -> None:
    table = untenable("piece")
    table.done(Call("ben"))
    assert table.to_act == "ben"
    assert table.position == "f3A+/b+4S+/a+b+3B+A+/s+4B+/a+4 b"


def test_called_out_under_sudden_death_the_match_is_lost() -> None:
    table = untenable("sudden")
    assert table.done(Call("ben")) == ("CalledOut", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("B",)


def test_the_mover_may_call_the_own_turn_out() -> None:
    table = untenable("turn")
    table.done(Call("anna"))
    called = table.events[-1]
    assert isinstance(called, CalledOut)
    assert called.by == "anna"
    assert table.to_act == "ben"


def test_a_half_stays_open_to_a_call_when_the_other_half_is_taken_back() -> None:
    table = begun("ironclad", umpire="turn")
    table.play("d5", "C1-C3", "d4")  # ben's robot has leapt for anna, and then it was his own turn
    table.done(Offer("ben", "takeback"))
    table.done(Answer("anna", True))
    assert [ply.text for ply in open_to_call(table.now)] == ["C1-C3"]
    assert table.done(Call("anna")) == ("CalledOut",)


def test_answering_a_turn_lets_it_stand_for_ever() -> None:
    table = untenable("turn")
    table.play("c1c3")
    table.done(Call("ben"))  # his own turn is the one that can be called now, and it holds
    assert type(table.events[-1]).__name__ == "CallFailed"
    assert "e3" not in table.refused(Call("anna"))


def test_a_call_that_does_not_hold_is_refused_and_once_per_turn_is_enough() -> None:
    table = begun(umpire="turn")
    table.play("c7c5")
    assert table.done(Call("ben")) == ("CallFailed",)
    assert table.to_act == "ben"
    assert "already" in table.refused(Call("ben"))
    table.play("c1c3")
    assert table.done(Call("anna")) == ("CallFailed",)


def test_a_wrong_call_may_cost_time_or_a_turn_where_the_terms_say_so() -> None:
    limit, none = begun(umpire="turn"), begun(umpire="turn", falsecall="none")
    time, turn = begun(umpire="turn", falsecall="time", time="10d"), begun(umpire="turn", falsecall="turn")
    for table in (limit, none, time, turn):
        table.play("c7c5")
        assert table.done(Call("ben")) == ("CallFailed",)
    assert limit.to_act == none.to_act == time.to_act == "ben"
    assert none.done(Call("ben")) == ("CallFailed",)
    assert deadline(time.now) == time.now.plies[-1].at + 9 * DAY
    assert turn.to_act == "anna"


def test_a_wrong_call_by_whoever_is_not_to_act_costs_nothing() -> None:
    table = begun(umpire="turn", falsecall="turn")
    table.play("c7c5")
    assert table.done(Call("anna")) == ("CallFailed",)
    assert table.to_act == "ben"


def test_a_game_without_a_reset_offers_none() -> None:
    assert "can't be reset" in begun().refused(Offer("anna", "reset"))


def test_a_match_may_begin_from_a_position_of_one_s_own() -> None:
    table = begun(start="5/6/1f5/6/1F3 w")
    assert table.position == "5/6/1f5/6/1F3 w"
    assert "over in that position" in Table().refused(
        Challenge("1", "anna", "tokonoma", {"start": "5/6/F6/6/5 b"}, ("ben",), "web/lounge/")
    )


def test_nothing_can_be_called_where_untenable_turns_are_refused() -> None:
    table = begun()
    table.play("c7c5")
    assert "refused at once" in table.refused(Call("ben"))


def test_nothing_can_be_called_before_the_first_turn_or_twice() -> None:
    table = begun(umpire="turn")
    assert "No turn can be called out now" in table.refused(Call("ben"))
    table.done(Play("anna", "e5e3"))
    table.done(Call("ben"))
    assert "No turn can be called out now" in table.refused(Call("ben"))


def test_an_untenable_win_can_be_called_out_and_the_end_waits_for_the_last_word() -> None:
    table = untenable("turn", "e5c1")  # straight into Black's house, over everything
    assert table.now.status == "running"
    assert sides_to_act(table.now) == ("B",)
    assert [alarm.kind for alarm in alarms(table.now)] == ["close"]
    assert "at its end" in table.refused(Play("ben", "c1c3"))
    assert table.done(Call("ben")) == ("CalledOut",)
    assert table.to_act == "ben"
    table.play("c1c3")


def test_an_untenable_win_that_is_let_stand_wins() -> None:
    table = untenable("turn", "e5c1")
    assert "others'" in table.refused(Acknowledge("anna"))
    assert table.done(Acknowledge("ben")) == ("Acknowledged", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("W",)


def test_an_end_that_nobody_calls_out_stands_after_a_day() -> None:
    table = untenable("turn", "e5c1")
    assert table.done(AlarmFired("close"), after=LAST_WORD - 1) == ()
    assert table.done(AlarmFired("close"), after=1) == ("Ended",)
