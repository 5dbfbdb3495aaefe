"""Many matches for a long time: what grows is found by regression over the run, not by eye.

    python -m tests.soak [TURNS] [MATCHES] [SEED] [FOLDER]

Matches of all games, some of them against Riposte, on a told clock in which each match has two turns a day; the real
service, store, outbox, scheduler, painter and pruning. Places are of three platforms, which take every post. Into
FOLDER go plots.
"""

import asyncio
import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Place
from bot.painting import Painting
from bot.partner.seat import Seat
from bot.repository.at_hand import MOST
from bot.runtime.outbox import OutboxRelay
from bot.runtime.pruning import Pruning
from bot.runtime.scheduler import Scheduler
from bot.service.service import Service
from engine.games import GAMES
from engine.search.job import decide
from render import painter
from storage.sqlite.store import SqliteStore
from storage.store import Change, Outgoing
from tests.soak.measure import Sample, trim
from tests.told import Clock
from tests.year.people import line

PLATFORMS = ("discord", "matrix", "web")
DAY = 86_400.0
SAMPLES = 60
PARTNERED = 20
"""One match in so many is against Riposte."""


@dataclass
class Sink:
    """A platform that takes everything."""

    platform: str
    posts: int = 0
    pictures: int = 0

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        self.posts += 1
        self.pictures += image is not None
        return post.key


@dataclass
class Soak:
    """One run."""

    store: SqliteStore
    chance: Random
    clock: Clock = field(default_factory=Clock)
    sinks: dict[str, Sink] = field(default_factory=lambda: {name: Sink(name) for name in PLATFORMS})
    turns: int = 0
    begun: int = 0
    said: int = 0
    samples: list[Sample] = field(default_factory=list)
    wanted: int = SAMPLES
    """How many samples."""

    def __post_init__(self) -> None:
        self.service = Service(
            self.store,
            now=self.clock.now,
            seed=lambda: self.chance.randbytes(32),
            committed=self.committed,
            opponents=500,
        )
        self.relay = OutboxRelay(self.store, self.sinks, Painting().paint, self.clock.now, self.clock.wait)
        self.scheduler = Scheduler(self.store, self.service.alarm_fired, self.clock.now, self.clock.wait)
        self.seat = Seat(self.service.repository, self.service.transactions)
        self.pruning = Pruning(self.store, self.clock.now, asyncio.sleep)
        self.live: list[str] = []
        self.pruned = 0

    def committed(self, change: Change, waiting: list[Outgoing]) -> None:
        self.relay.committed(change, waiting)
        self.scheduler.committed(change, waiting)

    async def say(self, name: str, platform: str, text: str) -> None:
        """Somebody writes."""
        self.said += 1
        who, where = Person(platform, name, name.title()), Place(platform, "lounge")
        id_ = f"{platform}:{self.said}"
        await self.service.receive(IncomingMessage(id_, who, where, text, self.clock.now(), server="room"))

    async def begin(self) -> None:
        """A new match, of the next game."""
        self.begun += 1
        platform, game = PLATFORMS[self.begun % 3], sorted(GAMES)[self.begun % len(GAMES)]
        one, other = (f"p{self.chance.randrange(200)}{side}" for side in "ab")
        if self.begun % PARTNERED == 0:
            await self.say(one, platform, f"play {game} level=1")
        else:
            await self.say(one, platform, f"challenge @{other} {game} umpire=friendly time=20d")
            number = (await self.store.matches(limit=1))[0].match
            await self.say(other, platform, f"accept {number}")
        self.live.append((await self.store.matches(limit=1))[0].match)

    async def turn(self) -> None:
        """Whoever is to act in some match does; one that is over is followed by the next."""
        at = self.chance.randrange(len(self.live))
        match = await self.service.repository.match(self.live[at])
        if match is None or match.status != "running" or not match.sides_to_act:
            if match is not None and match.status == "open":
                await self.say(
                    match.parties[0].partition(":")[2], match.parties[0].partition(":")[0], f"abort {match.id}"
                )
            self.live[at] = self.live[-1]
            self.live.pop()
            await self.begin()
            return
        side = match.sides_to_act[0]
        platform, _, name = match.seats[side].partition(":")
        self.turns += 1
        if platform not in PLATFORMS:
            job = await self.seat.job(match.id, self.clock.now())
            if job is not None:
                await self.seat.decided(job, decide(job), self.clock.now())
        else:
            await self.say(name, platform, line(match, side, self.chance))

    async def run(self, turns: int, matches: int) -> None:
        """So many turns, with so many matches under way."""
        for _ in range(matches):
            await self.begin()
        while self.turns < turns:
            await self.turn()
            self.clock.pass_(DAY / 2 / matches)
            self.relay.nudge()
            if (self.clock.now() // 1000) // DAY > self.pruned:
                self.pruned = int(self.clock.now() // 1000 // DAY)
                await self.pruning.prune()
            if self.turns >= turns * (len(self.samples) + 1) / self.wanted:
                await self.sample()

    async def sample(self) -> None:
        """Measure, once what is under way has arrived."""
        while await self.store.waiting(1 << 62, 1):
            await self.clock.asleep()
            self.clock.pass_(1)
            self.relay.nudge()
        gc.collect()
        trim()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        used = await self.store._rows(
            "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, "
            "pragma_page_size"
        )
        memory = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
        files = len(list(Path("/proc/self/fd").iterdir()))
        tasks = len(asyncio.all_tasks())
        at_hand, pictures = self.service.repository.at_hand, painter._shared
        assert at_hand.held <= MOST
        assert pictures.weight <= pictures.budget
        kept = (at_hand.held + pictures.weight) / 2**20
        self.samples.append(Sample(self.turns, memory, files, tasks, used[0][0] / self.turns, kept))


@asynccontextmanager
async def soaking(folder: Path, seed: int) -> AsyncIterator[Soak]:
    """A run that is under way."""
    soak = Soak(await SqliteStore.open(folder / "riposte.db"), Random(seed))
    tasks = [asyncio.create_task(soak.relay.run()), asyncio.create_task(soak.scheduler.run())]
    try:
        yield soak
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await soak.store.close()
