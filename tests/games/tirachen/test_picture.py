"""What a picture of Tirachen shows of a turn: what it took, where the captor hides it, and where it does not."""

import pytest

from engine.dice import Dice
from engine.games.tirachen import GAME
from render.alt_text import describe

HOME = GAME.setup({}, Dice(bytes(32)))
CAPTURE = "P@d2; P@d8; mobilize; mobilize; d2-d3; d8-d7; d3-d4; d7-d6; d4-d5"


@pytest.mark.parametrize(("turn", "told"), [("d6xd5", "Red pike on d5 has left the board."), ("d8-d7", "")])
def test_a_picture_says_what_was_captured_by_the_piece_that_stands_there_now(turn: str, told: str) -> None:
    position = HOME
    for text in CAPTURE.split("; "):
        made = GAME.read(text, position)
        if text == turn:
            break
        position = GAME.play(position, made)
    drawn = GAME.draw_turn(position, GAME.read(turn, position), None)
    assert [note for note in map(str, drawn.notes) if "left the board" in note] == ([told] if told else [])
    assert [said for said in map(str, describe(drawn)) if "left the board" in said] == ([told] if told else [])
