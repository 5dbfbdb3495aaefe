"""Veney's rulings: rulings.txt leaves none of them out."""

from engine.games.veney.codes import RULES
from tests.rulings import rulings

RULINGS = rulings("veney")


REFUSED = {
    "2.0.13:occupied",
    "2.0.13:not-on-board",
    "2.0.12:occupied",
}
"""What the reader refuses as impossible to carry out, so that the judge is never asked about it in a match."""


def test_every_rule_that_a_turn_can_break_is_broken_in_one_ruling() -> None:
    broken = {ref for told in RULINGS for ref in told.broken}
    assert set(RULES) - broken == REFUSED
