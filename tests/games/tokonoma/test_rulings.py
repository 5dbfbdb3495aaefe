"""Tokonoma's rules, one by one, as rulings.txt tells them."""

from pathlib import Path

import pytest

from bot.verdicts import Answer, Request, judge

BLOCKS = [
    [line for line in block.splitlines() if not line.startswith("#")]
    for block in Path(__file__).with_name("rulings.txt").read_text().split("\n\n")
]
RULINGS = [
    pytest.param(dict(line.split(maxsplit=1) for line in told), id=title) for title, *told in filter(None, BLOCKS)
]


@pytest.mark.parametrize("told", RULINGS)
def test_ruling(told: dict[str, str]) -> None:
    answer = judge(Request("tokonoma", told["when"], told["given"]))
    assert isinstance(answer, Answer)
    assert answer.readable, answer.because
    assert " ".join(("tenable" if answer.tenable else "untenable", *answer.rules)) == told["then"]
    assert answer.after == told.get("after", answer.after)
    over = "-" if answer.outcome is None else " ".join((answer.outcome.rule, *answer.outcome.winners))
    assert over == told.get("over", over)


def test_every_rule_that_a_turn_can_break_is_broken_in_one_ruling() -> None:
    broken = {ref for told in RULINGS for ref in told.values[0]["then"].split()[1:]}  # type: ignore[union-attr]
    assert broken == {"flat", "arm", "blind", "star", "stacking", "covered", "movement", "occupied", "over"}
