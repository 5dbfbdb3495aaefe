"""The store in a PostgreSQL on which several processes work at once: who they are, and what is whose to do."""

import logging
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from math import inf
from time import monotonic
from typing import Any, ClassVar, Final, Self

import asyncpg
import msgspec

from storage import commit
from storage.numbers import BUCKETS
from storage.plan import Plan, Planned, ask
from storage.postgres import lease, rolling
from storage.postgres.connections import connected
from storage.postgres.errors import DATABASE_ERRORS, explain
from storage.postgres.store import PostgresStore
from storage.store import PAUSE, Alarm, Change, News, Outgoing

log = logging.getLogger(__name__)

LIVE: Final = f"EXISTS (SELECT 1 FROM leases WHERE leases.name = '{lease.ONE_OF_SEVERAL}' || process)"  # noqa: S608
FREE: Final = f"(process IS NULL OR NOT {LIVE})"
CHANNEL: Final = "riposte"
MOST_TOLD: Final = 7_000
"""Bytes of news that PostgreSQL carries at once, less than its 8,000."""
LONG_AGO: Final = 86_400.0
"""Seconds within which whoever has a lease has renewed it."""
DEAF: Final = 10
"""Calls of our own that are not heard, after which the host is told."""
UNHEARD: Final = (
    "What other processes commit is not heard and has to be looked for every second. "
    "If a pooler stands before PostgreSQL, say where PostgreSQL itself is: add &listen=HOST:PORT to the address."
)
TELLS: Final = "SELECT 1 FROM pg_proc WHERE proname = 'pg_notify' LIMIT 1"
"""Whether the server passes news on: what only speaks PostgreSQL's protocol may not, as CockroachDB."""
SILENT: Final = "The server passes no news on, so what other processes commit is looked for every second."
AGREES: Final = 1.0
"""Seconds by which two clocks may differ."""
OFF: Final = (
    "The clock of this machine is %s seconds ahead of the database's (less than 0 = behind), which counts for all "
    "processes. Set both by the network: `timedatectl set-ntp true`."
)
ON: Final = "The clocks of this machine and of the database agree again."
HEARD_WITHIN: Final = 2.0
"""Seconds after which a connection that does not answer is given up."""

LEASES: Final = (
    f"SELECT holder, {lease.OVER.format('?3', '?4')} FROM leases "  # noqa: S608
    "WHERE starts_with(name, ?1) AND name <> ?2"
)
LETTERS: Final = (
    "SELECT bucket, number FROM heads WHERE until <= ?1 AND split_part(lane, '/', 1) = ANY(?2::text[]) "  # noqa: S608
    f"AND {FREE} ORDER BY number LIMIT ?3"
)
OUR_LETTERS: Final = (
    "UPDATE letters SET process = ?1 FROM (SELECT number FROM letters "  # noqa: S608
    f"WHERE bucket = ?2 AND number = ANY(?3::bigint[]) AND done IS NULL AND {FREE} FOR UPDATE SKIP LOCKED) AS due "
    "WHERE letters.bucket = ?2 AND letters.number = due.number RETURNING 1"
)
ALARMS: Final = f"SELECT DISTINCT bucket FROM alarms WHERE at <= ?1 AND {FREE}"  # noqa: S608
OUR_ALARMS: Final = (
    "UPDATE alarms SET process = ?1 FROM (SELECT match, kind, at FROM alarms "  # noqa: S608
    f"WHERE bucket = ?2 AND at <= ?3 AND {FREE} ORDER BY at LIMIT ?4 FOR UPDATE SKIP LOCKED) AS due "
    "WHERE alarms.bucket = ?2 AND alarms.match = due.match AND alarms.kind = due.kind AND alarms.at = due.at "
    "RETURNING 1"
)
WITHOUT: Final = "bucket IS NOT DISTINCT FROM ?2"
"""In place of a bucket: what an older version has written, as long as one may be there."""
STEP: Final = 39
"""How far apart two processes begin to claim: 0.6 of all buckets, so that few of them meet."""
TAKE: Final = (
    "INSERT INTO duties (name, platform, process) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE "  # noqa: S608
    "SET process = excluded.process, ready = 0, seen = clock_timestamp() "
    f"WHERE duties.process = excluded.process OR NOT {LIVE.replace('|| process', '|| duties.process')} RETURNING name"
)
THERE: Final = (
    f"EXISTS (SELECT 1 FROM leases WHERE leases.name = '{lease.ONE_OF_SEVERAL}' || process "  # noqa: S608
    "AND (process = ?1 OR until > clock_timestamp() + make_interval(secs => ?2)))"
)
DUTIES: Final = (
    f"SELECT name, platform, ready = 1 AND {THERE} FROM duties "  # noqa: S608
    f"WHERE name <> '{PAUSE}' AND seen > clock_timestamp() - interval '1 day'"
)


