"""What is said of an untenable turn of Chirality: every clause that it breaks, in the order of the text."""

import pytest

from engine.game import Examined
from engine.games.chirality import GAME
from tests.games.chirality.random_games import EXAMPLES, attempts, samples

INNER = "A14 A20 B10 B13 B19"


@pytest.mark.parametrize(
    ("position", "turn", "said"),
    [
        (
            "P1: A3 A8 / P2: C44 / res: 0 0 / to: P1",
            "A3-A8",
            [
                ("8", "A piece of Red stands on A8."),
                (
                    "8",
                    "The Thick piece on A3 reaches A2 and A6; A8 does not touch A3 by a full edge.",
                ),
            ],
        ),
        (
            "P1: A44 / P2: C44 / res: 0 0 / to: P1",
            "*C44",
            [
                ("9", "Red has no piece in reserve."),
                ("9", "Red stands on no tile of Gate 3 and holds no Inner Garrison to Muster from afar."),
                ("9", "A piece of Blue stands on C44."),
            ],
        ),
        (
            "P1: A44 / P2: A3 / res: 5 0 / to: P1",
            "*A3",
            [("9", "A3 belongs to no Gate."), ("9", "A piece of Blue stands on A3.")],
        ),
        (
            f"P1: {INNER} / P2: D50 / res: 11 0 / to: P1",
            "*D50",
            [
                ("9", "A piece of Blue stands on D50."),
                ("10", "An enemy on D50 closes Gate 4 to Remote Mustering."),
                ("10", "Red stands on no tile of Gate 4, and that Gate is not on the half of the board of I2."),
                ("10", "A remotely Mustered piece enters Gate 4 on a Thick tile, D44 or D45; D50 is Thin."),
            ],
        ),
        (
            f"P1: A51 {INNER} / P2: C44 / res: 10 0 / to: P1",
            "*A51",
            [("9", "A piece of Red stands on A51.")],
        ),
        (
            "P1: A3 / P2: C44 / res: 0 0 / to: P1",
            "A3-A4",
            [
                (
                    "8",
                    "The Thick piece on A3 reaches A2 and A6, not A4, which is Thick.",
                )
            ],
        ),
        (
            "P1: A2 / P2: C44 / res: 0 0 / to: P1",
            "A2-A6",
            [
                (
                    "8",
                    "The Thin piece on A2 reaches A1, A3, A4, A5, B1, B3 and E4, not A6, which is Thin.",
                )
            ],
        ),
        (
            "P1: A2 / P2: C44 / res: 0 0 / to: P1",
            "A2-C45",
            [
                (
                    "8",
                    "The Thin piece on A2 reaches A1, A3, A4, A5, B1, B3 and E4; C45 does not touch A2.",
                )
            ],
        ),
        (
            f"P1: {INNER} / P2: B44 B45 / res: 11 0 / to: P1",
            "*B44",
            [
                ("9", "A piece of Blue stands on B44."),
                ("10", "Enemies on B44 and B45 close Gate 2 to Remote Mustering."),
            ],
        ),
        (
            "P1: A3 / P2: C44 / res: 0 0 / to: P1",
            "pass",
            [("7", "A turn is one Move or one Muster, and this is neither.")],
        ),
        (
            "P1: A1 B1 C1 D1 E1 / P2: C44 / res: 0 0 / to: P2",
            "C44-C50",
            [("15.1", "The game is over.")],
        ),
        (
            "P1: A3 / P2: A44 / res: 15 15 / to: P1 / gates: 1 -",
            "A3-A44",
            [
                ("5.C", "Red places the first piece on Gate 1: A44, A45, A50 or A51."),
                ("5.C", "A piece of Blue stands on A44."),
            ],
        ),
    ],
)
def test_every_clause_that_a_turn_breaks_is_told_in_the_order_of_the_text(
    position: str, turn: str, said: list[tuple[str, str]]
) -> None:
    given = GAME.decode(position)
    rulings = GAME.judge(given, GAME.read(turn, given))
    assert [(ruling.rule.ref, str(ruling.because)) for ruling in rulings] == said


def test_to_examine_a_turn_is_to_judge_play_and_write_it_tenable_or_not() -> None:
    untenable = 0
    for position, chosen in samples(EXAMPLES):
        for turn in [*attempts(position, chosen), ()]:
            seen = GAME.examine(position, turn)
            rulings = tuple(GAME.judge(position, turn))
            assert seen == Examined(turn, rulings, GAME.play(position, turn), GAME.write(turn, position))
            assert GAME.tenable(position, turn) == (not rulings)
            untenable += bool(rulings)
    assert untenable
