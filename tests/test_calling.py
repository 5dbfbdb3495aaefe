"""Untenable turns that stand: who may call them out, until when, and what it costs."""

from dataclasses import replace

import pytest

from engine.match.alarms import LAST_WORD, alarms, deadline
from engine.match.commands import Acknowledge, Add, AlarmFired, Answer, Call, CallLate, Challenge, Offer, Play, Resign
from engine.match.events import CalledOut, Challenged, Played, TakenBack
from engine.match.evolve import evolve, replay
from engine.match.record.read import read_record, replayed
from engine.match.record.write import record_of
from engine.match.state import contest_left, open_to_call
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
    assert table.now.sides_to_act == ("B",)


@pytest.mark.parametrize("umpire", ["friendly", "turn", "piece", "sudden"])
def test_the_same_is_awaited_after_a_tenable_and_an_untenable_turn(umpire: str) -> None:
    wrong, right = untenable(umpire), begun(umpire=umpire)
    right.play("c7c5")
    assert wrong.now.sides_to_act == right.now.sides_to_act
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


# --- the window of a call -----------------------------------------------------------------------------------
MIDDLE = "P1: A3 A44 / P2: B44 B50 / P3: C44 C50 / res: 2 2 2 / to: P1 / quiet: 0"


def three(**terms: str) -> Table:
    """Of three, anna has made an untenable turn, the lot says who is next."""
    table = begun("chirality", ("ben", "carol"), side="red", start=MIDDLE, umpire="turn", **terms)
    table.play("A3-A8")
    return table


@pytest.mark.parametrize("seat", ["P1", "P2", "P3"])
def test_everybody_with_a_seat_may_call_the_standing_turn_out(seat: str) -> None:
    table = three()
    assert table.done(Call(table.now.seats[seat])) == ("CalledOut",)


def test_nobody_without_a_seat_may_call() -> None:
    table = three()
    assert "no seat" in table.refused(Call("zoe"))
    assert table.done(Call("anna")) == ("CalledOut",), "the turn still stands open"


def test_whoever_has_resigned_may_not_call_any_more() -> None:
    table = three()
    gone = table.now.seats["P3"]
    table.done(Resign(gone))
    assert "out of this match" in table.refused(Call(gone))


def test_the_window_of_a_turn_closes_with_the_next_player_s_turn_and_the_next_one_opens() -> None:
    table = three()
    assert [ply.number for ply in open_to_call(table.now)] == [1]
    table.play("B50-B46")
    assert [ply.number for ply in open_to_call(table.now)] == [2]
    for player in table.now.seats.values():
        assert "Turn 1 can no longer" in table.refused(Call(player, ply=1))


def test_a_call_names_a_turn_within_the_window_or_is_refused() -> None:
    table = begun("ironclad", umpire="turn")
    table.play("d5", "C1-C3", "d4")
    standing = [ply.number for ply in open_to_call(table.now)]
    assert standing == [2, 3], "the other's half, then the first half of one's own turn"
    for number in (standing[0] - 1, standing[-1] + 1):
        assert f"Turn {number} can no longer" in table.refused(Call("anna", ply=number))
    for number in standing:
        again = begun("ironclad", umpire="turn")
        again.play("d5", "C1-C3", "d4")
        assert again.done(Call("anna", ply=number)) == ("CalledOut",)


@pytest.mark.parametrize("late", [0, 1])
def test_a_call_may_come_at_the_last_instant_of_whoever_is_to_act_and_no_later(late: int) -> None:
    table = begun(umpire="turn", time="1d")
    table.play("e5e3")
    assert table.done(Call("ben"), after=DAY + late) == (("Flagged", "Ended") if late else ("CalledOut",))


@pytest.mark.parametrize("late", [0, 1])
def test_an_end_may_be_called_out_at_the_last_instant_of_the_last_word_and_no_later(late: int) -> None:
    table = untenable("turn", "e5c1")
    assert table.done(Call("ben"), after=LAST_WORD + late) == (("Ended",) if late else ("CalledOut",))


