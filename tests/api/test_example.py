"""The sample program plays, as a process of its own."""

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path

from tests.api.room import open_room

BOT = Path(__file__).parents[2] / "examples" / "bot.py"


def test_the_bot_is_short() -> None:
    assert len(BOT.read_text("utf-8").splitlines()) <= 60


async def test_two_of_it_play_a_match_of_tokonoma(tmp_path: Path) -> None:
    async with open_room(tmp_path) as room:
        for name in ("Anna", "Ben"):
            await room.key(name)
        bots = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, str(BOT)),
                env=os.environ | {"RIPOSTE_URL": room.url.removesuffix("/api/v1"), "RIPOSTE_KEY": room.keys[name]},
                stdout=asyncio.subprocess.PIPE,
            )
            for name in ("Anna", "Ben")
        ]
        try:
            asked = {"player": "web:ben", "game": "tokonoma", "terms": "umpire=refuse"}
            status, told = await room.ask("Anna", "POST", "/matches", asked)
            assert status == 200, told
            async with asyncio.timeout(60):
                turns = 0
                while turns < 30:
                    match = await room.service.repository.match(told["match"])
                    turns = len(match.plies) if match else 0
                    room.clock.at += 1_000  # nobody is slowed down for going fast
                    await asyncio.sleep(0.05)
                    if match is not None and match.status == "over":
                        break
            assert match is not None
            await room.ask("Anna", "POST", f"/matches/{told['match']}/resign", {"sure": "yes"})
            _, seen = await room.ask("Ben", "GET", f"/matches/{told['match']}")
            assert seen["status"] == "over"
            assert seen["terms"]["umpire"] == "refuse"
            assert len(seen["turns"]) >= min(30, len(match.plies))
        finally:
            for bot in bots:
                with suppress(ProcessLookupError):
                    bot.kill()
                await bot.communicate()


async def test_it_waits_before_it_tries_again_where_nobody_answers() -> None:
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", str(BOT)),
        env=os.environ | {"RIPOSTE_URL": "http://127.0.0.1:1", "RIPOSTE_KEY": "rip_"},
        stdout=asyncio.subprocess.PIPE,
    )
    assert bot.stdout is not None
    async with asyncio.timeout(60):
        assert (await bot.stdout.readline()).startswith(b"again in five seconds, because")
    bot.kill()
    said, _ = await bot.communicate()
    assert said == b"", "once, not as fast as it can"
