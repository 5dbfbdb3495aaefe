"""Tirachen's rules: rulings.txt leaves none of them out."""

from engine.games import GAMES
from tests.rulings import rulings

RULINGS = rulings("tirachen")


def test_every_rule_is_met_in_one_ruling() -> None:
    broken = {ref for told in RULINGS for ref in told.broken}
    ended = {ref for told in RULINGS for ref in told.ended_by}
    assert broken | ended | {"pool"} == {rule.ref for rule in GAMES["tirachen"].rules}
