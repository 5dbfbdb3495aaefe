"""Tokonoma's rules: rulings.txt leaves none of them out."""

from tests.rulings import rulings

RULINGS = rulings("tokonoma")


def test_every_rule_that_a_turn_can_break_is_broken_in_one_ruling() -> None:
    broken = {ref for told in RULINGS for ref in told.broken}
    assert broken == {"flat", "arm", "blind", "star", "stacking", "covered", "movement", "occupied", "over"}
