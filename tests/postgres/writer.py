"""Plays turns on a PostgreSQL in a process of its own, and says on stdout what was acknowledged.

python -m tests.postgres.writer URL FOLDER SECONDS
"""

import asyncio
import sys
from pathlib import Path

from storage.postgres.store import PostgresStore
from storage.store import Conflict
from tests.turns import turn

MATCHES = 4


async def main(url: str, folder: Path, lasts: float) -> None:
    store = await PostgresStore.open(url, folder / "riposte.key", folder / "riposte.erased", lasts=lasts)
    print("open", flush=True)

    async def play(match: str) -> None:
        count = len(await store.load(match))
        while True:
            change = turn(match, count, ordering_key=f"web:{match}")
            try:
                await store.commit(change)
            except Conflict:
                assert await store.known(change.heard), "only our own turn can be there before"
            print(match, count, flush=True)
            count += 1

    try:
        await asyncio.gather(*(play(str(match)) for match in range(1, MATCHES + 1)))
    except OSError as error:
        print("refused", error.errno, flush=True)
        await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])))
