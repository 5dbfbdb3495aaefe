"""Matches that are not at hand, read as they were kept, and those that are: what they cost the loop and the memory."""

import asyncio
import gc
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time

from benchmarks.pipeline import Program, opened, scripted
from benchmarks.table import SAMPLES, Plot, Row, seconds
from bot.repository.at_hand import AtHand
from engine.match.snapshot.keep import read, write
from engine.match.state import Match

GAME = "chirality"
"""Its random matches last longest."""
LENGTHS = (60, 150, 300)
"""Turns, at most: a match that ends before is as long as it is."""
LOADS = 30
"""Loads in a sample."""
REMEMBERED, TURNS = 2_000, 60
"""Matches that are remembered, and how long each is."""
MEMORY = 30 << 20


def rows() -> Iterator[Row]:
    yield asyncio.run(_loads(GAME))
    yield asyncio.run(_remembered("tokonoma"))


@asynccontextmanager
async def _played(key: str, turns: int) -> AsyncIterator[tuple[Program, Match]]:
    """The longest of some random matches that still goes on."""
    script = await scripted(key, turns)
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as running:
            for line in script:
                await running.say(line)
            await running.post.arrived()
            found = [await running.service.repository.match(str(number + 1)) for number in range(running.matches)]
            yield running, max((one for one in found if one and one.status == "running"), key=lambda one: one.length)


async def _loads(key: str) -> Row:
    """CPU of all threads for a match that is asked for and not at hand: read, opened, its position decoded."""
    points, longest = [], 0.0
    for turns in LENGTHS:
        async with _played(key, turns) as (running, match):
            matches, taken = running.service.repository, []
            matches.forget(match.id)
            await matches.match(match.id)  # from its first event; then it is kept
            await running.store.flush()
            for _ in range(SAMPLES):
                used = process_time()
                for _ in range(LOADS):
                    matches.forget(match.id)
                    await matches.match(match.id)
                taken.append((process_time() - used) / LOADS)
            longest = median(taken)
            points.append((f"{match.length} events", longest * 1e6))
    plot = Plot(f"Loading a match of {key.title()}", "µs of CPU", (("", tuple(points)),))
    return Row(
        f"{key}: a match that is not at hand, CPU, the longest",
        seconds(longest),
        f"{points[0][0]} {points[0][1]:.0f} µs, {points[-1][0]} {points[-1][1]:.0f} µs",
        goal="<= 200 µs",
        met=longest <= 200e-6,
        plot=plot,
    )


async def _remembered(key: str) -> Row:
    """Resident memory that so many matches take once what was played long ago is packed."""
    async with _played(key, TURNS) as (_, match):
        held = AtHand(lambda number, length, data: None)
        data = write(match, 1)
        assert data is not None
        gc.collect()
        before = _resident()
        for number in range(REMEMBERED):
            found = read(data)
            assert found is not None
            held.hold(replace(found[0], id=str(number)), 1)
        gc.collect()
        took, count = _resident() - before, sum(held.length(str(number)) is not None for number in range(REMEMBERED))
    return Row(
        f"memory of {REMEMBERED:,} matches of {len(match.plies)} plies, packed",
        f"{took / (1 << 20):.1f} MiB",
        f"{count:,} of them at hand, weighed at {held.held / (1 << 20):.1f} MiB",
        goal="<= 30 MiB",
        met=took <= MEMORY and count == REMEMBERED,
    )


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096
