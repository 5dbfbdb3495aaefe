"""What is said of an untenable turn of Tirachen: the fault that a player has to mend first comes first."""

import pytest

from engine.games import GAMES

TIRACHEN = GAMES["tirachen"]
BLOCKED = "R: G@e1 C@a5 P@c4 S@d5 F@b2 S@a1 P@a2 P@b1 / W: G@e9 F@f6 / T: e5 - / pR: - / pW: P9 / mob: RW / to: R"


def objections(text: str) -> list[tuple[str, str]]:
    position = TIRACHEN.decode(BLOCKED)
    return [
        (ruling.rule.ref, str(ruling.because)) for ruling in TIRACHEN.judge(position, TIRACHEN.read(text, position))
    ]


def test_what_is_wrong_with_the_capture_comes_before_what_is_wrong_with_the_extra_move() -> None:
    assert [ref for ref, _ in objections("Ca5xe5=T e5xf6")] == ["movement", "fort", "movement"]


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("Fb2-b3", "A fort never moves."),
        ("Sa1-b2", "The way of the master of arms from a1 to b2 is blocked on b1 and a2."),
        ("Pc4-c6", "A pike goes one step along a rank or file to an open square, and captures one step diagonally "
         "forward, so not from c4 to c6."),
        ("Pc4xd5", "Red's own master of arms stands on d5."),
    ],
)  # fmt: skip
def test_the_first_objection_is_the_fact_that_the_player_can_see(text: str, because: str) -> None:
    assert objections(text)[0][1] == because
