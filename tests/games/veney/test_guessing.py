"""Throws in Veney that are guessed: both sides choose in private, and what they chose decides."""

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games.veney import GAME
from engine.games.veney.position import Position

DICE = Dice(bytes(32))


def answered(position: Position, **texts: str) -> Position:
    for side, text in texts.items():
        ask = next(ask for ask in GAME.asks(position) if ask.side == side)
        position = GAME.answer(position, ask, text, DICE)
        assert GAME.decode(GAME.encode(position)) == position
    return position


def flying(black: str, how: str = "guess") -> Position:
    position = GAME.decode(f"W: S@W1 $@Z2 D@X2 / B: S@{black} / a: - / to: W / flags: throw={how}")
    return GAME.play(position, GAME.roll(position, GAME.read("throw", position), DICE))


@pytest.mark.parametrize(
    ("black", "right", "wrong"),
    [("X3", "2", "3"), ("X7", "2 odd", "2 even"), ("X10", "7", "8"), ("X14", "7 yz", "7 wx")],
)
def test_the_further_the_selves_are_the_more_is_guessed(black: str, right: str, wrong: str) -> None:
    hit = answered(flying(black), B="Y7", W=right)
    assert hit.dying is not None
    miss = answered(flying(black), W=wrong, B="Y7")
    assert miss.discard == ("D", "")
    assert GAME.to_act(miss) == "B"


def test_paper_hides_a_number() -> None:
    assert answered(flying("X10", "paper6"), B="4", W="4").dying is not None
    assert answered(flying("X10", "paper6"), B="4", W="5").dying is None
    for said in ("0", "7", "four"):
        with pytest.raises(NotationError):
            answered(flying("X10", "paper6"), B=said)
