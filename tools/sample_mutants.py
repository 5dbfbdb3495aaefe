"""`python -m tools.sample_mutants 600 [SEED]`: the share of mutants that tests notice, from a sample drawn at random.

A whole run of `make mutants` takes hours; this one takes as long as its size. What mutmut prints lies in `mutants/log`.
"""

import random
import subprocess
import sys
from collections import Counter
from math import sqrt
from pathlib import Path

ROOMS = {"engine.match": "engine/match", "bot.commands": "bot/commands", "bot.messages": "narrator, prompts, sentences"}
MUTMUT = Path(sys.executable).with_name("mutmut")
LOG = Path("mutants/log")
NOTICED = ("killed", "timeout", "segfault")
LIKELY = 1.96
"""Standard deviations within which 95 of 100 samples lie."""


def main(size: int, seed: int) -> None:
    """Draw, run and count; one core."""
    _run("engine.match.fines*")  # any few: mutmut makes all mutants before it runs some
    drawn = random.Random(seed).sample(sorted(_states()), size)  # noqa: S311 (a sample to be drawn again, no secret)
    _run(*drawn)
    states = _states()
    kinds = Counter((_room(name), states[name]) for name in drawn)
    for room in sorted({room for room, _ in kinds}):
        counted = Counter({kind: n for (place, kind), n in kinds.items() if place == room})
        print(f"{room}: {_told(counted)}")
    print(f"all: {_told(Counter(states[name] for name in drawn))}")
    print(*(f"{states[name]}: {name}" for name in sorted(drawn) if states[name] not in NOTICED), sep="\n")


def _told(kinds: Counter[str]) -> str:
    """How many there are of each kind, and the share noticed with its bounds (Wilson's)."""
    n = kinds.total()
    share = sum(kinds[kind] for kind in NOTICED) / n
    middle = (share + LIKELY**2 / (2 * n)) / (1 + LIKELY**2 / n)
    away = LIKELY / (1 + LIKELY**2 / n) * sqrt(share * (1 - share) / n + LIKELY**2 / (4 * n**2))
    found = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f"{n} mutants, {found}; {share:.1%} noticed, with 95 % confidence {middle - away:.1%} to {middle + away:.1%}"


def _states() -> dict[str, str]:
    """What became of each mutant, by its name."""
    told = subprocess.run([MUTMUT, "results", "--all", "true"], capture_output=True, text=True, check=True).stdout
    lines = [line.strip().partition(": ") for line in told.splitlines()]
    return {name: state for name, _, state in lines if "__mutmut_" in name}


def _run(*names: str) -> None:
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("ab") as log:
        subprocess.run([MUTMUT, "run", "--max-children", "1", *names], stdout=log, stderr=log, check=True)


def _room(name: str) -> str:
    return next(told for prefix, told in ROOMS.items() if name.startswith(prefix))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
