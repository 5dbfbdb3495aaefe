"""The program as a host starts it: every platform at once, the doctor and a backup beside it, and no secret in its log.

Discord is the stand-in, the homeserver a real Synapse; everything else is what `riposte` runs.
"""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import aiohttp
import pytest

from bot.adapters.discord.rights import NEEDED
from tests.adapters.matrix_room import Enter
from tests.discord_standin import StandIn
from tests.synapse.server import Homeserver

ROOT = Path(__file__).parents[1]
PATIENCE = 60.0
"""Seconds; a busy machine is no failure."""
PASSWORD = "canary-password-8ad2"
NUMBERS = count(1)

RIPOSTE = """
import sys
from bot.__main__ import main
from tests.discord_standin import redirected
with redirected(sys.argv.pop(1)):
    main()
"""
"""`riposte`, with Discord where the first argument says."""


@dataclass
class Program:
    """One that was started, and what it has written."""

    process: asyncio.subprocess.Process
    out: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def until(self, told: Callable[[], object]) -> None:
        """Wait until what it has written is so."""
        async with self._news:
            try:
                await asyncio.wait_for(self._news.wait_for(told), PATIENCE)
            except TimeoutError:
                raise AssertionError("\n".join(("it has written only this:", *self.out, *self.log))) from None

    async def ended(self) -> int:
        """Its exit code, once it has ended and all is read that it wrote."""
        return await asyncio.wait_for(self.process.wait(), PATIENCE)

    async def read(self, stream: asyncio.StreamReader | None, lines: list[str]) -> None:
        assert stream is not None, "it is a pipe"
        while line := await stream.readline():
            async with self._news:
                lines.append(line.decode().rstrip("\n"))
                self._news.notify_all()


