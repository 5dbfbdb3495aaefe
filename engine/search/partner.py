"""How Riposte chooses a turn at a level: the same seed, the same turn; low levels err on purpose."""

from dataclasses import dataclass, replace
from typing import Any

from engine.appraisal import Appraising, Level
from engine.dice import Dice
from engine.search.replies import Replies
from engine.search.tree import Choice, Tree
from engine.search.values import Task

HOPELESS = 1_200
"""Points behind, both at once and as far as one can see, at which a game is given up."""
EVEN = 30
"""Points ahead up to which a draw is welcome."""
TOUCHED = 10_000
"""Points behind that mean an end which is already on the board: that is played out."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of thinking about a position."""

    turn: Any
    """None where there is none."""
    value: int
    standing: int
    """How the side stands before it acts."""
    nodes: int = 0

    @property
    def hopeless(self) -> bool:
        """Whether the game is better given up."""
        return -TOUCHED < self.standing < -HOPELESS and self.value < -HOPELESS

    @property
    def draws(self) -> bool:
        """Whether a draw would be welcome."""
        return self.standing < EVEN


def level_of(game: Appraising[Any, Any], number: int) -> Level:
    """A game's level by its number, from 1."""
    return game.levels[number - 1]


def earnest(game: Appraising[Any, Any], number: int) -> Level:
    """A level without what makes it err: for whoever asks for advice."""
    return Level(level_of(game, number).nodes, noise=0)


def think(task: Task[Any, Any], position: Any, level: Level, seed: bytes) -> Thought:
    """What a side does in a position; it must be the one to act."""
    game, side = task.game, task.side
    dice = Dice(seed)
    seen = game.seen_by(position, side)
    standing = game.evaluate(seen, side)
    hasty = level.hasty and dice.roll(100) < level.hasty
    found = _searched(task, seen, replace(level, nodes=0) if hasty else level, dice)
    if found is None:
        return Thought(None, standing, standing)
    if level.blunders and dice.roll(100) < level.blunders:
        some = list(game.likely(seen))
        found = Choice(some[dice.roll(len(some))], found.value, 0, found.nodes)
    return Thought(found.turn, found.value, standing, found.nodes)


def _searched(task: Task[Any, Any], position: Any, level: Level, dice: Dice) -> Choice | None:
    def noise() -> int:
        return dice.roll(level.noise + 1)

    kind = Tree if task.game.search == "tree" else Replies
    return kind(task, level.nodes, noise).best(position)
