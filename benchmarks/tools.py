"""The commands as a program uses them: the CPU time of whole processes, start-up included."""

import json
import subprocess
import sys
from collections.abc import Iterator
from random import Random

from benchmarks.table import Row, alternate, seconds
from engine.dice import Dice
from engine.games import GAMES

LINES = 50_000
RIPOSTE = (sys.executable, "-m", "bot")


def rows() -> Iterator[Row]:
    requests = "".join(_requests("tokonoma")).encode()

    def judge_lines() -> None:
        subprocess.run((*RIPOSTE, "judge", "--jsonl"), input=requests, stdout=subprocess.DEVNULL, check=True)

    def judge_one() -> None:
        command = (*RIPOSTE, "judge", "--game", "tokonoma", "--turn", "c7c5")
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

    def import_chess() -> None:
        subprocess.run((sys.executable, "-c", "import chess"), check=True)

    mine, _ = alternate(judge_lines, clock="children", samples=3)
    rate = LINES / mine.typical
    what = f"riposte judge --jsonl, {LINES:,} lines of tokonoma"
    yield Row(what, f"{rate:,.0f} lines/s", goal=">= 5,000/s", met=rate >= 5_000)
    one, bare = alternate(judge_one, import_chess, clock="children")
    ratio = f"{one.typical / bare.typical:.2f}x"
    yield Row("riposte judge, one turn, from the shell", str(one), f"{seconds(bare.typical)} (import chess)", ratio)


def _requests(key: str) -> Iterator[str]:
    """Turns of random games, one after another, each with the position before it."""
    game, chosen, asked = GAMES[key], Random(1), 0
    while True:
        position = game.setup({}, Dice(bytes(32)))
        while game.outcome(position) is None:
            turn = chosen.choice(list(game.turns(position)))
            request = {"id": asked, "game": key, "position": game.encode(position), "turn": game.write(turn, position)}
            yield json.dumps(request) + "\n"
            asked += 1
            if asked == LINES:
                return
            position = game.play(position, turn)
