"""Challenges: who may answer, for how long, and which terms go together."""

import pytest

from engine.dice import commitment
from engine.match.alarms import alarms
from engine.match.commands import (
    Abort,
    AlarmFired,
    Amend,
    Answer,
    Challenge,
    Decline,
    Join,
    LoseContact,
    Offer,
    Rest,
)
from engine.match.events import (
    Amended,
    Challenged,
    Joined,
    Refusal,
    Started,
)
from engine.match.evolve import replay
from tests.table import DAY, HOUR, SEED, Table, begun


def test_a_challenge_waits_until_the_invited_player_accepts() -> None:
    table = Table()
    assert table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/")) == ("Challenged",)
    assert table.now.status == "open"
    assert table.done(Join("ben")) == ("Joined", "Started")
    assert set(table.now.seats.values()) == {"anna", "ben"}


def test_whoever_comes_first_may_accept_a_challenge_to_nobody_in_particular() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, (), "web/lounge/"))
    assert table.done(Join("carol")) == ("Joined", "Started")


def test_a_challenge_to_somebody_cannot_be_accepted_by_another() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/"))
    assert "somebody else" in table.refused(Join("carol"))


def test_nobody_can_challenge_themselves() -> None:
    assert "themselves" in Table().refused(Challenge("1", "anna", "tokonoma", {}, ("anna",), "web/lounge/"))


def test_a_challenge_that_nobody_answers_in_time_is_off() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, (), "web/lounge/", lasts=2 * DAY))
    assert [alarm.kind for alarm in alarms(table.now)] == ["expire"]
    assert table.done(AlarmFired("expire"), DAY) == ()
    assert table.done(AlarmFired("expire"), DAY) == ("Expired",)
    assert alarms(table.now) == ()


def test_an_acceptance_after_the_last_moment_comes_too_late_and_one_at_it_does_not() -> None:
    for late, happens in ((0, ("Joined", "Started")), (1, ("Expired",))):
        table = Table()
        table.done(Challenge("1", "anna", "tokonoma", {}, (), "web/lounge/", lasts=DAY))
        assert table.done(Join("ben"), DAY + late) == happens


def test_other_terms_wait_as_long_as_the_first_did() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/", lasts=DAY))
    table.done(Amend("ben", {"time": "5d"}), HOUR)
    assert table.now.expires == table.at + DAY


def test_each_acceptance_is_for_the_rules_of_its_day() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/"))
    rules = table.now.game.version
    table.match = table.now.but(version=rules - 1)  # proposed before the rules changed
    assert "rules of Tokonoma have changed" in table.refused(Join("ben"))
    assert table.done(Amend("ben", {"time": "3d"})) == ("Amended",)
    table.done(Join("anna"))
    signed = [event for event in table.events if isinstance(event, Amended | Joined)]
    assert [(event.by, event.version) for event in signed] == [("ben", rules), ("anna", rules)]


def test_a_seat_that_is_freed_is_drawn_anew_for_whoever_comes_next() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, (), "web/lounge/", share="a"))
    table.done(Join("ben", share="b"))
    assert table.done(Abort("ben")) == ("SeatFreed",)
    assert (table.now.status, table.now.joined, dict(table.now.shares)) == ("open", ("anna",), {"anna": "a"})
    assert "left it" in table.refused(Join("ben", share="other lots"))
    table.done(Join("carol", share="c"))
    assert replay(table.events) == table.now
    assert table.done(Abort("anna")) == ("Ended",)


def test_whatever_happened_before_a_seat_is_freed_leaves_no_trace_of_who_sat_there() -> None:
    table = Table()
    terms = {"formality": "formal", "side": "white", "time": "3d", "first": "white"}
    table.done(Challenge("1", "anna", "veney", terms, (), "web/lounge/", "moon shell", share="a"))
    before = table.now
    table.done(Join("ben", "button", share="b"))
    assert table.done(AlarmFired("nudge"), after=2 * DAY) == ("Nudged",)
    table.done(Rest("ben", vacation=((table.at, table.at + DAY),)))
    table.done(Offer("ben", "pause", "2d"))
    table.done(Answer("anna", True))
    table.done(Offer("anna", "draw"))
    table.done(LoseContact("ben", table.at))
    assert table.done(Abort("ben")) == ("SeatFreed",)
    later = {"expires": table.at + before.lasts, "left": frozenset({"ben"}), "terms_version": 2}
    counted = {"length": 0, "awaits": 0, "awaited_since": 0, "asked": {}}  # from the next start on
    assert vars(table.now.but(**counted)) == vars(before.but(**later, **counted))


