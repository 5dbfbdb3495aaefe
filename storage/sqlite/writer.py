"""The only writer: whole transactions, one at a time, with many changes in each when many are waiting."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Literal, Self, TypeAlias, TypeVar, cast

import aiosqlite

from storage.sqlite.errors import DATABASE_ERRORS, explain
from storage.sqlite.file import DatabaseFile

# At DEBUG it writes down every change, and with it what players keep secret.
logging.getLogger("aiosqlite").setLevel(logging.INFO)

T = TypeVar("T")
Work: TypeAlias = Callable[[sqlite3.Connection], T]
When: TypeAlias = Literal["shared", "alone", "last"]

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
    async def open(cls, where: str, prepare: Work[None]) -> Self:
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

    async def run(self, work: Work[T]) -> T:
        """Run `work` on the connection's thread."""
        return cast(T, await self._execute(work, self._conn))  # type: ignore[no-untyped-call]


@dataclass(slots=True, eq=False)
class Job:
    """Something to be done on the writer's thread, and the caller that waits for it."""

    work: Work[Any]
    done: asyncio.Future[Any]
    when: When = "shared"
    """"shared" = in a transaction, with others; "alone" = in none; "last" = the same, then the thread ends."""


class Writer:
    """Owns the writing connection and everything that is done on it, checkpoints included, in a thread of its own."""

    def __init__(self, file: DatabaseFile, committed: Callable[[], None]):
        self._file = file
        self._committed = committed
        self._loop = asyncio.get_running_loop()
        self._queue = SimpleQueue[Job]()
        self._closing = False
        self._unfolded = 0

    @classmethod
    async def open(
        cls, path: str, prepare: Work[None], file: DatabaseFile, committed: Callable[[], None] = lambda: None
    ) -> Self:
        """Connect to a file, and do first what must come first; `committed` is called after each transaction."""
        writer = cls(file, committed)
        opened = writer._loop.create_future()
        thread = Thread(target=writer._run, args=(path, prepare, opened), name="storage writer", daemon=True)
        thread.start()
        await opened
        return writer

    async def write(self, work: Work[T]) -> T:
        """Do `work` in a transaction and return when it is on the disk.

        A caller may be cancelled meanwhile; what was queued is written all the same, whole.
        """
        return await self._done(work, "shared")

    async def run(self, work: Work[T]) -> T:
        """Do `work` on the writer's thread, outside any transaction."""
        return await self._done(work, "alone")

    async def close(self) -> None:
        """Write what is queued, then close the connection."""
        if not self._closing:
            last = self._done(sqlite3.Connection.close, "last")
            self._closing = True
            await last

    def _done(self, work: Work[T], when: When) -> "asyncio.Future[T]":
        if self._closing:
            raise RuntimeError("the store is closed")
        done: asyncio.Future[T] = self._loop.create_future()
        self._queue.put(Job(work, done, when))
        return done

    # --- on the thread --------------------------------------------------------------------------------
    def _run(self, path: str, prepare: Work[None], opened: asyncio.Future[None]) -> None:
        try:
            db = sqlite3.connect(path, isolation_level=None)
            try:
                prepare(db)
            except BaseException:
                db.close()
                raise
        except BaseException as error:  # whoever opens the store gets it
            self._answer([(opened, error)])
            return
        self._answer([(opened, None)])
        while True:
            waiting, last = self._next(db)
            if waiting:
                answers = self._transact(db, waiting)
                self._answer([(job.done, answer) for job, answer in zip(waiting, answers, strict=True)])
                if self._unfolded > FULL_ROWS:
                    self._checkpoint(db)
            if last:
                self._answer([(last.done, _alone(db, last.work))])
            if last and last.when == "last":
                return

    def _next(self, db: sqlite3.Connection) -> tuple[list[Job], Job | None]:
        """What is queued, once anything is; the first pause is used for a checkpoint.

        Also returns what has to be done after that and in no transaction, if anything has.
        """
        try:
            job = self._queue.get(timeout=IDLE_SECONDS if self._unfolded > IDLE_ROWS else None)
        except Empty:
            self._checkpoint(db)
            return [], None
        waiting: list[Job] = []
        while True:
            if job.when != "shared":
                return waiting, job
            waiting.append(job)
            if len(waiting) >= MOST:
                return waiting, None
            try:
                job = self._queue.get_nowait()
            except Empty:
                return waiting, None

    def _answer(self, answers: list[tuple[asyncio.Future[Any], object]]) -> None:
        with suppress(RuntimeError):  # the loop is closed, and nobody waits
            self._loop.call_soon_threadsafe(_settle, answers)

    def _transact(self, db: sqlite3.Connection, batch: list[Job]) -> list[Any]:
        """Write a batch in one transaction. Returns what each job returned or raised."""
        before = db.total_changes
        try:
            self._file.check(db)
            db.execute("BEGIN IMMEDIATE")
        except Exception as error:  # none of them can be written now: none is tried alone
            return [explain(error)] * len(batch)
        try:
            carry_out = _within if len(batch) > 1 else _plainly
            answers = [carry_out(db, job.work) for job in batch]
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
        """Move the write-ahead log into the database. Only done here, so that no commit waits for it."""
        self._unfolded = 0
        try:
            self._file.check(db)
        except OSError:  # whoever writes next is told
            return
        with suppress(*DATABASE_ERRORS):  # the disk is full, say: nothing is lost, the log just stays longer
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        self._file.settle()


def _settle(answers: list[tuple[asyncio.Future[Any], object]]) -> None:
    """Give callers what they wait for, on the loop."""
    for done, answer in answers:
        if done.done():  # its caller was cancelled
            continue
        if isinstance(answer, BaseException):
            done.set_exception(answer)
        else:
            done.set_result(answer)


def _alone(db: sqlite3.Connection, work: Work[Any]) -> Any:
    try:
        return work(db)
    except Exception as error:  # its caller gets it
        return error


def _plainly(db: sqlite3.Connection, work: Work[Any]) -> Any:
    """What `work` returns; if it raises, the transaction is undone."""
    return work(db)


def _within(db: sqlite3.Connection, work: Work[Any]) -> Any:
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
