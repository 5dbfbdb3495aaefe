"""The only writer: whole transactions, one at a time, with many changes in each when many are waiting."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeVar, cast

import aiosqlite

from storage.errors import DATABASE_ERRORS, explain
from storage.file import DatabaseFile

# At DEBUG it writes down every change, and with it what players keep secret.
logging.getLogger("aiosqlite").setLevel(logging.INFO)

T = TypeVar("T")

MOST = 256
"""Changes in one transaction: the first of them waits for the last."""
IDLE_ROWS, IDLE_SECONDS = 500, 0.005
"""After so many changed rows there is a checkpoint as soon as nothing has been written for so many seconds."""
FULL_ROWS = 4_000
"""After so many there is one at once: a log that starts anew overwrites itself, which is faster than growing."""


class ThreadConnection(aiosqlite.Connection):
    """A connection with its own thread, which runs whole functions.

    A transaction of several awaits can be cancelled in its middle, and then the connection is stuck in it. A
    function that runs on the thread runs to its end.
    """

    @classmethod
    async def open(cls, where: str, prepare: Callable[[sqlite3.Connection], None]) -> Self:
        """Connect to a file or `file:` address, and do first what must come first."""
        connect = partial(sqlite3.connect, where, uri=where.startswith("file:"), isolation_level=None)
        connection = cls(connect, iter_chunk_size=64)
        connection._thread.daemon = True  # a bot that dies of something else must not hang at the exit
        try:
            await connection
        except BaseException:
            connection._thread.join()  # it ends by itself, and must not outlive the loop it still reports to
            raise
        try:
            await connection.run(prepare)
        except BaseException:
            await connection.close()
            raise
        return connection

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` on the connection's thread."""
        return cast(T, await self._execute(work, self._conn))  # type: ignore[no-untyped-call]


@dataclass(slots=True, eq=False)
class Job:
    """One change that waits to be written, and the caller that waits for it."""

    work: Callable[[sqlite3.Connection], Any]
    done: asyncio.Future[Any]


class Writer:
    """Owns the writing connection and everything that is done on it, checkpoints included."""

    def __init__(self, db: ThreadConnection, file: DatabaseFile, committed: Callable[[], None]):
        self._db = db
        self._file = file
        self._committed = committed
        self._jobs: list[Job] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._unfolded = 0
        self._task = asyncio.create_task(self._run(), name="storage writer")

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do `work` in a transaction and return when it is on the disk.

        A caller may be cancelled meanwhile; what was queued is written all the same, whole.
        """
        if self._closing:
            raise RuntimeError("the store is closed")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.append(Job(work, done))
        self._wake.set()
        return await done

    async def close(self) -> None:
        """Write what is queued, then close the connection."""
        self._closing = True
        self._wake.set()
        try:
            await asyncio.shield(self._task)
        except asyncio.CancelledError:
            await self._task  # whoever is in a hurry to go does not stop what is being written
            raise
        finally:
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
            except Exception as error:  # the callers must get it, whatever it was, and the next ones be served
                answers = [error] * len(batch)
            for job, answer in zip(batch, answers, strict=True):
                if job.done.done():  # its caller was cancelled
                    continue
                if isinstance(answer, Exception):
                    job.done.set_exception(answer)
                else:
                    job.done.set_result(answer)
            if self._unfolded > FULL_ROWS:
                await self._db.run(self._checkpoint)

    async def _rest(self) -> None:
        """Wait for work; use the first pause for a checkpoint."""
        self._wake.clear()
        try:
            async with asyncio.timeout(IDLE_SECONDS if self._unfolded > IDLE_ROWS else None):
                await self._wake.wait()
        except TimeoutError:
            await self._db.run(self._checkpoint)

    def _transact(self, db: sqlite3.Connection, batch: list[Job]) -> list[Any]:
        """Write a batch in one transaction, on the connection's thread. Returns what each job returned or raised."""
        before = db.total_changes
        try:
            self._file.check(db)
            db.execute("BEGIN IMMEDIATE")
        except Exception as error:  # none of them can be written now: none is tried alone
            return [explain(error)] * len(batch)
        try:
            answers = [_within(db, job.work) for job in batch] if len(batch) > 1 else [batch[0].work(db)]
            db.execute("COMMIT")
        except Exception as error:  # its caller gets it
            if db.in_transaction:  # SQLite has already rolled back when the disk was full
                db.execute("ROLLBACK")
            if len(batch) > 1:  # one that fails must not cost the others
                return [answer for job in batch for answer in self._transact(db, [job])]
            return [explain(error)]
        self._committed()
        try:
            self._file.check(db)  # what is written where nobody will find it again must not be acknowledged
        except OSError as error:
            return [error] * len(batch)
        self._unfolded += db.total_changes - before
        return answers

    def _checkpoint(self, db: sqlite3.Connection) -> None:
        """Move the log into the database. Only done here, so that no commit waits for one."""
        self._unfolded = 0
        try:
            self._file.check(db)
        except OSError:  # whoever writes next is told
            return
        with suppress(*DATABASE_ERRORS):  # the disk is full, say: nothing is lost, the log just stays longer
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self._file.settle()


def _within(db: sqlite3.Connection, work: Callable[[sqlite3.Connection], Any]) -> Any:
    """What `work` returns or raises; what it wrote is undone if it raises. The transaction goes on."""
    db.execute("SAVEPOINT change")
    try:
        answer = work(db)
    except Exception as error:  # its caller gets it
        if not db.in_transaction:  # it took the whole transaction with it: nobody's change was written
            raise
        db.execute("ROLLBACK TO change")
        answer = explain(error) if isinstance(error, DATABASE_ERRORS) else error
    db.execute("RELEASE change")
    return answer
