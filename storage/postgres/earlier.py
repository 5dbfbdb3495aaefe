"""Databases of earlier versions: takes people's words out of the events, as in SQLite's files."""

from typing import Any

import asyncpg

from storage.people.words import set_apart
from storage.postgres.lease import Lease
from storage.postgres.plans import carried_out
from storage.seal import Sealer


async def take_words(connection: "asyncpg.Connection[Any]", sealer: Sealer, held: Lease) -> None:
    """Take them out of a database whose events hold them, all or nothing, while nobody can take it over."""
    async with connection.transaction():
        ours = "SELECT 1 FROM leases WHERE name = $1 AND token = $2 FOR KEY SHARE"
        if await connection.fetchval(ours, held.name, held.token):
            await carried_out(connection, set_apart(sealer))
