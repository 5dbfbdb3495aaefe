"""Kills the bot at every write point of a whole story and looks at what is left each time.

    python -m tests.crash_sweep SHARD SHARDS [STORY …]

A process of its own, because it forks: no thread and no loop runs in it then, only in its children. The bot's write
points are counted where they happen, in the store's one writing connection and in the adapter, so none can be
forgotten: every SQL statement, every commit, both ends of every delivery. For each step of the story and each point
in it the bot is killed there, started again, every other time killed once more while it recovers, and left to finish;
then the database and the wall must be exactly what they are when nobody is killed.
"""

import asyncio
import gc
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Picture, Place
from bot.messages.serialization import address, write_message
from bot.runtime.outbox import OutboxRelay
from bot.runtime.scheduler import Scheduler
from bot.service.service import Service
from bot.service.transaction import Committed
from storage import schema
from storage.schema import Migration
from storage.sqlite import SqliteStore
from storage.store import Alarm, Change, Conflict, OutboxMessage, Outgoing
from tests.told import Clock

STORIES = ("tokonoma_callout", "offers_and_time")
START = 1_800_000_000_000
MINUTE = 60_000
SPANS = {"minutes": MINUTE, "hours": 60 * MINUTE, "days": 24 * 60 * MINUTE}
HANGING = 60
"""Seconds after which a bot that does not come to rest has been torn."""
LOOKED_AT = {
    "matches": "SELECT * FROM matches ORDER BY number",
    "events": "SELECT * FROM events ORDER BY match, seq",
    "seats": "SELECT * FROM seats ORDER BY player, match",
    "homes": "SELECT * FROM homes ORDER BY place, match",
    "alarms": "SELECT * FROM alarms ORDER BY match, kind, at",
    "arrivals": "SELECT id, body FROM arrivals ORDER BY number",
    "heard": "SELECT * FROM heard ORDER BY id",
    "settings": "SELECT * FROM settings ORDER BY owner, key",
    "letters": "SELECT key, lane, body, attempts, done, remote, why FROM letters ORDER BY lane, number",
    "the file": "PRAGMA integrity_check",
    "references": "PRAGMA foreign_key_check",
    "migrations": "SELECT * FROM migrations ORDER BY number",
}
COLOURS = "ALTER TABLE settings ADD COLUMN colour TEXT;\nUPDATE settings SET colour = 'red';\n"
AWAY = 6
"""The step before which the bot was away for an hour."""
BURST = 6
"""Matches in which somebody acts at the same moment, so that changes share a transaction."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens to the bot, at a told instant."""

    number: int
    now: int
    heard: IncomingMessage | None = None
    """A message; None = time has passed, or a burst."""
    burst: bool = False
    since: int = 0
    """The bot was away since then, and gives the clocks that time back."""
    schema: tuple[Migration, ...] = schema.migrations()


@dataclass(slots=True)
class Findings:
    """What the sweep has seen."""

    cases: int = 0
    kills: int = 0
    survived: int = 0
    """Children that were done before they came to the point at which they were to die."""
    points: Counter[str] = field(default_factory=Counter)
    """Where they died."""
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    torn: list[str] = field(default_factory=list)


class Plug:
    """Counts write points and pulls itself out at one of them."""

    def __init__(self, at: int, note: Path):
        self._at = at
        self._note = note
        self.count = 0

    def __call__(self, point: str) -> None:
        self.count += 1
        if self.count == self._at:
            self._note.write_text(point)
            os.kill(os.getpid(), signal.SIGKILL)


class Wall:
    """A platform that outlives the bot: what was posted stays posted, and the same key is not posted again."""

    platform = "web"

    def __init__(self, path: Path, plug: Plug):
        self._path, self._plug = path, plug

    async def run(self, hear: Callable[[IncomingMessage], Awaitable[None]]) -> None:
        raise NotImplementedError("nobody is heard through a wall: the sweep speaks to the service itself")

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        self._plug("BEFORE DELIVERY")
        if post.key not in {key for _, key, _ in read_wall(self._path)}:
            words = "".join(span if isinstance(span, str) else "…" for span in post.text)
            append(self._path, json.dumps([address(post.where), post.key, words]))
        self._plug("AFTER DELIVERY")
        return f"remote {post.key}"


