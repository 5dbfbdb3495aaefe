"""Ironclad's rules: rulings.txt leaves none of them out."""

import pytest

from engine.games import GAMES
from tests.rulings import rulings

RULINGS = rulings("ironclad")


def test_every_rule_is_met_in_one_ruling() -> None:
    broken = {ref for told in RULINGS for ref in told.broken}
    ended = {ref for told in RULINGS for ref in told.ended_by}
    assert broken | ended | {"cover"} == {rule.ref for rule in GAMES["ironclad"].rules}


@pytest.mark.parametrize(
    ("half", "text", "refs"),
    [
        ("half: stones / to: B", "d9-d8", ["halves", "movement"]),
        ("half: stones / to: B", "d9", ["halves", "placing"]),
        ("half: stones / to: B", "a1", ["halves", "negation"]),
        ("half: robots / to: B", "A1-A3", ["halves", "robots"]),
        ("half: robots / to: B", "xF8", ["halves", "fire"]),
    ],
)
def test_that_a_half_is_played_already_is_told_before_what_else_is_wrong(half: str, text: str, refs: list[str]) -> None:
    game = GAMES["ironclad"]
    given = f"rW: A1=1 / rB: F8=1 / sW: d9 / sB: - / last: - / mode: full / owner: W / {half}"
    position = game.decode(given)
    assert [ruling.rule.ref for ruling in game.judge(position, game.read(text, position))] == refs


def test_in_the_discourse_game_a_robot_is_told_to_stand_still_however_it_is_moved() -> None:
    game = GAMES["ironclad"]
    position = game.decode(
        "rW: A1=1 / rB: F8=1 / sW: - / sB: - / last: - / mode: discourse / owner: W / half: - / to: W"
    )
    first = next(game.judge(position, game.read("A1-A3", position)))
    assert str(first.because) == "The robots stand still in the discourse game."
