"""Stores matches, outgoing messages, alarms and what was already dealt with, in one transaction each."""

import errno
from pathlib import Path

from storage.store import Store

__all__ = ["located", "open_store"]


async def open_store(where: str | Path, key: Path | None = None) -> Store:
    """Open the database at a path or `sqlite:///path`. Raises OSError with the fact and the remedy.

    `key` is the file with its key; None = beside it, under its name.
    """
    from storage.sqlite import SqliteStore

    return await SqliteStore.open(located(where), key)


def located(where: str | Path) -> Path:
    """The file that a path or `sqlite:///path` means. Raises OSError with the fact and the remedy."""
    scheme, found, rest = str(where).partition("://")
    if not found:
        return Path(where)
    if scheme == "sqlite" and rest.startswith("/"):
        return Path(rest[1:])
    raise OSError(
        errno.EINVAL,
        f"There is no store for {where!r}. Give a path such as data/riposte.db, or sqlite:///data/riposte.db.",
    )
