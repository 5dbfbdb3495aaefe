"""Neither side of Veney is favoured: whatever is ruled for White is ruled for Black at the other end of the piste."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.game import NotationError
from engine.games.veney import GAME

CASES: list[dict[str, Any]] = [
    case
    for name in ("cases.json", "audit.json", "second_audit.json", "third_audit.json")
    for case in json.loads(Path(__file__).with_name(name).read_text())["cases"]
    if case["kind"] in ("turn", "sequence") and "==" not in case["turn"]  # a reset's array is turned, not reflected
]
OTHER = str.maketrans("WB", "BW")
OWNED = ("int", "noJ", "dying", "hira", "fire", "chaos", "shima")
"""Flags that begin with a side."""


def far(text: str) -> str:
    """Squares at the other end of the same line; hints of a step, meta-moves and sticks turned round as well."""
    text = re.sub(r"([WXYZ])(\d+)", lambda found: f"{found[1]}{17 - int(found[2])}", text)
    text = re.sub(r"\(([WB]+)\)", lambda found: found[0].translate(OTHER), text)
    text = re.sub(r"\be(\d+)(?=f?[WXYZ])", lambda found: f"e{17 - int(found[1])}", text)
    return re.sub(r"\ba([+-])(?=\s|$)", lambda found: "a-" if found[1] == "+" else "a+", text)


def turned(position: str) -> str:
    """The position with the sides' pieces exchanged, reflected so that every square changes colour."""
    fields = {name: rest.strip() for name, _, rest in (part.partition(":") for part in position.split(" / "))}
    swapped = {re.sub(r"[WB]$", lambda side: side[0].translate(OTHER), name): rest for name, rest in fields.items()}
    swapped["W"], swapped["B"] = far(swapped.get("W", "")), far(swapped.get("B", ""))
    swapped["to"] = fields["to"].translate(OTHER)
    point = re.fullmatch(r"(\^..)(\d+)", fields["a"])
    swapped["a"] = f"{point[1]}{16 - int(point[2])}" if point else far(fields["a"])
    if "flags" in fields:
        swapped["flags"] = " ".join(_flag(flag) for flag in fields["flags"].split())
    return " / ".join(f"{name}: {rest}" for name, rest in swapped.items())


def _flag(flag: str) -> str:
    name, _, value = flag.partition("=")
    if name in ("retW", "retB"):
        return f"ret{name[3].translate(OTHER)}={value}"
    if name in ("roll", "hiraused"):
        return f"{name}={value.translate(OTHER)}"
    if name in OWNED:
        return f"{name}={value[:1].translate(OTHER)}{far(value[1:])}"
    return f"{name}={far(value)}" if value else name


def told(position: str, turns: str) -> tuple[list[str], str]:
    """What the last turn breaks, and the position after it."""
    at = GAME.decode(position)
    broken: list[str] = []
    for text in turns.split(" ; "):
        turn = GAME.read(text, at)
        broken = [ruling.rule.ref for ruling in GAME.judge(at, turn)]
        at = GAME.play(at, turn)
    return broken, GAME.encode(at)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_what_is_ruled_for_one_side_is_ruled_for_the_other(case: dict[str, Any]) -> None:
    try:
        broken, after = told(case["position"], case["turn"])
    except NotationError:
        with pytest.raises(NotationError):
            told(turned(case["position"]), far(case["turn"]))
        return
    otherwise, mirrored = told(turned(case["position"]), far(case["turn"]))
    assert sorted(otherwise) == sorted(broken)
    if "trap=" not in after:
        winner = re.sub(r"(over=\S+:)([WB])", lambda found: found[1] + found[2].translate(OTHER), turned(after))
        assert GAME.decode(winner) == GAME.decode(mirrored)
