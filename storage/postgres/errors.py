"""PostgreSQL's errors, as OSErrors that tell hosts the fact and the remedy."""

import errno
from typing import Final

import asyncpg

from storage.checksum import CORRUPT
from storage.store import Conflict

DATABASE_ERRORS: Final = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""What asyncpg raises."""

LOST: Final = (
    errno.ECONNRESET,
    "The connection to PostgreSQL was lost. Riposte connects again by itself; if it stays away, start PostgreSQL.",
)
CAUSES: Final[dict[str, tuple[int, str]]] = {
    "53100": (
        errno.ENOSPC,
        "The disk of PostgreSQL is full, so nothing was changed. Free some space there and try again.",
    ),
    "25006": (
        errno.EROFS,
        "PostgreSQL takes nothing to write: it is read-only or a standby. Name the primary in RIPOSTE_DATABASE, "
        "or all servers of a cluster.",
    ),
    "42501": (
        errno.EACCES,
        "PostgreSQL forbids this to Riposte's user. Make that user the owner of the database: "
        "`ALTER DATABASE riposte OWNER TO riposte`.",
    ),
    "28P01": (errno.EACCES, "PostgreSQL refuses the password. Write the right one into RIPOSTE_DATABASE."),
    "28000": (errno.EACCES, "PostgreSQL refuses the user. Name one that may log in, in RIPOSTE_DATABASE."),
    "3D000": (errno.ENOENT, "There is no such database on this PostgreSQL. Make it: `createdb -O riposte riposte`."),
    "53300": (
        errno.EAGAIN,
        "PostgreSQL has no connection left. Raise its max_connections, or put PgBouncer before it.",
    ),
    "57014": (errno.EBUSY, "PostgreSQL took too long, so nothing was changed. Look what else is running on it."),
    "55P03": (errno.EBUSY, "Another program holds the database, so nothing was changed. Close it and try again."),
    "42P01": (errno.EPROTO, "Tables of Riposte's are missing in the database. Restore it from a backup."),
    "42703": (
        errno.EPROTO,
        "Its tables are not those of this Riposte. Install the version that made them.",
    ),
    "XX001": CORRUPT,
    "XX002": CORRUPT,
}
"""By SQLSTATE."""
AWAY: Final = ("08", "57P", "25P03", "25006")
"""What SQLSTATEs begin with where the connection, or the server, is gone, not there yet or leads no more."""
BROKEN: Final = (asyncpg.InterfaceError, asyncpg.InternalClientError, ConnectionError, TimeoutError)
"""What asyncpg raises then."""
AGAIN: Final = ("40001", "40P01")
"""Somebody else was in the way: the same may work a moment later."""
ITS_OWN: Final = ("25P04", "40", "53", "55", "57", "58", "F0", "XX")
"""What SQLSTATEs begin with that tell of the server, not of what it was asked: the same may work another time."""
FAILS: Final = "PostgreSQL cannot do this just now, so nothing was changed: {why}. Look into its log."
IN_THE_WAY: Final = (
    errno.EAGAIN,
    "Others were in the way in PostgreSQL again and again, so nothing was changed. Look what else is running on it.",
)


class Unsure(ConnectionError):  # noqa: N818  (no fault: what became of it can be asked)
    """The server has warned while it committed: it waits no more for the standbys that are to have it too."""


def is_lost(error: BaseException) -> bool:
    """Returns whether the connection is of no use any more; what was not committed is gone with it."""
    state = getattr(error, "sqlstate", None) or ""
    return isinstance(error, BROKEN) or state.startswith(AWAY)


def explain(error: Exception) -> Exception:
    """Returns the OSError for trouble with the server or the way to it; anything else is a bug and stays what it is."""
    state = getattr(error, "sqlstate", None) or ""
    if state == "23505":
        return Conflict(f"this was written before: {error}")
    if state in CAUSES:
        return OSError(*CAUSES[state])
    if is_lost(error):
        return OSError(*LOST)
    if state.startswith(ITS_OWN) and state not in AGAIN:
        return OSError(errno.EIO, FAILS.format(why=str(error).partition("\n")[0].rstrip(".")))
    return error


def given_up(error: Exception) -> Exception:
    """The same for what was tried as often as it is: then others in the way are trouble as well."""
    return OSError(*IN_THE_WAY) if getattr(error, "sqlstate", None) in AGAIN else explain(error)


def unreachable(error: Exception, shown: str) -> Exception:
    """Returns the OSError for a server that cannot be connected to."""
    state = getattr(error, "sqlstate", None) or ""
    if state in CAUSES:
        number, told = CAUSES[state]
        return OSError(number, f"{shown}: {told}")
    if (
        state.startswith("57P03")
        or isinstance(error, (OSError, TimeoutError, asyncpg.InterfaceError))
        or is_lost(error)
    ):
        why = getattr(error, "strerror", None) or str(error) or "it does not answer"
        fact = f"The PostgreSQL at {shown} cannot be reached: {why}."
        return OSError(errno.ECONNREFUSED, f"{fact} Start it, or correct RIPOSTE_DATABASE.")
    return error
