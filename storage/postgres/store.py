"""The store in PostgreSQL: each change a transaction of its own, on one of a few connections."""

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self, TypeVar
from weakref import WeakValueDictionary

import asyncpg

from storage.commit import write
from storage.database import PlannedStore
from storage.plan import Migration, Planned, Statement
from storage.postgres import lease, rolling, schema
from storage.postgres.address import Address, address
from storage.postgres.connections import CONNECTIONS, connected, keyed, pool_of
from storage.postgres.earlier import take_words
from storage.postgres.errors import AGAIN, DATABASE_ERRORS, LOST, explain, is_lost
from storage.postgres.plans import READ, Watch, asked, carried_out
from storage.seal import Sealer
from storage.store import Change, Outgoing

log = logging.getLogger(__name__)

T = TypeVar("T")

TRIES: Final = 8
"""How often a change is tried that others were in the way of."""
RECONNECTED: Final = 3
"""How often a new connection is tried at once."""
LOOKED_FOR: Final = 20
"""Seconds for which we ask what became of a change whose connection was lost while it was committed."""

BEGIN: Final = (
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit = on; "
    "SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = '60s'; "
    "SET LOCAL idle_in_transaction_session_timeout = '5s'"  # who is paused in a transaction holds nobody up
)
OURS: Final = (
    "UPDATE commits SET mark = $5 FROM (SELECT name, (SELECT count(*) FROM unnest($3::bigint[]) AS lane "
    "WHERE pg_advisory_xact_lock(lane) IS NOT NULL) AS lanes FROM leases WHERE name = $1 AND token = $2 "
    "FOR KEY SHARE OF leases) AS held WHERE commits.lease = held.name AND commits.slot = $4 RETURNING held.lanes"
)
"""Marks the transaction, once it has the lanes that it writes to; nothing where the lease is another's by now.

Letters to one place are numbered in the order in which they are committed: whoever reads on from a number misses none.
"""
BECAME: Final = "UPDATE commits SET mark = mark WHERE lease = $1 AND slot = $2 RETURNING mark"
"""What the last transaction of a slot was that is committed; waits for one that is under way.

It writes, and is committed like any other: so what it tells is as durable, on every server that counts. The number of
the transaction would not do: after a crash PostgreSQL gives the same number to another one.
"""

NUMBER: Final = (
    "SELECT number, EXISTS (SELECT 1 FROM matches WHERE matches.number = given.number) "
    "FROM nextval('match_numbers') AS given (number)"
)
"""A number for a match, and whether one has it all the same, as after a record was put back."""


