"""A claim of no contest: let stand, contested, or made too early."""

from engine.match.commands import Acknowledge, Answer, Call, Offer, Play
from engine.match.evolve import replay
from engine.match.state import contest_left
from tests.table import Table, begun


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


def test_without_a_claim_there_is_none_to_contest() -> None:
    assert "Nobody claims that" in begun("veney", umpire="turn").refused(Answer("anna", False, "nocontest"))
    assert "nobody can claim" in begun().refused(Answer("anna", False, "nocontest"))


def test_under_shima_both_have_lost_for_want_of_a_contest() -> None:
    start = "W: S@Y4 $@X4 / B: S@X13 $@Y13 / a: - / to: W / flags: shima=W:X9 nocontest=1"
    table = begun("veney", umpire="turn", start=start)
    table.play("SY3", "SX14")
    table.done(Offer("ben", "nocontest"))
    table.done(Answer("anna", True))
    assert table.now.result is not None
    assert table.now.result.winners == ()