@asynccontextmanager
async def started(folder: Path, discord: str, *words: str, **settings: str) -> AsyncIterator[Program]:
    """`riposte` with these words and settings."""
    own = {f"RIPOSTE_{name.upper()}": value for name, value in settings.items()}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RIPOSTE_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", RIPOSTE, discord, *words),
        cwd=folder,
        env={**kept, **own, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    program = Program(process)
    try:
        async with asyncio.TaskGroup() as readers:
            readers.create_task(program.read(process.stdout, program.out))
            readers.create_task(program.read(process.stderr, program.log))
            yield program
            if process.returncode is None:
                process.terminate()
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.fixture
async def standin() -> AsyncIterator[StandIn]:
    async with StandIn(token="canary-token-8ad2", live=True) as standin:
        yield standin


@pytest.fixture
def everything(synapse: Homeserver, standin: StandIn) -> dict[str, str]:
    """The settings of a host who serves all there is."""
    return {
        "web": "yes",
        "port": "0",
        "log": "debug",
        "discord_token": standin.token,
        "matrix_homeserver": synapse.address,
        "matrix_user": synapse.register(f"host-{next(NUMBERS)}", PASSWORD),
        "matrix_password": PASSWORD,
    }


@pytest.mark.slow
async def test_all_platforms_are_served_at_once_and_everything_beside_works(
    synapse: Homeserver, standin: StandIn, everything: dict[str, str], people: Enter, tmp_path: Path
) -> None:
    anna, ben = standin.person("Anna"), standin.person("Ben")
    guild = standin.guild("The club", anna, ben)
    guild.granted = {"view_channel" if right == "read_messages" else right for right, needed in NEEDED if needed}
    guild.channel("games")
    async with started(tmp_path, standin.base, "run", **everything) as riposte:
        await riposte.until(lambda: len(riposte.out) >= 4)
        address = next(line for line in riposte.out if "web room is open" in line).split()[-1]
        key = riposte.out[1 + next(n for n, line in enumerate(riposte.out) if "recovery key" in line)]
        async with aiohttp.ClientSession() as browser, browser.get(address) as page:
            assert page.status == 200
        await _played_on_discord(standin)
        carol, dave = await people("carol"), await people("dave")
        room = await carol.create(invite=(dave.user, everything["matrix_user"]))
        await dave.join(room)
        await carol.see_member(room, everything["matrix_user"])
        await carol.say(room, f"!riposte challenge {dave.user} tokonoma side=white", mention=(dave.user,))
        challenge = await dave.see(room, "!riposte accept")
        await dave.say(room, "!riposte accept", reply=challenge.id)
        board = await carol.see(room, lambda seen: seen.picture and seen.thread)
        await carol.say(room, "c7c5", reply=board.id, thread=board.thread)
        await dave.see(room, "Turn 1")
        await dave.see(room, lambda seen: seen.picture and seen.thread == board.thread, count=2)

        async with started(tmp_path, standin.base, "doctor", **everything) as doctor:
            assert await doctor.ended() == 0
        assert [line for line in doctor.out if not line.startswith("ok: ")] == []
        assert any("which a Riposte is running on, can be read: 2 matches" in line for line in doctor.out)
        async with started(tmp_path, standin.base, "doctor", "--quick", **everything) as quick:
            assert await quick.ended() == 0
        async with started(tmp_path, standin.base, "backup", "copy", **everything) as backup:
            assert await backup.ended() == 0
        copied = {path.name for path in (tmp_path / "copy").rglob("*") if path.is_file()}
        assert copied == {"riposte.db", "web-room.db", "session.json", "keys.db", "identity.json"}
        async with started(tmp_path, standin.base, "invite", **everything) as invite:
            assert await invite.ended() == 0
        assert invite.out[0].startswith("https://discord.com/oauth2/authorize?client_id=")

        riposte.process.terminate()
        assert await riposte.ended() == 0
        connected = [line for line in riposte.log if "connected to" in line and "[info" in line]
        assert [f"bot={everything['matrix_user']}" in line or "servers=1" in line for line in connected] == [True] * 2
        assert standin.gateway.connections == []
    login = json.loads((tmp_path / "data/matrix/session.json").read_text())
    identity = json.loads((tmp_path / "data/matrix/identity.json").read_text())
    written = "\n".join((*riposte.log, *doctor.out, *doctor.log, *backup.out, *invite.out))
    for secret in (PASSWORD, standin.token, login["token"], key, identity["master"], identity["self_signing"]):
        assert len(secret) > 8
        assert secret not in written
    assert not any("Traceback" in line for line in riposte.log)
    shutil.copy(tmp_path / "data.key", tmp_path / "copy.key")  # which is in no backup
    async with started(tmp_path / "copy", standin.base, "run", **everything | {"data": "."}) as again:
        await again.until(lambda: any("web room is open" in line for line in again.out))
        await dave.say(room, "c1c3", thread=board.thread)
        assert (await carol.see(room, "Turn 2")).thread == board.thread
        assert not any("recovery key" in line for line in again.out)


async def _played_on_discord(standin: StandIn) -> None:
    """The README's steps: a challenge, a press, a turn."""
    anna, ben = (one for one in standin.world.users.values() if one.name in {"Anna", "Ben"})
    (games,) = (one for one in standin.world.channels.values() if one.name == "games")
    await standin.until(lambda: standin.world.registry.of(0) and standin.gateway.sessions, "the bot and its commands")
    anna.slash(games, "challenge", player=ben, game="tokonoma", terms="side=white")
    await standin.until(lambda: games.posts)
    ben.press(games.posts[-1], "Accept")
    await standin.until(lambda: games.threads and games.threads[-1].posts)
    thread = games.threads[-1]
    anna.slash(thread, "move", turn="c7c5")
    await standin.until(lambda: any("c7c5" in post.text for post in thread.posts))


# --- refused ------------------------------------------------------------------------------------------------
async def test_a_wrong_token_is_told_and_the_others_are_served(
    standin: StandIn, everything: dict[str, str], people: Enter, tmp_path: Path
) -> None:
    everything |= {"discord_token": "canary-wrong-8ad2", "web": "no"}
    async with started(tmp_path, standin.base, "run", **everything) as riposte:
        await riposte.until(lambda: any("a platform stays closed" in line for line in riposte.log))
        carol = await people("carol")
        room = await carol.create(invite=(everything["matrix_user"],))
        await carol.see_member(room, everything["matrix_user"])
        await carol.say(room, "!riposte challenge tokonoma")
        await carol.see(room, "challenges whoever accepts first")
    (told,) = (line for line in riposte.log if "a platform stays closed" in line)
    assert "platform=discord" in told
    assert "Discord does not take the bot's token. Make a new one" in told
    assert not any("canary-wrong" in line for line in riposte.log)


async def test_the_program_ends_when_nobody_lets_it_in(standin: StandIn, tmp_path: Path) -> None:
    async with started(tmp_path, standin.base, "run", discord_token="canary-wrong-8ad2") as riposte:
        assert await riposte.ended() == 1
    assert riposte.log[-1].startswith("Discord does not take the bot's token. Make a new one")
    assert not any("Traceback" in line for line in riposte.log)
    assert not any("canary-wrong" in line for line in riposte.log)
