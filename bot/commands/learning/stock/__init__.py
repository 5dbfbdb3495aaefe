"""The puzzles in stock, a file for each game: how far its seeds have been played, then a puzzle a line."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from engine.search.puzzle import Puzzle, read_puzzle

FOLDER = Path(__file__).parent


@cache
def stock(game: str) -> Sequence[Puzzle]:
    """The puzzles of a game; none where nobody has looked for any."""
    file = FOLDER / f"{game}.txt"
    if not file.exists():
        return ()
    return tuple(read_puzzle(game, line) for line in file.read_text("utf-8").splitlines()[1:])
