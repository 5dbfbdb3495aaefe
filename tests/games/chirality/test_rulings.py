"""Chirality's rules: rulings.txt leaves none of them out."""

from tests.rulings import rulings

RULINGS = rulings("chirality")


def test_every_rule_that_a_turn_can_break_is_broken_in_one_ruling() -> None:
    broken = {ref for told in RULINGS for ref in told.broken}
    assert broken == {"5.C", "7", "8", "9", "10", "15.1"}


def test_every_end_is_reached_in_one_ruling() -> None:
    ends = {ref for told in RULINGS for ref in told.ended_by}
    assert ends == {"15.1", "15.2", "15.3", "15.4", "15.5", "15.6"}
