"""Turns that are taken back: by consent, freely, and what falls with them."""

import pytest

from engine.match.alarms import deadline
from engine.match.commands import (
    Answer,
    Call,
    Offer,
    Play,
)
from engine.match.evolve import replay
from engine.match.snapshot.same import same
from tests.table import DAY, begun


def test_a_turn_is_taken_back_by_consent_together_with_the_answer_to_it() -> None:
    table = begun()
    table.play("c7c5", "c1c3")
    table.done(Offer("anna", "takeback"))
    assert table.done(Answer("ben", True)) == ("Answered", "TakenBack")
    assert table.position == begun().position
    assert table.to_act == "anna"


def test_without_a_turn_there_is_nothing_to_take_back() -> None:
    assert "no turn" in begun().refused(Offer("anna", "takeback"))


def test_terms_may_rule_takebacks_out() -> None:
    table = begun(takeback="none")
    table.play("c7c5")
    assert "no takebacks" in table.refused(Offer("anna", "takeback"))


def test_terms_may_let_one_side_alone_take_turns_back() -> None:
    table = begun("veney", takeback="black", first="white")
    table.play("a+", "a-")
    assert "Black only" in table.refused(Offer("anna", "takeback"))
    assert table.done(Offer("ben", "takeback")) == ("Offered",)


def test_where_takebacks_are_as_usual_both_sides_may_ask_in_a_friendly_game_alone() -> None:
    strict, friendly = begun("veney", first="white"), begun("veney", first="white", umpire="friendly")
    for table in (strict, friendly):
        table.play("a+", "a-")
    assert "no takebacks" in strict.refused(Offer("ben", "takeback"))
    assert friendly.done(Offer("ben", "takeback")) == ("Offered",)


def test_a_penalty_that_was_paid_cannot_be_taken_back() -> None:
    table = begun(umpire="turn")
    table.play("c7c5")
    table.done(Play("ben", "c1a4"))
    table.done(Call("anna"))
    assert "no turn" in table.refused(Offer("anna", "takeback"))


def test_after_a_wrong_call_that_costs_the_turn_nothing_before_it_can_be_taken_back() -> None:
    table = begun(umpire="turn", falsecall="turn")
    table.play("c7c5")
    table.done(Offer("anna", "draw"))
    assert table.done(Call("ben")) == ("CallFailed",)
    assert table.now.offers == ()
    assert "no turn" in table.refused(Offer("anna", "takeback"))
    assert table.now.rolls == 0
    assert replay(table.events, check=True) == table.match


def test_a_turn_made_anew_can_be_called_out_though_the_one_it_replaces_held() -> None:
    table = begun(umpire="turn")
    table.play("c7c5")
    table.done(Call("ben"))
    table.done(Offer("anna", "takeback"))
    table.done(Answer("ben", True))
    table.play("e5e3")
    assert table.done(Call("ben")) == ("CalledOut",)


def test_what_is_on_offer_falls_with_the_turns_that_are_taken_back() -> None:
    table = begun()
    table.play("c7c5")
    table.done(Offer("anna", "draw"))
    table.done(Offer("anna", "takeback"))
    table.done(Answer("ben", True, "takeback"))
    assert table.now.offers == ()


def test_a_position_counts_as_often_as_it_stands_after_turns_are_taken_back() -> None:
    table = begun()
    table.play("b6a4", "d1e2", "a4b6", "e2d1", "b6a4")
    table.done(Offer("anna", "takeback"))
    table.done(Answer("ben", True))
    assert table.now.counts[same(table.now.game, table.now.position)] == 2
    assert sum(table.now.counts.values()) == 5


def test_where_takebacks_are_free_the_last_turn_is_revised_without_asking_until_the_other_has_acted() -> None:
    table = begun(takeback="free")
    table.play("c7c5")
    assert table.done(Offer("anna", "takeback")) == ("TakenBack",)
    assert table.position == begun().position
    table.play("c7c5", "c1c3")
    assert table.done(Offer("anna", "takeback")) == ("Offered",), "the other has acted, so it takes consent"
    assert table.done(Offer("ben", "takeback")) == ("TakenBack",)


def test_taking_back_freely_gives_no_time_back() -> None:
    table = begun(takeback="free", time="3d")
    table.done(Play("anna", "c7c5"), after=2 * DAY)
    table.done(Offer("anna", "takeback"), after=DAY)
    assert deadline(table.now) == table.at + DAY
    bank = begun(takeback="free", time="10d+1d")
    bank.done(Play("anna", "c7c5"), after=2 * DAY)
    bank.done(Offer("anna", "takeback"), after=DAY)
    assert bank.now.time_left["W"] == 8 * DAY
    assert deadline(bank.now) == bank.at + 8 * DAY


@pytest.mark.parametrize(
    ("term", "mine", "theirs"), [("free-white", "TakenBack", "White only"), ("free", "TakenBack", "")]
)
def test_takebacks_may_be_free_for_one_side_alone(term: str, mine: str, theirs: str) -> None:
    table = begun(takeback=term)
    table.play("c7c5")
    assert table.done(Offer("anna", "takeback")) == (mine,)
    table.play("c7c5", "c1c3")
    if theirs:
        assert theirs in table.refused(Offer("ben", "takeback"))
    else:
        assert table.done(Offer("ben", "takeback")) == ("TakenBack",)
