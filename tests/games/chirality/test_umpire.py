"""What is said of an untenable turn of Chirality: every clause that it breaks, in the order of the text."""

import pytest

from engine.games.chirality import GAME

INNER = "A14 A20 B10 B13 B19"


@pytest.mark.parametrize(
    ("position", "turn", "said"),
    [
        (
            "P1: A3 A8 / P2: C44 / res: 0 0 / to: P1",
            "A3-A8",
            [
                ("8", "a piece of Red stands on A8"),
                (
                    "8",
                    "the Thick piece on A3 moves to a Thin tile across a full edge: A2 and A6; "
                    "A8 does not touch it by a full edge",
                ),
            ],
        ),
        (
            "P1: A44 / P2: C44 / res: 0 0 / to: P1",
            "*C44",
            [
                ("9", "Red has no piece in reserve"),
                ("9", "Red stands on no tile of Gate 3 and holds no Inner Garrison to Muster from afar"),
                ("9", "a piece of Blue stands on C44"),
            ],
        ),
        (
            "P1: A44 / P2: A3 / res: 5 0 / to: P1",
            "*A3",
            [("9", "A3 belongs to no Gate"), ("9", "a piece of Blue stands on A3")],
        ),
        (
            f"P1: {INNER} / P2: D50 / res: 11 0 / to: P1",
            "*D50",
            [
                ("9", "a piece of Blue stands on D50"),
                ("10", "an enemy stands on Gate 4, at D50, so it is closed to Remote Mustering"),
                ("10", "Red stands on no tile of Gate 4, and it is not on the half of the board of I2"),
                ("10", "a remotely Mustered piece enters on a Thick tile of the Gate, D44 and D45; D50 is Thin"),
            ],
        ),
        (
            f"P1: A51 {INNER} / P2: C44 / res: 10 0 / to: P1",
            "*A51",
            [("9", "a piece of Red stands on A51")],
        ),
        (
            "P1: A3 / P2: A44 / res: 15 15 / to: P1 / gates: 1 -",
            "A3-A44",
            [
                ("5.C", "Red places the first piece on its own Gate 1, which is A44, A45, A50 and A51"),
                ("5.C", "a piece of Blue stands on A44"),
            ],
        ),
    ],
)
def test_every_clause_that_a_turn_breaks_is_told_in_the_order_of_the_text(
    position: str, turn: str, said: list[tuple[str, str]]
) -> None:
    given = GAME.decode(position)
    rulings = GAME.judge(given, GAME.read(turn, given))
    assert [(ruling.rule.ref, ruling.because) for ruling in rulings] == said
