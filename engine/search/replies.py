"""The best turns against each reply, for games in which a side has hundreds of turns: two plies, and what threatens."""

from collections.abc import Callable
from typing import Any, Generic

from engine.dice import Dice
from engine.game import M, P
from engine.search.tree import Choice
from engine.search.values import DECIDED, Task, worth

ALL_LOSING = 60
"""Turns against which replies are tried while every one loses."""
LOSES = 10_000
"""A reply that takes so much ends the game."""
THREATS = (0, 120, 180)
"""What it is worth to threaten the end with one turn, or with turns of several pieces."""


class Replies(Generic[P, M]):
    """One search; `nodes` is how many turns are held against the other side's replies."""

    def __init__(self, task: Task[P, M], nodes: int, noise: Callable[[], int] = lambda: 0) -> None:
        self._task = task
        self._kept = nodes
        self._noise = noise
        self.nodes = 0

    def best(self, position: P) -> Choice | None:
        """The best turn of the side that thinks, which is to act; None where there is none."""
        game = self._task.game
        scored = [
            (self._standing(after) + self._noise(), turn, after)
            for turn in game.likely(position)
            for after in (game.play(position, turn),)
        ]
        if not scored:
            return None
        self.nodes = len(scored)
        scored.sort(key=lambda one: -one[0])
        best, chosen = -10 * DECIDED, scored[0][1]
        for number, (standing, turn, after) in enumerate(scored[:ALL_LOSING]):
            if number >= self._kept and best > -LOSES:
                break
            value = standing + (self._threats(after) - self._worst(after) if self._open(after) else 0)
            if value > best:
                best, chosen = value, turn
        return Choice(chosen, best, 2, self.nodes)

    def _standing(self, after: P) -> int:
        """What a position is worth as it stands."""
        game, task = self._task.game, self._task
        end = game.outcome(after)
        if end is not None:
            return worth(task, end)
        return 0 if game.identity(after) in task.stood else game.evaluate(after, task.side)

    def _open(self, after: P) -> bool:
        """Whether the other side is to act now."""
        game = self._task.game
        return game.outcome(after) is None and not game.asks(after) and game.to_act(after) != self._task.side

    def _worst(self, after: P) -> int:
        """What the dearest reply takes."""
        game = self._task.game
        worst = 0
        for reply in game.likely(after):
            self.nodes += 1
            worst = max(worst, game.promise(after, reply))
        return worst

    def _threats(self, after: P) -> int:
        """What the side that thinks could end the game with, if the other one passed."""
        game = self._task.game
        passed = game.pass_turn(after, Dice(bytes(32)))
        if game.outcome(passed) is not None or game.to_act(passed) != self._task.side:
            return 0
        ending: dict[Any, None] = {}
        for turn in game.likely(passed):
            self.nodes += 1
            if game.promise(passed, turn) > LOSES:
                ending[turn[0].origin] = None
        return THREATS[min(len(ending), len(THREATS) - 1)]