class PostgresStore(PlannedStore):
    """See `storage.store.Store`. Opened by `open`."""

    lasts: float = lease.LASTS
    """Seconds of the lease."""

    def __init__(
        self,
        pool: "asyncpg.Pool[Any]",
        at: Address,
        held: lease.Lease,
        sealer: Sealer,
        *,
        erased: Path,
        watch: Watch | None,
    ):
        super().__init__(sealer, erased)
        self._pool = pool
        self._where = at
        self._lease = held
        self._begin = f"{BEGIN}; SET LOCAL application_name = 'riposte: {held.name}'"
        self.lost = asyncio.Event()
        """Set once another process has taken over."""
        self._watch = watch
        self._orders: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By match and lane: what concerns the same is written in the order in which it was asked for."""
        self._free = asyncio.Semaphore(CONNECTIONS)
        self._slots = list(range(CONNECTIONS))
        """Those of the table `commits` in which no transaction of ours is under way."""
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closing = False
        self._held_until = 0.0
        """On our own clock, which began to count before the database's did."""
        self._renewal: asyncio.Task[None] | None = None
        self._steps: tuple[Migration, ...] = ()
        """All steps of the tables that this version knows."""

    @classmethod
    async def open(
        cls,
        where: str,
        key: Path,
        erased: Path,
        *,
        steps: tuple[Migration, ...] | None = None,
        watch: Watch | None = None,
        lasts: float | None = None,
    ) -> Self:
        """Open the database, making or upgrading its tables. Raises OSError with the fact and the remedy.

        `key` is the file with the key that bodies are sealed with, made if the database has none yet; `erased` the
        list of those who were erased. `watch` gets every statement just before it runs, and `"COMMITTED"` after each
        commit. `lasts`: seconds of the lease.
        """
        lasts = cls.lasts if lasts is None else lasts
        at = address(where)
        steps = schema.steps_at_hand() if steps is None else steps
        connection = await connected(at)
        try:
            version = await schema.check(connection, at.shown, steps)
            if version and cls.several:
                await rolling.widen(connection, at.shown, steps)
            async with connection.transaction():  # whoever starts meanwhile waits
                held = await cls._admitted(connection, at.shown, steps, lasts)
                await connection.execute(lease.SLOTS, held.name, CONNECTIONS)
                sealer = await keyed(connection, key, at.shown)
                await take_words(connection, sealer, held)
            try:
                pool = await pool_of(at)
            except BaseException:
                await connection.execute(lease.RELEASE, held.name, held.token)
                raise
        except DATABASE_ERRORS as error:
            if (told := explain(error)) is error:
                raise
            raise told from error
        finally:
            await connection.close()
        store = cls(pool, at, held, sealer, erased=erased, watch=watch)
        store.lasts, store._steps = lasts, steps
        store._held_until = held.taken + lasts
        store._renewal = asyncio.create_task(store._renew(lasts), name="lease")
        return store

    @classmethod
    async def _admitted(
        cls, connection: "asyncpg.Connection[Any]", shown: str, steps: tuple[Migration, ...], lasts: float
    ) -> lease.Lease:
        """Be the one that may write, or one of them, with tables that this version can work on."""
        await connection.execute("SELECT pg_advisory_xact_lock($1)", schema.LOCK)
        version = await schema.check(connection, shown, steps)
        if not version:
            await schema.upgrade(connection, shown, steps)
        if not cls.several:
            held = await lease.take(connection, shown, lasts=lasts)
            await schema.upgrade(connection, shown, steps)
            return held
        if version and schema.needed(steps, version):  # those who are there cannot work on what comes of that
            held = await lease.take(connection, shown, lasts=lasts)
            await connection.execute(lease.RELEASE, held.name, held.token)
            await schema.upgrade(connection, shown, steps)
        return await lease.join(connection, shown, lasts=lasts, knows=len(steps))

    async def close(self) -> None:
        """Write what is queued, then let others have the database."""
        if self._closing:
            return
        await self.flush()
        self._closing = True
        while self._under_way:
            await asyncio.wait(self._under_way)
        if self._renewal is not None:
            self._renewal.cancel()
            await asyncio.wait([self._renewal])
        with suppress(*DATABASE_ERRORS):
            await self._pool.execute(lease.RELEASE, self._lease.name, self._lease.token)
        with suppress(*DATABASE_ERRORS):
            await asyncio.wait_for(self._pool.close(), 10)

    # --- plans ------------------------------------------------------------------------------------------
    async def commit(self, change: Change) -> Sequence[Outgoing]:
        lanes = {message.ordering_key for message in change.messages}
        orders = sorted({*(f"lane {lane}" for lane in lanes), *([f"match {change.match}"] if change.match else [])})
        locks = sorted(map(_lock_of, lanes))

        async def in_order(plan: Planned[T]) -> T:
            return await self._whole(self._in_order(orders, partial(self._transact, plan, locks)))

        return await self._deferred.along(self._written(change), in_order)

    def _written(self, change: Change) -> Planned[Sequence[Outgoing]]:
        return partial(write, change, self._sealer)

    async def _read(self, plan: Planned[T]) -> T:
        self._refuse()
        return await self._told(partial(self._at_one_moment, plan))

    async def next_match(self) -> str:
        """Returns a number that no match has yet; whoever asks, in whichever process, gets another one."""
        while True:
            ((number, taken),) = await self._rows(NUMBER)
            if not taken:
                return str(number)

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        self._refuse()
        return [tuple(row) for row in await self._told(partial(self._asked, sql, *values))]

    async def _write(self, plan: Planned[T]) -> T:
        return await self._whole(self._transact(plan))

    # --- one change ---------------------------------------------------------------------------------------
    async def _transact(self, plan: Planned[T], lanes: Sequence[int] = ()) -> T:
        """Carry out a plan in a transaction; tried again where others were in the way, or the server was away."""
        for trial in range(TRIES):
            try:
                return await self._tried(plan, lanes)
            except DATABASE_ERRORS as error:
                state = getattr(error, "sqlstate", None)
                if trial + 1 == TRIES or not (state in AGAIN or (is_lost(error) and trial < RECONNECTED)):
                    if (told := explain(error)) is error:
                        raise
                    raise told from error
        raise AssertionError("the last trial returns or raises")

    async def _tried(self, plan: Planned[T], lanes: Sequence[int]) -> T:
        async with self._free:
            slot, mark = self._slots.pop(), secrets.randbits(63)
            try:
                answer, lost = await self._sent(plan, lanes, slot, mark)
                if lost is not None and not await self._was_committed(slot, mark):
                    raise lost
            finally:
                self._slots.append(slot)
        if self._watch:
            self._watch("COMMITTED")
        return answer

    async def _sent(self, plan: Planned[T], lanes: Sequence[int], slot: int, mark: int) -> tuple[T, Exception | None]:
        """What a plan returned, and the error that leaves open whether it was committed."""
        async with self._pool.acquire(timeout=LOOKED_FOR) as connection:
            await connection.execute(self._begin)
            try:
                if await connection.fetchrow(OURS, self._lease.name, self._lease.token, lanes, slot, mark) is None:
                    raise self._lost()
                answer = await carried_out(connection, plan(), self._watch)
            except BaseException:
                try:
                    await connection.execute("ROLLBACK")
                except DATABASE_ERRORS:
                    connection.terminate()
                raise
            try:
                if self._watch:
                    self._watch("COMMIT")
                await connection.execute("COMMIT")
            except DATABASE_ERRORS as error:
                if not is_lost(error):
                    raise
                return answer, error
            return answer, None

    async def _was_committed(self, slot: int, mark: int) -> bool:
        """Returns what became of a transaction whose connection was lost; raises OSError if nobody tells."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOKED_FOR):
                while True:
                    with suppress(*DATABASE_ERRORS):
                        async with self._pool.acquire() as connection:
                            await connection.execute(self._begin)
                            became = await connection.fetchrow(BECAME, self._lease.name, slot)
                            await connection.execute("COMMIT")
                        if became is None:  # our lease was taken away, and what it had marked
                            break
                        return bool(became["mark"] == mark)
                    await asyncio.sleep(0.1)
        raise OSError(*LOST)

    # --- reading --------------------------------------------------------------------------------------------
    async def _at_one_moment(self, plan: Planned[T]) -> T:
        async with self._free, self._pool.acquire(timeout=LOOKED_FOR) as connection:
            await connection.execute(READ)
            try:
                return await carried_out(connection, plan())
            finally:
                try:
                    await connection.execute("COMMIT")
                except DATABASE_ERRORS:
                    connection.terminate()

    async def _asked(self, sql: str, *values: object) -> list[Any]:
        async with self._free, self._pool.acquire(timeout=LOOKED_FOR) as connection:
            return list(await connection.fetch(*asked([Statement(sql, values)])))

    async def _told(self, question: Callable[[], Awaitable[T]]) -> T:
        """The answer; asked again where a connection turns out to be gone."""
        for trial in range(RECONNECTED + 1):
            try:
                return await question()
            except DATABASE_ERRORS as error:
                if is_lost(error) and trial < RECONNECTED:
                    continue
                if (told := explain(error)) is error:
                    raise
                raise told from error
        raise AssertionError("the last trial returns or raises")

    # --- in order, and whole --------------------------------------------------------------------------------
    async def _in_order(self, orders: Sequence[str], act: Callable[[], Awaitable[T]]) -> T:
        async with AsyncExitStack() as stack:
            for name in orders:
                order = self._orders.get(name) or self._orders.setdefault(name, asyncio.Lock())
                await stack.enter_async_context(order)
            return await act()

    async def _whole(self, act: "Awaitable[T]") -> T:
        """What `act` returns; it goes on to its end if its caller is cancelled meanwhile."""
        self._refuse(act)
        task = asyncio.ensure_future(act)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        task.add_done_callback(_forgiven)
        return await asyncio.shield(task)

    # --- the lease ------------------------------------------------------------------------------------------
    def held(self) -> bool:
        """Returns whether the lease is ours for certain."""
        return not self.lost.is_set() and monotonic() < self._held_until

    async def _renew(self, lasts: float) -> None:
        """Say every few seconds that we are still there."""
        while not self.lost.is_set():
            await asyncio.sleep(lasts * lease.RENEWED / lease.LASTS)
            began = monotonic()
            try:
                held = await self._pool.fetchval(lease.RENEW, self._lease.name, self._lease.token, lasts, timeout=lasts)
            except DATABASE_ERRORS as error:
                log.warning("the lease cannot be renewed: %s", explain(error))
                continue
            if held is None:
                log.error(self._lost().strerror)
            self._held_until = began + lasts

    def _lost(self) -> OSError:
        """The error from now on; a new one each time: one that is raised again grows by where it was."""
        self.lost.set()
        return lease.taken_over(self._where.shown, several=self.several)

    def _refuse(self, act: object = None) -> None:
        """Raise where nothing is done any more."""
        if self._closing or self.lost.is_set():
            if asyncio.iscoroutine(act):
                act.close()
            raise RuntimeError("the store is closed") if self._closing else self._lost()


def _lock_of(lane: str) -> int:
    """The number of the lock that a lane's letters are written under."""
    return int.from_bytes(hashlib.blake2b(lane.encode(), digest_size=8).digest(), signed=True)


def _forgiven(done: "asyncio.Future[Any]") -> None:
    """Whatever came of it."""
    if not done.cancelled():
        done.exception()
