"""A bot that can be killed at any of its write points, and a platform that outlives it.

The points are counted where they happen, so none can be forgotten: every SQL statement and every commit of the one
connection that writes, both ends of every delivery, and everything that is opened to be written, renamed or removed,
whoever does it.
"""

import asyncio
import json
import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bot.messages.model import OutgoingMessage, Picture, Place
from bot.messages.serialization import address, write_message
from bot.repository import Committed
from bot.runtime.outbox import OutboxRelay
from bot.runtime.scheduler import Scheduler
from bot.service.service import Service
from storage.sqlite.store import SqliteStore
from storage.store import Alarm, Change, Conflict, OutboxMessage, Outgoing
from tests.faults.stories import Step
from tests.told import Clock

DATABASE = "riposte.db"
KEY = Path(__file__).parents[1] / "databases/test.key"
"""The same for all, so that what they have stored can be compared."""
BURST = 6
"""Matches in which somebody acts at the same moment, so that changes share a transaction."""
FILES = {"os.rename": "RENAME", "os.remove": "REMOVE", "os.mkdir": "MKDIR", "os.rmdir": "RMDIR", "os.link": "LINK"}
"""What Python tells of before it is done, and what its point is called."""

NOTES = ("acknowledged", "said", "wall", "killed", "points")
"""Files of the test's own."""


class Plug:
    """Counts write points and pulls itself out at one of them."""

    def __init__(self, at: int, note: Path):
        self._at = at
        self._note = note
        self.count = 0
        self.writers: list[str] = []
        """Databases that were opened to be written."""

    def __call__(self, point: str) -> None:
        self.count += 1
        if self.count == self._at:
            self._at = 0  # the note is a file too
            self._note.write_text(point)
            os.kill(os.getpid(), signal.SIGKILL)

    def watch_files(self, folder: Path) -> None:
        """Count what is done to files in a folder from now on; for a process that will not live long."""
        inside = f"{folder}{os.sep}"

        def ours(path: object) -> bool:
            return str(path).startswith(inside) and Path(str(path)).name not in NOTES

        def happened(event: str, given: tuple[Any, ...]) -> None:
            if event == "open":
                path, _, flags = given
                if flags & (os.O_WRONLY | os.O_RDWR) and ours(path):
                    self(f"OPEN {Path(path).suffix}")
            elif event in FILES and ours(given[0]):
                self(f"{FILES[event]} {Path(given[0]).suffix}")
            elif event == "sqlite3.connect" and "mode=ro" not in str(given[0]):
                self.writers.append(str(given[0]))

        sys.addaudithook(happened)


class Wall:
    """A platform that outlives the bot: what was posted stays posted, and the same key is not posted again."""

    platform = "web"

    def __init__(self, path: Path, point: Callable[[str], None] = lambda point: None):
        self._path, self._point = path, point

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        self._point("BEFORE DELIVERY")
        if post.key not in {key for _, key, _ in read_wall(self._path)}:
            words = "".join(span if isinstance(span, str) else "…" for span in post.text)
            append(self._path, json.dumps([address(post.where), post.key, words]))
        self._point("AFTER DELIVERY")
        return f"remote {post.key}"


async def live(folder: Path, step: Step, plug: Plug) -> None:
    """What the bot does from its start until it is idle again."""
    store = await SqliteStore.open(folder / DATABASE, KEY, watch=plug, steps=step.schema)
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
    if step.heard is not None and not noted(acknowledged, step.heard.id):
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
        if noted(acknowledged, cause):
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


async def paint(picture: Picture) -> bytes:
    """A picture that costs nothing."""
    return picture.position.encode()


# --- what is left on the disk --------------------------------------------------------------------------------
def append(path: Path, line: str) -> None:
    """Write a line for good."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(file, line.encode() + b"\n")
    os.fsync(file)
    os.close(file)


def noted(path: Path, line: str) -> bool:
    """Whether a line stands in a file."""
    return path.exists() and line in path.read_text(encoding="utf-8").splitlines()


def read_wall(path: Path) -> list[list[str]]:
    """What was posted, in order: where, its key, its words."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def rows(path: Path, sql: str) -> list[Any]:
    """What a database answers, read from outside."""
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()
