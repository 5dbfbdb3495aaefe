"""The whole turn, all that the process spends on it: alone, many at once, at a steady rate; and what starting costs."""

import asyncio
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time, time_ns
from typing import TypeAlias

from benchmarks.table import Row, seconds
from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Picture, Place
from bot.painting import Painting
from bot.repository import Committed
from bot.runtime.outbox import OutboxRelay, Paint
from bot.runtime.scheduler import Scheduler
from bot.service.service import Service
from engine.games import GAMES
from storage import open_store
from storage.store import Change, Outgoing, Store

TURNS, WARM = 300, 60
"""Turns that are measured of each game, and those before them that are not: boards and pieces are drawn in these."""
ROOT = Path(__file__).parents[1]
OFFERED = 50
"""Turns a second that are offered, as many as Discord lets a bot answer."""
TABLES = 8
"""Matches of each game that are played at once, where all games are played."""

CLIENTS = "import discord, nio"
"""The platforms' own libraries, which a start is measured by."""
LIBRARIES = f"{CLIENTS}; import aiohttp.web, aiosqlite, cryptography, msgspec, PIL.Image, pydantic_settings, structlog"
"""All that the program imports of others for Discord, Matrix and the web room."""
PROGRAM = """
from bot.app import run
from bot.adapters import discord, matrix, web
from engine.games import GAMES
list(GAMES.values())
"""


def rows() -> Iterator[Row]:
    for key in sorted(GAMES):
        yield from asyncio.run(_alone(key))
    yield asyncio.run(_together(None))
    yield asyncio.run(_together(OFFERED))
    yield from _start()


# --- one turn after another -------------------------------------------------------------------------------
async def _alone(key: str) -> list[Row]:
    """Random matches of one game, told beforehand, played by one player after the other.

    Counted is all that the process spends, on every thread: service, store, outbox, scheduler, picture, and what the
    record of its arrival costs. Not counted: a platform's library, and polishing pictures once nobody waits.
    """
    script = await scripted(key, WARM + TURNS)
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as program:
            committed, arrived = [], []
            used = process_time()
            for number, line in enumerate(script):
                if number == WARM:
                    committed, arrived, used = [], [], process_time()
                begun = perf_counter()
                await program.say(line)
                committed.append(perf_counter() - begun)
                await program.post.arrived()
                arrived.append(perf_counter() - begun)
            spent = (process_time() - used) / len(committed)
            floor = _fsync_floor(Path(folder))
    most = 2e-3 if key == "veney" else 1.5e-3
    return [
        Row(f"{key}: heard to committed", _spread(committed), f"fdatasync {seconds(floor)}", _times(committed, floor)),
        Row(
            f"{key}: heard to delivered with its picture",
            _spread(arrived),
            goal="p99 <= 25 ms",
            met=_p99(arrived) <= 25e-3,
        ),
        Row(f"{key}: CPU of such a turn, all threads", seconds(spent), goal=f"<= {seconds(most)}", met=spent <= most),
    ]


# --- many matches at once ---------------------------------------------------------------------------------
async def _together(offered: int | None) -> Row:
    """Forty matches of all games at once: as fast as they go, or so many turns a second."""
    scripts = [(await scripted(key, 40, seed), f"{key}{seed}") for key in sorted(GAMES) for seed in range(TABLES)]
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as program:
            for script, place in scripts:  # boards and pieces are drawn
                for line in script[:10]:
                    await program.say(line, place)
            await program.post.arrived()
            begun, used, lags = perf_counter(), process_time(), list[float]()
            probe = asyncio.create_task(_lag(lags))
            made = 0
            if offered is None:
                made = sum(await asyncio.gather(*(_played(program, script[10:], place) for script, place in scripts)))
            else:
                tasks = []
                for turn in range(10, 40):
                    for script, place in scripts:
                        if turn < len(script):
                            due = begun + made / offered
                            await asyncio.sleep(max(0.0, due - perf_counter()))
                            tasks.append(asyncio.create_task(program.say(script[turn], place)))
                            made += 1
                await asyncio.gather(*tasks)
            await program.post.arrived()
            passed, spent = perf_counter() - begun, process_time() - used
            probe.cancel()
    lag = seconds(quantiles(lags, n=100)[98])
    if offered is None:
        rate = made / passed
        return Row(
            f"all games, {len(scripts)} matches, saturated",
            f"{rate:,.0f} turns/s",
            f"CPU {seconds(spent / made)} each, lag p99 {lag}",
            goal=">= 600/s",
            met=rate >= 600,
        )
    share = spent / passed
    return Row(
        f"all games, {offered} turns/s offered: of a core",
        f"{share:.0%}",
        f"CPU {seconds(spent / made)} each, lag p99 {lag}",
        goal="<= 20 %",
        met=share <= 0.2,
    )


