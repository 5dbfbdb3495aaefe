"""The one writer: whole transactions, one at a time, many changes in each when many are waiting."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeVar, cast

import aiosqlite

from storage.errors import DATABASE_ERRORS, explain

# At DEBUG it writes down every change, and with it what players keep secret.
logging.getLogger("aiosqlite").setLevel(logging.INFO)

T = TypeVar("T")

MOST = 256
"""Changes in one transaction: the first of them waits for the last."""
IDLE_ROWS, IDLE_SECONDS = 500, 0.005
"""After so many changed rows the log is folded into the database as soon as nobody has written for a moment,"""
FULL_ROWS = 4_000
"""and after so many at once: a log that starts anew overwrites itself, which is quicker than growing."""


class Hop(aiosqlite.Connection):
    """A connection with its own thread, to which whole functions are sent.

    A transaction of several awaits can be cancelled in its middle, and then the connection is stuck in it. A
    function that has been handed over runs to its end.
    """

    @classmethod
    async def open(cls, where: str, prepare: Callable[[sqlite3.Connection], None]) -> Self:
        """Connect to a file or `file:` address, and do first what must come first."""
        connect = partial(sqlite3.connect, where, uri=where.startswith("file:"), isolation_level=None)
        hop = cls(connect, iter_chunk_size=64)
        hop._thread.daemon = True  # a bot that dies of something else must not hang at the exit
        try:
            await hop
        except BaseException:
            hop._thread.join()  # it ends by itself, and must not outlive the loop it still reports to
            raise
        try:
            await hop.run(prepare)
        except BaseException:
            await hop.close()
            raise
        return hop

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Call `work` on the connection's thread."""
        return cast(T, await self._execute(work, self._conn))  # type: ignore[no-untyped-call]


@dataclass(slots=True, eq=False)
class Job:
    """One change that waits to be written, and who waits for it."""

    work: Callable[[sqlite3.Connection], Any]
    done: asyncio.Future[Any]


class Writer:
    """Owns the writing connection and everything that happens on it, checkpoints included."""

    def __init__(self, db: Hop, committed: Callable[[], None]):
        self._db = db
        self._committed = committed
        self._jobs: list[Job] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._unfolded = 0
        self._task = asyncio.create_task(self._run(), name="storage writer")

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do `work` in a transaction and return when it is on the disk.

        Whoever waits here may be cancelled; what was queued is written all the same, whole. Whether it was is
        answered by the id of the heard message.
        """
        if self._closing:
            raise RuntimeError("the store is closed")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.append(Job(work, done))
        self._wake.set()
        return await done

    async def close(self) -> None:
        """Write what is queued, then let go of the connection."""
        self._closing = True
        self._wake.set()
        await self._task
        await self._db.close()

    async def _run(self) -> None:
        while self._jobs or not self._closing:
            if not self._jobs:
                await self._rest()
                continue
            batch, self._jobs = self._jobs[:MOST], self._jobs[MOST:]
            answers: Sequence[object]
            try:
                answers = await self._db.run(partial(self._transact, batch=batch))
            except Exception as error:  # whoever waits must hear of it, whatever it was, and the next be served
                answers = [error] * len(batch)
            for job, answer in zip(batch, answers, strict=True):
                if job.done.done():  # whoever waited for it was cancelled
                    continue
                if isinstance(answer, Exception):
                    job.done.set_exception(answer)
                else:
                    job.done.set_result(answer)
            if self._unfolded > FULL_ROWS:
                await self._db.run(self._checkpoint)

    async def _rest(self) -> None:
        """Wait for work; use the first quiet moment for a checkpoint."""
        self._wake.clear()
        try:
            async with asyncio.timeout(IDLE_SECONDS if self._unfolded > IDLE_ROWS else None):
                await self._wake.wait()
        except TimeoutError:
            await self._db.run(self._checkpoint)

    def _transact(self, db: sqlite3.Connection, batch: list[Job]) -> list[Any]:
        """On the connection's thread: one transaction with the whole batch in it, what each answered or raised."""
        before = db.total_changes
        try:
            db.execute("BEGIN IMMEDIATE")
            answers = [_within(db, job.work) for job in batch] if len(batch) > 1 else [batch[0].work(db)]
            db.execute("COMMIT")
        except Exception as error:  # whoever asked for it gets it
            if db.in_transaction:  # SQLite has already rolled back when the disk was full
                db.execute("ROLLBACK")
            if len(batch) > 1:  # what one of them asked too much must not cost the others
                return [answer for job in batch for answer in self._transact(db, [job])]
            return [explain(error)]
        self._committed()
        self._unfolded += db.total_changes - before
        return answers

    def _checkpoint(self, db: sqlite3.Connection) -> None:
        """Fold the log into the database. Only ever done here, so that no commit of ours runs into one."""
        self._unfolded = 0
        try:
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except DATABASE_ERRORS:  # the disk is full, say: nothing is lost, the log just stays longer
            return


def _within(db: sqlite3.Connection, work: Callable[[sqlite3.Connection], Any]) -> Any:
    """What `work` answers or raises; what it wrote is undone if it raises. The transaction goes on."""
    db.execute("SAVEPOINT change")
    try:
        answer = work(db)
    except Exception as error:  # whoever asked for it gets it
        if not db.in_transaction:  # it took the whole transaction with it: nobody's change was written
            raise
        db.execute("ROLLBACK TO change")
        answer = explain(error) if isinstance(error, DATABASE_ERRORS) else error
    db.execute("RELEASE change")
    return answer
