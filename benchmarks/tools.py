"""The commands as a program uses them: the CPU time of whole processes, start-up included."""

import json
import subprocess
import sys
from collections.abc import Iterator
from random import Random

from benchmarks.table import Row, alternate, seconds
from engine.dice import Dice
from engine.games import GAMES

ASKED = {
    "tokonoma": (50_000, 5_000),
    "chirality": (20_000, 3_000),
    "ironclad": (20_000, 3_000),
    "tirachen": (20_000, 3_000),
    "veney": (5_000, 3_000),
}
"""By game: how many lines are judged, and how many a second there should be."""
RIPOSTE = (sys.executable, "-m", "bot")


def rows() -> Iterator[Row]:
    for key, (lines, goal) in ASKED.items():
        yield _judged(key, lines, goal)

    def judge_one() -> None:
        command = (*RIPOSTE, "judge", "--game", "tokonoma", "--turn", "c7c5")
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

    def import_chess() -> None:
        subprocess.run((sys.executable, "-c", "import chess"), check=True)

    one, bare = alternate(judge_one, import_chess, clock="children")
    ratio = f"{one.typical / bare.typical:.2f}x"
    yield Row("riposte judge, one turn, from the shell", str(one), f"{seconds(bare.typical)} (import chess)", ratio)


def _judged(key: str, lines: int, goal: int) -> Row:
    requests = "".join(_requests(key, lines)).encode()

    def judge_lines() -> None:
        subprocess.run((*RIPOSTE, "judge", "--jsonl"), input=requests, stdout=subprocess.DEVNULL, check=True)

    mine, _ = alternate(judge_lines, clock="children", samples=3)
    rate = lines / mine.typical
    what = f"riposte judge --jsonl, {lines:,} lines of {key}"
    return Row(what, f"{rate:,.0f} lines/s", goal=f">= {goal:,}/s", met=rate >= goal)


def _requests(key: str, lines: int) -> Iterator[str]:
    """Turns of random games, one after another, each with the position before it."""
    game, chosen, dice, asked = GAMES[key], Random(1), Dice(bytes(32)), 0
    while True:
        position = game.setup({}, Dice(bytes(32)))
        while game.outcome(position) is None:
            turn = game.roll(position, chosen.choice(list(game.turns(position))), dice)
            request = {"id": asked, "game": key, "position": game.encode(position), "turn": game.write(turn, position)}
            yield json.dumps(request) + "\n"
            asked += 1
            if asked == lines:
                return
            position = game.play(position, turn)
