"""One run: people play in all rooms, so many turns a second are offered, and the bot's process is measured."""

import asyncio
import json
import os
import sys
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bot.messages.serialization import read_address
from engine.games import GAMES
from engine.match.state import Match
from tests.soak.live.database import PARTNERED, TERMS, Shadow, mention
from tests.soak.live.rooms import Room
from tests.soak.measure import Sample
from tests.year.people import line

SAMPLES = 60
UNDER_WAY = 24
"""Commands that may wait for what follows from them: nobody is offered more than is taken."""
PATIENCE = 180.0
"""Seconds in which a turn must stand in the database."""
EXAMPLES = 20
"""Of what comes late so many are shown."""
QUIET = 5.0
"""Seconds that a sample waits for posts that are under way."""
OFTEN = 0.1
"""Seconds between two looks at the database."""
BESIDE = 10
"""After so many turns somebody does something else."""
TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Measured(Sample):
    """What else is measured."""

    page: float = 0.0
    """MiB of the page's own database."""
    spent: float = 0.0
    """Milliseconds of processor time of the bot's process for each turn since the sample before."""
    workers: float = 0.0
    """MiB of the processes in which Riposte thinks."""
    rate: float = 0.0
    """Turns a second since the sample before."""


@dataclass
class Run:
    """What happens, and what was measured."""

    rooms: Sequence[Room]
    data: Path
    chance: Random
    bot: Process
    turns: int = 0
    begun: int = 0
    late: Counter[str] = field(default_factory=Counter)
    """Commands from which nothing followed in time, by platform and word."""
    samples: list[Measured] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)
    """All that was told with each sample."""

    def __post_init__(self) -> None:
        self.shadow = Shadow(self.data)
        self.live = self.shadow.live()
        self.at_first = time.monotonic()
        self.busy: set[str] = set()
        self._room = {room.platform: room for room in self.rooms}
        self._before = (0, _cpu(self.bot.pid), time.monotonic())

    async def play(self, turns: int, rate: float, until: float, wanted: int = SAMPLES) -> None:
        """So many turns at most, and no longer than until then, by the monotonic clock; so many samples."""
        begun, under_way = time.monotonic(), set[asyncio.Task[None]]()
        samples = 0
        while self.turns < turns and time.monotonic() < until:
            begun = max(begun + 1 / rate, time.monotonic() - 1)  # what could not be offered then is not made up for
            await asyncio.sleep(begun - time.monotonic())
            if len(under_way) >= UNDER_WAY:
                await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            task = asyncio.create_task(self._act())
            under_way.add(task)
            task.add_done_callback(partial(self._acted, under_way))
            share = max(self.turns / turns, 1 - (until - time.monotonic()) / (until - self.at_first))
            if share >= (samples + 1) / wanted:
                samples = int(share * wanted)
                if under_way:
                    await asyncio.wait(under_way)
                await self.sample()
        if under_way:
            await asyncio.wait(under_way)

    def _acted(self, under_way: set[asyncio.Task[None]], task: asyncio.Task[None]) -> None:
        """Somebody is done; what they could not say or do counts as late, and the run goes on."""
        under_way.discard(task)
        if (error := task.exception()) is not None:
            self._missed(f"{type(error).__name__} {error}")

    def _missed(self, what: str) -> None:
        self.late[" ".join(what.split()[:2])] += 1
        if self.late.total() <= EXAMPLES:
            print(f"late: {what}", file=sys.stderr, flush=True)

    async def sample(self) -> None:
        """Measure, once what is under way has arrived."""
        await self.quiet(QUIET)  # Riposte itself may think and post without a rest
        told = await self.ask("all" if len(self.samples) % 10 == 0 else "some")
        turns, spent, at = self._before
        self._before = self.turns, _cpu(self.bot.pid), time.monotonic()
        fresh = max(1, self.turns - turns)
        counts = self.shadow.counts()
        sample = Measured(
            self.turns,
            told["memory"],
            told["files"],
            told["tasks"],
            self.shadow.used() / self.shadow.events(),
            told["kept"],
            self.shadow.page() / 2**20,
            (self._before[1] - spent) * 1000 / fresh,
            _workers(self.bot.pid),
            fresh / (self._before[2] - at),
        )
        self.samples.append(sample)
        late = sum(self.late.values())
        self.told.append(
            {**told, **counts, "turns": self.turns, "late": late, "begun": self.begun, "spent": sample.spent}
        )
        print(
            f"{self.turns} turns, {sample.rate:.1f}/s, {self.begun} matches begun: {sample.memory:.1f} MiB "
            f"({sample.kept:.1f} in caches), {sample.files:.0f} files, {sample.tasks:.0f} tasks, {sample.stored:.0f} "
            f"bytes an event, {sample.spent:.1f} ms a turn, page {sample.page:.1f} MiB, {counts}, late {late}",
            flush=True,
        )

    async def quiet(self, most: float) -> bool:
        """Wait so many seconds at most until every post has arrived; whether they have."""
        until = time.monotonic() + most
        while (waiting := self.shadow.waiting()) and time.monotonic() < until:
            await asyncio.sleep(OFTEN)
        return not waiting

    async def ask(self, what: str) -> dict[str, Any]:
        """What the bot's process says of itself."""
        assert self.bot.stdin is not None
        assert self.bot.stdout is not None
        self.bot.stdin.write(f"{what}\n".encode())
        async with asyncio.timeout(PATIENCE):
            while not (said := await self.bot.stdout.readline()).startswith(b"{"):
                assert said, "the bot has ended"
        told: dict[str, Any] = json.loads(said)
        return told

    async def _act(self) -> None:
        """Whoever is to act in some match does, or somebody does something else; one that is over is replaced."""
        number = self.live[self.chance.randrange(len(self.live))]
        if number in self.busy:
            return
        match = self.shadow.match(number)
        if match is None or match.status != "running" or not match.sides_to_act:
            self.live.remove(number)
            await self._begin()
            return
        side = match.sides_to_act[0]
        platform, _, who = match.seats[side].partition(":")
        if platform not in self._room:  # Riposte thinks by itself
            return
        room = self._room[platform]
        place = next(where.channel for where in map(read_address, match.places) if where.platform == platform)
        self.turns += 1
        self.busy.add(number)
        try:
            if self.turns % BESIDE == 0:
                await room.live(who, place, number, self.turns)
            text = line(match, side, self.chance)
            if room.platform == "discord":
                text = text.removesuffix(" sure")
            await room.say(who, place, text)
            await self._until(lambda: _stage(self.shadow.match(number)) != _stage(match), f"{platform} {text}")
        finally:
            self.busy.discard(number)

    async def _begin(self) -> None:
        """A new match, of the next game."""
        self.begun += 1
        room, game = self.rooms[self.begun % len(self.rooms)], sorted(GAMES)[self.begun % len(GAMES)]
        place = self.chance.choice([*room.servers])
        one, other = self.chance.sample(room.at(place), 2)
        known = self.shadow.newest()
        partnered = self.begun % PARTNERED == 0
        about = f"play {game} level=1" if partnered else f"challenge {mention(room, other)} {game} {TERMS}"
        await room.say(one, place, about)
        found = ""

        def opened() -> bool:
            nonlocal found
            fresh = (self.shadow.match(number) for number in self.shadow.after(known))
            mine = (match for match in fresh if match and match.challenger == f"{room.platform}:{one}")
            found = next((match.id for match in mine if match.id not in self.live), "")
            return bool(found)

        if await self._until(opened, f"{room.platform} {about}"):
            self.live.append(found)
            if not partnered:
                length = self.shadow.length(found)
                await room.say(other, place, f"accept {found}")
                await self._until(lambda: self.shadow.length(found) > length, f"{room.platform} accept")

    async def _until(self, true: Callable[[], bool], what: str) -> bool:
        """Wait until the database says so; what does not come in time is counted."""
        late = time.monotonic() + PATIENCE
        while not true():
            if time.monotonic() > late:
                self._missed(what)
                return False
            await asyncio.sleep(OFTEN)
        return True


def _stage(match: Match | None) -> object:
    """What changes by whatever somebody says in a match, and by nothing that is only noted there."""
    return match and (match.status, match.turns_made, match.sides_to_act, match.ending)


def _cpu(pid: int) -> float:
    """Seconds of processor time so far, all threads of one process."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def _workers(pid: int) -> float:
    """MiB of a process's children."""
    pages = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            pages += int(Path(f"/proc/{child}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
