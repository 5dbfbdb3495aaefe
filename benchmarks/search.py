"""How fast Riposte thinks: nodes a second of its search, positions made and evaluated or expanded."""

from collections.abc import Iterator

from benchmarks.table import Row, alternate, seconds
from engine.appraisal import Appraising, Level
from engine.dice import Dice
from engine.games import GAMES
from engine.search.partner import think
from engine.search.values import Task

NODES = 2_000
GOALS = {"tokonoma": 60_000, "chirality": 50_000, "tirachen": 50_000, "ironclad": 50_000}
"""Nodes a second."""
OPENING = 12
"""Random plies before it thinks."""


def rows() -> Iterator[Row]:
    for key, game in GAMES.items():
        if not isinstance(game, Appraising):
            continue
        dice = Dice(bytes(32))
        position = game.setup({}, dice)
        for _ in range(OPENING):
            turns = list(game.turns(position))
            position = game.play(position, game.roll(position, turns[dice.roll(len(turns))], dice))
        task = Task(game, game.to_act(position))
        level = Level(NODES) if game.search == "tree" else game.levels[3]
        nodes = think(task, position, level, bytes(32)).nodes

        def act(task: Task[object, object] = task, position: object = position, level: Level = level) -> object:
            return think(task, position, level, bytes(32))

        timing, _ = alternate(act)
        if game.search == "replies":
            met = timing.typical <= 0.1
            yield Row(f"{key}: a turn against all replies", str(timing), goal="<= 100 ms", met=met)
            continue
        rate = nodes / timing.typical
        goal = GOALS.get(key)
        said = f"{rate / 1000:.1f} k nodes/s ({seconds(timing.typical)} for {nodes})"
        met = None if goal is None else rate >= goal
        yield Row(f"{key}: search", said, goal=f">= {goal // 1000} k/s" if goal else "", met=met)
