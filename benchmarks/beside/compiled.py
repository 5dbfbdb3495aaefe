"""The compiled engine beside the pure one, in one run: `python -m benchmarks.beside.compiled`, after `make compiled`.

Each measures in a process of its own, by turns, so that what else the machine does falls on both: nodes a second of
perft as a game counts them and of lines whose every leaf is made, python-chess's leaf-made perft beside them, and the
nodes a second of the search that Riposte thinks by.
"""

import json
import os
import subprocess
import sys
from collections import defaultdict
from functools import partial
from statistics import median
from time import process_time
from typing import Any

import chess

from benchmarks.games import _chess_lines, _lines
from benchmarks.search import NODES, OPENING, position_after
from engine.appraisal import Appraising, Level
from engine.dice import Dice
from engine.games import GAMES
from engine.search.partner import think
from engine.search.values import Task

ROUNDS = 5
SITE = "out/compiled/site"


def measured() -> dict[str, float]:
    """Returns nodes for each second of processor time, of whichever engine is found first."""
    game = GAMES["tokonoma"]
    start = game.setup({}, Dice(bytes(32)))
    told = {
        "tokonoma, perft 4 as it is counted": _rate(lambda: game.perft(start, 4)),
        "tokonoma, lines of 3, every leaf made": _rate(lambda: _lines(game, start, 3)),
        "python-chess, lines of 3, every leaf made": _rate(lambda: _chess_lines(chess.Board(), 3)),
    }
    for key, other in GAMES.items():
        if isinstance(other, Appraising):
            told[f"{key}, search"] = _rate(partial(_thought, other))
    return told


def _thought(game: Appraising[Any, Any]) -> int:
    """How many positions Riposte looks at for one turn, behind the opening."""
    position = position_after(game, OPENING)
    level = Level(NODES) if game.search == "tree" else game.levels[3]
    return think(Task(game, game.to_act(position)), position, level, bytes(32)).nodes


def _rate(count: Any) -> float:
    began = process_time()
    nodes = count()
    return float(nodes / (process_time() - began))


def main() -> None:
    """Print both, and what they have to each other."""
    rates: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for _ in range(ROUNDS):
        for kind, path in (("pure", "."), ("compiled", f"{SITE}{os.pathsep}.")):
            words = [sys.executable, "-P", "-m", "benchmarks.beside.compiled", "one"]
            done = subprocess.run(words, env={**os.environ, "PYTHONPATH": path}, capture_output=True, check=True)
            for name, rate in json.loads(done.stdout).items():
                rates[name][kind].append(rate)
    print("| nodes/s of processor time | pure | compiled | compiled to pure |\n|---|---:|---:|---:|")
    for name, kinds in rates.items():
        pure, compiled = median(kinds["pure"]), median(kinds["compiled"])
        print(f"| {name} | {pure:,.0f} | {compiled:,.0f} | {compiled / pure:.2f}x |")
    (counted, _, chess, *_) = ({kind: median(many) for kind, many in kinds.items()} for kinds in rates.values())
    for kind in ("pure", "compiled"):
        print(f"{kind}: perft of Tokonoma is {counted[kind] / chess[kind]:.1f}x python-chess's leaf-made perft")


if __name__ == "__main__":
    if sys.argv[1:] == ["one"]:
        print(json.dumps(measured()))
    else:
        main()
