"""What a wrong call, or a wrong reason, costs: at once, when due, and once more when another calls rightly."""

from dataclasses import replace

from engine.match.alarms import deadline
from engine.match.commands import Answer, Call, Challenge, Offer, Play
from engine.match.events import Challenged, TakenBack
from engine.match.evolve import evolve, replay
from engine.match.state import open_to_call
from tests.table import DAY, Table, begun
from tests.test_calling import three


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


def test_two_wrong_calls_before_one_s_turn_cost_two_turns_which_a_takeback_asks_for_again() -> None:
    table = three(falsecall="turn", callfor="reason")
    waiting = next(p for p in table.now.seats.values() if p not in ("anna", table.to_act))
    next_one, side = table.to_act, table.now.side_of(waiting)
    for number, place in enumerate(("B50", "A50"), start=1):
        assert table.done(Call(waiting, reason=place)) == ("CallFailed",)
        assert table.now.turns_owed == {side: number}

    def tenable() -> str:
        return table.now.game.write(next(table.now.game.turns(table.now.position)), table.now.position)

    assert table.done(Play(next_one, tenable())) == ("Played", "TurnLost")
    assert table.now.turns_owed == {side: 1}
    table.done(Offer(next_one, "takeback"))
    for other in (player for player in table.now.seats.values() if player != next_one):
        table.done(Answer(other, True))
    assert table.to_act == next_one
    assert table.now.turns_owed == {side: 2}
    for lost in (1, 0):
        assert table.done(Play(next_one, tenable())) == ("Played", "TurnLost")
        assert table.now.turns_owed == {side: lost}
        table.done(Play("anna", tenable()))
    assert table.to_act == next_one
    table.done(Play(next_one, tenable()))
    assert table.to_act == waiting
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