class SharedStore(PostgresStore):
    """See `storage.store.Shared`. Opened by `open`."""

    several: ClassVar[bool] = True
    lasts = 7.0

    def __init__(self, *given: Any, **named: Any):
        super().__init__(*given, **named)
        self.process = self._lease.token
        self.ours = f" AND process = {self.process}"
        self.serves: Callable[[], Collection[str]] = tuple
        self._begin += f"; SET LOCAL riposte.process = '{self.process}'"
        self._ears: asyncpg.Connection[Any] | None = None
        self._unheard = 0
        """Our own calls since one of them was heard."""
        self._clock: Callable[[], float] = time.time
        self._off = 0.0
        """Seconds by which it is ahead of the database's; 0 while they agree."""
        self._tells = self._where.listens
        """Whether news are passed on."""

    @classmethod
    async def open(cls, *given: Any, clock: Callable[[], float] = time.time, **named: Any) -> Self:
        """See `PostgresStore.open`; `clock` is the machine's own, in seconds since 1970 UTC."""
        store = await super().open(*given, **named)
        store._clock, began = clock, monotonic()
        ((until,),) = await store._rows("SELECT clock_timestamp() + make_interval(secs => ?1)", store.lasts)
        store._told_until(began, until)
        if store._tells and not await store._rows(TELLS):
            log.warning(SILENT)
            store._tells = False
        return store

    async def close(self) -> None:
        """Write what is queued, then let others have what was ours."""
        if self._ears is not None:
            self._ears.terminate()
        await super().close()

    # --- what is committed --------------------------------------------------------------------------------
    def _written(self, change: Change) -> Planned[Sequence[Outgoing]]:
        return partial(self._told_to_others, change)

    def _told_to_others(self, change: Change) -> Plan[Sequence[Outgoing]]:
        """Write a change, and tell the others of it. Letters that somebody else must deliver are anybody's."""
        waiting: list[Outgoing] = []
        others: list[int] = []
        served = self.serves()
        for one in (yield from commit.write(change, self._sealer, bucketed=True)):
            here = one.message.ordering_key.partition("/")[0] in served
            waiting.append(one if here else Outgoing(one.number, one.message, one.attempts, -1))
            others += [] if here else [one.number]
        if others:
            yield from ask("UPDATE letters SET process = NULL WHERE number = ANY(?1::bigint[])", others)
        if self._tells and (change.match or change.settings or waiting):
            settings = tuple((owner, key) for owner, key, _ in change.settings)
            news = News(self.process, change.match, settings, tuple(one.message.key for one in waiting))
            told = msgspec.json.encode(news).decode()
            yield from ask("SELECT pg_notify(?1, ?2)", CHANNEL, told if len(told) < MOST_TOLD else "null")
        return waiting

    async def hears(self, hear: Callable[[News | None], None]) -> None:
        """Have `hear` told from now on what others commit; None = something may have been missed, so look at all."""
        self._refuse()
        if not self._tells:
            hear(None)
            return
        if self._ears is not None and not self._ears.is_closed():
            try:
                await self._ears.execute("SELECT 1", timeout=HEARD_WITHIN)
            except DATABASE_ERRORS:
                self._ears.terminate()
            else:
                if self._unheard:  # a pooler hands nothing on, say
                    hear(None)
                if self._unheard == DEAF:
                    log.warning(UNHEARD)
                self._unheard += 1
                await self._rows("SELECT pg_notify(?1, '')", f"{CHANNEL} {self.process}")
                return

        def told(*what: Any) -> None:
            news = msgspec.json.decode(what[3], type=News | None)
            if news is None or news.process != self.process:
                hear(news)

        def heard(*_: Any) -> None:
            self._unheard = 0

        self._ears, self._unheard = await connected(self._where, self._links), 0
        try:
            await self._ears.add_listener(CHANNEL, told)
            await self._ears.add_listener(f"{CHANNEL} {self.process}", heard)
        except DATABASE_ERRORS as error:
            raise explain(error) from error
        hear(None)

    # --- what is ours to do -------------------------------------------------------------------------------
    async def claim(self, now: int, limit: int = 100) -> None:
        """Have messages that are due and nobody's be this process's to deliver."""
        found: dict[int | None, list[int]] = {}
        for platform in sorted(self.serves()):  # each for itself: one that hangs has all the oldest
            for bucket, number in await self._rows(LETTERS, now, [platform], limit):
                found.setdefault(bucket, []).append(number)
        for bucket in self._in_order_of_ours(found):
            await self._write(partial(ask, _of(OUR_LETTERS, bucket), self.process, bucket, found[bucket]))

    def _in_order_of_ours(self, buckets: Iterable[int | None]) -> list[int | None]:
        """Buckets, in the order in which this process claims from them."""
        return sorted(buckets, key=lambda bucket: ((bucket or 0) - self.process * STEP) % BUCKETS)

    async def put_off(self, number: int, until: int, *, tried: bool = True) -> None:
        """Have a message tried again at an instant, by whoever can then; `tried` = this counts as an attempt."""

        def plan() -> Plan[None]:
            yield from commit.tried(number, attempts=int(tried), until=until)
            yield from ask("UPDATE letters SET process = NULL WHERE number = ?1 AND done IS NULL", number)

        await self._write(plan)

    async def due(self, now: int, limit: int = 100) -> Sequence[Alarm]:
        """Returns the alarms that are due and this process's, earliest first."""
        left = limit
        for bucket in self._in_order_of_ours([bucket for (bucket,) in await self._rows(ALARMS, now)]):
            if left > 0:
                claimed = partial(ask, _of(OUR_ALARMS, bucket), self.process, bucket, now, left)
                left -= len(await self._write(claimed))
        return await super().due(now, limit)

    # --- what time it is ----------------------------------------------------------------------------------
    def now(self) -> int:
        """Milliseconds since 1970 UTC; by the database's clock, where this machine's is off."""
        return int((self._clock() - self._off) * 1000)

    def _told_until(self, began: float, until: datetime) -> None:
        """Compare the clocks: the database's was read after we began to ask, and before now."""
        super()._told_until(began, until)
        theirs, ours = until.timestamp() - self.lasts, self._clock()
        agrees = ours - (monotonic() - began) - AGREES <= theirs <= ours + AGREES
        off = 0.0 if agrees else ours - theirs  # as late as it can be: nothing is due too early
        if (off != 0.0) != (self._off != 0.0):
            log.warning(OFF if off else ON, *([round(off)] if off else []))
        self._off = off

    # --- who is there -------------------------------------------------------------------------------------
    async def bury(self) -> None:
        """Have what others left undone that have ended, or are silent for too long, be free."""
        steadily = self._steadily()
        rows = await self._rows(LEASES, lease.ONE_OF_SEVERAL, self._lease.name, steadily, [])
        gone = [holder for holder, _ in rows if lease.is_gone(holder)]
        if gone or any(over for _, over in rows):
            await self._rows(lease.CUT, steadily, gone)
            await self._write(partial(ask, lease.BURY, lease.ONE_OF_SEVERAL, steadily, gone))

    async def narrow(self) -> None:
        """Change the tables further where that had to wait until no process of an older version is there."""
        self._refuse()
        with suppress(*rolling.IN_THE_WAY):  # another time
            try:
                async with self._free, self._linked() as connection:
                    while await rolling.narrow(connection, self._where.shown, self._steps):
                        log.info("the tables were changed further: no process of an older version is there any more")
            except rolling.IN_THE_WAY:
                raise
            except DATABASE_ERRORS as error:
                raise explain(error) from error

    async def take(self, duty: str, platform: str, instead: Collection[str] = ()) -> bool:
        """Take a duty that is free, or ours already, and what was received on its platform and is nobody's."""

        def plan() -> Plan[bool]:
            if not (yield from ask(TAKE, duty, platform, self.process)):
                return False
            yield from ask(f"DELETE FROM duties WHERE name = ANY(?1::text[]) AND {FREE}", sorted(instead))  # noqa: S608
            sql = f"UPDATE arrivals SET process = ?1 WHERE id >= ?2 AND id < ?3 AND {FREE}"  # noqa: S608
            yield from ask(sql, self.process, f"{platform}:", f"{platform};")
            return True

        return await self._write(plan)

    async def duties(self, ago: float = inf) -> Sequence[tuple[str, str, bool]]:
        """Returns each duty that was done in the last day, its platform, and whether it is done and ready.

        By somebody who has renewed their lease since so many seconds `ago`: one that is silent may be gone.
        """
        left = self.lasts - min(ago, LONG_AGO)
        return [(name, platform, ready) for name, platform, ready in await self._rows(DUTIES, self.process, left)]

    async def ready(self, duty: str, *, ready: bool) -> None:
        """Note whether a duty of ours is ready."""
        sql = "UPDATE duties SET ready = ?3, seen = clock_timestamp() WHERE name = ?1 AND process = ?2"
        await self._write(partial(ask, sql, duty, self.process, int(ready)))

    async def give_up(self, duty: str) -> None:
        """Let others have a duty of ours."""
        await self._write(partial(ask, "DELETE FROM duties WHERE name = ?1 AND process = ?2", duty, self.process))

    # --- nothing under way --------------------------------------------------------------------------------
    async def pauses_for(self) -> int:
        """Returns the other process for whose sake this one must have nothing under way; 0 = nobody's."""
        sql = f"SELECT process FROM duties WHERE name = ?1 AND process <> ?2 AND {LIVE}"  # noqa: S608
        return next((int(process) for (process,) in await self._rows(sql, PAUSE, self.process)), 0)

    async def paused(self, process: int) -> None:
        """Note for whose sake nothing is under way here; 0 = nobody's."""
        sql = "UPDATE leases SET paused = nullif(?2::bigint, 0) WHERE name = ?1"
        await self._write(partial(ask, sql, self._lease.name, process))

    async def all_pause(self) -> bool:
        """Returns whether all other processes have nothing under way for this one's sake."""
        rows = await self._rows(
            "SELECT 1 FROM leases WHERE starts_with(name, ?1) AND name <> ?2 AND paused IS DISTINCT FROM ?3::bigint",
            *(lease.ONE_OF_SEVERAL, self._lease.name, self.process),
        )
        return not rows


def _of(sql: str, bucket: int | None) -> str:
    """A statement that claims from a bucket, or what has none yet."""
    return sql if bucket is not None else sql.replace("bucket = ?2", WITHOUT)
