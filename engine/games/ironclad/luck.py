"""The die of Ironclad: thrown for a shot at a robot with stones on its corners."""

from dataclasses import replace

from engine.dice import Dice
from engine.games.ironclad.action import Turn
from engine.games.ironclad.board import INDEX
from engine.games.ironclad.play import destroys
from engine.games.ironclad.position import Position, cover
from engine.text import Text


def roll(position: Position, turn: Turn, dice: Dice) -> Turn:
    """A shot with its die thrown, where cover makes one due."""
    (move,) = turn
    if move.verb != "fire":
        return turn
    return (replace(move, roll=dice.roll(6) + 1 if cover(position, INDEX[move.target]) else 0),)


def describe_luck(turn: Turn, position: Position) -> tuple[Text, ...]:
    """What the die has decided."""
    (move,) = turn
    if not move.roll:
        return ()
    covered = cover(position, INDEX[move.target])
    if destroys(position, move):
        falls = Text(
            "The die shows {roll} against a cover of {cover}: the robot on {place} falls.",
            roll=move.roll,
            cover=covered,
            place=move.target,
        )
        return (falls,)
    return (Text("The die shows {roll} against a cover of {cover}: the shot is lost.", roll=move.roll, cover=covered),)


def rolls(turn: Turn) -> str:
    """The roll that a turn records."""
    return " ".join(str(move.roll) for move in turn if move.roll)
