"""Where Riposte thinks: worker processes, so many at a time, each match in its turn, never in the event loop."""

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, Protocol

import structlog

from bot.messages.model import PARTNER
from bot.partner.seat import Seat
from bot.runtime.wake import Wait, Wake, wait
from bot.trouble import reason
from bot.workers import workers
from engine.search.job import Job, decide
from storage.store import Change

log = structlog.get_logger(__name__)

PAUSES: Final = (1, 5, 10, 60, 300)
"""Seconds until worker processes are started again, by how often in a row they died; the last over and over."""


ELSEWHERE: Final = 1_000
"""Milliseconds after which it is looked again whether another process still thinks about a match."""


class Claims(Protocol):
    """Which matches are whose to think about, where several processes do."""

    async def take(self, match: str) -> bool:
        """Returns whether it is this process's to think about a match."""

    async def give_up(self, match: str) -> None:
        """Let others think about it."""


class Desk:
    """Looks after every match in which Riposte plays. What it knows follows from the matches as they are stored."""

    def __init__(
        self, seat: Seat, now: Callable[[], int], cores: int, wait: Wait = wait, claims: Claims | None = None
    ) -> None:
        self._seat = seat
        self._claims = claims
        self._now = now
        self._cores = cores
        self._wake = Wake(now, wait)
        self._pool: ProcessPoolExecutor | None = None
        self._queue: OrderedDict[str, Job] = OrderedDict()
        """What is to be thought about, first come first served: each match once."""
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._done: dict[str, int] = {}
        """The length of each match that was last decided in: nothing is thought about twice."""
        self._gone = 0
        """How often in a row worker processes died before one of them had decided anything."""
        self._rests_until = 0
        self._elsewhere = False
        """Whether another process was thinking about a match when it was last looked for."""

    def committed(self, change: Change, _: object) -> None:
        """Look again if a match that Riposte plays has changed."""
        if change.summary and PARTNER in change.summary.players:
            self._wake.nudge()

    async def run(self) -> None:
        """Think until cancelled."""
        try:
            if self._claims:  # whoever stands by loses no time with that later
                self._workers().submit(os.getpid)
            while True:
                self._wake.fresh()
                try:
                    await self._look()
                except OSError as error:
                    log.error("matches cannot be read", error=reason(error))
                rests = self._rests_until if self._queue and self._rests_until > self._now() else None
                await self._wake.until(self._now() + ELSEWHERE if rests is None and self._elsewhere else rests)
        finally:
            for task in self._thinking.values():
                task.cancel()
            self._end_workers()

    async def _look(self) -> None:
        numbers = await self._seat.matches()
        self._done = {number: length for number, length in self._done.items() if number in numbers}
        for number in numbers:
            if number in self._thinking:
                continue
            try:
                job = await self._seat.job(number, self._now())
            except OSError as error:
                log.error("Riposte cannot go on with a match", match=number, error=reason(error))
                continue
            if job is None or self._done.get(number) == job.length:
                self._queue.pop(number, None)
            else:
                self._queue[number] = job
        self._elsewhere = False
        while self._queue and len(self._thinking) < self._cores and self._rests_until <= self._now():
            number, job = self._queue.popitem(last=False)
            if self._claims and not await self._is_ours(job):
                continue
            self._thinking[number] = asyncio.create_task(self._think(job), name=f"thinking about {number}")

    async def _think(self, job: Job) -> None:
        workers = self._workers()
        try:
            decided = await asyncio.get_running_loop().run_in_executor(workers, decide, job)
            self._gone = 0
            await self._seat.decided(job, decided, self._now())
            self._done[job.match] = job.length
        except BrokenProcessPool:  # a worker was killed: others are started, and the job is found again
            if workers is self._pool:  # when one dies, the pool ends all
                self._rest(job.match)
        except OSError as error:
            log.error("a decision cannot be stored", match=job.match, error=reason(error))
        except Exception:
            self._done[job.match] = job.length
            log.exception("Riposte cannot decide", match=job.match)
        finally:
            await self._let_go(job.match)
            del self._thinking[job.match]
            self._wake.nudge()

    async def _is_ours(self, job: Job) -> bool:
        """Take a match to think about, unless another process has it, or has just decided in it."""
        assert self._claims is not None, "others think too"
        if not await self._claims.take(job.match):
            self._elsewhere = True
            return False
        now = await self._seat.job(job.match, self._now())
        if now is None or now.length != job.length:
            await self._let_go(job.match)
            self._wake.nudge()
            return False
        return True

    async def _let_go(self, match: str) -> None:
        """Let others think about a match; if that cannot be stored, they may once this process is gone."""
        try:
            if self._claims:
                await self._claims.give_up(match)
        except OSError as error:
            log.error("a match is not given up", match=match, error=reason(error))

    def _rest(self, match: str) -> None:
        """Start no worker process for a while."""
        pause = PAUSES[min(self._gone, len(PAUSES) - 1)]
        self._gone += 1
        self._rests_until = self._now() + pause * 1000
        if self._gone == 1:
            log.warning("a worker process died; another one is started", match=match)
        elif self._gone == 2:
            log.error(
                "worker processes die as soon as they are started, so Riposte's turns wait; is memory short?",
                match=match,
            )
        self._end_workers()

    def _workers(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = workers(self._cores)
        return self._pool

    def _end_workers(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