def test_after_the_first_turn_nobody_frees_a_seat() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {"side": "white"}, (), "web/lounge/"))
    table.done(Join("ben"))
    table.play("c7c5")
    assert table.done(Abort("ben")) == ("Ended",)


def test_a_declined_challenge_is_off_for_good() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/"))
    assert table.done(Decline("ben")) == ("Declined",)
    assert "is off" in table.refused(Join("ben"))


def test_other_terms_can_be_proposed_and_then_the_challenger_must_accept() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {"time": "3d"}, ("ben",), "web/lounge/"))
    assert table.done(Amend("ben", {"time": "5d"})) == ("Amended",)
    assert "already" in table.refused(Join("ben"))
    assert table.done(Join("anna")) == ("Joined", "Started")
    assert table.now.terms["time"] == "5d"


def test_the_challenger_s_seat_is_kept_while_the_others_settle_the_terms() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "tokonoma", {}, ("ben",), "web/lounge/"))
    table.done(Amend("ben", {"time": "5d"}))
    assert "somebody else" in table.refused(Join("carol"))
    assert table.done(Amend("anna", {"time": "4d"})) == ("Amended",)
    assert table.done(Decline("anna")) == ("Declined",)


def test_whoever_had_joined_keeps_a_place_when_terms_are_proposed_anew() -> None:
    table = Table()
    table.done(Challenge("1", "anna", "chirality", {"players": "3"}, (), "web/lounge/"))
    table.done(Join("ben"))
    table.done(Amend("anna", {"time": "5d"}))
    table.done(Join("carol"))
    assert "somebody else" in table.refused(Join("dave"))
    assert table.done(Join("ben")) == ("Joined", "Started")


@pytest.mark.parametrize(
    ("terms", "fact"),
    [
        ({"umpire": "maybe"}, "`umpire=` cannot be `maybe`"),
        ({"colour": "red"}, "no term called `colour`"),
        ({"time": "soon"}, "`soon` is not a length of time"),
        ({"time": "90d"}, "Too long: at most 60d"),
        ({"time": "-5d"}, "not a length of time"),
        ({"time": "٣d"}, "not a length of time"),
    ],
)
def test_terms_that_the_sheet_does_not_know_are_refused(terms: dict[str, str], fact: str) -> None:
    assert fact in Table().refused(Challenge("1", "anna", "tokonoma", terms, ("ben",), "web/lounge/"))


def test_the_challenger_may_choose_a_side() -> None:
    for side, key in (("white", "W"), ("black", "B")):
        assert begun(side=side).now.seats[key] == "anna"


def test_seats_are_drawn_by_lot_from_the_match_s_own_seed() -> None:
    table = begun(side="lot")
    challenged, started = table.events[0], next(event for event in table.events if isinstance(event, Started))
    assert isinstance(challenged, Challenged)
    assert challenged.seed == SEED.hex()
    assert started.rolls == 1  # one number orders two players
    assert len(commitment(SEED)) == 64


@pytest.mark.parametrize(
    ("terms", "fact"),
    [
        ({"players": "3", "side": "violet"}, "Nobody plays `violet`"),
        ({"players": "3", "time": "hourglass 10d"}, "for two players"),
        ({"players": "9"}, "9 players need 9 Gates"),
        ({"players": "3", "start": "P1: A44 / P2: B44 / res: 2 2 / to: P2"}, "is for 2 players"),
    ],
)
def test_terms_that_do_not_go_together_are_refused_when_they_are_proposed(terms: dict[str, str], fact: str) -> None:
    assert fact in Table().refused(Challenge("1", "anna", "chirality", terms, (), "web/lounge/"))


def test_a_number_without_an_upper_end_is_told_without_one() -> None:
    refusal = Table().says(Challenge("1", "anna", "chirality", {"players": "two"}, (), "web/lounge/"))
    assert isinstance(refusal, Refusal)
    assert str(refusal.remedy) == "It is a number, 2 or more: `players=2`."
