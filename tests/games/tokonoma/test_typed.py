"""What people type on a phone, and what it is read as at the start."""

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games import GAMES

GAME = GAMES["tokonoma"]
START = GAME.setup({}, Dice(bytes(32)))
TYPED = (
    "c7c5",
    "C7C5",
    "c7 c5",
    "c7-c5",
    "c7 - c5",
    "c7–c5",
    "c7—c5",
    "c7->c5",
    "c7→c5",
    "c7, c5",
    "c7xc5",
    "c7 to c5",
    "from c7 to c5",
    "Arm c7 c5",
    "arm c7 to c5",
    "the arm on c7 to c5",
    "arm on c7 goes to c5",
    "The arm on c7 goes to c5.",
    "arm at c7 moves to c5",
    "my arm on c7 jumps to c5",
    "I move c7 to c5",
    "I move my arm from c7 to c5",
    "i play c7c5!",
    "hand c7 steps onto c5",
    "`c7c5`",
    "Ac5",
    "arm c5",
    "arm to c5",
    "the hand goes to c5",
)


@pytest.mark.parametrize("typed", TYPED)
def test_what_people_type_is_read(typed: str) -> None:
    assert GAME.write(GAME.read(typed, START), START) == "c7c5"


@pytest.mark.parametrize(
    "typed", ["I move", "my arm", "i play chess", "goes to", "I take it", "the arm goes", "c7 goes"]
)
def test_talk_describes_no_move(typed: str) -> None:
    with pytest.raises(NotationError):
        GAME.read(typed, START)
