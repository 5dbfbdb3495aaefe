"""Who may attack whom in Veney, cell by cell: the chart of the rulings beside what the judge and the piste say."""

import pytest

from bot.cli.judge import Answer, Request, judge

TARGETS = ["S", "$", "D", "G", "C", "B", "L", "J", "e", "a", "R"]

CHART = {
    # attacker: what becomes of     S     $       D       G       C    B    L    J     e    a    R
    "S": "                          -     -       -       -       fend fend fend fend  fend fend -",
    "$": "                          touch disarm  disarm  disarm  fend fend take fend  fend fend -",
    "D": "                          touch disarm  disarm  disarm  fend fend take fend  fend fend -",
    "G": "                          -     deflect deflect deflect fend take fend fend  fend fend -",
    "C": "                          -     capture capture -       fend fend take fend  fend fend -",
    "B": "                          -     -       -       -       fend fend fend take  fend fend -",
    "L": "                          -     -       -       -       take fend fend fend  fend fend -",
    "J": "                          -     -       -       take    fend fend fend both  fend fend -",
    "e": "                          -     -       -       -       fend fend fend fend  fend fend -",
    "a": "                          -     -       -       -       fend fend fend fend  fend .    -",
}

STANDS = {
    "S": "S@X8",
    "$": "S@Z7 $@X6",
    "D": "S@Z7 D@X6",
    "G": "S@Z7 G@X8",
    "C": "S@Z7 C@W7",
    "B": "S@Y6 B@Z7",
    "L": "S@Z9 L@X11",
    "J": "S@Z7 J@X7",
    "e": "S@Z7 e@W8",
    "a": "S@Z7",
}
"""White's men so that the attacker sees X9; the free engagement attacks Y9 from the light square X8."""

CELLS = [
    pytest.param(attacker, target, fate, id=f"{attacker} on {target}: {fate}")
    for attacker, row in CHART.items()
    for target, fate in zip(TARGETS, row.split(), strict=True)
    if fate != "."
]


def attack(attacker: str, target: str, support: str = "") -> Answer:
    """White's attacker goes where Black's target stands; `support` is one more white piece."""
    at = "Y9" if attacker == "a" else "X9"
    white = " ".join(filter(None, (STANDS[attacker], support)))
    home = "S@Z12" if target == "G" else "S@Z16"  # or the Guard would be overextended
    black = f"S@{at}" if target == "S" else home if target == "a" else f"{home} {target}@{at}"
    if target != "$":
        black += " $@W16"
    free = "X8" if attacker == "a" else at if target == "a" else "-"
    turn = f"eW{at}" if attacker == "e" else f"{attacker}{at}"
    answer = judge(Request("veney", turn, f"W: {white} / B: {black} / a: {free} / to: W"))
    assert isinstance(answer, Answer)
    return answer


def after(answer: Answer, field: str) -> list[str]:
    """What one field of the position after the turn lists."""
    assert answer.after is not None
    fields = dict(part.split(": ", 1) for part in answer.after.split(" / "))
    return fields.get(field, "").split()


@pytest.mark.parametrize(("attacker", "target", "fate"), CELLS)
def test_what_becomes_of_a_piece_that_is_attacked(attacker: str, target: str, fate: str) -> None:
    answer = attack(attacker, target)
    if fate == "-":
        assert not answer.tenable
        return
    if fate == "disarm":
        assert answer.rules == ("2.0.14:no-disarm",), "nothing else sees it"
        answer = attack(attacker, target, support="C@Z8")
    assert answer.tenable, answer.because
    match fate:
        case "fend":
            assert after(answer, "a") == ["^XY8"] if target == "a" else target in after(answer, "rB")
        case "take" | "disarm":
            assert target in after(answer, "dB")
        case "both":
            assert (after(answer, "dB"), after(answer, "dW")) == (["J"], ["J"])
        case "capture":
            assert {"C@X9"} <= set(after(answer, "W"))
            assert {f"{target}@X9"} <= set(after(answer, "B"))
        case "deflect":
            assert f"{target}@X10" in after(answer, "B")
        case "touch":
            assert "dying=B@X9" in after(answer, "flags")


def test_a_dagger_disarms_nobody_while_the_own_sword_is_there() -> None:
    assert attack("D", "G", support="C@Z8").tenable
    assert attack("D", "G", support="C@Z8 $@W5").rules == ("2.0.14:no-disarm",)


@pytest.mark.parametrize("blade", ["$", "D"])
def test_a_blade_that_fends_a_balance_on_its_own_side_takes_the_jutsu_along(blade: str) -> None:
    position = f"W: S@Z5 {blade}@X4 / B: S@Z16 $@W16 B@X7 / rB: J / a: - / to: W"
    answer = judge(Request("veney", f"{blade}X7", position))
    assert isinstance(answer, Answer)
    assert answer.tenable, answer.because
    assert (after(answer, "rB"), after(answer, "dB")) == (["B"], ["J"])