def test_what_is_merely_said_closes_no_window() -> None:
    table = untenable("turn")
    table.done(Offer("ben", "draw"))
    table.done(Answer("anna", False))
    table.done(AlarmFired("nudge"), after=5 * DAY // 2)
    table.refused(Play("ben", "no turn at all"))
    assert table.done(Call("ben")) == ("CalledOut",)


def test_a_turn_that_was_answered_stays_closed_when_the_answer_is_taken_back() -> None:
    table = untenable("turn")
    table.play("c1c3")
    table.done(Offer("ben", "takeback"))
    table.done(Answer("anna", True))
    assert table.to_act == "ben"
    assert open_to_call(table.now) == ()
    assert "No turn can be called out now" in table.refused(Call("ben"))


def test_when_the_match_is_over_nothing_is_open_to_a_call() -> None:
    table = untenable("turn")
    table.done(Resign("anna"))
    assert open_to_call(table.now) == ()
    assert "over" in table.refused(Call("ben"))


def test_a_call_that_fails_leaves_the_window_to_nobody_unless_calls_are_free() -> None:
    for falsecall, callers in (("three", ()), ("once", ()), ("none", ("anna", "ben"))):
        table = begun(umpire="turn", falsecall=falsecall)
        table.play("c7c5")
        assert table.done(Call("ben")) == ("CallFailed",)
        for caller in ("anna", "ben"):
            if caller in callers:
                assert table.done(Call(caller)) == ("CallFailed",)
            else:
                assert "Turn 1 has been called out already" in table.refused(Call(caller))


def test_a_call_that_does_not_hold_is_refused_and_once_per_turn_is_enough() -> None:
    table = begun(umpire="turn")
    table.play("c7c5")
    assert table.done(Call("ben")) == ("CallFailed",)
    assert table.to_act == "ben"
    assert "already" in table.refused(Call("ben"))
    table.play("c1c3")
    assert table.done(Call("anna")) == ("CallFailed",)


def test_a_wrong_call_may_cost_time_or_a_turn_where_the_terms_say_so() -> None:
    once, none = begun(umpire="turn", falsecall="once"), begun(umpire="turn", falsecall="none")
    time, turn = begun(umpire="turn", falsecall="time", time="10d"), begun(umpire="turn", falsecall="turn")
    for table in (once, none, time, turn):
        table.play("c7c5")
        assert table.done(Call("ben")) == ("CallFailed",)
    assert once.to_act == none.to_act == time.to_act == "ben"
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
    assert table.now.sides_to_act == ("B",)
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


# --- what a wrong call costs, and what a call names ---------------------------------------------------------
def wrongly_called(count: int, **terms: str) -> Table:
    """Ben has called out so many of anna's tenable turns, each as soon as it was made; then he answered."""
    table = begun(umpire=terms.pop("umpire", "turn"), start=LONG, **terms)
    for number in range(count):
        table.play(("e5e4", "e4e3", "e3e2", "e2e1")[number])
        assert table.done(Call("ben"))[0] == "CallFailed"
        if number < count - 1:
            table.play(("a1a2", "a2a3", "a3a4", "a4a5")[number])
    return table


LONG = "f4/6/7/6/4F w"


def test_three_wrong_calls_of_a_match_are_free_and_the_fourth_costs_the_turn() -> None:
    for free in (1, 2, 3):
        assert wrongly_called(free).to_act == "ben"
    fourth = wrongly_called(4)
    assert fourth.to_act == "anna"
    assert fourth.now.wrong_calls == {"ben": 4}


def test_each_player_has_free_calls_of_their_own() -> None:
    table = wrongly_called(3)
    table.play("a3a4")
    assert table.done(Call("anna")) == ("CallFailed",)
    assert table.to_act == "anna"


def test_under_a_time_penalty_the_fourth_wrong_call_costs_a_tenth_of_the_time() -> None:
    table = begun("veney", umpire="time", time="10d", first="white")
    for number, turn in enumerate(("SY3", "SY4", "SY3", "SY4")):
        table.play(turn)
        assert table.done(Call("ben"))[0] == "CallFailed"
        left = deadline(table.now)
        assert left == table.now.plies[-1].at + (10 if number < 3 else 9) * DAY
        if number < 3:
            table.play(("SX14", "SX13", "SX14")[number])


def test_a_wrong_call_of_one_s_own_turn_costs_what_any_wrong_call_costs() -> None:
    table = wrongly_called(3)
    table.play("a3a4")
    assert table.done(Call("ben")) == ("CallFailed",)
    assert table.to_act == "anna"
    assert table.done(Play("anna", "e2e1")) == ("Played", "TurnLost")
    assert table.to_act == "anna"
    assert replay(table.events) == table.now


def test_of_three_who_is_not_next_loses_the_next_turn_for_a_wrong_call() -> None:
    table = three(falsecall="turn", callfor="reason")
    waiting = next(p for p in table.now.seats.values() if p not in ("anna", table.to_act))
    next_one = table.to_act
    assert table.done(Call(waiting, reason="B50")) == ("CallFailed",)
    assert table.to_act == next_one
    turn = table.now.game.write(next(table.now.game.turns(table.now.position)), table.now.position)
    assert table.done(Play(next_one, turn)) == ("Played", "TurnLost")
    assert table.to_act == "anna"
    assert table.now.turns_owed == {table.now.side_of(waiting): 0}
    assert open_to_call(table.now)[-1].by == next_one, "who has lost the turn may still call what was played before"
    assert replay(table.events) == table.now


def test_what_the_first_version_called_limit_is_still_read() -> None:
    assert begun(umpire="turn", falsecall="limit").now.terms["falsecall"] == "once"
    table = Table()
    table.says(Challenge("1", "anna", "tokonoma", {"side": "white", "umpire": "turn"}, ("ben",), "web/lounge/"))
    challenged = table.events[0]
    assert isinstance(challenged, Challenged)
    stored = replace(challenged, terms={**challenged.terms, "falsecall": "limit"})
    match = replay([stored])
    assert match is not None
    assert match.terms["falsecall"] == "once"


def test_a_wrong_call_where_one_merely_has_to_answer_costs_no_turn() -> None:
    glare = "W: S@W9 D@X10 $@W2 / B: S@Z12 $@Z16 L@W16 / a: - / to: W"
    table = begun("veney", start=glare, umpire="turn", falsecall="turn")
    table.play("DtZ12~")
    assert table.to_act == "ben"
    assert table.done(Call("ben")) == ("CallFailed",)
    assert table.to_act == "ben"
    assert not any(table.now.turns_owed.values())


def test_where_a_call_must_name_the_reason_it_is_upheld_only_for_that() -> None:
    for reason, heard in (("flat", "CalledOut"), ("e3", "CalledOut"), ("F", "CalledOut"), ("e5", "CalledOut")):
        table = begun(umpire="turn", callfor="reason")
        table.play("e5e3")
        assert table.done(Call("ben", reason=reason))[0] == heard, reason
    for reason in ("arm", "c1", "S", "occupied"):
        table = begun(umpire="turn", callfor="reason")
        table.play("e5e3")
        assert table.done(Call("ben", reason=reason)) == ("CallFailed",), reason
        assert [ply.number for ply in open_to_call(table.now)] == [1], "the turn can still be called out"
        assert table.done(Call("ben", reason="flat")) == ("CalledOut",)


def test_a_call_without_its_reason_or_for_nothing_there_is_refused_and_costs_nothing() -> None:
    table = begun(umpire="turn", callfor="reason", falsecall="turn")
    table.play("e5e3")
    assert "names what is untenable" in table.refused(Call("ben"))
    assert "`rnage` is no piece, place or rule of Tokonoma" in table.refused(Call("ben", reason="rnage"))
    assert table.to_act == "ben"
    free = begun(umpire="turn")
    free.play("e5e3")
    assert "is no piece" in free.refused(Call("ben", reason="me")), "talk is no call"
    assert free.done(Call("ben", reason="e3")) == ("CalledOut",)


def test_a_wrong_reason_is_told_alike_whether_the_turn_is_tenable_or_not() -> None:
    said = []
    for turn in ("e5e3", "e5d5"):
        table = begun(umpire="turn", callfor="reason")
        table.play(turn)
        failed = table.says(Call("ben", reason="arm"))
        assert isinstance(failed, tuple)
        said.append(failed)
    assert said[0] == said[1]


def test_one_call_a_turn_is_each_caller_s_own_where_reasons_are_asked_for() -> None:
    table = begun(umpire="turn", callfor="reason", falsecall="once")
    table.play("e5e3")
    assert table.done(Call("anna", reason="arm")) == ("CallFailed",)
    assert table.done(Call("ben", reason="arm")) == ("CallFailed",), "the mover cannot use up the other's call"
    assert "one call a turn" in table.refused(Call("ben", reason="flat"))


def test_after_a_wrong_reason_that_costs_the_turn_the_turn_can_still_be_called_out() -> None:
    table = begun(umpire="turn", callfor="reason", falsecall="turn")
    table.play("e5e3")
    assert table.done(Call("ben", reason="arm")) == ("CallFailed",)
    assert table.to_act == "anna"
    table.play("c7c5")
    assert table.done(Call("ben", reason="flat")) == ("CalledOut", "TurnLost")
    assert "5/" not in table.position[:3]


def test_a_wrong_reason_stays_a_wrong_call_when_the_right_one_is_named_afterwards() -> None:
    table = begun(umpire="turn", callfor="reason", falsecall="turn")
    table.play("e5e3")
    table.done(Call("ben", reason="arm"))
    assert table.done(Call("ben", reason="flat")) == ("CalledOut", "TurnLost")
    assert table.to_act == "anna", "each has lost a turn"
    assert replay(table.events) == table.now


# --- ends that several must let stand, and who has gone -----------------------------------------------------
ALMOST = "P1: A1 B1 C1 D1 E44 / P2: B44 B50 / P3: C44 C50 / res: 2 2 2 / to: P1 / quiet: 0"
LAST = "E44-E1"


def test_an_end_that_several_must_let_stand_waits_for_the_last_of_them() -> None:
    table = begun("chirality", ("ben", "carol"), side="red", start=ALMOST, umpire="turn")
    table.play(LAST)
    assert table.now.status == "running"
    others = [player for player in table.now.seats.values() if player != "anna"]
    assert sorted(table.now.seats[side] for side in table.now.sides_to_act) == sorted(others)
    assert table.done(Acknowledge(others[0])) == ("Acknowledged",)
    assert "others'" in table.refused(Acknowledge(others[0]))
    assert table.done(Acknowledge(others[1])) == ("Acknowledged", "Ended")


def test_whoever_has_gone_in_a_game_for_three_is_out_of_offers_turns_and_the_last_word() -> None:
    table = three()
    gone = table.now.seats["P3"]
    stay = [player for player in table.now.seats.values() if player != gone]
    assert table.done(Resign(gone)) == ("Resigned",)
    assert table.done(Offer(stay[0], "draw")) == ("Offered",)
    assert "out of this match" in table.refused(Answer(gone, True))
    assert table.done(Answer(stay[1], True)) == ("Answered", "Ended"), "who is left decides"
    assert table.now.result is not None
    assert set(table.now.result.winners) == {"P1", "P2"}


# --- called out late, and halves that are added -------------------------------------------------------------
def answered(**terms: str) -> Table:
    """Anna's Sword has left its range in turn 1, which ben has answered; it is ben's turn again."""
    table = begun("veney", **{"umpire": "turn", "first": "white", **terms})
    table.play("$X9", "SX14", "SY3")
    return table


def recorded(table: Table) -> bool:
    """Whether the match's record leads to the same position."""
    record = record_of(table.events, {}, None)
    *_, (_, again) = replayed(read_record(record.write()), 0)
    return bool(again.position == table.now.position)


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


def test_a_half_that_is_added_makes_one_turn_of_both() -> None:
    table = begun("veney", umpire="turn", first="white", secondhalf="on")
    table.play("SY5")
    assert table.done(Add("anna", "$X6")) == ("Played",)
    whole = begun("veney", umpire="turn", first="white", secondhalf="on")
    whole.play("SY5 $X6")
    assert table.now.position == whole.now.position
    assert [ply.text for ply in table.now.plies] == ["SY5 $X6"]
    assert replay(table.events, check=True) == table.now
    assert recorded(table)
    assert [ply.number for ply in open_to_call(table.now)] == [1]
    assert table.done(Call("ben")) == ("CallFailed",)


def test_a_half_is_judged_with_the_turn_it_belongs_to() -> None:
    table = begun("veney", umpire="turn", first="white", secondhalf="on")
    table.play("SY3")
    table.done(Add("anna", "eW6"))
    played = table.events[-1]
    assert isinstance(played, Played)
    assert played.broken
    assert table.done(Call("ben")) == ("CalledOut",)
    assert table.to_act == "ben"
    refused = begun("veney", umpire="refuse", first="white", secondhalf="on")
    refused.play("SY3")
    assert refused.refused(Add("anna", "eW6"))
    assert [ply.text for ply in refused.now.plies] == ["SY3"], "the first half stands"


def test_nothing_is_added_once_somebody_else_has_acted_or_where_terms_allow_none() -> None:
    table = begun("veney", umpire="turn", first="white", secondhalf="on")
    assert "no turn" in table.refused(Add("anna", "$X6"))
    table.play("SY5")
    assert "no turn" in table.refused(Add("ben", "SX14"))
    table.play("SX14")
    assert "no turn" in table.refused(Add("anna", "$X6"))
    assert "made whole" in begun("veney", umpire="turn").refused(Add("anna", "$X6"))


@pytest.mark.parametrize(("clock", "left"), [("3d", 3 * DAY), ("10d+1d", 9 * DAY), ("hourglass10d", 4 * DAY)])
def test_adding_a_half_takes_no_more_time_and_gives_none(clock: str, left: int) -> None:
    table = begun("veney", umpire="turn", first="white", secondhalf="on", time=clock)
    table.done(Play("anna", "SY5"), after=DAY)
    once = dict(table.now.time_left)
    table.done(Add("anna", "$X6"), after=DAY)
    assert table.now.time_left == once
    assert deadline(table.now) == table.at + once["B"]
    assert once["W"] in (left, left + DAY)


def test_a_throw_in_the_half_that_is_added_falls_as_it_would_have_at_once() -> None:
    start = "W: S@X6 D@Y4 $@W2 / B: S@Y12 $@Z16 / a: - / to: W"
    whole, halves = (begun("veney", umpire="turn", secondhalf="on", start=start) for _ in range(2))
    whole.play("SX5 DtY12~")
    halves.play("SX5")
    assert halves.done(Add("anna", "DtY12~"))[0] == "Played"
    assert [ply.text for ply in halves.now.plies] == [ply.text for ply in whole.now.plies]
    assert "throw in it" in halves.refused(Add("anna", "$X3")) or halves.now.status == "over"


# --- no contest ---------------------------------------------------------------------------------------------
def idle(**terms: str) -> Table:
    """One turn of each side in which nobody has fenced: that is enough here."""
    table = begun("veney", **{"umpire": "turn", "first": "white", "nocontest": "1", **terms})
    table.play("SY3", "SX14")
    return table


def test_a_claim_of_no_contest_that_is_let_stand_is_a_draw() -> None:
    table = idle()
    assert table.done(Offer("ben", "nocontest")) == ("Offered",)
    assert table.done(Answer("anna", True)) == ("Answered", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("W", "B")


def test_who_contests_it_has_three_turns_of_their_own_and_then_it_is_a_draw() -> None:
    table = idle()
    table.done(Offer("ben", "nocontest"))
    assert table.done(Answer("anna", False)) == ("Answered",)
    for turn, left in (("SY4", 2), ("SX13", 2), ("SY3", 1), ("SX14", 1)):
        table.play(turn)
        assert contest_left(table.now) == left
    assert table.done(Play("anna", "SY4")) == ("Played",)
    assert table.now.ending is not None
    assert table.done(Acknowledge("ben")) == ("Acknowledged", "Ended")
    assert table.now.result is not None
    assert table.now.result.winners == ("W", "B")
    assert replay(table.events, check=True) == table.now


def test_placing_something_answers_a_claim_and_a_turn_called_out_does_not() -> None:
    table = idle()
    table.done(Offer("ben", "nocontest"))
    table.play("D*Y2")
    assert contest_left(table.now) is None
    wrong = idle()
    wrong.done(Offer("ben", "nocontest"))
    wrong.play("D*X9")
    assert wrong.done(Call("ben")) == ("CalledOut",)
    assert contest_left(wrong.now) == 2, "the turn that was lost is one of the three"


def test_before_a_claim_may_be_made_while_one_is_contested_or_elsewhere_none_is() -> None:
    fresh = begun("veney", umpire="turn", first="white")
    assert "after 30 turns" in fresh.refused(Offer("anna", "nocontest"))
    assert "nobody can claim" in begun().refused(Offer("anna", "nocontest"))
    table = idle()
    table.done(Offer("ben", "nocontest"))
    table.done(Answer("anna", False))
    assert "contested" in table.refused(Offer("ben", "nocontest"))


def test_under_shima_both_have_lost_for_want_of_a_contest() -> None:
    start = "W: S@Y4 $@X4 / B: S@X13 $@Y13 / a: - / to: W / flags: shima=W:X9 nocontest=1"
    table = begun("veney", umpire="turn", start=start)
    table.play("SY3", "SX14")
    table.done(Offer("ben", "nocontest"))
    table.done(Answer("anna", True))
    assert table.now.result is not None
    assert table.now.result.winners == ()


# --- debts that a right call makes void ---------------------------------------------------------------------
def next_two(table: Table) -> tuple[str, str]:
    """Who is next after anna's turn, and who after them."""
    return table.to_act, next(p for p in table.now.seats.values() if p not in ("anna", table.to_act))


def untenable_turn(table: Table) -> str:
    """A piece of whoever acts goes further than it may."""
    letter = {"P1": "A", "P2": "B", "P3": "C"}[table.now.game.to_act(table.now.position)]
    return f"{letter}44-{letter}8"


def test_of_three_a_turn_paid_at_once_is_owed_once_more_when_another_calls_rightly() -> None:
    table = three(falsecall="turn", callfor="reason")
    first, second = next_two(table)
    assert table.done(Call(first, reason="B50")) == ("CallFailed",)
    assert table.to_act == second, "the price is paid at once"
    assert table.done(Call(second, reason="A8")) == ("CalledOut", "TurnLost")
    assert table.to_act == second, "the turn is lost again, now that the first loss was taken back"
    assert table.now.turns_owed == {table.now.side_of(first): 0}
    assert replay(table.events, check=True) == table.now


def test_of_three_a_turn_paid_when_due_is_owed_once_more_when_another_calls_rightly() -> None:
    table = three(falsecall="turn", callfor="reason")
    first, second = next_two(table)
    table.done(Call(second, reason="B50"))
    assert table.done(Play(first, untenable_turn(table))) == ("Played", "TurnLost")
    place = table.now.plies[-1].text.partition("-")[2]
    assert table.done(Call("anna", reason=place)) == ("CalledOut", "TurnLost")
    assert table.to_act == "anna"
    assert replay(table.events, check=True) == table.now


def test_of_three_time_paid_at_once_is_owed_once_more_when_another_calls_rightly() -> None:
    table = three(falsecall="time", callfor="reason", time="10d")
    first, second = next_two(table)
    table.done(Call(first, reason="B50"))
    assert deadline(table.now) == table.now.plies[-1].at + 9 * DAY
    assert table.done(Call(second, reason="A8")) == ("CalledOut",)
    assert table.to_act == first
    assert deadline(table.now) == table.at + 9 * DAY


def test_of_three_time_paid_when_due_is_owed_once_more_when_another_calls_rightly() -> None:
    table = three(falsecall="time", time="10d", callfor="reason")
    first, second = next_two(table)
    table.done(Call(second, reason="B50"))
    table.done(Play(first, untenable_turn(table)))
    assert deadline(table.now) == table.at + 9 * DAY
    place = table.now.plies[-1].text.partition("-")[2]
    assert table.done(Call("anna", reason=place)) == ("CalledOut",)
    assert table.to_act == second
    assert deadline(table.now) == table.at + 9 * DAY


def test_of_three_a_bank_pays_at_once_and_once_more_when_another_calls_rightly() -> None:
    table = three(falsecall="time", callfor="reason", time="10d+1d")
    first, second = next_two(table)
    table.done(Call(first, reason="B50"))
    table.done(Call(second, reason="A8"))
    side = table.now.side_of(first)
    assert side is not None
    assert table.now.time_left[side] == 9 * DAY
    assert deadline(table.now) == table.at + 9 * DAY


def test_what_was_paid_before_the_turn_that_falls_stays_paid() -> None:
    table = three(falsecall="turn", callfor="reason")
    first, second = next_two(table)
    table.done(Call(first, reason="B50"))
    table.done(Play(second, untenable_turn(table)))
    place = table.now.plies[-1].text.partition("-")[2]
    assert table.done(Call("anna", reason=place)) == ("CalledOut",)
    assert table.now.turns_owed.get(table.now.side_of(first) or "", 0) == 0


def test_what_was_paid_after_a_turn_that_is_taken_back_is_owed_once_more() -> None:
    table = three(falsecall="turn", callfor="reason")
    first, second = next_two(table)
    table.done(Call(second, reason="B50"))
    table.done(Play(first, untenable_turn(table)))
    side = table.now.side_of(second)
    assert table.now.turns_owed == {side: 0}
    back = evolve(table.now, TakenBack(table.at, table.now.plies[-1].number))
    assert back.turns_owed == {side: 1}


def test_who_names_at_last_what_is_untenable_pays_all_the_same_for_what_they_named_before() -> None:
    table = three(falsecall="turn", callfor="reason")
    first, second = next_two(table)
    table.done(Call(first, reason="B50"))
    assert table.done(Call(first, reason="A8")) == ("CalledOut", "TurnLost")
    assert table.to_act == second
