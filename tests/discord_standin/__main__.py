"""The stand-in as a process of its own: `python -m tests.discord_standin PORTFILE`, driven over `/control/…`."""

import argparse
import asyncio
import signal
from pathlib import Path

from tests.discord_standin.control import Control
from tests.discord_standin.server import TOKEN, StandIn


def main() -> None:
    """Serve until terminated; the port stands in the file, and on the standard output, once the doors are open."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("portfile", type=Path)
    parser.add_argument("--token", default=TOKEN)
    parser.add_argument("--live", action="store_true", help="time runs by itself")
    parser.add_argument("--rate-limits", action="store_true")
    parser.add_argument("--privileged", nargs="*", default=[], help="privileged intents that are granted")
    parser.add_argument("--shards", type=int, default=1)
    asyncio.run(_serve(parser.parse_args()))


async def _serve(given: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    standin = StandIn(
        token=given.token,
        live=given.live,
        rate_limits=given.rate_limits,
        privileged=tuple(given.privileged),
        shards=given.shards,
    )
    await standin.start(more=Control(standin).routes())
    try:
        unfinished = given.portfile.with_suffix(".part")
        unfinished.write_text(str(standin.port))
        unfinished.replace(given.portfile)
        print(standin.port, flush=True)
        await stop.wait()
    finally:
        await standin.stop()


if __name__ == "__main__":
    main()
