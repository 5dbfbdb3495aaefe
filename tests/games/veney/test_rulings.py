"""Veney's rulings: rulings.txt leaves none of them out."""

from engine.games.veney.rules import RULES
from tests.rulings import rulings

RULINGS = rulings("veney")

REFUSED = {
    "2.0.12:occupied": "The Ruin is not put on an own piece",
    "2.0.13:occupied": "Nothing is placed on another piece",
    "2.0.13:not-on-board": "A piece that is not on the board is not withdrawn",
}
"""What the reader refuses as impossible to carry out, so that the judge is never asked about it in a match."""


def test_every_rule_that_a_turn_can_break_is_broken_in_one_ruling() -> None:
    broken = {ref for told in RULINGS for ref in told.broken}
    assert set(RULES) - broken == set(REFUSED)


def test_what_is_refused_is_not_even_readable() -> None:
    verdicts = {told.title: told.then for told in RULINGS}
    assert {verdicts[title] for title in REFUSED.values()} == {"unreadable"}


def test_every_rule_that_a_turn_can_break_is_only_just_kept_in_another() -> None:
    kept = {ref for told in RULINGS for ref in told.kept}
    assert kept == set(RULES)


def test_only_a_tenable_turn_keeps_a_rule() -> None:
    assert {told.then for told in RULINGS if told.kept} == {"tenable"}
