"""The other half of a double-move, added until the opponent has acted."""

import pytest

from engine.match.alarms import deadline
from engine.match.commands import Add, Call, Play
from engine.match.events import Played
from engine.match.evolve import replay
from engine.match.state import open_to_call
from tests.table import DAY, begun
from tests.test_calling import recorded


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
