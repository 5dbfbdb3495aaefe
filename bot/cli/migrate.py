"""Moves to another database: everything is copied, the list of erasures comes along."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from bot.cli.databases import at
from storage import erased_list
from storage.people.erasure import listed, note
from storage.transfer.copy import Copied, copy


@dataclass(frozen=True, slots=True)
class Migrated:
    """What was copied, and whether more may have been written meanwhile."""

    copied: Copied
    running: bool
    """Whether a Riposte is running on the old database."""


async def migrate(origin: str, new: str, data: Path) -> Migrated:
    """Copy a database into an empty one. Raises OSError with the fact and the remedy."""
    made = await copy(origin, new)
    await asyncio.to_thread(_take_along, erased_list(origin, data), erased_list(new, data))
    return Migrated(made, bool(await at(origin).in_use()))


def _take_along(old: Path, new: Path) -> None:
    """Note those who were erased beside the new database, too."""
    if old != new and (missing := listed(old).items() - listed(new).items()):
        note(new, sorted(missing))
