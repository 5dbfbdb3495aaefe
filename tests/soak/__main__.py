"""See `tests.soak`."""

import asyncio
import logging
import sys
import tempfile
import time
from pathlib import Path

import structlog

from engine.chart import Chart, Series
from engine.text import Term
from render.charts import drawn
from tests.soak import Sample, soaking, trend

ALLOWED = {"beside": 0.10, "files": 0.0, "tasks": 0.0, "stored": 0.0}
"""By how much each may surely have grown over the later two thirds; what caches hold may, up to their bound."""
NAMES = {
    "memory": ("Memory", "MiB"),
    "kept": ("Caches", "MiB"),
    "beside": ("Memory beside caches", "MiB"),
    "files": ("Open files", "files"),
    "tasks": ("Tasks", "tasks"),
    "stored": ("Database", "bytes a turn"),
}


async def main(turns: int, matches: int, seed: int, plots: Path | None) -> int:
    """Returns 1 if anything grows."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    began, grown = time.process_time(), 0
    with tempfile.TemporaryDirectory() as name:
        async with soaking(Path(name), seed) as soak:
            await soak.run(turns, matches)
            posts, pictures = (sum(getattr(sink, of) for sink in soak.sinks.values()) for of in ("posts", "pictures"))
            days = (soak.clock.now() - 1_800_000_000_000) / 86_400_000
            print(
                f"{soak.turns} turns in {soak.begun} matches of all games, {matches} under way, {posts} posts with "
                f"{pictures} pictures, in {days:.0f} told days, {time.process_time() - began:.0f} s of processor time"
            )
            for what, (title, unit) in NAMES.items():
                found = trend(soak.samples, what)
                allowed = ALLOWED.get(what)
                said = "" if allowed is None else ": flat" if found.surely <= allowed else ": GROWS"
                grown += said == ": GROWS"
                print(
                    f"{title}: {found.begins:.1f} {unit} after a third, {found.grows:+.1%} since, at least "
                    f"{found.surely:+.1%} with 95 % confidence{said}"
                )
                if plots is not None:
                    plots.mkdir(parents=True, exist_ok=True)
                    (plots / f"{what}.png").write_bytes(drawn(plot(soak.samples, what)))
    return bool(grown)


def plot(samples: list[Sample], what: str) -> Chart:
    """A figure over the turns."""
    title, unit = NAMES[what]
    points = tuple((float(sample.turns), float(getattr(sample, what))) for sample in samples)
    ticks = tuple((x, f"{x:,.0f}") for x, _ in points[:: max(1, len(points) // 5)])
    return Chart(
        title, Term("after so many turns"), form="line", series=(Series("", points),), ticks=ticks, unit=Term(unit)
    )


if __name__ == "__main__":
    words = sys.argv[1:4]
    numbers = [int(word) for word in (*words, *("20000", "300", "1")[len(words) :])]
    sys.exit(asyncio.run(main(*numbers, Path(sys.argv[4]) if len(sys.argv) > 4 else None)))