async def _played(program: "Program", script: list["Line"], place: str) -> int:
    for line in script:
        await program.say(line, place)
    return len(script)


async def _lag(lags: list[float]) -> None:
    """How much later than asked for the loop wakes somebody, looked at 50 times a second."""
    while True:
        begun = perf_counter()
        await asyncio.sleep(0.02)
        lags.append(perf_counter() - begun - 0.02)


# --- the program ------------------------------------------------------------------------------------------
Line: TypeAlias = tuple[str, str, bool]
"""Who says what, and whether it is said in the match's thread."""


class Post:
    """A platform that takes whatever it is given."""

    platform = "web"
    caught_up = True

    def __init__(self) -> None:
        self.relay: OutboxRelay | None = None
        self._number = 0
        self._news = asyncio.Event()

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        self._number += 1
        self._news.set()
        return f"there {self._number}"

    async def arrived(self) -> None:
        """Until nothing is on its way."""
        assert self.relay is not None
        while self.relay._queues:
            self._news.clear()
            await self._news.wait()
            await asyncio.sleep(0)  # the outbox hears of it


class Program:
    """The service with its store, outbox and scheduler, as the bot runs them; a match to each room."""

    def __init__(self, store: Store, post: Post, paint: Paint) -> None:
        self.listeners: list[Committed] = []
        self._heard = 0
        self._matches: dict[str, int] = {}
        self.matches = 0
        """How many have begun: they are numbered from 1."""
        self.post, self.store = post, store
        self.service = Service(store, now=now, seed=lambda: bytes(32), committed=self._committed)
        relay = post.relay = OutboxRelay(store, {"web": post}, paint, now, contact=self.service.contact)
        scheduler = Scheduler(store, self.service.alarm_fired, now)
        self.listeners += [relay.committed, scheduler.committed]
        self.tasks = [asyncio.create_task(relay.run()), asyncio.create_task(scheduler.run())]

    async def close(self) -> None:
        """Stop all that runs; the store stays open."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def _committed(self, change: Change, waiting: Sequence[Outgoing]) -> None:
        for listener in self.listeners:
            listener(change, waiting)

    async def say(self, line: Line, room: str = "lounge") -> None:
        name, text, threaded = line
        self._heard += 1
        if text.startswith("challenge "):
            self.matches += 1
            self._matches[room] = self.matches
        match = str(self._matches[room])
        who = Person("web", f"{name}-{room}", f"{name}-{room}")
        text = text.replace("@ben", f"@ben-{room}").replace("MATCH", match)
        where = Place("web", room, match if threaded else "")
        await self.service.receive(IncomingMessage(f"web:{self._heard}", who, where, text, now()))


@asynccontextmanager
async def opened(folder: Path, paint: Paint | None = None) -> AsyncIterator[Program]:
    store = await open_store(folder / "riposte.db")
    program = Program(store, Post(), paint or Painting().paint)
    gc.collect()
    gc.freeze()
    try:
        yield program
    finally:
        await program.close()
        await store.close()


async def _unpainted(picture: Picture) -> None:
    """What is only to be told beforehand is not painted: its pictures would be at hand, and polished meanwhile."""


def now() -> int:
    return time_ns() // 1_000_000


async def scripted(key: str, turns: int, seed: int = 1) -> list[Line]:
    """What two people say in random matches of a game, so many turns in all."""
    chosen, lines = Random(seed), list[Line]()
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder), _unpainted) as program:
            made = 0

            async def say(name: str, text: str, *, threaded: bool = True) -> None:
                lines.append((name, text, threaded))
                await program.say(lines[-1])

            while made < turns:
                number = str(program.matches)
                match = await program.service.repository.match(number) if program.matches else None
                if match is None or match.status != "running":
                    await say("anna", f"challenge @ben {key}", threaded=False)
                    await say("ben", "accept MATCH", threaded=False)
                    continue
                game, position, length = match.game, match.position, match.length
                names = {side: player.partition(":")[2].partition("-")[0] for side, player in match.seats.items()}
                if asked := game.asks(position):
                    await say(names[asked[0].side], f"secret MATCH {asked[0].example}")
                elif match.ending is not None:
                    for name in names.values():
                        await say(name, "ok")
                else:
                    turn = game.write(chosen.choice(list(game.turns(position))), position)
                    await say(names[game.to_act(position)], turn)
                    after = await program.service.repository.match(number)
                    assert after is not None
                    if after.length == length:  # a warning: another turn is chosen
                        lines.pop()
                    else:
                        made += 1
            await program.post.arrived()
    return lines


# --- the start --------------------------------------------------------------------------------------------
def _start() -> Iterator[Row]:
    """CPU of whole processes, taken alternately: all of them find their modules compiled."""
    _run(PROGRAM + LIBRARIES)  # compiles what has changed
    started, clients, ours, theirs = [], [], [], []
    for _ in range(5):
        clients.append(_run(CLIENTS))
        started.append(_listening())
        theirs.append(_run(LIBRARIES))
        ours.append(_run(PROGRAM))
    spent, bare = median(used for used, _ in started), median(clients)
    yield Row(
        "`riposte run` until its page listens, CPU",
        seconds(spent),
        f"`{CLIENTS}` {seconds(bare)}",
        f"{spent / bare:.2f}",
        goal="<= 1.0x + 0.1 s",
        met=spent <= bare + 0.1,
    )
    spent, bare = median(ours), median(theirs)
    what = "all games and platforms imported, CPU"
    yield Row(what, seconds(spent), f"its libraries {seconds(bare)}", f"{spent / bare:.2f}")
    memory = median(peak for _, peak in started)
    yield Row("memory then", f"{memory / 1024:.0f} MiB", goal="<= 110 MiB", met=memory <= 110 * 1024)


def _run(code: str) -> float:
    """CPU seconds of a fresh interpreter that runs this."""
    tail = "\nimport time; print(time.process_time())"
    command = [sys.executable, "-c", code + tail]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=_surroundings()).stdout)


def _listening() -> tuple[float, int]:
    """CPU seconds and peak KiB of a program that has just opened its page, on a new database."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bot", "run"]
        surroundings = _surroundings() | {"RIPOSTE_DATA": folder, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=folder, env=surroundings) as program:
            assert program.stdout is not None
            program.stdout.readline()  # it says where the page is
            ticks = Path(f"/proc/{program.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
            # Not `ru_maxrss`: that begins with the peak of whoever started the program, and that is this benchmark.
            told = Path(f"/proc/{program.pid}/status").read_text().splitlines()
            (peak,) = (line.split()[1] for line in told if line.startswith("VmHWM"))
            program.terminate()
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"), int(peak)


def _surroundings() -> dict[str, str]:
    """The environment without settings of ours, and without what keeps Python from keeping what it has compiled."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RIPOSTE_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return kept


def _fsync_floor(folder: Path) -> float:
    """What overwriting 4 KiB durably costs on this disk."""
    with (folder / "floor").open("w+b", buffering=0) as file:
        file.write(bytes(4096))
        os.fsync(file.fileno())
        taken = []
        for _ in range(200):
            begun = perf_counter()
            file.seek(0)
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            taken.append(perf_counter() - begun)
    return median(taken)


def _p99(samples: list[float]) -> float:
    return quantiles(samples, n=100)[98]


def _spread(samples: list[float]) -> str:
    return f"{seconds(median(samples))}, p99 {seconds(_p99(samples))}"


def _times(samples: list[float], floor: float) -> str:
    return f"{median(samples) / floor:.1f}"
