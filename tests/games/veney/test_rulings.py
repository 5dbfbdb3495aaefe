"""Veney's rulings, one by one, as rulings.txt tells them."""

from pathlib import Path

import pytest

from bot.verdicts import Answer, Request, judge
from engine.games.veney.codes import RULES

BLOCKS = [
    [line for line in block.splitlines() if not line.startswith("#")]
    for block in Path(__file__).with_name("rulings.txt").read_text().split("\n\n")
]
RULINGS = [
    pytest.param(dict(line.split(maxsplit=1) for line in told), id=title) for title, *told in filter(None, BLOCKS)
]


@pytest.mark.parametrize("told", RULINGS)
def test_ruling(told: dict[str, str]) -> None:
    answer = judge(Request("veney", told["when"], told["given"]))
    assert isinstance(answer, Answer), answer
    if told["then"] == "unreadable":
        assert not answer.readable
        return
    assert answer.readable, answer.because
    verdict = "tenable" if answer.tenable else "untenable"
    assert " ".join((verdict, *sorted(set(answer.rules)))) == told["then"]
    assert answer.after is not None
    left = answer.after.split(" / ")
    assert set(told.get("after", left[0]).split(" & ")) <= set(left), answer.after
    over = "-" if answer.outcome is None else " ".join((answer.outcome.rule, *answer.outcome.winners))
    assert over == told.get("over", over)


REFUSED = {
    "2.0.13:not-in-reserve",
    "2.0.13:occupied",
    "2.0.13:not-on-board",
    "2.0.12:occupied",
}
"""What the reader refuses as impossible to carry out, so that the judge is never asked about it in a match."""


def test_every_rule_that_a_turn_can_break_is_broken_in_one_ruling() -> None:
    broken = {ref for told in RULINGS for ref in told.values[0]["then"].split()[1:]}  # type: ignore[union-attr]
    assert set(RULES) - broken - REFUSED == {"2.0.23:dagger-limit"}
