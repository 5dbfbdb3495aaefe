"""Copies a database into another one, row by row as they are stored, and compares them before that counts."""

import errno
from dataclasses import dataclass
from functools import partial

from storage.transfer.ends import Server, source, target
from storage.transfer.tables import TABLES, counts, heads, page, verified


@dataclass(frozen=True, slots=True)
class Copied:
    """What was copied."""

    matches: int
    """Each with the same last digest, which the log in the new place leads to."""
    rows: int
    damaged: tuple[str, ...]
    """What was not as it was written already where it came from."""


async def copy(origin: str, new: str) -> Copied:
    """Copy all that stands in a database at one moment into a new one; whatever differs undoes all of it.

    Sealed as it is: the key stays the same. Raises OSError with the fact and the remedy.
    """
    async with source(origin) as old, target(new) as place:
        for table in TABLES:
            after: tuple[object, ...] = ()
            while rows := await old.run(partial(page, table, after)):
                await place.put(table, rows)
                after = tuple(rows[-1][table.columns.index(key)] for key in table.keys)
            if table.counted and isinstance(place, Server):
                await place.count(table)
        before, (after_, wrong) = await old.run(heads), await place.run(verified)
        damaged: list[str] = []
        if wrong:
            _, damaged = await old.run(verified)
        many = await old.run(counts)
        if before != after_ or many != await place.run(counts) or wrong != damaged:
            fact = f"What arrived in {new.rpartition('@')[2]} is not what was sent, so all of it was undone."
            raise OSError(errno.EIO, f"{fact} Look after the disks, and try again.")
    return Copied(len(before), sum(many.values()), tuple(damaged))
