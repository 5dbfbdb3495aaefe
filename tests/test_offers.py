"""Offers of every kind are one mechanism: one at a time, three times at most, and gone when play goes on."""

import pytest

from engine.match.commands import Answer, Call, Offer, Offering
from engine.match.events import Played, Refusal
from engine.match.evolve import replay
from engine.match.offers import DONE, MOST_ASKED
from tests.table import Table, begun

VALUES: dict[Offering, str] = {"pause": "2d", "time": "1d", "terms": "time=9d"}
KINDS = sorted(DONE)
VENEY: dict[str, str] = {"umpire": "turn", "first": "white", "nocontest": "1"}
"""The terms of a game that has come to a standstill once each has made a turn; its board can be set up anew."""
TURNS: dict[bool, tuple[str, str]] = {False: ("e5e4", "e1e3"), True: ("SY4", "SX13")}
"""What is played after an offer, in Tokonoma and in Veney."""


def of_veney(what: Offering) -> bool:
    return what in ("reset", "nocontest")


def table_for(what: Offering) -> Table:
    """Both have made a turn, and White is to move; in a pause where it is about that."""
    if of_veney(what):
        table = begun("veney", ("ben",), "", time="3d", takeback="consent", **VENEY)
        table.play("SY3", "SX14")
        return table
    table = begun(time="3d", takeback="consent")
    table.play("c7c5", "c1c3")
    if what == "resume":
        table.done(Offer("anna", "pause", "2d"))
        table.done(Answer("ben", yes=True))
    return table


def offered(table: Table, what: Offering, by: str = "ben") -> None:
    assert table.done(Offer(by, what, VALUES.get(what, ""))) == ("Offered",)


@pytest.mark.parametrize("what", KINDS)
def test_an_offer_lapses_when_another_makes_a_turn_and_cannot_be_answered_any_more(what: Offering) -> None:
    table = table_for(what)
    offered(table, what)
    assert [offer.what for offer in table.now.offers] == [what]
    table.play(TURNS[of_veney(what)][0])
    assert table.now.offers == ()
    gone = "Nobody claims that" if what == "nocontest" else "Nothing is on offer"
    assert gone in table.refused(Answer("anna", yes=True, what=what))


@pytest.mark.parametrize("what", KINDS)
def test_of_what_one_offered_oneself_draws_and_terms_alone_outlast_one_s_own_turn(what: Offering) -> None:
    table = table_for(what)
    mine, theirs = TURNS[of_veney(what)]
    offered(table, what, "anna")
    table.play(mine)
    assert [offer.what for offer in table.now.offers] == ([what] if what in ("draw", "terms") else [])
    table.play(theirs)
    assert table.now.offers == ()


@pytest.mark.parametrize("what", KINDS)
def test_one_offer_of_each_kind_stands_at_a_time(what: Offering) -> None:
    table = table_for(what)
    offered(table, what)
    assert "already" in table.refused(Offer("ben", what, VALUES.get(what, "")))
    again = table.says(Offer("anna", what, VALUES.get(what, "")))
    if what in ("takeback", "time"):  # each for oneself
        assert isinstance(again, Refusal)
        assert "Somebody else" in str(again.because)
        assert [(offer.what, offer.by) for offer in table.now.offers] == [(what, "ben")]
    else:  # both have offered the same: it is agreed on
        assert not isinstance(again, Refusal)
        assert not [offer for offer in table.now.offers if offer.what == what]


def test_offers_of_several_kinds_stand_beside_each_other() -> None:
    table = table_for("draw")
    for what in ("draw", "takeback", "time", "terms", "pause"):
        offered(table, what)
    assert [offer.what for offer in table.now.offers] == ["draw", "takeback", "time", "terms", "pause"]
    assert "Several" in table.refused(Answer("anna", yes=True))
    assert table.done(Answer("anna", yes=False, what="draw")) == ("Answered",)
    assert [offer.what for offer in table.now.offers] == ["takeback", "time", "terms", "pause"]


def test_a_claim_of_no_contest_that_is_contested_cannot_be_made_again_until_the_contest_is_over() -> None:
    table = table_for("nocontest")
    offered(table, "nocontest")
    table.done(Answer("anna", yes=False, what="nocontest"))
    for by in ("ben", "anna"):
        assert "contested" in table.refused(Offer(by, "nocontest"))


@pytest.mark.parametrize("what", sorted(set(KINDS) - {"nocontest"}))
def test_nobody_is_pestered_with_an_offer_of_any_kind(what: Offering) -> None:
    table = table_for(what)
    for _ in range(MOST_ASKED):
        offered(table, what)
        table.done(Answer("anna", yes=False, what=what))
    assert "three times" in table.refused(Offer("ben", what, VALUES.get(what, "")))
    offered(table, what, "anna")


def agreed(table: Table, terms: str) -> None:
    table.done(Offer("anna", "terms", terms))
    assert table.done(Answer("ben", yes=True)) == ("Answered", "TermsChanged")


def test_no_turn_that_stands_is_judged_again_when_terms_change() -> None:
    table = begun(umpire="turn", time="3d")
    table.play("c7c4")  # untenable
    played = [event for event in table.events if isinstance(event, Played)]
    agreed(table, "takeback=none callfor=reason falsecall=turn")
    assert [event for event in table.events if isinstance(event, Played)] == played
    assert table.done(Call("ben"))[0] == "CalledOut", "by the terms that it was played on: without a reason"
    assert replay(table.events, check=True) == table.now


def test_a_wrong_call_costs_what_it_did_when_the_turn_was_made() -> None:
    table = begun(umpire="turn", time="3d", falsecall="none")
    table.play("c7c5")
    agreed(table, "falsecall=turn")
    assert table.done(Call("ben")) == ("CallFailed",)
    table.play("c1c3")
    assert (table.done(Call("anna")), table.to_act) == (("CallFailed",), "ben"), "it was her turn"
