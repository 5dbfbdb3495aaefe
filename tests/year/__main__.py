"""Lives through a year, prints what happened, and writes a report with plots where a folder is named."""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.year import year
from tests.year.report import figures, write_report


async def main(matches: int, seed: int, folder: Path | None) -> None:
    ram = Path("/dev/shm")
    began = time.process_time()
    with tempfile.TemporaryDirectory(dir=ram if os.access(ram, os.W_OK) else None) as place:
        found = await year(matches, seed, Path(place), cups=6 if matches >= 100 else 0)
        try:
            for told in figures(found):
                print(told)
            print(f"{time.process_time() - began:.0f} s of processor time")
            if folder is not None:
                await write_report(found, folder)
                print(f"the report: {folder / 'report.md'}")
        finally:
            await found.room.store.close()


if __name__ == "__main__":
    words = [*sys.argv[1:], "40", "1"][: max(2, len(sys.argv) - 1)]
    numbers = [int(word) for word in (*words[:2], *("40", "1")[len(words[:2]) :])]
    asyncio.run(main(numbers[0], numbers[1], Path(words[2]) if len(words) > 2 else None))
