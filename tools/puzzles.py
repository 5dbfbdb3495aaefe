"""Finds puzzles for `solve`: `python -m tools.puzzles tokonoma 2000` plays games until there are so many.

Games follow from seeds, so that the same command finds the same puzzles. The file is written anew after each game, and
whoever asks again goes on with the next seed. `--prove` proves all that are in stock again and drops what does not hold
any more, which is due whenever a game counts its pieces differently.
"""

import argparse
import hashlib
import time
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any

from bot.commands.learning.stock import FOLDER
from engine.appraisal import Appraising
from engine.dice import Dice
from engine.games import GAMES
from engine.search.puzzle import EVERY_KIND, Kind, Puzzle, proof, puzzle_at, read_puzzle, solutions
from engine.teaching.likeness import Standing, likenesses

PLIES = 300
"""A game that takes longer is given up."""
OPENING = 6
"""Turns drawn by lot, so that no two games are alike."""
LOOKS = (2, 6, 1_000)
"""Among how many turns, drawn by lot, a side plays the one that leaves it best; unlike players bring ends about."""
APART = 3
"""Turns between two puzzles of a game, so that they are not all alike."""
NEAR = 8
"""Turns before an end among which long wins, and what saves, are looked for."""
MOST = 60
"""Of a hundred puzzles in stock, how many at most are of one kind and depth: some are found wherever one looks."""


def main() -> None:
    """Add to the stock of a game, or prove all of it again."""
    parser = argparse.ArgumentParser()
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("count", type=int)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--prove", action="store_true")
    given = parser.parse_args()
    game, file = GAMES[given.game], FOLDER / f"{given.game}.txt"
    assert isinstance(game, Appraising), "Riposte plays it"
    seed, puzzles = kept(game, file)
    if given.prove:
        puzzles = [puzzle for puzzle in puzzles if holds(game, puzzle)]
        write(file, seed, puzzles)
    until = time.monotonic() + 60 * given.minutes
    known = {standing for puzzle in puzzles for standing in alike(game, puzzle)}
    while len(puzzles) < given.count and time.monotonic() < until:
        for puzzle in found(game, seed, wanted(puzzles, given.count)):
            as_seen = alike(game, puzzle)
            if not as_seen & known:
                known |= as_seen
                puzzles.append(puzzle)
        seed += 1
        write(file, seed, puzzles[: given.count])
    print(
        given.game, len(puzzles), dict(Counter(f"{puzzle.kind} {puzzle.count}" for puzzle in puzzles)), f"seed {seed}"
    )


def wanted(puzzles: Iterable[Puzzle], count: int) -> frozenset[tuple[Kind, int]]:
    """The kinds and depths of which a stock of so many puzzles has not enough yet."""
    there = Counter((puzzle.kind, puzzle.count) for puzzle in puzzles)
    return frozenset(kind for kind in EVERY_KIND if 100 * there[kind] < MOST * count)


def found(game: Appraising[Any, Any], seed: int, kinds: Container[tuple[Kind, int]] = EVERY_KIND) -> Iterator[Puzzle]:
    """The puzzles of these kinds in one game, from its end on."""
    stood = list(played(game, seed))
    over = game.outcome(stood[-1]) is not None
    last = len(stood) + APART
    for ply in range(len(stood) - 1, -1, -1):
        if last - ply < APART:
            continue
        puzzle = puzzle_at(game, stood[ply], kinds, deep=over and ply >= len(stood) - 1 - NEAR)
        if puzzle is not None:
            last = ply
            yield puzzle


def played(game: Appraising[Any, Any], seed: int) -> Iterator[Any]:
    """The positions of a game between two who look at some turns, and never further."""
    dice = Dice(hashlib.sha256(f"{game.key} {seed}".encode()).digest())
    position = game.setup({option.key: option.default for option in game.options}, dice)
    looks = {side: LOOKS[dice.roll(len(LOOKS))] for side in game.sides}
    for ply in range(PLIES):
        yield position
        if game.outcome(position) is not None or game.asks(position):
            return
        side, turns = game.to_act(position), list(game.likely(position))
        if not turns:
            return
        look = 1 if ply < OPENING else looks[side]
        if look < len(turns):
            turns = [turns[dice.roll(len(turns))] for _ in range(look)]
        after = [game.play(position, game.roll(position, turn, dice)) for turn in turns]
        position = max(after, key=lambda one: game.evaluate(one, side))


def kept(game: Appraising[Any, Any], file: Path) -> tuple[int, list[Puzzle]]:
    """The next seed, and what is in stock."""
    first, *lines = file.read_text("utf-8").splitlines() if file.exists() else ["0"]
    return int(first), [read_puzzle(game.key, line) for line in lines]


def write(file: Path, seed: int, puzzles: list[Puzzle]) -> None:
    """Keep the stock; whoever is interrupted loses one game."""
    beside = file.with_suffix(".new")
    beside.write_text("\n".join((str(seed), *(puzzle.write_proven() for puzzle in puzzles))) + "\n", "utf-8")
    beside.replace(file)


def holds(game: Appraising[Any, Any], puzzle: Puzzle) -> bool:
    """Whether a puzzle has its solution, no other, and the proof that is stored."""
    position = game.decode(puzzle.position)
    turns = list(solutions(game, position, puzzle.kind, puzzle.count))
    return [game.write(turn, position) for turn in turns] == [puzzle.solution] and proof(
        game, position, puzzle.kind, puzzle.count, turns[0]
    ) == puzzle.proof


def alike(game: Appraising[Any, Any], puzzle: Puzzle) -> frozenset[Standing]:
    """What stands on the board, however it is turned, mirrored, or sides swapped."""
    return likenesses(game, game.decode(puzzle.position))


if __name__ == "__main__":
    main()
