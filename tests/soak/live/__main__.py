"""See `tests.soak.live`."""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from tests.soak.live.program import running
from tests.soak.report import told

NAMES = {
    "stored": ("Database", "bytes an event"),
    "spent": ("Processor time of the bot", "ms a turn"),
    "page": ("The page's own database", "MiB"),
    "workers": ("Where Riposte thinks", "MiB"),
    "rate": ("Turns a second", "turns"),
}


async def main(turns: int, matches: int, seed: int, plots: Path | None, rate: float, minutes: float) -> int:
    """Returns 1 if anything grows."""
    until = time.monotonic() + minutes * 60
    with tempfile.TemporaryDirectory() as name:
        async with running(Path(name), matches, seed) as run:
            names = ", ".join(room.platform for room in run.rooms)
            print(f"{len(run.live)} matches under way on {names}", flush=True)
            begun = time.monotonic()
            await run.play(turns, rate, until)
            took = time.monotonic() - begun
        if plots is not None:
            plots.mkdir(parents=True, exist_ok=True)
            (plots / "samples.json").write_text(json.dumps(run.told))
            (plots / "log").write_bytes((Path(name) / "log").read_bytes())
        print(
            f"{run.turns} turns in {took / 60:.0f} minutes, {run.turns / took:.1f} a second, {matches} matches of all "
            f"games under way and {run.begun} begun meanwhile, on {names}; without an effect in time: {dict(run.late)}"
        )
        return told(run.samples, plots, NAMES)


if __name__ == "__main__":
    given = [*sys.argv[1:], *("20000", "1000", "1", "", "20", "1e6")[len(sys.argv) - 1 :]]
    turns, matches, seed = map(int, given[:3])
    folder = Path(given[3]) if given[3] else None
    sys.exit(asyncio.run(main(turns, matches, seed, folder, float(given[4]), float(given[5]))))
