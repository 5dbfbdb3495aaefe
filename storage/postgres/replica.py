"""A PostgreSQL that follows the one where all is written, asked for what may be a moment old; nothing is written to it.

How far it has come is told by our own lease, which is renewed every few seconds and copied like everything else: no
clock of another machine counts for that, and a server that follows another database, or none any more, shows itself:
when the lease was renewed is told to the microsecond, and another Riposte's is renewed at other moments.
"""

import asyncio
import errno
from collections import deque
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, TypeVar

import asyncpg

from storage.database import PlannedStore
from storage.plan import Planned, ask
from storage.postgres.address import address
from storage.postgres.connections import connected
from storage.postgres.errors import DATABASE_ERRORS
from storage.postgres.lease import Lease
from storage.postgres.plans import READ, carried_out, close
from storage.seal import PROOF, Sealer

T = TypeVar("T")

Renewals = deque[tuple[float, datetime]]
"""When our lease was renewed by our own clock, at the earliest, and until when it then held by the database's."""
RENEWALS: Final = 32
CONNECTIONS: Final = 4
ANSWERS: Final = 2.0
"""Seconds in which it lets us in and answers: whoever reads can be served without it."""
TRIES, SOON = 3, 0.1
FOLLOWS: Final = "SELECT pg_is_in_recovery(), (SELECT until FROM leases WHERE name = ?1 AND token = ?2)"
"""It leads once it was promoted: what it holds may then be another story."""
LEADS: Final = (
    "The PostgreSQL at {shown} follows no other one. Name in RIPOSTE_REPLICA one that follows RIPOSTE_DATABASE."
)
BEHIND: Final = (
    "The PostgreSQL at {shown} has nothing of what this Riposte has written of late: it follows another database, is "
    "paused, or far behind."
)
OTHER: Final = "The PostgreSQL at {shown} follows another database. Name in RIPOSTE_REPLICA one that follows this one."
UNREAD: Final = "The PostgreSQL at {shown} cannot be read: {why}. Readers of the page are served without it."
STANDS: Final = (
    "SELECT pg_is_in_recovery() AS follows, (SELECT value FROM settings WHERE owner = $1 AND key = $2) AS proof, "
    "coalesce(extract(epoch FROM (SELECT max(until) FROM leases WHERE isfinite(until))), 0)::float AS until"
)


class ReplicaStore(PlannedStore):
    """See `storage.store.Replica`."""

    several: ClassVar[bool] = True

    def __init__(self, where: str, sealer: Sealer, held: Lease, renewals: Renewals):
        super().__init__(sealer, Path())
        self._at = address(where)
        self._lease = held
        self._renewals = renewals
        self._pool: asyncpg.Pool[Any] | None = None

    async def reached(self) -> float:
        """Returns up to which moment it has all that was written, by this process's own clock; -1 = not known yet."""
        if not self._renewals:
            return -1.0
        for _ in range(TRIES):
            ((follows, until),) = await self._rows(FOLLOWS, self._lease.name, self._lease.token)
            if not follows:
                raise OSError(errno.ESTALE, LEADS.format(shown=self._at.shown))
            if (began := {renewed: began for began, renewed in self._renewals}.get(until)) is not None:
                return began
            await asyncio.sleep(SOON)  # it may have been renewed just now, and we have yet to hear of it
        raise OSError(errno.ESTALE, BEHIND.format(shown=self._at.shown))

    def keep(self, match: str, seq: int, data: bytes) -> None:
        """Nothing is kept here."""

    async def close(self) -> None:
        """Close its connections at once: nothing is under way that counts."""
        if self._pool is not None:
            self._pool.terminate()

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        return await self._read(partial(ask, sql, *values))

    async def _read(self, plan: Planned[T]) -> T:
        try:
            async with asyncio.timeout(ANSWERS):
                return await self._told(plan)
        except DATABASE_ERRORS as error:
            if getattr(error, "errno", None) == errno.EBADMSG:
                raise
            raise OSError(errno.EIO, UNREAD.format(shown=self._at.shown, why=_why(error))) from error

    async def _told(self, plan: Planned[T]) -> T:
        if self._pool is None:
            self._pool = asyncpg.create_pool(
                self._at.url,
                min_size=0,
                max_size=CONNECTIONS,
                reset=_as_it_is,
                statement_cache_size=self._at.cached,
                timeout=ANSWERS,
            )
        await self._pool  # made once, however many ask
        async with self._pool.acquire() as connection:
            try:
                await connection.execute(READ)
                answer = await carried_out(connection, plan())
                await connection.execute("COMMIT")
            except BaseException:
                close(connection)
                raise
            return answer

    async def _write(self, plan: Planned[T]) -> T:
        raise OSError(errno.EROFS, UNREAD.format(shown=self._at.shown, why="nothing can be written there"))


async def examined(where: str, primary: str) -> tuple[str, float]:
    """Returns what a replica is called, and by how many seconds it is behind. Raises OSError where it is none of it."""
    shown, found = address(where).shown, list[dict[str, Any]]()
    for one in (where, primary):
        try:
            async with asyncio.timeout(ANSWERS * 2):
                connection = await connected(address(one))
                try:
                    found.append(dict(await connection.fetchrow(STANDS, *PROOF)))
                finally:
                    connection.terminate()
        except DATABASE_ERRORS as error:
            if one == primary:
                raise
            raise OSError(errno.EIO, UNREAD.format(shown=shown, why=_why(error))) from error
    here, there = found
    if not here["follows"]:
        raise OSError(errno.ESTALE, LEADS.format(shown=shown))
    if here["proof"] != there["proof"]:
        raise OSError(errno.ESTALE, OTHER.format(shown=shown))
    return shown, float(there["until"] - here["until"])


def _why(error: BaseException) -> str:
    return (getattr(error, "strerror", None) or str(error) or "it does not answer").partition(". ")[0].rstrip(".")


async def _as_it_is(_: object) -> None:
    """Nothing is set on a connection that outlives its transaction."""
