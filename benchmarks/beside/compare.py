"""`python -m benchmarks compare OTHER [topic …]`: this checkout beside another one, sampled alternately, row by row."""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

HERE = Path(__file__).parents[2]
SAMPLES = 9
TOLERATED = 1.05
"""The ratio from which a row counts as slower."""
WIDTH = 60

MEASURE = """
import importlib, json, sys
from benchmarks import table
table.SAMPLES = 1  # what is repeated here need not be repeated there
table.alternate.__kwdefaults__["samples"] = 1
for row in importlib.import_module(f"benchmarks.{sys.argv[1]}").rows():
    print(json.dumps((row.what, row.ours)), flush=True)
"""

UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "MiB": 1024.0, "KiB": 1.0}


def compare(other: Path, topics: list[str]) -> None:
    """Print each row's median there and here, and how much more it costs here."""
    for topic in topics:
        print(f"\n{topic}")
        taken: dict[Path, dict[str, list[str]]] = {other: defaultdict(list), HERE: defaultdict(list)}
        for _ in range(SAMPLES):
            for checkout, rows in taken.items():
                for what, ours in _measured(checkout, topic):
                    rows[what].append(ours)
        for what, here in taken[HERE].items():
            print(_line(what, taken[other].get(what, []), here), flush=True)
        for what in taken[other].keys() - taken[HERE].keys():
            print(f"{what:<{WIDTH}}  only there")


def _measured(checkout: Path, topic: str) -> list[tuple[str, str]]:
    own = checkout / ".venv/bin/python"
    python = str(own) if own.exists() else sys.executable
    told = subprocess.run([python, "-c", MEASURE, topic], cwd=checkout, stdout=subprocess.PIPE, text=True, check=True)
    return [(what, ours) for what, ours in map(json.loads, told.stdout.splitlines())]


def _line(what: str, there: list[str], here: list[str]) -> str:
    if not there:
        return f"{what:<{WIDTH}}  only here"
    before, after = median(map(_cost, there)), median(map(_cost, here))
    ratio = after / before
    verdict = "SLOWER" if ratio > TOLERATED else ""
    return f"{what:<{WIDTH}}  {_typical(there):>14} -> {_typical(here):>14}  {ratio:.3f}  {verdict}".rstrip()


def _typical(cells: list[str]) -> str:
    """The figure in the middle, as it was printed."""
    return _figure(sorted(cells, key=_cost)[len(cells) // 2])[0]


def _cost(cell: str) -> float:
    """What a figure says is spent, less being better: a time, a size, or the time for one of so many a second."""
    _, number, unit = _figure(cell)
    return 1 / number if unit.endswith("/s") else number * UNITS.get(unit, 1.0)


def _figure(cell: str) -> tuple[str, float, str]:
    """The first figure of a cell: as it stands there, its number, its unit."""
    found = re.match(r"([\d.,]*\d(?:e[-+]?\d+)?)\s*([^\s\[,;]*)", cell)
    assert found is not None, f"a row begins with its figure: {cell}"
    return found[0].strip(), float(found[1].replace(",", "")), found[2]
