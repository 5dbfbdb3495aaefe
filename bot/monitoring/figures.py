"""The figures of a running Riposte. They hold nothing about verdicts, players, matches or places."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from time import perf_counter
from types import MappingProxyType
from typing import Final, Protocol, TypeAlias

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, PlatformCollector, ProcessCollector
from prometheus_client import generate_latest as written

from bot.messages.model import IncomingMessage
from bot.messages.serialization import EVENT_NAMES, read_message
from engine.match.events import CalledOut, CallFailed
from storage.store import Change, Outgoing, Store

LOOK: Final = 1.0
"""Seconds between two looks at the event loop."""
QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
"""Seconds that are told apart."""
Copies: TypeAlias = Mapping[str, Callable[[], float | None]]
CALLS: Final = tuple(f'{{"event":"{EVENT_NAMES[event]}"' for event in (CalledOut, CallFailed))
"""The kinds of events that are calls: upheld, or not."""


class Platform(Protocol):
    """One platform, which may not be connected."""

    platform: str

    @property
    def caught_up(self) -> bool:
        """Whether all that was written while we were away has been read."""

    @property
    def synced_at(self) -> int:
        """When it last said what is new, or that nothing is, in milliseconds since 1970 UTC; 0 = it is not asked."""


@dataclass(frozen=True, slots=True, eq=False)
class Writing:
    """A change that is being written."""

    since: float
    """By the process' own clock."""


class Figures:
    """Counted while Riposte runs; what waits is looked up when somebody asks."""

    def __init__(
        self, store: Store, platforms: Sequence[Platform], now: Callable[[], int], copies: Copies = MappingProxyType({})
    ):
        """`copies` tells of each standby how many seconds old it is; None = there is none yet."""
        self._copies = copies
        self._store = store
        self._now = now
        self.platforms = platforms
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        self._heard = Histogram(
            "riposte_heard_seconds",
            "From a message's arrival until what it leads to is stored.",
            ("platform",),
            buckets=QUICK,
            registry=registry,
        )
        self._commits = Counter("riposte_commits", "Changes that were stored.", registry=registry)
        self._events = Counter("riposte_events", "Events of matches that were stored.", registry=registry)
        self._messages = Counter("riposte_messages", "Messages that were handed to the outbox.", registry=registry)
        self._calls = Counter(
            "riposte_calls", "Callouts in all matches together; how many were upheld is not told.", registry=registry
        )
        self._written = Histogram(
            "riposte_commit_seconds",
            "From when a change is handed to the writer until it is on the disk.",
            buckets=QUICK,
            registry=registry,
        )
        self._writing = Gauge(
            "riposte_writer_oldest_seconds", "For how long the writer has had the oldest change.", registry=registry
        )
        self._under_way: set[Writing] = set()
        self._lag = Histogram(
            "riposte_loop_lag_seconds",
            "How late the event loop does what is due.",
            buckets=QUICK,
            registry=registry,
        )
        self._ready = Gauge(
            "riposte_platform_ready", "1 = connected, and all that was written has been read.", ("platform",),
            registry=registry,
        )  # fmt: skip
        self._synced = Gauge(
            "riposte_sync_age_seconds", "Since the platform last said what is new.", ("platform",), registry=registry
        )
        self._oldest = Gauge(
            "riposte_outbox_oldest_seconds", "Age of the oldest message that has yet to arrive.", registry=registry
        )
        self._overdue = Gauge(
            "riposte_alarm_overdue_seconds", "For how long the oldest alarm has been due.", registry=registry
        )

        self._copy_age = Gauge(
            "riposte_standby_age_seconds", "How old the copy elsewhere is; infinite = there is none yet.", ("where",),
            registry=registry,
        )  # fmt: skip

    def committed(self, change: Change, _waiting: Sequence[Outgoing]) -> None:
        """Count a change that was stored."""
        self._commits.inc()
        self._events.inc(len(change.events))
        self._messages.inc(len(change.messages))
        self._calls.inc(sum(body.startswith(CALLS) for _, body in change.events))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """What is done inside is a change that the writer has."""
        self._under_way.add(writing := Writing(perf_counter()))
        try:
            yield
        finally:
            self._under_way.discard(writing)
            self._written.observe(perf_counter() - writing.since)

    def timed(
        self, receive: Callable[[IncomingMessage], Awaitable[bool]]
    ) -> Callable[[IncomingMessage], Awaitable[bool]]:
        """Returns the same, with the time that it takes."""

        async def receive_timed(message: IncomingMessage) -> bool:
            began = perf_counter()
            try:
                return await receive(message)
            finally:
                self._heard.labels(message.where.platform).observe(perf_counter() - began)

        return receive_timed

    async def watch(self) -> None:
        """Look at the event loop until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOK
            await asyncio.sleep(LOOK)
            self._lag.observe(max(0.0, loop.time() - due))

    async def written(self) -> bytes:
        """Returns everything in Prometheus' text format."""
        for platform in self.platforms:
            self._ready.labels(platform.platform).set(platform.caught_up)
            if platform.synced_at:
                self._synced.labels(platform.platform).set(self._since(platform.synced_at))
        for where, age in self._copies.items():
            old = age()
            self._copy_age.labels(where).set(inf if old is None else old)
        self._writing.set(self.oldest_change())
        self._oldest.set(await self.oldest_message())
        self._overdue.set(await self.alarm_overdue())
        return written(self._registry)

    def oldest_change(self) -> float:
        """Returns for how many seconds the writer has had the oldest change; 0 = it has none."""
        began = min((writing.since for writing in self._under_way), default=None)
        return 0.0 if began is None else perf_counter() - began

    async def oldest_message(self) -> float:
        """Returns the age in seconds of the oldest message that has yet to arrive; 0 = none waits."""
        waiting = await self._store.waiting(FOR_EVER, 1)
        return self._since(read_message(waiting[0].message.body).at) if waiting else 0.0

    async def alarm_overdue(self) -> float:
        """Returns for how many seconds the oldest alarm has been due; 0 = none is."""
        due = await self._store.due(self._now(), 1)
        return self._since(due[0].at) if due else 0.0

    def _since(self, at: int) -> float:
        return max(0.0, (self._now() - at) / 1000)


FOR_EVER: Final = 1 << 62
"""Later than any message is put off to."""
