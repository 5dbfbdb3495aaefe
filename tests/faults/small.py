"""A small machine: an evening in a process that may have 256 MiB of memory and 20 open files, with real pictures."""

import asyncio
import os
import resource
import subprocess
import sys
from pathlib import Path
from random import Random

from bot.painting import Painting
from tests.faults.damage import Damage, Tried
from tests.faults.evening import Evening
from tests.faults.history import broken, read

LINES = 24
MEMORY, FILES = 256 << 20, 20
LONGEST = 300.0


def small(folder: Path, seed: int, tried: Tried) -> list[str]:
    """One evening on such a machine."""
    lived = subprocess.run(
        [sys.executable, "-m", "tests.faults.small", str(folder), str(seed)],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        preexec_fn=_limits,  # the child has one thread
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    history = read(folder)
    tried.acknowledged += len(history.acknowledged)
    silent = set(history.said) - set(history.acknowledged)
    ended = [f"it ended with {lived.returncode}: {lived.stderr[-300:]}"] if lived.returncode else []
    return [*ended, *broken(folder), *(f"{id_} was never acknowledged" for id_ in sorted(silent))]


def _limits() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))


async def _live(folder: Path, seed: int) -> None:
    evening = Evening(folder, Random(f"small {seed}"), Painting().paint)
    await evening.start()
    await evening.play(LINES)
    await evening.rest()
    await evening.stop()


SMALL: dict[str, Damage] = {"small": small}

if __name__ == "__main__":
    asyncio.run(_live(Path(sys.argv[1]), int(sys.argv[2])))
