"""See `tests.faults`."""

import json
import sys

from tests.faults import kills
from tests.faults.runs import Tried, run, runs


def main(words: list[str]) -> int:
    """Returns 1 if anything does not hold."""
    what, *rest = words or ["kills", "5000"]
    if what == "shard":
        shard, shards, count, seed, *stories = rest
        found = kills.sweep(int(shard), int(shards), int(count), int(seed), tuple(stories))
        json.dump({name: getattr(found, name) for name in kills.Findings.__slots__}, sys.stdout)
        return 0
    if what == "again" and rest[0].count("/") == 3:
        return told(kills.once(rest[0]))
    if what == "again":
        fault, _, number = rest[0].partition("/")
        tried = Tried()
        run(fault, int(number), tried)
        print("\n".join(tried.broken) or "it holds")
        return bool(tried.broken)
    count, seed, *_ = [*map(int, rest), 0] if rest else (5000 if what == "kills" else 20, 0)
    if what == "kills":
        return told(kills.swept(count, seed))
    return any(tried.broken for tried in runs(what, count, seed).values())


def told(found: kills.Findings) -> int:
    """Print what a sweep has found."""
    print(
        f"{found.kills} kills at {len(found.points)} kinds of points in {found.cases} cases: {len(found.lost)} lost, "
        f"{len(found.twice)} twice, {len(found.torn)} torn"
    )
    for sentence in (*found.lost, *found.twice, *found.torn):
        print(f"  {sentence}\n    python -m tests.faults again {sentence.partition(':')[0]}")
    return bool(found.lost or found.twice or found.torn)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
