"""Databases of earlier versions: takes people's words out of the events, as in SQLite's files."""

from typing import Any

import asyncpg

from storage.people.words import set_apart
from storage.postgres import lease
from storage.postgres.plans import carried_out
from storage.seal import Sealer


async def take_words(connection: "asyncpg.Connection[Any]", sealer: Sealer, token: int) -> None:
    """Take them out of a database whose events hold them, all or nothing, while nobody can take it over."""
    async with connection.transaction():
        held = "SELECT 1 FROM leases WHERE name = $1 AND token = $2 FOR KEY SHARE"
        if await connection.fetchval(held, lease.NAME, token):
            await carried_out(connection, set_apart(sealer))
