"""Where a PostgreSQL is: the URL of the setting, what of it is for asyncpg, and what may be shown."""

import errno
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

EXAMPLE: Final = "postgresql://riposte:PASSWORD@127.0.0.1/riposte"
CACHED: Final = 100
"""Statements that each connection keeps prepared, unless the URL says otherwise."""


@dataclass(frozen=True, slots=True)
class Address:
    """What `postgresql://user:password@host:port/database?statement_cache_size=0` says."""

    url: str
    """For asyncpg: without what is ours."""
    shown: str
    """Without the password."""
    password: str
    cached: int
    """0 behind a pooler that hands each transaction to another connection, such as PgBouncer's transaction mode."""
    direct: str
    """The same without the pooler, for what must come to one connection: `listen=host:port` says where that is."""


def address(where: str) -> Address:
    """Reads a URL. Raises OSError with the fact and an example."""
    try:
        parts = urlsplit(where)
        words = dict(parse_qsl(parts.query, keep_blank_values=True))
        cached = int(words.pop("statement_cache_size", CACHED))
        at, _, port = words.pop("listen", "").rpartition(":")
        _ = parts.port, int(port or 0)
    except ValueError as error:
        fact = f"The address of the database cannot be read: {error}."
        raise OSError(errno.EINVAL, f"{fact} Write it like {EXAMPLE}.") from None
    password = unquote(parts.password or "")
    words_shown = {name: value for name, value in words.items() if name != "password"}
    shown_at = parts.netloc.rpartition("@")
    user = shown_at[0].partition(":")[0]
    netloc = f"{user}@{shown_at[2]}" if user else shown_at[2]
    url = urlunsplit(parts._replace(query=urlencode(words)))
    beside = parts._replace(netloc=f"{shown_at[0]}@", query=urlencode(words | {"host": at, "port": port}))
    return Address(
        url,
        urlunsplit(parts._replace(netloc=netloc, query=urlencode(words_shown))),
        password or words.get("password", ""),
        cached,
        urlunsplit(beside) if at else url,
    )
