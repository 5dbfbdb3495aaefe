"""Connections to a PostgreSQL: one, or a few that are shared, and the key of what is in it."""

import asyncio
import errno
import logging
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

import asyncpg

from storage.people.persons import DONE
from storage.plan import ask
from storage.postgres.address import Address, each
from storage.postgres.errors import DATABASE_ERRORS, is_lost, unreachable
from storage.postgres.plans import carried_out
from storage.seal import PROOF, SETTING, Sealer, fitting, known_key, setting_row

log = logging.getLogger(__name__)

CONNECTIONS: Final = 10


LOOKED: Final = 10.0
"""Seconds in which a server lets us in, where there is one."""
ASKED: Final = 3.0
"""Seconds in which one of several does."""
LATER: Final = 1.0
"""Seconds for which the other servers have their say once one has said that it leads."""
ALONE: Final = (
    "The leader of these PostgreSQLs acknowledges what no other one has, so a change of leaders can lose turns. "
    "Set `synchronous_mode_strict: true` in Patroni."
)
LEADS: Final = (
    "SELECT CASE WHEN pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' THEN -1 "
    "ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END"
)
"""The timeline on which a server writes; each new leader begins one that is higher. -1 = it does not write."""


class Links:
    """The connections of a store, each with the timeline of its server."""

    def __init__(self) -> None:
        self._lines: WeakKeyDictionary[asyncpg.Connection[Any], int] = WeakKeyDictionary()

    def add(self, connection: "asyncpg.Connection[Any]", line: int) -> None:
        """Note one, and drop those to a server that was the leader before: it may not know that it is no more."""
        self.drop(below=line)
        self._lines[connection] = line

    def drop(self, below: float = inf) -> None:
        """Close those to servers of a lower timeline, at once: what waits for an answer is lost."""
        for connection, line in [*self._lines.items()]:
            if line < below:
                connection.terminate()


async def connected(at: Address, links: Links | None = None) -> "asyncpg.Connection[Any]":
    """Connect once; past a pooler where it is one of a store's `links`. Raises OSError with the fact and the remedy."""
    try:
        line, connection = await _sought(each(at.direct if links else at.url), **_how(at))
    except (ValueError, *DATABASE_ERRORS) as error:
        raise unreachable(error, at.shown) from error
    if links:
        links.add(connection, line)
    return connection


async def warned(connection: "asyncpg.Connection[Any]", at: Address) -> None:
    """Tell the host where a server of several commits without the others."""
    if len(each(at.url)) > 1 and not await connection.fetchval("SHOW synchronous_standby_names"):
        log.warning(ALONE)


async def pool_of(at: Address, links: Links) -> "asyncpg.Pool[Any]":
    """A pool of connections for as many transactions, and one more, so that a lease can always be renewed."""
    urls = each(at.url)

    async def as_it_is(_: object) -> None:
        """Nothing is set on a connection that outlives its transaction: nothing has to be set back."""

    async def connect(_: None, **how: Any) -> "asyncpg.Connection[Any]":
        line, connection = await _sought(urls, **how)
        links.add(connection, line)
        return connection

    return await asyncpg.create_pool(connect=connect, min_size=0, max_size=CONNECTIONS + 1, reset=as_it_is, **_how(at))


def _how(at: Address) -> dict[str, Any]:
    return {"command_timeout": 60, "statement_cache_size": at.cached}


async def _sought(urls: Sequence[str], **how: Any) -> "tuple[int, asyncpg.Connection[Any]]":
    """The timeline of the server that takes what is to be written, and a connection to it; of one alone it is 0.

    All are asked at once: one that is cut off says nothing at all. A leader that does not know yet that there is a new
    one says that it leads, as the new one does; the one with the higher timeline is right. Raises as asyncpg.
    """
    if len(urls) == 1:
        return 0, await asyncpg.connect(urls[0], timeout=LOOKED, **how)
    loop, until = asyncio.get_running_loop(), inf
    asking = {asyncio.ensure_future(_asked(url, how)) for url in urls}
    answers: list[tuple[int, asyncpg.Connection[Any]]] = []
    errors: list[BaseException] = []
    waiting = asking
    try:
        while waiting and (left := until - loop.time()) > 0:
            wait = None if left == inf else left
            done, waiting = await asyncio.wait(waiting, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                if (error := one.exception()) is not None:
                    errors.append(error)
                else:
                    answers.append(one.result())
            if until == inf and any(line >= 0 for line, _ in answers):
                until = loop.time() + LATER
        chosen = max(answers, key=lambda answer: answer[0], default=None)
        if chosen is None or chosen[0] < 0:
            raise _telling(errors)
        answers.remove(chosen)
        return chosen
    finally:
        for one in asking:
            one.cancel()
        for _, connection in answers:
            connection.terminate()


async def _asked(url: str, how: dict[str, Any]) -> "tuple[int, asyncpg.Connection[Any]]":
    """A server's timeline, and the connection to it."""
    async with asyncio.timeout(ASKED):
        connection = await asyncpg.connect(url, **how)
        try:
            return await connection.fetchval(LEADS), connection
        except BaseException:
            connection.terminate()
            raise


def _telling(errors: Sequence[BaseException]) -> BaseException:
    """The error that says most of several servers none of which leads."""
    told = [error for error in errors if isinstance(error, asyncpg.PostgresError) and not is_lost(error)]
    return next(
        iter(told), ConnectionRefusedError(errno.ECONNREFUSED, "none of its servers takes what is to be written")
    )


async def keyed(connection: "asyncpg.Connection[Any]", key: Path, shown: str) -> Sealer:
    """The sealer of the database, made if it has none yet; a lost or a wrong key is refused before any change."""
    known = await carried_out(connection, known_key())
    sealer = fitting(known, key, shown)
    if not known:
        for owner, name, value in ((*PROOF, sealer.proof), (*DONE, "yes")):
            await carried_out(connection, ask(SETTING, *setting_row(owner, name, value)))
    return sealer
