"""`python -m tools.sample_mutants SIZE SEED [CORES]`: the share of mutants that tests notice, from a random sample.

A whole run of `make mutants` takes days; this one takes as long as its size. It tries what was committed when it began,
in a folder of its own: files may be edited meanwhile, and what `make mutants` knows stays. The seed puts all mutants
into an order, of which the first SIZE are tried, in rounds. Whoever stops it has the rounds that were told; the same
command goes on after them, a larger SIZE goes further, and 0 only tells what is known so far. A mutant is shown first
those tests that pass through little beside its function; all others only if it outlives these.
"""

import io
import json
import random
import subprocess
import sys
import tarfile
from collections import Counter
from itertools import accumulate
from math import sqrt
from pathlib import Path
from typing import Any

ROOMS = {"engine.match": "engine/match", "bot.commands": "bot/commands", "bot.messages": "narrator, prompts, sentences"}
MUTMUT = str(Path(sys.executable).with_name("mutmut").absolute())
PASSED = "tests_by_mangled_function_name"
ANY = "bot.commands.suggestions.forms.x__places__mutmut_1"
"""One that few tests pass through: mutmut makes all mutants before it runs some."""
ROUND = 25
"""Mutants that are run together: mutmut begins with those that few tests pass through, so only whole rounds count."""
BUDGET = 8.0
"""Seconds of tests, as they took when they were listed, that a mutant is shown first."""
NOTICED = ("killed", "timeout", "segfault")
LIKELY = 1.96
"""Standard deviations within which 95 of 100 samples lie."""


class Sample:
    """A copy of the project and what has become of the mutants drawn there, which `tried.txt` holds line by line."""

    def __init__(self, seed: int, cores: int) -> None:
        self.seed, self.cores = seed, cores
        self.folder = Path(f".cache/mutants/{seed}")
        self.stats, self.whole = self.folder / "mutants/mutmut-stats.json", self.folder / "whole-stats.json"
        self.file = self.folder / "tried.txt"

    def go_on(self, size: int) -> None:
        """Try what is left of the first so many, and tell after each round."""
        if not self.whole.exists():
            self._begin()
        order = sorted(self._states())
        random.Random(self.seed).shuffle(order)  # noqa: S311 (an order to be found again, no secret)
        while (known := len(self.tried())) < size:
            self._try(order[known : min(known + ROUND, size)])
            print(told(self.tried()), flush=True)

    def tried(self) -> dict[str, str]:
        """What became of each mutant, in the order in which they were drawn."""
        return _read(self.file.read_text("utf-8")) if self.file.exists() else {}

    def _begin(self) -> None:
        """Copy what is committed, make its mutants, and list the tests of each function."""
        archive = subprocess.run(["git", "archive", "HEAD"], capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as project:
            project.extractall(self.folder, filter="data")
        self._run(ANY)
        listed = self.stats.with_suffix(".whole")
        listed.write_bytes(self.stats.read_bytes())
        listed.replace(self.whole)

    def _try(self, names: list[str]) -> None:
        """Show them the likeliest tests, then the survivors all of theirs, and write down what became of them."""
        whole = json.loads(self.whole.read_text("utf-8"))
        self._run(*names, tests=whole | {PASSED: shortened(whole)})
        if left := [name for name in names if self._states()[name] == "survived"]:
            self._run(*left, tests=whole)
        states = self._states()
        with self.file.open("a", encoding="utf-8") as file:
            file.writelines(f"{name}: {states[name]}\n" for name in names)

    def _run(self, *names: str, tests: dict[str, Any] | None = None) -> None:
        """Let mutmut try them, with these tests of each function if it has not to list them itself."""
        if tests:
            self.stats.write_text(json.dumps(tests), "utf-8")
        with (self.folder / "log").open("ab") as log:
            command = [MUTMUT, "run", "--max-children", str(self.cores), *names]
            subprocess.run(command, cwd=self.folder, stdout=log, stderr=log, check=True)

    def _states(self) -> dict[str, str]:
        command = [MUTMUT, "results", "--all", "true"]
        return _read(subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout)


def shortened(stats: dict[str, Any]) -> dict[str, list[str]]:
    """The tests of each function, without those that are most about others, down to so many seconds."""
    passed: dict[str, list[str]] = {name: tests for name, tests in stats[PASSED].items() if tests}
    breadth = Counter(test for tests in passed.values() for test in tests)
    for name, tests in passed.items():
        first, *others = sorted(tests, key=lambda test: (breadth[test], test))
        spent = accumulate((stats["duration_by_test"].get(test, 0.0) for test in others), initial=0.0)
        passed[name] = [first, *(test for test, so_far in zip(others, spent, strict=False) if so_far < BUDGET)]
    return passed


def told(tried: dict[str, str]) -> str:
    """What has become of them, room by room, and who was not noticed."""
    kinds = Counter((_room(name), state) for name, state in tried.items())
    rooms = {room: Counter({kind: n for (place, kind), n in kinds.items() if place == room}) for room, _ in kinds}
    lines = [f"{room}: {_share(counted)}" for room, counted in sorted(rooms.items())]
    unnoticed = sorted(f"{state}: {name}" for name, state in tried.items() if state not in NOTICED)
    return "\n".join([*lines, f"all: {_share(Counter(tried.values()))}", *unnoticed]) if tried else "none tried so far"


def _share(kinds: Counter[str]) -> str:
    """How many there are of each kind, and the share noticed with its bounds (Wilson's)."""
    n = kinds.total()
    share = sum(kinds[kind] for kind in NOTICED) / n
    middle = (share + LIKELY**2 / (2 * n)) / (1 + LIKELY**2 / n)
    away = LIKELY / (1 + LIKELY**2 / n) * sqrt(share * (1 - share) / n + LIKELY**2 / (4 * n**2))
    found = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f"{n} mutants, {found}; {share:.1%} noticed, with 95 % confidence {middle - away:.1%} to {middle + away:.1%}"


def _read(text: str) -> dict[str, str]:
    """Each line's mutant and state."""
    lines = [line.strip().partition(": ") for line in text.splitlines()]
    return {name: state for name, _, state in lines if "__mutmut_" in name}


def _room(name: str) -> str:
    return next(told for prefix, told in ROOMS.items() if name.startswith(prefix))


if __name__ == "__main__":
    size, seed, cores = [*map(int, sys.argv[1:]), 1][:3]
    sample = Sample(seed, cores)
    if size > len(sample.tried()):
        sample.go_on(size)
    else:
        print(told(sample.tried()))
