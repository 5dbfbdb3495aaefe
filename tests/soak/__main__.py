"""See `tests.soak`."""

import asyncio
import logging
import sys
import tempfile
import time
from pathlib import Path

import structlog

from tests.soak import soaking
from tests.soak.report import told


async def main(turns: int, matches: int, seed: int, plots: Path | None) -> int:
    """Returns 1 if anything grows."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    began = time.process_time()
    with tempfile.TemporaryDirectory() as name:
        async with soaking(Path(name), seed) as soak:
            await soak.run(turns, matches)
            posts, pictures = (sum(getattr(sink, of) for sink in soak.sinks.values()) for of in ("posts", "pictures"))
            days = (soak.clock.now() - 1_800_000_000_000) / 86_400_000
            print(
                f"{soak.turns} turns in {soak.begun} matches of all games, {matches} under way, {posts} posts with "
                f"{pictures} pictures, in {days:.0f} told days, {time.process_time() - began:.0f} s of processor time"
            )
            return told(soak.samples, plots)


if __name__ == "__main__":
    words = sys.argv[1:4]
    numbers = [int(word) for word in (*words, *("20000", "300", "1")[len(words) :])]
    sys.exit(asyncio.run(main(*numbers, Path(sys.argv[4]) if len(sys.argv) > 4 else None)))
