"""A rethrow never pays: what is taken back, called or repeated throws the same again, a later turn throws anew."""

import pytest

from engine.match.commands import Answer, Call, Offer, Play
from engine.match.events import Played, Refusal
from tests.table import Table
from tests.test_bound_dice import COVERED, begun


def thrown(table: Table) -> str:
    played = next(event for event in reversed(table.events) if isinstance(event, Played))
    return table.now.game.rolls(table.now.plies[-1].turn) if table.now.plies else played.text


def test_a_turn_that_was_taken_back_throws_the_same_again() -> None:
    table = begun("veney sticks", umpire="turn")
    table.play("DtX14~")
    first = thrown(table)
    assert first
    for _ in range(3):
        table.done(Offer("anna", "takeback"))
        table.done(Answer("ben", True))
        table.play("DtX14~")
        assert thrown(table) == first


@pytest.mark.parametrize("again", ["xC6", "xD7"])
def test_a_shot_that_was_taken_back_throws_the_same_again_at_whatever_it_is_aimed(again: str) -> None:
    for seed in range(1, 9):
        table = begun("ironclad", seed, umpire="turn", side="white")
        table.play("xC6")
        first = thrown(table)
        assert first
        table.done(Offer("anna", "takeback"))
        table.done(Answer("ben", True))
        table.play(again)
        assert thrown(table) == first


def test_a_shot_out_of_range_that_was_called_out_throws_the_same_again() -> None:
    start = COVERED.replace("C4=3 D5=3 E5=2", "A1=1 B1=1")
    for seed in range(1, 9):
        table = begun("ironclad", seed, umpire="friendly", side="white", start=start)
        throws = set()
        for _ in range(3):
            table.play("xC6")
            throws.add(thrown(table))
            assert "CalledOut" in table.done(Call("ben"))
        assert len(throws) == 1


def test_a_shot_of_a_later_turn_throws_anew() -> None:
    seen = set()
    for seed in range(1, 40):
        table = begun("ironclad", seed, umpire="turn", side="white")
        table.play("xC6")
        one = thrown(table)
        later = begun("ironclad", seed, umpire="turn", side="white")
        later.play("a5", "xC6")
        seen.add(one == thrown(later))
    assert seen == {True, False}


def throws_again(seed: int) -> bool | None:
    """Whether a turn that was taken back throws the same again, under one seed; None if it ends the match."""
    table = begun("veney sticks", seed, umpire="turn")
    throws = set()
    for _ in range(3):
        table.play("DtX14~")
        throws.add(thrown(table))
        if isinstance(table.says(Offer("anna", "takeback")), Refusal):
            return None
        table.done(Answer("ben", True))
    return len(throws) == 1


def test_offers_and_calls_in_vain_change_no_throw() -> None:
    throws = set()
    for meanwhile in ((), (Offer("anna", "draw"), Answer("ben", False)), (Offer("ben", "draw"),)):
        table = begun("veney sticks", umpire="turn", falsecall="none")
        for command in meanwhile:
            table.done(command)
        table.play("DtX14~")
        throws.add(thrown(table))
    assert len(throws) == 1


def test_an_untenable_throw_that_costs_nothing_throws_the_same_again() -> None:
    start = "W: S@W9 D@X10 $@W2 / B: S@Z12 $@Z16 / a: - / to: W"
    throws = set()
    table = begun("veney sticks", umpire="friendly", start=start)
    for _ in range(4):
        table.play("DtW12~")  # it flies sideways too: untenable
        throws.add(thrown(table))
        assert "CalledOut" in table.done(Call("ben"))
    assert len(throws) == 1


def test_the_throw_of_a_later_turn_is_another_one() -> None:
    seen = set()
    for seed in range(1, 40):
        table = begun("veney d10", seed, umpire="turn")
        table.play("DtX14~")
        one = thrown(table)
        later = begun("veney d10", seed, umpire="turn")
        later.play("SX1", "SX13", "DtX13~")
        seen.add(one == thrown(later))
    assert seen == {True, False}


@pytest.mark.parametrize("text", ["DtX9~ retreat", "retreat DtX9~"])
@pytest.mark.parametrize("throw", ["sticks", "d6"])
def test_no_warning_tells_how_a_throw_would_fall(text: str, throw: str) -> None:
    """A hit wins, a miss gives the game up: who is warned of the miss alone has looked at the throw for nothing."""
    start = "W: S@W5 D@X8 / B: S@X9 $@Z12 / a: - / to: W"
    for seed in range(1, 25):
        table = begun("veney sticks", seed, umpire="turn", start=start, throw=throw)
        told = table.says(Play(table.to_act, text))
        assert isinstance(told, Refusal), "warned whatever the dice say"
        assert "gives the game up" in str(told.because)
        table.done(Play(table.to_act, f"{text} sure"))
