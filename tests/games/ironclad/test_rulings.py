"""Ironclad's rules, one by one, as rulings.txt tells them."""

from pathlib import Path

import pytest

from bot.verdicts import Answer, Request, judge
from engine.games import GAMES

BLOCKS = [
    [line for line in block.splitlines() if not line.startswith("#")]
    for block in Path(__file__).with_name("rulings.txt").read_text().split("\n\n")
]
RULINGS = [
    pytest.param(dict(line.split(maxsplit=1) for line in told), id=title) for title, *told in filter(None, BLOCKS)
]


@pytest.mark.parametrize("told", RULINGS)
def test_ruling(told: dict[str, str]) -> None:
    answer = judge(Request("ironclad", told["when"], told["given"]))
    assert isinstance(answer, Answer)
    word = "unreadable" if not answer.readable else "tenable" if answer.tenable else "untenable"
    assert " ".join((word, *answer.rules)) == told["then"], answer.because
    assert answer.after == told.get("after", answer.after)
    over = "-" if answer.outcome is None else " ".join((answer.outcome.rule, *sorted(answer.outcome.winners)))
    assert over == told.get("over", over)


def test_every_rule_is_met_in_one_ruling() -> None:
    told = [param.values[0] for param in RULINGS]
    broken = {ref for block in told for ref in block["then"].split()[1:]}  # type: ignore[index]
    ended = {block["over"].split()[0] for block in told if "over" in block} - {"-"}  # type: ignore[index,operator]
    assert broken | ended | {"cover"} == {rule.ref for rule in GAMES["ironclad"].rules}
