"""Where a PostgreSQL is: the URL of the setting, what of it is for asyncpg, and what may be shown."""

import errno
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

EXAMPLE: Final = "postgresql://riposte:PASSWORD@127.0.0.1/riposte"
SEVERAL: Final = "postgresql://riposte:PASSWORD@db1,db2,db3/riposte?target_session_attrs=read-write"
WRITES: Final = ("any", "primary", "read-write")
"""What the URL may ask of a server; whichever it is, the one that takes what is to be written is sought."""
SILENT: Final = "no"
"""What `listen` says where nobody is told anything: the server knows no LISTEN, say."""
CACHED: Final = 100
"""Statements that each connection keeps prepared, unless the URL says otherwise."""


@dataclass(frozen=True, slots=True)
class Address:
    """What `postgresql://user:password@host:port/database?statement_cache_size=0` says; hosts may be several."""

    url: str
    """For asyncpg: without what is ours."""
    shown: str
    """Without the password."""
    password: str
    cached: int
    """0 behind a pooler that hands each transaction to another connection, such as PgBouncer's transaction mode."""
    direct: str
    """The same without the pooler, for what must come to one connection: `listen=host:port` says where that is."""
    listens: bool
    """Whether processes tell each other what they commit; with `listen=no`, each looks for it every second."""


def address(where: str) -> Address:
    """Reads a URL. Raises OSError with the fact and an example."""
    try:
        parts = urlsplit(where)
        words = dict(parse_qsl(parts.query, keep_blank_values=True))
        cached = int(words.pop("statement_cache_size", CACHED))
        wanted = words.pop("target_session_attrs", WRITES[0])
        listen = words.pop("listen", "")
        listens = [one.rpartition(":") for one in ("" if listen == SILENT else listen).split(",")]
        _ = [urlsplit(one).port for one in each(where)], [int(port or 0) for _, _, port in listens]
    except ValueError as error:
        fact = f"The address of the database cannot be read: {error}."
        raise OSError(errno.EINVAL, f"{fact} Write it like {EXAMPLE}.") from None
    if wanted not in WRITES:
        fact = f"Riposte writes, and target_session_attrs={wanted} in the address of the database asks for less."
        raise OSError(errno.EINVAL, f"{fact} Write it like {SEVERAL}.")
    password = unquote(parts.password or "")
    words_shown = {name: value for name, value in words.items() if name != "password"}
    shown_at = parts.netloc.rpartition("@")
    user = shown_at[0].partition(":")[0]
    netloc = f"{user}@{shown_at[2]}" if user else shown_at[2]
    url = urlunsplit(parts._replace(query=urlencode(words)))
    at, port = (",".join(one[place] for one in listens) for place in (0, 2))
    beside = parts._replace(netloc=f"{shown_at[0]}@", query=urlencode(words | {"host": at, "port": port}, safe=","))
    return Address(
        url,
        urlunsplit(parts._replace(netloc=netloc, query=urlencode(words_shown))),
        password or words.get("password", ""),
        cached,
        urlunsplit(beside) if at else url,
        listen != SILENT,
    )


def each(url: str) -> tuple[str, ...]:
    """Returns a URL for each of the hosts that one names, as libpq reads it. Raises ValueError."""
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    if "," in hosts:
        return tuple(urlunsplit(parts._replace(netloc=f"{user}{at}{host}")) for host in hosts.split(","))
    words = dict(parse_qsl(parts.query, keep_blank_values=True))
    names, ports = words.get("host", "").split(","), words.get("port", "").split(",")
    if len(names) == 1:
        return (url,)
    ports = ports * len(names) if len(ports) == 1 else ports
    found = [words | {"host": name} | ({"port": port} if port else {}) for name, port in zip(names, ports, strict=True)]
    return tuple(urlunsplit(parts._replace(query=urlencode(one))) for one in found)
