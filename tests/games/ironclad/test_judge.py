"""What is said of an untenable action of Ironclad, and that to examine one is to judge, play and write it."""

from collections.abc import Iterator
from random import Random

import pytest

from engine.dice import Dice
from engine.game import Examined, NotationError
from engine.games.ironclad import GAME
from engine.games.ironclad.action import Turn
from engine.games.ironclad.position import Position

PLAY = (
    "rW: C4=3 D5=1 / rB: C6=2 F8=3 / sW: c4 c6 d9 / sB: f3 / last: d9 / mode: full / owner: W / half: {} / to: {}"
).format
FULL_GRID = (
    "rW: A1=1 / rB: F7=1 / sW: c1 e1 g1 b2 d2 f2 a3 c3 e3 g3 b4 d4 f4 a5 c5 e5 g5 b6 d6 f6 a7 c7 e7 g7 b8 d8 f8 a9 c9 "
    "e9 g9 / sB: d1 f1 a2 c2 e2 g2 b3 d3 f3 a4 c4 e4 g4 b5 d5 f5 a6 c6 e6 g6 b7 d7 f7 a8 c8 e8 g8 b9 d9 f9 / last: c1 "
    "/ mode: full / owner: W / half: - / to: W"
)
OVER = "rW: A8=1 / rB: F7=1 / sW: - / sB: - / last: - / mode: full / owner: B / half: - / to: B"
SLIDES = "White can place a stone, on a1 for example, and so slides none."


@pytest.mark.parametrize(
    ("position", "text", "said"),
    [
        (
            PLAY("-", "W"),
            "c4",
            [
                ("placing", "White has a stone on c4 already."),
                ("negation", "c4 is a corner of C4, where a robot stands."),
            ],
        ),
        (PLAY("-", "W"), "f3", [("placing", "Black has a stone on f3 already.")]),
        (PLAY("-", "W"), "d5", [("negation", "d5 is a corner of C4 and D5, where robots stand.")]),
        (PLAY("stones", "B"), "a1", [("halves", "The stones half of White's turn is played already.")]),
        (PLAY("robots", "B"), "C4-B4", [("halves", "The robots half of White's turn is played already.")]),
        (
            PLAY("-", "W"),
            "d9-e9",
            [("movement", SLIDES), ("circularity", "The stone on d9 is the one that was slid last.")],
        ),
        (PLAY("-", "W"), "f3-g4", [("movement", SLIDES), ("movement", "No line of the grid leads from f3 to g4.")]),
        (FULL_GRID, "d1-b1", [("movement", "The way from d1 to b1 is blocked on c1.")]),
        (FULL_GRID, "c1-b1", [("circularity", "The stone on c1 is the one that was slid last.")]),
        (PLAY("-", "W"), "C4-C7", [("robots", "The robot on C4 does not reach C7.")]),
        (PLAY("-", "W"), "C4-D5", [("robots", "A robot stands on D5 already.")]),
        (PLAY("-", "W"), "xD5", [("fire", "The robot on D5 is White's own.")]),
        (
            PLAY("-", "W"),
            "xF8",
            [("fire", "White's robots in range of F8 add up to 0, and the robot there is 3 high.")],
        ),
        (OVER, "d5", [("breakthrough", "The game is over.")]),
    ],
)
def test_every_rule_that_an_action_breaks_is_told_in_the_rulebooks_order(
    position: str, text: str, said: list[tuple[str, str]]
) -> None:
    given = GAME.decode(position)
    rulings = GAME.judge(given, GAME.read(text, given))
    assert [(ruling.rule.ref, str(ruling.because)) for ruling in rulings] == said


def described(position: Position, chosen: Random) -> Iterator[Turn]:
    """Actions that somebody might write here, tenable or not."""
    sites = list(GAME.board(position).outlines)
    for _ in range(40):
        one, other = chosen.sample(sites, 2)
        for text in (one, f"{one}-{other}", f"x{one}", f"x{one}(3)"):
            try:
                yield GAME.read(text, position)
            except NotationError:
                continue


@pytest.mark.parametrize("mode", ["full", "discourse"])
def test_to_examine_an_action_is_to_judge_play_and_write_it_tenable_or_not(mode: str) -> None:
    chosen, dice = Random(1), Dice(bytes(32))
    position, seen = GAME.setup({"mode": mode}, dice), {True: 0, False: 0}
    while GAME.outcome(position) is None:
        listed = list(GAME.turns(position))
        for turn in [*chosen.sample(listed, min(3, len(listed))), *described(position, chosen)]:
            examined = GAME.examine(position, turn)
            rulings = tuple(GAME.judge(position, turn))
            assert examined == Examined(turn, rulings, GAME.play(position, turn), GAME.write(turn, position))
            assert GAME.read(examined.text, position) == turn
            seen[not rulings] += 1
        position = GAME.play(position, GAME.roll(position, chosen.choice(listed), dice))
    assert all(seen.values())
