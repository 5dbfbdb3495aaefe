"""`python -m benchmarks [topic …]`: the table, line by line as it is measured."""

import importlib
import pkgutil
import sys

import benchmarks

WIDTHS = (46, 26, 26, 9, 22)
HEAD = ("what", "ours (median of 9)", "peer", "ratio", "goal")


def main(wanted: list[str]) -> None:
    topics = [
        found.name for found in pkgutil.iter_modules(benchmarks.__path__) if found.name not in {"table", "__main__"}
    ]
    unknown = set(wanted) - set(topics)
    if unknown:
        sys.exit(f"There is no topic called {', '.join(sorted(unknown))}. The topics are {', '.join(topics)}.")
    _line(HEAD)
    for topic in wanted or topics:
        print(f"\n{topic}")
        for row in importlib.import_module(f"benchmarks.{topic}").rows():
            verdict = "" if row.met is None else "met" if row.met else "MISSED"
            _line((row.what, row.ours, row.peer, row.ratio, f"{row.goal} {verdict}".strip()))


def _line(cells: tuple[str, ...]) -> None:
    print("  ".join(f"{cell:<{width}}" for cell, width in zip(cells, WIDTHS, strict=True)).rstrip(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
