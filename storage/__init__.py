"""Stores matches, outgoing messages, alarms and what was already dealt with, in one transaction each."""

import errno
from importlib.util import find_spec
from pathlib import Path

from storage.store import Replica, Shared, Store

__all__ = ["erased_list", "is_server", "located", "need_driver", "open_replica", "open_shared", "open_store"]

SERVERS = ("postgresql", "postgres")
"""What the URL of a database begins with that is no file."""


async def open_store(where: str | Path, key: Path | None = None, erased: Path | None = None) -> Store:
    """Open the database at a path, `sqlite:///path` or `postgresql://…`. Raises OSError with the fact and the remedy.

    `key` is the file with its key, `erased` the list of those who were erased; None = beside a database that is a file,
    under its name, else in the folder that the program runs in.
    """
    if is_server(where):
        need_driver()
        from storage.postgres.store import PostgresStore

        return await PostgresStore.open(str(where), key or Path("riposte.key"), erased or Path("riposte.erased"))
    from storage.sqlite.store import SqliteStore

    return await SqliteStore.open(located(where), key)


async def open_shared(where: str, key: Path, erased: Path) -> Shared:
    """Open a PostgreSQL beside other processes that open it so. Raises OSError with the fact and the remedy."""
    need_driver()
    from storage.postgres.shared import SharedStore

    return await SharedStore.open(where, key, erased)


def open_replica(where: str, store: Store) -> Replica | None:
    """A PostgreSQL that follows the one of a store; None where there is none. It connects when it is asked first."""
    from storage.postgres.store import PostgresStore

    return store.replica(where) if where and isinstance(store, PostgresStore) else None


def is_server(where: str | Path) -> bool:
    """Returns whether a database is a server's, not a file."""
    return str(where).partition("://")[0] in SERVERS


def need_driver() -> None:
    """Raise OSError with the remedy where the driver of PostgreSQL is not installed."""
    if find_spec("asyncpg") is None:
        fact = "PostgreSQL needs asyncpg, which is not installed."
        raise OSError(errno.ENOSYS, f"{fact} Install it: `pip install 'riposte[postgres]'`.")


def erased_list(where: str | Path, data: Path) -> Path:
    """Where the list of those who were erased is: beside the database that is a file, else in the data folder."""
    from storage.people.erasure import list_beside

    return list_beside(data / "riposte.db" if is_server(where) else located(where))


def located(where: str | Path) -> Path:
    """The file that a path or `sqlite:///path` means. Raises OSError with the fact and the remedy."""
    scheme, found, rest = str(where).partition("://")
    if not found:
        return Path(where)
    if scheme == "sqlite" and rest.startswith("/"):
        return Path(rest[1:])
    raise OSError(
        errno.EINVAL,
        f"There is no store for {where!r}. Give a path such as data/riposte.db, sqlite:///data/riposte.db, "
        "or postgresql://riposte:PASSWORD@127.0.0.1/riposte.",
    )
