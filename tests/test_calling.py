"""Untenable turns that stand: who may call them out, until when, and what it costs."""

import pytest

from engine.match.alarms import LAST_WORD, alarms, deadline
from engine.match.commands import Acknowledge, AlarmFired, Answer, Call, Challenge, Offer, Play, Reply, Resign
from engine.match.events import CalledOut, Played
from engine.match.record.read import read_record, replayed
from engine.match.record.write import record_of
from engine.match.state import open_to_call
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


def test_whoever_let_an_end_stand_that_was_called_out_is_asked_anew_at_the_next() -> None:
    table = begun("chirality", ("ben", "carol"), side="red", start=ALMOST, umpire="turn")
    table.play(LAST)
    others = {player for player in table.now.seats.values() if player != "anna"}
    patient, caller = sorted(others)
    table.done(Acknowledge(patient))
    assert table.done(Call(caller))[0] == "CalledOut"
    table.play("B50-B46", "C50-C46", LAST)
    assert {table.now.seats[side] for side in table.now.sides_to_act} == others
    assert table.done(Acknowledge(patient)) == ("Acknowledged",)
    assert table.done(Acknowledge(caller)) == ("Acknowledged", "Ended")


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


def recorded(table: Table) -> bool:
    """Whether the match's record leads to the same position."""
    record = record_of(table.events, {}, None)
    *_, (_, again) = replayed(read_record(record.write()), 0)
    return bool(again.position == table.now.position)


def test_under_an_open_judge_a_match_goes_on_while_answers_are_awaited_and_after() -> None:
    table = begun("veney", umpire="turn", judge="open", setup="concealed", first="white")
    assert table.done(Reply("anna", "C$SB 5555")) == ("Replied",)
    assert table.now.sides_to_act == ("B",)
    assert "Replied" in table.done(Reply("ben", "C$SB 5555"))
    assert table.done(Play("anna", "eX6")) == ("Played",)
    assert table.now.status == "running"
