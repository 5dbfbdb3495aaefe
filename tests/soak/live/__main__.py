"""See `tests.soak.live`."""

import asyncio
import json
import os
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

from tests.soak.live.database import OPPONENTS, fill
from tests.soak.live.rooms import HOME, Matrix, Page, Room, discord, matrix
from tests.soak.live.run import Run
from tests.soak.report import told
from tests.synapse.server import interpreter

PEOPLE = 40
"""On each platform."""
NAMES = {
    "spent": ("Processor time of the bot", "ms a turn"),
    "page": ("The page's own database", "MiB"),
    "workers": ("Where Riposte thinks", "MiB"),
    "rate": ("Turns a second", "turns"),
}


@asynccontextmanager
async def running(
    folder: Path, matches: int, seed: int, people: int = PEOPLE, platforms: Sequence[str] = ("discord", "matrix", "web")
) -> AsyncIterator[Run]:
    """The bot with all its matches, and people on these platforms."""
    chance, rooms, data = Random(seed), list[Room](), folder / "data"
    async with AsyncExitStack() as stack:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RIPOSTE_")}
        environment |= {"RIPOSTE_DATA": str(data), "RIPOSTE_PORT": "0", "RIPOSTE_WEB": "yes"}
        environment |= {"RIPOSTE_LOG": "warning", "RIPOSTE_PARTNER_MATCHES": str(OPPONENTS), "PYTHONPATH": str(HOME)}
        base = ""
        if "discord" in platforms:
            rooms.append(room := await stack.enter_async_context(discord(folder, people)))
            base = room.base
            environment["RIPOSTE_DISCORD_TOKEN"] = "stand-in.token"
        if "matrix" in platforms and (python := interpreter()):
            rooms.append(there := await stack.enter_async_context(matrix(folder, python, people)))
            environment |= {"RIPOSTE_MATRIX_HOMESERVER": there.server.address, "RIPOSTE_MATRIX_USER": there.bot}
            environment["RIPOSTE_MATRIX_PASSWORD"] = Matrix.password
        page = Page(people)
        rooms.append(page)
        await fill(data, rooms, matches, chance)
        log = stack.enter_context((folder / "log").open("ab"))
        command = (sys.executable, "-m", "tests.soak.live.bot", base)
        bot = await asyncio.create_subprocess_exec(
            *command, cwd=HOME, env=environment, stdin=PIPE, stdout=PIPE, stderr=log, limit=1 << 24
        )
        assert bot.stdout is not None
        try:
            while not (said := (await bot.stdout.readline()).decode()).count("http://"):
                assert said, (folder / "log").read_text()
            stack.push_async_callback(page.close)
            address = said[said.index("http://") :].strip()
            for room in rooms:
                await room.open(address)
            run = Run(rooms, data, chance, bot)
            try:
                yield run
            finally:
                run.shadow.close()
        finally:
            if bot.returncode is None:
                bot.terminate()
            await bot.wait()


async def main(turns: int, matches: int, seed: int, plots: Path | None, rate: float, minutes: float) -> int:
    """Returns 1 if anything grows."""
    until = time.monotonic() + minutes * 60
    with tempfile.TemporaryDirectory() as name:
        async with running(Path(name), matches, seed) as run:
            names = ", ".join(room.platform for room in run.rooms)
            print(f"{len(run.live)} matches under way on {names}", flush=True)
            begun = time.monotonic()
            await run.play(turns, rate, until)
            took = time.monotonic() - begun
        if plots is not None:
            plots.mkdir(parents=True, exist_ok=True)
            (plots / "samples.json").write_text(json.dumps(run.told))
            (plots / "log").write_bytes((Path(name) / "log").read_bytes())
        print(
            f"{run.turns} turns in {took / 60:.0f} minutes, {run.turns / took:.1f} a second, {matches} matches of all "
            f"games under way and {run.begun} begun meanwhile, on {names}; without an effect in time: {dict(run.late)}"
        )
        return told(run.samples, plots, NAMES)


if __name__ == "__main__":
    words = sys.argv[1:4]
    numbers = [int(word) for word in (*words, *("20000", "1000", "1")[len(words) :])]
    folder = Path(sys.argv[4]) if len(sys.argv) > 4 else None
    rate, minutes = (float(sys.argv[at]) if len(sys.argv) > at else most for at, most in ((5, 20.0), (6, 1e6)))
    sys.exit(asyncio.run(main(*numbers, folder, rate, minutes)))