def main(shard: int, shards: int, stories: tuple[str, ...] = STORIES) -> Findings:
    """Sweep every `shards`-th point of the stories, and print what was found."""
    findings = Findings()
    ram = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=ram if os.access(ram, os.W_OK) else None) as name:
        warm(Path(name) / "warm")
        for story in stories:
            sweep(Path(name) / story, steps(story), findings, shard, shards)
    return findings


def warm(folder: Path) -> None:
    """Live through all of it once before the first fork, so that no child has to load and compile it again."""
    for story in STORIES:
        home = folder / story
        home.mkdir(parents=True)
        for step in steps(story):
            asyncio.run(live(home, step, Plug(0, home)))
    while threading.active_count() > 1:  # the last connection's thread is on its way out
        time.sleep(0.001)
    gc.collect()
    gc.freeze()


def sweep(folder: Path, story: list[Step], findings: Findings, shard: int, shards: int) -> None:
    """Every step of a story: once in peace, then killed at each of its points."""
    chance = random.Random(shard)
    before = folder / "before"
    before.mkdir(parents=True)
    for step in story:
        after, trial = folder / "after", folder / "trial"
        shutil.copytree(before, after)
        assert start(after, step, 0) == 0, "a story runs through when nobody is killed"
        expected, points = look(after), int((after / "points").read_text())
        for point in range(1 + (step.number + shard) % shards, points + 1, shards):
            shutil.copytree(before, trial)
            findings.cases += 1
            again = chance.randint(1, points) if findings.cases % 2 == 0 else 0
            for at in (point, again, 0) if again else (point, 0):
                status = start(trial, step, at)
                if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
                    findings.kills += 1
                    findings.points[kind((trial / "killed").read_text())] += 1
                elif status:
                    findings.torn.append(f"step {step.number} cannot go on after points {point}, {at}")
                elif at:
                    findings.survived += 1
            compare(look(trial), expected, f"step {step.number} killed at {point}", findings)
            shutil.rmtree(trial)
        shutil.rmtree(before)
        after.rename(before)


def compare(found: dict[str, Any], expected: dict[str, Any], case: str, findings: Findings) -> None:
    """Sort what differs into lost, twice and torn."""
    for part, rows in expected.items():
        if found[part] == rows:
            continue
        here, there = Counter(map(str, found[part])), Counter(map(str, rows))
        if missing := there - here:
            findings.lost.append(f"{case}: {part} lacks {list(missing)[:2]}")
        if extra := here - there:
            findings.twice.append(f"{case}: {part} has besides {list(extra)[:2]}")
        if not missing and not extra:
            findings.torn.append(f"{case}: {part} is in another order")


def look(folder: Path) -> dict[str, Any]:
    """All that counts of a database and a wall; messages and posts each place's in order."""
    db = sqlite3.connect(folder / "riposte.db")
    seen: dict[str, Any] = {name: db.execute(question).fetchall() for name, question in LOOKED_AT.items()}
    db.close()
    for kept in sorted(folder.glob("riposte.db.before-*")):
        db = sqlite3.connect(kept)
        seen[kept.name] = db.execute(LOOKED_AT["events"]).fetchall()
        db.close()
    seen["posts"] = sorted(read_wall(folder / "wall"), key=lambda post: post[0])  # stable: each place in its order
    return seen


