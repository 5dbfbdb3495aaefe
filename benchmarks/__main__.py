"""`python -m benchmarks [topic …]`: the table, row by row, here and in docs/performance.md; `compare OTHER [topic …]`:
beside another checkout."""

import importlib
import pkgutil
import sys
from pathlib import Path

import benchmarks
from benchmarks.beside.compare import compare
from benchmarks.report import keep

NO_TOPICS = {"table", "report", "beside", "__main__"}
WIDTHS = (46, 26, 26, 9, 22)
HEAD = ("what", "ours (median of 9)", "peer", "ratio", "goal")


def main(wanted: list[str]) -> None:
    topics = [found.name for found in pkgutil.iter_modules(benchmarks.__path__) if found.name not in NO_TOPICS]
    other = Path(wanted[1]).resolve() if wanted[:1] == ["compare"] and len(wanted) > 1 else None
    wanted = wanted[2:] if other else wanted
    unknown = set(wanted) - set(topics)
    if unknown:
        sys.exit(f"There is no topic called {', '.join(sorted(unknown))}. The topics are {', '.join(topics)}.")
    if other:
        compare(other, wanted or topics)
        return
    _line(HEAD)
    for topic in wanted or topics:
        print(f"\n{topic}")
        rows = []
        for row in importlib.import_module(f"benchmarks.{topic}").rows():
            rows.append(row)
            verdict = "" if row.met is None else "met" if row.met else "MISSED"
            _line((row.what, row.ours, row.peer, row.ratio, f"{row.goal} {verdict}".strip()))
        keep(topic, rows)


def _line(cells: tuple[str, ...]) -> None:
    print("  ".join(f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS, strict=True)).rstrip(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
