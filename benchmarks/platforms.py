"""The real program on Discord's stand-in and a real homeserver: acknowledging fifty turns at once, and its memory.

Without Synapse (`make test-all` installs it) there is Discord alone.
"""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.table import Row, seconds
from bot.messages.model import IncomingMessage, Person, Place
from bot.service.service import Service
from engine.dice import Dice
from engine.games import GAMES
from storage import open_store
from tests.discord_standin.remote import HOME, Remote, separate
from tests.synapse.server import Homeserver, interpreter

MATCHES = 1_000
AT_ONCE = 50
ROUNDS = 6
CROWD, SHOUTS = 200, 5
"""So many people each call so many commands at the moment in which a player makes a turn."""

START = """
import sys, discord, yarl
from discord.gateway import DiscordWebSocket
base = sys.argv.pop(1)
discord.http.Route.BASE = f"{base}/api/v10"
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(base.replace("http", "ws") + "/gw")
from bot.__main__ import main
sys.argv[1:] = ["run"]
main()
"""
"""`riposte run`, but that it takes the stand-in for Discord."""


def rows() -> Iterator[Row]:
    yield from asyncio.run(_measured())


async def _measured() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with separate(folder, "--live") as discord:
            people = [f"P{number}" for number in range(2 * AT_ONCE)]
            crowd = [f"C{number}" for number in range(CROWD)]
            guild = await discord.do("guild", people=[*people, *crowd], channels=["games"])
            ids = [guild["people"][name] for name in people]
            await _filled(folder, guild["channels"]["games"], ids)
            environment = {**os.environ, "RIPOSTE_DATA": str(folder), "RIPOSTE_DISCORD_TOKEN": "stand-in.token"}
            server = _homeserver(folder)
            if server:
                environment |= {
                    "RIPOSTE_MATRIX_HOMESERVER": server.address,
                    "RIPOSTE_MATRIX_USER": server.register("riposte"),
                    "RIPOSTE_MATRIX_PASSWORD": "riposte",
                }
            bot = await asyncio.create_subprocess_exec(
                *(sys.executable, "-W", "ignore", "-c", START, discord.base),
                cwd=folder,
                env={**environment, "PYTHONPATH": str(HOME), "RIPOSTE_LOG": "error"},
                stdout=asyncio.subprocess.DEVNULL,  # the recovery key of a bot that nobody will recover
            )
            try:
                rows = await _rounds(discord, bot.pid, people, "both platforms" if server else "Discord alone")
                return [*rows, await _flooded(discord, people, crowd)]
            finally:
                bot.send_signal(signal.SIGTERM)
                await bot.wait()
                if server:
                    server.stop()


def _homeserver(folder: Path) -> Homeserver | None:
    python = interpreter()
    if python is None:
        return None
    server = Homeserver(python, folder / "synapse")
    server.start()
    return server


async def _filled(folder: Path, channel: str, ids: list[str]) -> None:
    """A database with so many live matches, each pair's first one among them; nothing waits to be posted."""
    store = await open_store(folder / "riposte.db")
    service, heard = Service(store, now=lambda: 1, seed=lambda: bytes(32)), 0

    async def say(who: str, text: str) -> None:
        nonlocal heard
        heard += 1
        await service.receive(
            IncomingMessage(f"discord:f{heard}", Person("discord", who, who), Place("discord", channel), text, 1)
        )

    for number in range(1, MATCHES + 1):
        pair = number % AT_ONCE
        await say(ids[2 * pair], f"challenge @{ids[2 * pair + 1]} tokonoma side=white time=none")
        await say(ids[2 * pair + 1], f"accept {number}")
        while waiting := await store.waiting(1 << 60):
            for outgoing in waiting:
                await store.delivered(outgoing.number, "", 0)
    await store.close()


async def _rounds(discord: Remote, pid: int, people: list[str], connected: str) -> list[Row]:
    await discord.until(lambda seen: seen["connected"] and any(seen["commands"].values()), "the bot", patience=120)
    turns = list(_line())[:ROUNDS]
    taken: list[float] = []
    for number in range(ROUNDS):
        before = len((await discord.state())["interactions"])
        await asyncio.gather(*(_turn(discord, people, pair, turns[number], number) for pair in range(AT_ONCE)))

        def answered(seen: dict[str, Any], before: int = before) -> list[dict[str, Any]]:
            fresh = seen["interactions"][before:]
            return fresh if len(fresh) == AT_ONCE and all(one["answered_at"] for one in fresh) else []

        fresh = await discord.until(answered, "every turn's acknowledgement", patience=120)
        taken += [one["answered_at"] - one["at"] for one in fresh]
        posted = (number + 1) * AT_ONCE
        await discord.until(lambda seen, posted=posted: _turns_shown(seen) >= posted, "every post", patience=300)
    p99 = quantiles(taken, n=100)[98]
    rss, peak = _memory(pid)
    return [
        Row(
            f"Discord: acknowledged, {AT_ONCE} turns at once",
            f"{seconds(median(taken))}, p99 {seconds(p99)}",
            goal="p99 <= 300 ms",
            met=p99 <= 0.3,
        ),
        Row(
            f"memory, {connected}, {MATCHES:,} live matches",
            f"{rss} MiB, peak {peak}",
            goal="< 180 MiB",
            met=peak < 180,
        ),
    ]


async def _flooded(discord: Remote, people: list[str], crowd: list[str]) -> Row:
    """How soon a turn is acknowledged that comes after the crowd's commands."""
    shouts = [who for _ in range(SHOUTS) for who in crowd]
    await asyncio.gather(
        *(discord.do("slash", who=who, where="games", command="riposte games", values={}) for who in shouts)
    )
    await _turn(discord, people, 1, list(_line())[ROUNDS], ROUNDS)

    def acknowledged(seen: dict[str, Any]) -> dict[str, Any] | None:
        mine = [one for one in seen["interactions"] if one["data"]["name"] == "move"]
        return mine[-1] if mine[-1]["answered_at"] else None

    turn = await discord.until(acknowledged, "the turn's acknowledgement", patience=60)
    taken = turn["answered_at"] - turn["at"]
    await discord.until(
        lambda seen: all(one["answered_at"] for one in seen["interactions"]), "every answer", patience=60
    )
    what = f"a turn after {len(shouts):,} commands of {CROWD} others"
    return Row(what, f"acknowledged after {seconds(taken)}", goal="<= 2 s", met=taken <= 2)


async def _turn(discord: Remote, people: list[str], pair: int, turn: str, number: int) -> None:
    match = pair or AT_ONCE  # the first match of each pair
    who = people[2 * pair + number % 2]
    await discord.do("slash", who=who, where="games", command="move", values={"match": str(match), "turn": turn})


def _line() -> Iterator[str]:
    """One turn after another, each tenable."""
    game = GAMES["tokonoma"]
    position = game.setup({option.key: option.default for option in game.options}, Dice(bytes(32)))
    for _ in range(ROUNDS + 1):
        turn = next(game.turns(position))
        yield game.write(turn, position)
        position = game.play(position, turn)


def _turns_shown(seen: dict[str, Any]) -> int:
    return sum(one["text"].startswith("**Turn") for channel in seen["channels"] for one in channel["messages"])


def _memory(pid: int) -> tuple[int, int]:
    """MiB now and at most."""
    told = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    rss, peak = (int(told[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM"))
    return rss, peak
