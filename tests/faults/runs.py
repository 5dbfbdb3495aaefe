"""Evenings with trouble, one after the other, each from its own seed: what does not hold is told with its case."""

import asyncio
import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import structlog

from tests.faults.damage import DAMAGES
from tests.faults.evening import BEFORE, MEANWHILE, ROUNDS, Evening
from tests.faults.history import broken, read
from tests.faults.on_postgres import ON_POSTGRES, OnPostgres
from tests.faults.small import SMALL
from tests.faults.troubles import TROUBLES

LONGEST = 300.0
"""Seconds after which an evening that does not end has failed."""


@dataclass(slots=True)
class Tried:
    """What a fault was tried on."""

    runs: int = 0
    acknowledged: int = 0
    posts: int = 0
    broken: list[str] = field(default_factory=list)
    """What does not hold: the case, and a sentence."""


async def evening(folder: Path, trouble: str, seed: int, tried: Tried) -> list[str]:
    """One evening; what does not hold of it."""
    kind, troubles = (OnPostgres, ON_POSTGRES) if trouble in ON_POSTGRES else (Evening, TROUBLES)
    here = kind(folder, Random(f"{trouble} {seed}"))
    await here.start()
    try:
        async with asyncio.timeout(LONGEST):
            for _ in range(ROUNDS):
                await here.play(BEFORE)
                async with troubles[trouble](here):  # type: ignore[operator]
                    await here.play(MEANWHILE)
            await here.rest()
    finally:
        await here.stop()
    await here.ended()
    history = read(folder)
    tried.acknowledged += len(history.acknowledged)
    tried.posts += len(history.posted)
    silent = set(history.said) - set(history.acknowledged)
    return [*broken(folder), *(f"{id_} was said and never acknowledged" for id_ in sorted(silent))]


def run(fault: str, seed: int, tried: Tried) -> None:
    """One run of a fault."""
    ram = Path("/dev/shm")
    tried.runs += 1
    with tempfile.TemporaryDirectory(dir=ram if os.access(ram, os.W_OK) else None) as name:
        try:
            if damage := (DAMAGES | SMALL).get(fault):
                found = damage(Path(name), seed, tried)
            else:
                found = asyncio.run(evening(Path(name), fault, seed, tried))
        except Exception as error:  # a run that breaks is a finding too
            found = [f"it breaks: {error!r}"]
    tried.broken += [f"{fault}/{seed}: {sentence}" for sentence in found]


def runs(fault: str, count: int, seed: int = 0, told: Callable[[str], None] = print) -> dict[str, Tried]:
    """So many runs of a fault, or of each."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))  # all of it is known
    found: dict[str, Tried] = {}
    for name in named(fault):
        found[name] = tried = Tried()
        for number in range(seed, seed + count):
            run(name, number, tried)
        told(
            f"{name}: {tried.runs} runs, {tried.acknowledged} lines acknowledged, {tried.posts} posts, "
            f"{len(tried.broken)} faults"
        )
        for case in tried.broken:
            told(f"  {case}\n    python -m tests.faults again {case.partition(':')[0]}")
    return found


def named(fault: str) -> Iterator[str]:
    """The faults of a name."""
    several = {"all": (*TROUBLES, *ON_POSTGRES, *DAMAGES, *SMALL), "postgres": tuple(ON_POSTGRES)}
    yield from several.get(fault, (fault,))
