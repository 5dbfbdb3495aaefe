"""The bot's process with all its matches, and the servers and people around it."""

import os
import sys
from asyncio import create_subprocess_exec
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

from tests.soak.live.database import OPPONENTS, fill
from tests.soak.live.rooms import HOME, Matrix, Page, Room, discord, matrix
from tests.soak.live.run import Run
from tests.synapse.server import interpreter

PEOPLE = 40
"""On each platform."""


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
            rooms.append(here := await stack.enter_async_context(discord(folder, people)))
            base = here.base
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
        bot = await create_subprocess_exec(
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
