"""Chirality's rules, one by one, as rulings.txt tells them."""

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
    answer = judge(Request("chirality", told["when"], told["given"]))
    assert isinstance(answer, Answer)
    assert answer.readable, answer.because
    assert " ".join(("tenable" if answer.tenable else "untenable", *answer.rules)) == told["then"]
    assert answer.after == told.get("after", answer.after)
    over = "-" if answer.outcome is None else " ".join((answer.outcome.rule, *answer.outcome.winners))
    assert over == told.get("over", over)


def test_every_rule_that_a_turn_can_break_is_broken_in_one_ruling() -> None:
    broken = {ref for told in RULINGS for ref in told.values[0]["then"].split()[1:]}  # type: ignore[union-attr]
    assert broken == {"5.C", "7", "8", "9", "10", "15.1"}


def test_every_end_is_reached_in_one_ruling() -> None:
    ends = {told.values[0].get("over", "-").split()[0] for told in RULINGS}  # type: ignore[union-attr]
    assert ends == {"-", "15.1", "15.2", "15.3", "15.4", "15.5", "15.6"}
