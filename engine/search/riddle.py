"""A turn from a game that might have been played, to be told from those that hold."""

from dataclasses import dataclass
from typing import Any

from engine.appraisal import Appraising
from engine.dice import Dice
from engine.search.callout import slip

FEWEST, MOST = 4, 14
"""Turns played before the one that is asked about."""
TRIES = 12
"""Games that are played at most until a turn is found that can be mistaken."""
TAKING = 3
"""Of so many turns one takes what it can, so that boards do not stay as they were."""


@dataclass(frozen=True, slots=True)
class Riddle:
    """A position and the turn just made from it, as texts."""

    game: str
    position: str
    turn: str


def riddle(game: Appraising[Any, Any], seed: bytes, stood: str = "") -> Riddle:
    """The same seed, the same riddle; about half of them hold. `stood`: a position of a game to go on from, at most
    a few turns; else so many from the start."""
    dice = Dice(seed)
    holds = dice.roll(2) == 0
    begun = game.setup({option.key: option.default for option in game.options}, Dice(seed))
    found = Riddle(game.key, game.encode(begun), game.example(begun))
    for number in range(TRIES):
        if stood and number < TRIES // 2:
            position = _played(game, game.decode(stood), dice.roll(FEWEST), dice)
        else:
            position = _played(game, begun, FEWEST + dice.roll(MOST - FEWEST + 1), dice)
        turn = None if position is None else _chosen(game, position, dice)
        meant = turn if turn is None or holds else slip(game, position, turn, dice)
        if meant is not None and game.outcome(game.play(position, meant)) is None:  # an end tells too much
            return Riddle(game.key, game.encode(position), game.write(meant, position))
    return found


def _played(game: Appraising[Any, Any], position: Any, plies: int, dice: Dice) -> Any:
    """The position after so many turns; None where the game ends before."""
    for _ in range(plies):
        turn = _chosen(game, position, dice)
        if turn is None:
            return None
        position = game.play(position, turn)
    return position


def _chosen(game: Appraising[Any, Any], position: Any, dice: Dice) -> Any:
    """A tenable turn without luck in it; None where there is none."""
    if game.outcome(position) is not None or game.asks(position):
        return None
    likely = list(game.likely(position))
    if not likely:
        return None
    taking = dice.roll(TAKING) == 0
    turn = max(likely, key=lambda one: game.promise(position, one)) if taking else likely[dice.roll(len(likely))]
    return None if game.rolls(game.roll(position, turn, dice)) else turn
