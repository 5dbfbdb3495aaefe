"""The bot's process: the program as a host starts it, its Discord on loopback, and told what it holds when asked.

    python -m tests.soak.live.bot DISCORD

A line on standard input asks; the answer is a line of JSON on standard output.
"""

import asyncio
import functools
import gc
import json
import os
import sys
import tracemalloc
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from bot import app
from bot.runtime import pruning
from bot.service.service import Service
from bot.settings import settings
from render import painter
from tests.discord_standin import redirected
from tests.soak.measure import trim

MINUTE = 60.0
KEPT = 3 * 60_000
"""Milliseconds for which words of posts and ids of what was heard are kept."""
FRAMES = 12


class Bot:
    """The program, and what can be measured in it."""

    def __init__(self) -> None:
        self.service: Service | None = None
        self._serve = app.serve

    async def serve(self, platforms: Any, store: Any, service: Service, *more: Any, **named: Any) -> None:
        """Serve, and answer what is asked meanwhile."""
        self.service = service
        loop = asyncio.get_running_loop()
        loop.add_reader(sys.stdin.fileno(), self._asked)
        await self._serve(platforms, store, service, *more, **named)

    def _asked(self) -> None:
        what = sys.stdin.readline().strip()
        if not what:  # whoever asks is gone
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            return
        print(json.dumps(self.measured(everything=what == "all")), flush=True)

    def measured(self, *, everything: bool) -> dict[str, Any]:
        """What this process holds now."""
        assert self.service is not None
        gc.collect()
        trim()
        at_hand, pictures = self.service.repository.at_hand, painter._shared
        told: dict[str, Any] = {
            "memory": int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20,
            "files": len(list(Path("/proc/self/fd").iterdir())),
            "tasks": len(asyncio.all_tasks()),
            "kept": (at_hand.held + pictures.weight) / 2**20,
        }
        if everything:
            objects = gc.get_objects()
            told["kinds"] = Counter(f"{type(one).__module__}.{type(one).__name__}" for one in objects).most_common(80)
            told["caches"] = sorted(
                (one.cache_info().currsize, f"{getattr(one, '__module__', '')}.{getattr(one, '__qualname__', '')}")
                for one in gc.get_objects()
                if isinstance(one, functools._lru_cache_wrapper)
            )[-60:]
            told["running"] = Counter(task.get_name().rstrip("0123456789-") for task in asyncio.all_tasks())
            del objects
        if tracemalloc.is_tracing():
            lines = tracemalloc.take_snapshot().statistics("lineno")
            told["traced"] = [[str(one.traceback), one.size, one.count] for one in lines[:150]]
        return told


def main(discord: str) -> int:
    pruning.WORDS_KEPT = pruning.HEARD_KEPT = KEPT
    pruning.FIRST = pruning.EVERY = MINUTE
    bot = Bot()
    app.serve = bot.serve
    with redirected(discord) if discord else nullcontext():
        return app.run(settings())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
