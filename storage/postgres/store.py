"""The store in PostgreSQL: each change a transaction of its own, on one of a few connections."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self, TypeVar
from weakref import WeakValueDictionary

import asyncpg

from storage.commit import write
from storage.database import PlannedStore
from storage.deferred import forgiven
from storage.plan import Migration, Planned, Statement
from storage.postgres import lease, rolling, schema
from storage.postgres.address import Address, address
from storage.postgres.connections import CONNECTIONS, Links, connected, keyed, pool_of, warned
from storage.postgres.earlier import take_words
from storage.postgres.errors import AGAIN, DATABASE_ERRORS, LOST, explain, given_up, is_lost
from storage.postgres.plans import READ, Connection, Watch, asked, carried_out, close, commit
from storage.postgres.replica import RENEWALS, Renewals, ReplicaStore
from storage.seal import Sealer
from storage.store import Change, Outgoing

log = logging.getLogger(__name__)

T = TypeVar("T")

TRIES: Final = 8
"""How often a change is tried that others were in the way of."""
RECONNECTED: Final = 3
"""How often a new connection is tried at once."""
LOOKED_FOR: Final = 45
"""Seconds for which we ask what became of a change whose connection was lost while it was committed: a new leader may
have to be found."""
FREE_IN: Final = 20
"""Seconds in which one of our connections becomes free, or can be made anew."""
SILENT: Final = 4.0
"""Seconds after which a server that does not renew our lease is silent: all connections are made anew."""

BEGIN: Final = (
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = on; "
    "SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = '60s'; "
    "SET LOCAL idle_in_transaction_session_timeout = '5s'"  # who is paused in a transaction holds nobody up
)


class PostgresStore(PlannedStore):
    """See `storage.store.Store`. Opened by `open`."""

    lasts: float = lease.LASTS
    """Seconds of the lease."""

    def __init__(
        self,
        pool: "asyncpg.Pool[Any]",
        links: Links,
        at: Address,
        held: lease.Lease,
        sealer: Sealer,
        *,
        erased: Path,
        watch: Watch | None,
    ):
        super().__init__(sealer, erased)
        self._pool = pool
        self._links = links
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
        self.lasts = held.lasts
        self._renewed = self._steady = held.taken
        """When the lease was last renewed, and since when without a break, both on our own clock."""
        self._renewals = Renewals(maxlen=RENEWALS)
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
            await warned(connection, at)
            try:
                pool = await pool_of(at, links := Links())
            except BaseException:
                await connection.execute(lease.RELEASE, held.name, held.token)
                raise
        except DATABASE_ERRORS as error:
            if (told := explain(error)) is error:
                raise
            raise told from error
        finally:
            await connection.close(timeout=SILENT)
        store = cls(pool, links, at, held, sealer, erased=erased, watch=watch)
        store._steps = steps
        store._renewal = asyncio.create_task(store._renew(), name="lease")
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
            await lease.nobody(connection, shown, lasts, len(schema.needed(steps, version)) + version, version)
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
            async with asyncio.timeout(SILENT), self._linked() as connection:
                await connection.execute(lease.RELEASE, self._lease.name, self._lease.token)
        with suppress(*DATABASE_ERRORS):
            await asyncio.wait_for(self._pool.close(), 10)

    # --- plans ------------------------------------------------------------------------------------------
    async def commit(self, change: Change) -> Sequence[Outgoing]:
        lanes = {message.ordering_key for message in change.messages}
        orders = sorted({*(f"lane {lane}" for lane in lanes), *([f"match {change.match}"] if change.match else [])})
        locks = sorted(map(lease.lock_of, lanes))

        async def in_order(plan: Planned[T]) -> T:
            return await self._whole(self._in_order(orders, partial(self._transact, plan, locks)))

        return await self._deferred.along(self._written(change), in_order)

    def _written(self, change: Change) -> Planned[Sequence[Outgoing]]:
        return partial(write, change, self._sealer, bucketed=True)

    async def _read(self, plan: Planned[T]) -> T:
        self._refuse()
        return await self._told(partial(self._at_one_moment, plan))

    async def next_match(self) -> str:
        """Returns a number that no match has yet; whoever asks, in whichever process, gets another one."""
        while True:
            ((number,),) = await self._rows("SELECT nextval('match_numbers')")
            if not await self._rows("SELECT 1 FROM matches WHERE number = ?1", number):
                return str(number)  # one may have it all the same, as after a record was put back

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        self._refuse()
        return [tuple(row) for row in await self._told(partial(self._asked, sql, *values))]

    async def _write(self, plan: Planned[T]) -> T:
        return await self._whole(self._transact(plan))

    def replica(self, where: str) -> ReplicaStore:
        """A PostgreSQL that follows this one."""
        return ReplicaStore(where, self._sealer, self._lease, self._renewals)

    # --- one change ---------------------------------------------------------------------------------------
    async def _transact(self, plan: Planned[T], lanes: Sequence[int] = ()) -> T:
        """Carry out a plan in a transaction; tried again where others were in the way, or the server was away."""
        for trial in range(TRIES):
            try:
                return await self._tried(plan, lanes)
            except DATABASE_ERRORS as error:
                state = getattr(error, "sqlstate", None)
                if trial + 1 == TRIES or not (state in AGAIN or (is_lost(error) and trial < RECONNECTED)):
                    if (told := given_up(error)) is error:
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
        async with self._linked() as connection:
            try:
                await connection.execute(self._begin)
                if (
                    await connection.fetchrow(lease.OURS, self._lease.name, self._lease.token, lanes, slot, mark)
                    is None
                ):
                    raise self._lost()
                answer = await carried_out(connection, plan(), self._watch)
            except Exception as error:
                if not is_lost(error):
                    await connection.execute("ROLLBACK")
                raise
            try:
                if self._watch:
                    self._watch("COMMIT")
                await commit(connection)
            except DATABASE_ERRORS as error:
                if not is_lost(error):
                    raise
                close(connection)
                return answer, error
            return answer, None

    @asynccontextmanager
    async def _linked(self) -> "AsyncIterator[Connection]":
        """One of our connections. One that owes an answer is closed, not waited for: a server may be cut off."""
        async with self._pool.acquire(timeout=FREE_IN) as connection:
            try:
                yield connection
            except BaseException as error:
                if is_lost(error) or not isinstance(error, Exception):
                    close(connection)
                raise

    async def _was_committed(self, slot: int, mark: int) -> bool:
        """Returns what became of a transaction whose connection was lost; raises OSError if nobody tells."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOKED_FOR):
                while True:
                    with suppress(*DATABASE_ERRORS):
                        async with self._linked() as connection:
                            await connection.execute(self._begin)
                            became = await connection.fetchrow(lease.BECAME, self._lease.name, slot)
                            await commit(connection)
                        if became is None:  # our lease was taken away, and what it had marked
                            break
                        return bool(became["mark"] == mark)
                    await asyncio.sleep(0.1)
        raise OSError(*LOST)

    # --- reading --------------------------------------------------------------------------------------------
    async def _at_one_moment(self, plan: Planned[T]) -> T:
        async with self._free, self._linked() as connection:
            await connection.execute(READ)
            try:
                answer = await carried_out(connection, plan())
            except Exception as error:
                if not is_lost(error):
                    await connection.execute("ROLLBACK")
                raise
            await connection.execute("COMMIT")
            return answer

    async def _asked(self, sql: str, *values: object) -> list[Any]:
        async with self._free, self._linked() as connection:
            return list(await connection.fetch(*asked([Statement(sql, values)])))

    async def _told(self, question: Callable[[], Awaitable[T]]) -> T:
        """The answer; asked again where a connection turns out to be gone."""
        for trial in range(RECONNECTED + 1):
            try:
                return await question()
            except DATABASE_ERRORS as error:
                if is_lost(error) and trial < RECONNECTED:
                    continue
                if (told := given_up(error)) is error:
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
        task.add_done_callback(forgiven)
        return await asyncio.shield(task)

    # --- the lease ------------------------------------------------------------------------------------------
    def held(self) -> bool:
        """Returns whether the lease is ours for certain."""
        return not self.lost.is_set() and monotonic() < self._renewed + self.lasts

    def _steadily(self) -> bool:
        """Whether all who are there could renew their leases for as long as one lasts, as we could.

        While the database was away no lease was renewed: whoever is there again first does not judge the others by it.
        """
        return monotonic() - self._renewed < self._breaks and monotonic() - self._steady >= self.lasts

    @property
    def _breaks(self) -> float:
        """Seconds without a renewal in which a lease that lasts as long as ours may have run out elsewhere."""
        return self.lasts * (1 - lease.RENEWED / lease.LASTS)

    async def _renew(self) -> None:
        """Say every few seconds that we are still there."""
        pause, unrenewed = self.lasts * lease.RENEWED / lease.LASTS, False
        while not self.lost.is_set():
            await asyncio.sleep(pause)
            began = monotonic()
            try:
                async with asyncio.timeout(SILENT), self._linked() as connection:
                    held = await connection.fetchval(lease.RENEW, self._lease.name, self._lease.token, self.lasts)
            except DATABASE_ERRORS as error:
                if not unrenewed:  # once an outage: it is tried again every second or two
                    log.warning("the lease cannot be renewed: %s", explain(error))
                unrenewed = True
                if isinstance(error, TimeoutError):
                    self._links.drop()  # whoever waits there asks again, another server maybe
                continue
            if unrenewed:
                log.warning("the lease is renewed again")
            unrenewed = False
            if held is None:
                log.error(self._lost().strerror)
            if began - self._renewed > self._breaks:
                self._steady = began
            self._renewed = began
            self._told_until(began, held)

    def _told_until(self, began: float, until: Any) -> None:
        self._renewals.append((began, until))

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
