"""Writes turns to a cluster as fast as is sensible, and notes when each was acknowledged.

    python -m tests.faults.failover.writer URL KEYS NUMBER FILE

In the file a line is a match, a turn and when it was acknowledged, or a word on why the process has ended.
"""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from storage.postgres.shared import SharedStore
from storage.store import Conflict
from tests.turns import turn

MATCHES: Final = 3
"""Of each process."""
BREATH: Final = 0.05
"""Seconds between two turns of a match."""


@dataclass(slots=True)
class Written:
    """What is acknowledged, and what is not in order."""

    acknowledged: dict[tuple[str, int], float] = field(default_factory=dict)
    """When, by match and turn."""
    broken: list[str] = field(default_factory=list)

    def read(self, path: Path) -> None:
        """Add what a process has noted."""
        for line in path.read_text().splitlines():
            match line.split():
                case [match, count, at] if match.isdigit():
                    self.acknowledged[match, int(count)] = float(at)
                case _:
                    self.broken.append(f"a writer ended: {line}")

    def longest(self, since: float, until: float) -> float:
        """The longest time between two acknowledgements, whoever's, in a span."""
        at = sorted(when for when in self.acknowledged.values() if since <= when <= until)
        return max((later - earlier for earlier, later in zip([since, *at], [*at, until], strict=True)), default=0.0)


async def opened(url: str, keys: Path) -> SharedStore:
    return await SharedStore.open(url, keys / "riposte.key", keys / "riposte.erased")


async def main(url: str, keys: Path, number: int, noted: Path) -> None:
    """Write until killed."""
    store = await opened(url, keys)
    with noted.open("w", buffering=1) as file:

        async def play(match: str) -> None:
            count = await store.length(match)
            while True:
                change = turn(match, count, ordering_key=f"web:{match}")
                try:
                    await store.commit(change)
                except OSError:
                    if not await _known(store, change.heard):
                        continue
                except Conflict:
                    assert await _known(store, change.heard), "only our own turn can be there before"
                file.write(f"{match} {count} {time.time()}\n")
                count += 1
                await asyncio.sleep(BREATH)

        try:
            first = number * MATCHES + 1
            await asyncio.gather(*(play(str(match)) for match in range(first, first + MATCHES)))
        except BaseException as error:
            file.write(f"{error!r}\n")
            raise


async def _known(store: SharedStore, heard: str) -> bool:
    while not store.lost.is_set():
        with suppress(OSError):
            return await store.known(heard)
        await asyncio.sleep(0.1)
    raise RuntimeError("taken over")


async def examined(url: str, keys: Path, acknowledged: Collection[tuple[str, int]]) -> tuple[int, list[str]]:
    """How many turns there are, and what does not hold: all that were acknowledged are, each once, with its letter."""
    store = await opened(url, keys)
    letters = Counter(key for (key,) in await store._rows("SELECT key FROM letters"))
    heard = {id_ for (id_,) in await store._rows("SELECT id FROM heard")}
    stored: set[tuple[str, int]] = set()
    broken: list[str] = []
    for match in sorted({match for match, _ in acknowledged}):
        bodies: list[Any] = [record.body for record in await store.load(match)]
        if bodies != [f'{{"turn": {count}}}' for count in range(len(bodies))]:
            broken.append(f"the turns of match {match} are not in order")
        stored |= {(match, count) for count in range(len(bodies))}
    broken += [f"turn {count} of match {match} is lost" for match, count in sorted({*acknowledged} - stored)]
    for match, count in stored:
        if (n := letters.pop(f"letter {match} {count}", 0)) != 1 or f"heard {match} {count}" not in heard:
            broken.append(f"turn {count} of match {match} has {n} letters")
    broken += [f"{key} is of no turn" for key in letters]
    await store.close()
    return len(stored), broken


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])))
