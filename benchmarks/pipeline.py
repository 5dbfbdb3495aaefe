"""The whole turn: heard, decided, committed, painted, encoded, the next prepared; and what starting and idling cost."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time

from benchmarks.table import Row, seconds
from bot.messages.model import IncomingMessage, Person, Place
from bot.messages.pictures import diagram
from bot.messages.serialization import read_message
from bot.service.service import Service
from engine.match.state import Match
from render.painter import paint, prepare
from render.view import View
from storage import open_store
from storage.store import Store

GAMES = ("tokonoma", "chirality")
TURNS = 300

BARE = "import asyncio, aiohttp.web, aiosqlite, PIL.Image, msgspec, pydantic_settings, structlog, typer"
"""What the program imports from others: starting cannot be quicker than this."""
PROGRAM = "import bot.app, bot.__main__, bot.settings; from engine.games import GAMES; list(GAMES.values())"


def rows() -> Iterator[Row]:
    for key in GAMES:
        yield from asyncio.run(_turns(key))
    yield from _start()


async def _turns(key: str) -> list[Row]:
    """A few hundred turns of one player after another through the real service and a real database."""
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(Path(folder) / "riposte.db")
        try:
            return await _measured(key, store, Path(folder))
        finally:
            await store.close()


async def _measured(key: str, store: Store, folder: Path) -> list[Row]:
    clock, chosen = iter(range(1_000, 10**9, 1_000)), Random(1)
    service = Service(store, now=lambda: next(clock), seed=lambda: bytes(32))
    heard, match = 0, ""

    async def say(name: str, text: str, thread: str = "") -> None:
        nonlocal heard
        heard += 1
        who = Person("web", name, name)
        await service.receive(IncomingMessage(f"web:{heard}", who, Place("web", "lounge", thread), text, next(clock)))

    committed, encoded, cpu = [], [], []
    number = 0
    while len(committed) < TURNS:
        standing: Match | None = await service.repository.match(match) if match else None
        if standing is None or standing.status != "running":
            number += 1
            match = str(number)
            await say("anna", f"challenge @ben {key}")
            await say("ben", f"accept {match}")
            await _emptied(store)
            continue
        game, position = standing.game, standing.position
        text = game.write(chosen.choice(list(game.turns(position))), position)
        name = standing.seats[game.to_act(position)].partition(":")[2]
        begun, used = perf_counter(), process_time()
        await say(name, text, match)
        committed.append(perf_counter() - begun)
        for outgoing in await store.waiting(next(clock)):
            post = read_message(outgoing.message.body)
            if post.picture is not None:
                paint(diagram(post.picture), View(post.picture.theme))
        encoded.append(perf_counter() - begun)
        prepare()
        cpu.append(process_time() - used)
        await _emptied(store)
    floor = _fsync_floor(folder)
    return [
        Row(f"{key}: heard to committed", _spread(committed), f"fdatasync {seconds(floor)}", _times(committed, floor)),
        Row(f"{key}: heard to encoded", _spread(encoded), goal="p99 <= 25 ms", met=_p99(encoded) <= 25e-3),
        Row(f"{key}: CPU for a turn with its picture", seconds(median(cpu)), goal="<= 2 ms", met=median(cpu) <= 2e-3),
    ]


async def _emptied(store: Store) -> None:
    while waiting := await store.waiting(10**15):
        for outgoing in waiting:
            await store.delivered(outgoing.number, "there", 0)


def _start() -> Iterator[Row]:
    """From nothing to all games imported, beside the bare libraries, taken alternately."""
    ours, theirs = [], []
    for _ in range(5):
        theirs.append(_run(BARE))
        ours.append(_run(PROGRAM))
    spent, bare = median(s for s, _ in ours), median(s for s, _ in theirs)
    yield Row("cold start, CPU", seconds(spent), f"its libraries {seconds(bare)}", f"{spent / bare:.2f}")
    memory = median(rss for _, rss in ours)
    yield Row("memory after start", f"{memory / 1024:.0f} MiB", goal="<= 110 MiB", met=memory <= 110 * 1024)


def _run(code: str) -> tuple[float, int]:
    """CPU seconds and peak KiB of a fresh interpreter that runs this."""
    # Not `ru_maxrss`: that begins with the peak of whoever started the program, and here that is this benchmark.
    tail = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
(peak,) = (line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(used.ru_utime + used.ru_stime, peak)
"""
    told = subprocess.run([sys.executable, "-c", code + tail], capture_output=True, text=True, check=True)
    spent, memory = told.stdout.split()
    return float(spent), int(memory)


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
