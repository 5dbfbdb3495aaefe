"""Connections to a PostgreSQL: one, or a few that are shared, and the key of what is in it."""

from pathlib import Path
from typing import Any, Final

import asyncpg

from storage.people.persons import DONE
from storage.plan import ask
from storage.postgres.address import Address
from storage.postgres.errors import DATABASE_ERRORS, unreachable
from storage.postgres.plans import carried_out
from storage.seal import PROOF, SETTING, Sealer, fitting, known_key, setting_row

CONNECTIONS: Final = 10


async def connected(at: Address, *, direct: bool = False) -> "asyncpg.Connection[Any]":
    """Connect once; `direct` = past a pooler. Raises OSError with the fact and the remedy."""
    try:
        return await asyncpg.connect(
            at.direct if direct else at.url, timeout=10, command_timeout=60, statement_cache_size=at.cached
        )
    except (ValueError, *DATABASE_ERRORS) as error:
        raise unreachable(error, at.shown) from error


async def pool_of(at: Address) -> "asyncpg.Pool[Any]":
    async def as_it_is(_: object) -> None:
        """Nothing is set on a connection that outlives its transaction: nothing has to be set back."""

    return await asyncpg.create_pool(
        at.url,
        min_size=1,
        max_size=CONNECTIONS,
        timeout=10,
        command_timeout=60,
        statement_cache_size=at.cached,
        reset=as_it_is,
    )


async def keyed(connection: "asyncpg.Connection[Any]", key: Path, shown: str) -> Sealer:
    """The sealer of the database, made if it has none yet; a lost or a wrong key is refused before any change."""
    known = await carried_out(connection, known_key())
    sealer = fitting(known, key, shown)
    if not known:
        for owner, name, value in ((*PROOF, sealer.proof), (*DONE, "yes")):
            await carried_out(connection, ask(SETTING, *setting_row(owner, name, value)))
    return sealer
