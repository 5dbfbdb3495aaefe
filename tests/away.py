"""`python -m tests.away [STORED [RUNNING]]`: the first answer after an hour away, with very many matches.

A real store and a real service on a database made for it; the platform is the only stand-in. Printed are the seconds
from the start of the program's work (opening the store) to the delivery of the first answer, and everything that was
posted beside it.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.app import serve
from bot.messages.model import Adapter, IncomingMessage, OutgoingMessage, Person, Place, Receive
from bot.messages.serialization import read_event
from bot.repository import summarize
from bot.runtime.supervisor import PlatformSupervisor
from bot.service.service import Service
from engine.match.alarms import alarms
from engine.match.clock import NUDGES
from engine.match.evolve import replay
from engine.match.state import Match
from storage import open_store
from storage.store import Alarm, Change, Store, Summary
from tests.chat_room import DAY, HOUR, MINUTE, ChatRoom

STORED, RUNNING = 100_000, 10_000
REMINDED = int(3 * DAY * NUDGES[0])
"""Milliseconds after which whoever has three days is reminded first."""
TARGET = 3.0
"""Seconds until the first answer."""


async def filled(folder: Path, stored: int, running: int) -> int:
    """A database with so many matches; returns when the bot was last seen."""
    store = await open_store(folder / "riposte.db")
    room = ChatRoom(store)
    room.now = int(time.time() * 1000) - DAY
    await room.say("anna", "challenge @ben tokonoma time=3d side=white")
    await room.say("ben", "accept")
    log = await store.load("1")
    begun = replay(read_event(record.body) for record in log)
    assert begun is not None
    now = int(time.time() * 1000) - HOUR
    numbers = range(2, stored + running + 1)
    for start in range(0, len(numbers), 256):
        batch = numbers[start : start + 256]
        await asyncio.gather(
            *(store.commit(_copied(number, [(r.at, r.body) for r in log], begun, now, running)) for number in batch)
        )
    await store.commit(Change(settings=(("riposte", "alive", str(now)),)))
    await store.close()
    return now


def _copied(number: int, log: list[tuple[int, str]], begun: Match, now: int, running: int) -> Change:
    """The match again under another number: running, with its turn begun some time in the last days, or over.

    Nobody is due a reminder within ten minutes of the return, however slow the machine is that measures.
    """
    name, shift = str(number), now - begun.turn_started_at - number * 7_919_003 % (REMINDED - 10 * MINUTE)
    events = tuple((at + shift, body.replace('"match":"1"', f'"match":"{name}"')) for at, body in log)
    events = tuple((at, body.replace(f'"at":{at - shift}', f'"at":{at}')) for at, body in events)
    if number > running:
        over = Summary(name, "tokonoma", "over", (f"web:p{number % 997}",), (), ("web/lounge/",), 0, now)
        return Change(match=name, events=events, alarms=(), summary=over)
    match = replay(map(read_event, (body for _, body in events)))
    assert match is not None
    woken = tuple(Alarm(name, alarm.kind, alarm.at) for alarm in alarms(match))
    return Change(match=name, events=events, alarms=woken, summary=summarize(match, now))


class Pub:
    """A platform on which one question is asked at once; what is delivered is kept."""

    platform = "web"
    caught_up = True

    def __init__(self) -> None:
        self.posts: list[OutgoingMessage] = []
        self.answered = asyncio.Event()

    async def run(self, hear: Receive) -> None:
        now = int(time.time() * 1000)
        await hear(IncomingMessage("web:q", Person("web", "anna", "anna"), Place("web", "lounge", "1"), "c7c5", now))
        await asyncio.Event().wait()

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        self.posts.append(post)
        self.answered.set()
        return str(len(self.posts))


@asynccontextmanager
async def _started(folder: Path) -> AsyncIterator[tuple[Pub, Store, float]]:
    begun = time.perf_counter()
    store = await open_store(folder / "riposte.db")
    listeners: list[Any] = []

    def wake(*news: Any) -> None:
        for listener in listeners:
            listener(*news)

    service = Service(store, now=lambda: int(time.time() * 1000), seed=lambda: bytes(32), committed=wake)
    pub = Pub()

    async def opened() -> Adapter:
        return pub

    running = asyncio.create_task(serve([PlatformSupervisor("web", opened)], store, service, listeners))
    try:
        await pub.answered.wait()
        yield pub, store, time.perf_counter() - begun
    finally:
        running.cancel()
        await asyncio.wait([running])
        await store.close()


async def measured(stored: int, running: int) -> tuple[float, int, int]:
    """Seconds to the first answer, posts that belong to no question, and matches that were written meanwhile."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        await filled(folder, stored, running)
        async with _started(folder) as (pub, store, seconds):
            while await store.due(int(time.time() * 1000)):
                await asyncio.sleep(MINUTE / 600_000)
            others = [post for post in pub.posts if post.where.thread != "1"]
            now = int(time.time() * 1000)
            touched = sum(1 for match in await store.matches(status="running") if match.updated > now - HOUR // 2)
        return seconds, len(others), touched


def main() -> None:
    stored, running = (int(word) for word in (sys.argv[1:] + [str(STORED), str(RUNNING)][len(sys.argv) - 1 :]))
    seconds, others, touched = asyncio.run(measured(stored, running))
    print(f"{stored} stored and {running} running matches, an hour away: the first answer after {seconds:.2f} s,")
    print(f"{others} posts on that account, {touched} matches written (those whose alarms fell due meanwhile).")
    sys.exit(seconds > TARGET or others > 0)


if __name__ == "__main__":
    main()
