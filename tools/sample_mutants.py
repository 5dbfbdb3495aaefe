"""`python -m tools.sample_mutants 600 [SEED [CORES]]`: the share of mutants that tests notice, from a random sample.

A whole run of `make mutants` takes a day; this one takes as long as its size. It goes in rounds, each a sample by
itself: whoever stops it has the rounds that were told. A mutant is shown first those tests that pass through little
beside its function; all others only if it outlives these. What mutmut prints lies in `mutants/log`.
"""

import json
import random
import subprocess
import sys
from collections import Counter
from itertools import accumulate
from math import sqrt
from pathlib import Path
from typing import Any

ROOMS = {"engine.match": "engine/match", "bot.commands": "bot/commands", "bot.messages": "narrator, prompts, sentences"}
MUTMUT = Path(sys.executable).with_name("mutmut")
LOG, STATS = Path("mutants/log"), Path("mutants/mutmut-stats.json")
PASSED = "tests_by_mangled_function_name"
ANY = "bot.commands.suggestions.x__places__mutmut_1"
"""One that few tests pass through: mutmut makes all mutants before it runs some."""
ROUND = 150
"""Mutants that are run together: mutmut begins with those that few tests pass through."""
BUDGET = 8.0
"""Seconds of tests, as they took when they were listed, that a mutant is shown first."""
NOTICED = ("killed", "timeout", "segfault")
LIKELY = 1.96
"""Standard deviations within which 95 of 100 samples lie."""


def main(size: int, seed: int, cores: int) -> None:
    """Draw, run and count."""
    _run(ANY, cores=cores)
    whole = json.loads(STATS.read_text("utf-8"))
    drawn = random.Random(seed).sample(sorted(_states()), size)  # noqa: S311 (a sample to be drawn again, no secret)
    for start in range(0, size, ROUND):
        part = drawn[start : start + ROUND]
        STATS.write_text(json.dumps(whole | {PASSED: _shortened(whole)}), "utf-8")
        _run(*part, cores=cores)
        STATS.write_text(json.dumps(whole), "utf-8")
        states = _states()
        if left := [name for name in part if states[name] == "survived"]:
            _run(*left, cores=cores)
        _tell(drawn[: start + ROUND])


def _shortened(stats: dict[str, Any]) -> dict[str, list[str]]:
    """The tests of each function, without those that are most about others, down to so many seconds."""
    passed: dict[str, list[str]] = {name: tests for name, tests in stats[PASSED].items() if tests}
    breadth = Counter(test for tests in passed.values() for test in tests)
    for name, tests in passed.items():
        first, *others = sorted(tests, key=lambda test: (breadth[test], test))
        spent = accumulate((stats["duration_by_test"].get(test, 0.0) for test in others), initial=0.0)
        passed[name] = [first, *(test for test, so_far in zip(others, spent, strict=False) if so_far < BUDGET)]
    return passed


def _tell(drawn: list[str]) -> None:
    """What has become of those that were run, room by room."""
    states = _states()
    kinds = Counter((_room(name), states[name]) for name in drawn)
    for room in sorted({room for room, _ in kinds}):
        counted = Counter({kind: n for (place, kind), n in kinds.items() if place == room})
        print(f"{room}: {_told(counted)}")
    print(f"all: {_told(Counter(states[name] for name in drawn))}")
    print(*(f"{states[name]}: {name}" for name in sorted(drawn) if states[name] not in NOTICED), sep="\n", flush=True)


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


def _run(*names: str, cores: int) -> None:
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("ab") as log:
        subprocess.run([MUTMUT, "run", "--max-children", str(cores), *names], stdout=log, stderr=log, check=True)


def _room(name: str) -> str:
    return next(told for prefix, told in ROOMS.items() if name.startswith(prefix))


if __name__ == "__main__":
    wanted, seed, cores, *_ = [*map(int, sys.argv[1:]), *(1, 1)[len(sys.argv) - 2 :]]
    main(wanted, seed, cores)