def start(folder: Path, step: Step, at: int) -> int:
    """The bot runs in a child until the step is done or it is killed; how that ended."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    try:
        signal.alarm(HANGING)
        plug = Plug(at, folder / "killed")
        asyncio.run(live(folder, step, plug))
        (folder / "points").write_text(str(plug.count))
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


KEY = Path(__file__).parent / "databases/test.key"
"""The same for all, so that what they have stored can be compared."""


async def live(folder: Path, step: Step, plug: Plug) -> None:
    """What the bot does from its start until it is idle again."""
    store = await SqliteStore.open(folder / "riposte.db", KEY, watch=plug, steps=step.schema)
    clock = Clock(step.now)
    listeners: list[Committed] = []
    seed = step.number.to_bytes(32, "big")

    def committed(change: Change, waiting: Sequence[Outgoing]) -> None:
        for tell in listeners:
            tell(change, waiting)

    service = Service(store, now=clock.now, seed=lambda: seed, committed=committed)
    relay = OutboxRelay(store, {"web": Wall(folder / "wall", plug)}, paint, clock.now, clock.wait)
    scheduler = Scheduler(store, service.alarm_fired, clock.now, clock.wait)
    listeners.append(scheduler.committed)
    if step.since:
        await service.credit(step.since, step.now)
    tasks = [asyncio.create_task(relay.run()), asyncio.create_task(scheduler.run())]
    acknowledged = folder / "acknowledged"
    if step.heard is not None and not heard(acknowledged, step.heard.id):
        await service.receive(step.heard)
        append(acknowledged, step.heard.id)
        relay.nudge()
    if step.burst:
        await asyncio.gather(*(burst(store, acknowledged, match, step) for match in range(BURST)))
        relay.nudge()
    while await store.due(step.now) or await store.waiting(step.now):
        await clock.asleep()
        relay.nudge()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await store.close()


async def burst(store: SqliteStore, acknowledged: Path, number: int, step: Step) -> None:
    """Somebody plays two turns in a match of his own; what was acknowledged he does not say again."""
    match = str(1000 + number)
    for turn in range(2):
        cause = f"burst {match} {turn}"
        if heard(acknowledged, cause):
            continue
        post = OutgoingMessage(f"key {cause}", Place("web", "lounge", match), (f"turn {turn}",))
        change = Change(
            heard=cause,
            match=match,
            expected=turn,
            events=((step.now, f'{{"turn": {turn}}}'),),
            messages=(OutboxMessage(post.key, address(post.where), write_message(post)),),
            alarms=(Alarm(match, "flag", step.now + 1000 + turn),),
        )
        try:
            await store.commit(change)
        except Conflict:
            assert await store.known(cause), "killed between its commit and our acknowledgement"
        append(acknowledged, cause)


def steps(story: str) -> list[Step]:
    """A conversation of the tests without the bot's answers, an absence; at its end a burst, and an upgrade."""
    text = (Path(__file__).parent / "conversations" / f"{story}.txt").read_text(encoding="utf-8")
    found: list[Step] = []
    now = START
    for line in text.splitlines():
        if said := re.fullmatch(r"(\w+)(?: in match (\d+))?: (.*)", line):
            name, thread, words = said.groups("")
            if len(found) == AWAY:
                now += SPANS["hours"]
                found.append(Step(AWAY, now, since=now - SPANS["hours"]))
            now += MINUTE
            who, where = Person("web", name, name.title()), Place("web", "lounge", thread)
            found.append(Step(len(found), now, IncomingMessage(f"web:{len(found)}", who, where, words, now)))
        elif waited := re.fullmatch(r"\((\d+) (\w+) later\)", line):
            now += int(waited[1]) * SPANS[waited[2].rstrip("s") + "s"]
            found.append(Step(len(found), now))
    newer = (*schema.migrations(), schema.Migration(len(schema.migrations()) + 1, "colours", COLOURS))
    return [*found, Step(len(found), now, burst=True), Step(len(found) + 1, now, schema=newer)]


def kind(point: str) -> str:
    """A write point by its first words: `INSERT INTO events`."""
    words = re.sub(r"--.*|'.*", "", point).replace("(", " ").split()
    return " ".join(words[:3])


def append(path: Path, line: str) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(file, line.encode() + b"\n")
    os.fsync(file)
    os.close(file)


def heard(path: Path, id_: str) -> bool:
    return path.exists() and id_ in path.read_text(encoding="utf-8").splitlines()


def read_wall(path: Path) -> list[list[str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


async def paint(picture: Picture) -> bytes:
    return picture.position.encode()


if __name__ == "__main__":
    first, second, *named = sys.argv[1:]
    found = main(int(first), int(second), tuple(named) or STORIES)
    json.dump({name: getattr(found, name) for name in Findings.__slots__}, sys.stdout)
