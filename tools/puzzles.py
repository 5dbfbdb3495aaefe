"""Finds puzzles for `solve`: `python -m tools.puzzles tokonoma 2000` lets Riposte play itself until there are so many.

Games follow from seeds, so that the same command finds the same puzzles; what is in stock is kept, and the seeds go on
after those that were played for it.
"""

import argparse
import hashlib
import time
from collections.abc import Iterator
from typing import Any

from bot.commands.learning.stock import FOLDER
from engine.appraisal import Appraising
from engine.dice import Dice
from engine.games import GAMES
from engine.search.partner import level_of, think
from engine.search.puzzle import Puzzle, puzzle_at, read_puzzle
from engine.search.values import Task

PLIES = 160
"""A game that takes longer is given up."""
APART = 3
"""Turns between two puzzles of a game, so that they are not all alike."""


def main() -> None:
    """Add to the stock of a game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("count", type=int)
    parser.add_argument("--minutes", type=float, default=60)
    given = parser.parse_args()
    game, file = GAMES[given.game], FOLDER / f"{given.game}.txt"
    assert isinstance(game, Appraising), "Riposte plays it"
    first, *lines = file.read_text("utf-8").splitlines() if file.exists() else ["0"]
    known = {read_puzzle(game.key, line).position for line in lines}
    until, seed = time.monotonic() + 60 * given.minutes, int(first)
    while len(lines) < given.count and time.monotonic() < until:
        for puzzle in found(game, seed):
            if puzzle.position not in known:
                known.add(puzzle.position)
                lines.append(puzzle.write())
        seed += 1
        file.write_text("\n".join((str(seed), *lines)) + "\n", "utf-8")


def found(game: Appraising[Any, Any], seed: int) -> Iterator[Puzzle]:
    """The puzzles of one game between two levels."""
    luck = hashlib.sha256(f"{game.key} {seed}".encode()).digest()
    dice = Dice(luck)
    position, last = game.setup({}, dice), -APART
    for ply in range(PLIES):
        if game.outcome(position) is not None or game.asks(position):
            return
        if ply - last >= APART and (puzzle := puzzle_at(game, position)) is not None:
            last = ply
            yield puzzle
        side = game.to_act(position)
        level = level_of(game, 1 + (game.sides.index(side) + seed) % 2)
        turn = think(Task(game, side), position, level, hashlib.sha256(luck + bytes([ply])).digest()).turn
        if turn is None:
            return
        position = game.play(position, game.roll(position, turn, dice))


if __name__ == "__main__":
    main()
