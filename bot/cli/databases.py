"""A database as the commands for hosts look at it, whether it is a file or a PostgreSQL's."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.console.checks import Finding, Findings, fact_and_remedy, fault, ok, warn
from bot.peers.strangers import LATE
from bot.settings import Settings
from storage import is_server, located, need_driver
from storage.inspection import Inspection
from storage.plan import Migration
from storage.seal import PLAIN, PROOF, Sealer
from storage.sqlite.file import is_locked


@dataclass(frozen=True, slots=True)
class Database:
    """Where matches are kept. Whatever is asked of it raises OSError with the fact and the remedy."""

    shown: str
    """Its path or address, without the password."""
    path: Path | None
    """None for a server's."""
    where: str

    async def in_use(self) -> bool | None:
        """Returns whether a Riposte is running on it; None where there is nothing yet."""
        if self.path is not None:
            return is_locked(self.path) if self.path.exists() else None
        from storage.postgres import inspect as server

        return await server.running(self.where)

    async def alive(self) -> int:
        """Returns when Riposte last noted that it was awake, in milliseconds since 1970 UTC."""
        return int(await self._plain(PLAIN, "alive") or 0)

    async def proof(self) -> str:
        """Returns what it knows its key by; "" for one that has none yet."""
        return await self._plain(*PROOF)

    async def inspected(self, sealer: Sealer | None) -> Inspection:
        """Returns what is in it, verified."""
        if self.path is not None:
            from storage.sqlite.inspect import inspect

            return await asyncio.to_thread(inspect, self.path, sealer)
        from storage.postgres import inspect as server

        return await server.inspect(self.where, sealer)

    async def owners(self, key: str, sealer: Sealer) -> list[tuple[str, str]]:
        """Returns everybody and everything that has a setting, with its value."""
        if self.path is not None:
            from storage.sqlite.inspect import owners

            return await asyncio.to_thread(owners, self.path, key, sealer)
        from storage.postgres import inspect as server

        return await server.owners(self.where, key, sealer)

    def steps(self) -> tuple[Migration, ...]:
        """Returns the steps by which this version makes its tables."""
        if self.path is not None:
            from storage.sqlite.schema import migrations

            return migrations()
        from storage.postgres.schema import steps_at_hand

        return steps_at_hand()

    async def _plain(self, owner: str, key: str) -> str:
        if self.path is not None:
            from storage.sqlite.inspect import setting

            return await asyncio.to_thread(setting, self.path, owner, key)
        from storage.postgres import inspect as server

        return await server.setting(self.where, owner, key)


def database(settings: Settings) -> Database:
    """The database of the settings. Raises OSError with the fact and the remedy."""
    return at(settings.store)


def at(where: str) -> Database:
    """The database at a path or a URL. Raises OSError with the fact and the remedy."""
    if not is_server(where):
        path = located(where)
        return Database(str(path), path, where)
    need_driver()
    from storage.postgres.address import address

    return Database(address(where).shown, None, where)


def file_of(settings: Settings) -> Path | None:
    """Returns the file of the database; None where a server keeps it, or where it cannot be told."""
    try:
        return located(settings.store)
    except OSError:
        return None


async def replica(settings: Settings) -> Findings:
    """Looks at the PostgreSQL that serves readers."""
    if not settings.replica:
        return
    from storage.postgres.replica import examined

    try:
        shown, behind = await examined(settings.replica, settings.store)
    except OSError as error:
        yield warn(*fact_and_remedy(error.strerror or str(error)))
        return
    fact = f"the replica {shown} is {behind:.0f} seconds behind"
    remedy = "Readers of the page are served without it meanwhile: look whether its copying is paused."
    yield ok(fact) if behind <= LATE else warn(fact, remedy)


FAULT_BELOW, WARN_BELOW = 50, 500
"""MiB of free disk: less is a fault, or worth a warning."""


def space(settings: Settings) -> Iterator[Finding]:
    """Yields whether there is room to write, for each folder that is written to."""
    file = file_of(settings)
    for folder in dict.fromkeys([settings.data.absolute(), *([file.absolute().parent] if file else [])]):
        nearest = next(place for place in (folder, *folder.parents) if place.exists())
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            yield fault(
                f"{nearest} cannot be written to",
                f"Give it to Riposte's user, as by `chown riposte {nearest}`, or set RIPOSTE_DATA to another folder.",
            )
            continue
        free = shutil.disk_usage(nearest).free >> 20
        fact = f"{free} MiB are free on the disk of {folder}"
        remedy = "Free some space: without any, turns wait until there is."
        yield fault(fact, remedy) if free < FAULT_BELOW else warn(fact, remedy) if free < WARN_BELOW else ok(fact)
