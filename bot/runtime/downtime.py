"""Notes regularly that the bot runs, and credits players with the time in which it did not: off, or suspended."""

import asyncio
import errno
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, TypeVar

import structlog

from bot.messages.model import IncomingMessage
from bot.trouble import Trouble, reason
from storage.store import Alarm, Change, Store

INTERVAL = 60_000
"""Milliseconds between two notes."""
OUTAGE = 600_000
"""Milliseconds without a note after which players are credited with the time."""
JUMP = 120_000
"""Milliseconds by which the wall clock may differ from the machine's own before it is said to have jumped."""
FROZEN = 600_000
"""Milliseconds after a jump in which no alarm goes off: the clock may be set right again."""

T = TypeVar("T")
R = TypeVar("R")

Uptime: TypeAlias = Callable[[], tuple[str, int]]
"""Which start of the machine this is, and for how many milliseconds it has been on, asleep or not."""

log = structlog.get_logger(__name__)


def uptime() -> tuple[str, int]:
    """The `Uptime` of this machine; nobody can set it."""
    try:
        start = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return start, time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    except (OSError, AttributeError):  # another system: by the wall clock alone
        return "", 0


class Downtime:
    """Checked before anything that depends on time: nobody may lose because the machine was suspended."""

    def __init__(
        self,
        store: Store,
        credit: Callable[[int, int], Awaitable[None]],
        now: Callable[[], int],
        uptime: Uptime = uptime,
    ):
        self._store = store
        self._credit = credit
        self._now = now
        self._uptime = uptime
        self._seen = 0
        """When the bot was last known to run; 0 = not yet looked up."""
        self._seen_up = ("", 0)
        """The machine's own time then."""
        self._frozen_until = 0
        """By the machine's own time."""
        self._ahead = 0
        """Milliseconds by which the clock may be ahead since it has jumped."""
        self._lock = asyncio.Lock()

    async def check(self) -> None:
        """Credit an outage if there was one, and note that the bot runs. Raises OSError if that cannot be stored."""
        async with self._lock:
            now, (start, up) = self._now(), self._uptime()
            if not self._seen:
                self._seen = int(await self._noted("alive") or now - INTERVAL)
                noted = (await self._noted("uptime")).rpartition(" ")
                self._seen_up = noted[0], int(noted[2] or 0)
            away = now - self._seen
            if start and self._seen_up[0] == start:  # how long it was cannot be told by a clock that is set
                jump, away = away - (up - self._seen_up[1]), up - self._seen_up[1]
                if abs(jump) > JUMP:
                    self._ahead = max(0, jump + (self._ahead if up < self._frozen_until else 0))
                    self._frozen_until = up + FROZEN
                    log.error(
                        "the clock of this machine has jumped, so no time runs out for a while; set it by the network",
                        minutes=round(jump / 60_000),
                    )
                    self._seen += jump
            if away >= OUTAGE:
                log.info("was away, so clocks are credited", minutes=away // 60_000)
                await self._credit(now - away, now)
            if not 0 <= now - self._seen < INTERVAL or self._frozen_until == up + FROZEN:
                settings = (("riposte", "alive", str(now)), ("riposte", "uptime", f"{start} {up}"))
                await self._store.commit(Change(settings=settings))
                self._seen, self._seen_up = now, (start, up)

    async def _noted(self, key: str) -> str:
        """What was noted last; nothing if that is damaged: then nobody is credited, and play goes on."""
        try:
            return await self._store.setting("riposte", key)
        except OSError as error:
            if error.errno != errno.EBADMSG:
                raise
            log.error("when Riposte last ran is not known", error=reason(error))
            return ""

    def before(self, work: Callable[[T], Awaitable[R]]) -> Callable[[T], Awaitable[R]]:
        """Returns some work with `check` before it; while the clock may be ahead, nobody's turn counts as late."""

        async def checked(cause: T) -> R:
            await self.check()
            if isinstance(cause, IncomingMessage):
                ahead = self._ahead if self._uptime()[1] < self._frozen_until else 0
                at = min(cause.at, self._now()) - ahead  # it may have waited since the clock was ahead
                cause = replace(cause, at=at) if at != cause.at else cause
            return await work(cause)

        return checked

    async def held(self, _alarm: Alarm) -> bool:
        """Whether the clock has just jumped, so that alarms must wait: moves are dealt with all the same."""
        await self.check()
        return self._uptime()[1] < self._frozen_until

    async def run(self) -> None:
        """Check regularly, until cancelled."""
        trouble = Trouble("cannot note that Riposte runs")
        while True:
            try:
                await self.check()
                trouble.works()
            except OSError as error:
                trouble.failed(error)
            await asyncio.sleep(INTERVAL / 1000)
