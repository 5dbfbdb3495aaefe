"""How a game of Tokonoma ends where its rulebook is silent."""

import pytest

from engine.games import GAMES

GAME = GAMES["tokonoma"]


@pytest.mark.parametrize(
    ("position", "text", "winner"),
    [("5/6/1F4f/6/5 w", "c2c1", "W"), ("5/6/F4f1/6/5 b", "c6c7", "B")],
)
def test_the_mover_has_won_where_both_houses_are_captured(position: str, text: str, winner: str) -> None:
    standing = GAME.decode(position)
    after = GAME.play(standing, GAME.read(text, standing))
    ending = GAME.outcome(after, 1)
    assert ending is not None
    assert (ending.rule.ref, ending.winners) == ("house", {winner})
