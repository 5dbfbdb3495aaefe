"""Who may write to a database: one Riposte, or several processes of one, each with a lease of its own.

Whoever holds one says every few seconds that they are still there. The database's own clock counts, so that those of
two machines may be minutes apart. Each lease has a higher token than the one before, and what is written under one that
is no more is refused: a process that was paused meanwhile can change nothing.
"""

import asyncio
import errno
import hashlib
import os
import socket
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

import asyncpg

from storage.postgres.schema import LOCK

NAME: Final = "riposte"
"""The lease of a Riposte that is alone on its database."""
ONE_OF_SEVERAL: Final = "process "
"""What the name of the others begins with; the number of the process follows, which is its token too."""
LASTS, RENEWED = 10.0, 3.0
"""Seconds after which a lease is anybody's, and after which it is renewed."""
LOOKS: Final = 0.5
"""Seconds between two looks at a lease that somebody else holds."""

TAKE: Final = (
    "INSERT INTO leases AS held (name, token, holder, until) "
    "VALUES ($1, 1, $2, clock_timestamp() + make_interval(secs => $3)) "
    "ON CONFLICT (name) DO UPDATE SET token = held.token + 1, holder = excluded.holder, until = excluded.until "
    "WHERE held.until < clock_timestamp() OR held.holder = ANY($4::text[]) RETURNING token"
)
HELD: Final = (
    "SELECT name, holder, until, until > clock_timestamp() AS valid, "
    "until > clock_timestamp() - interval '1 minute' AS lately FROM leases ORDER BY name"
)
JOIN: Final = (
    "INSERT INTO leases (name, token, holder, until, knows) SELECT $1 || number, number, $2, "
    "clock_timestamp() + make_interval(secs => $3), $4 FROM nextval('processes') AS given (number) "
    "RETURNING name, token"
)
SHUT: Final = (
    "UPDATE leases SET token = token + 1, holder = '', until = '-infinity' "
    "WHERE name = $1 AND (until < clock_timestamp() OR holder = ANY($2::text[]))"
)
OVER: Final = "(until = '-infinity' OR ({0} AND until < clock_timestamp()) OR holder = ANY({1}::text[]))"
"""Whether a lease counts no more: it was given up, or has run out in a time in which it could have been renewed, or its
holder has ended."""
CUT: Final = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "  # noqa: S608
    "JOIN leases ON application_name = 'riposte: ' || leases.name "
    f"WHERE {OVER.format('$1', '$2')} AND datname = current_database() "
    "AND wait_event = 'ClientRead'"
)
"""Cuts transactions short whose process is gone or silent, and has PostgreSQL wait for it.

A process can be stopped where asyncpg has sent a statement to be parsed and not yet what carries it out: PostgreSQL
then counts the connection as busy, and no timeout of its own ends it.
"""
BURY: Final = f"DELETE FROM leases WHERE starts_with(name, $1) AND {OVER.format('$2', '$3')}"  # noqa: S608
"""Whoever writes under such a lease is waited for, and is refused from then on."""
SLOTS: Final = (
    "INSERT INTO commits (lease, slot, mark) SELECT $1, slot, 0 FROM generate_series(0, $2::integer - 1) AS slot "
    "ON CONFLICT DO NOTHING"
)
"""As many transactions as a process may have under way at once."""
OURS: Final = (
    "UPDATE commits SET mark = $5 FROM (SELECT name, (SELECT count(*) FROM unnest($3::bigint[]) AS lane "
    "WHERE pg_advisory_xact_lock(lane) IS NOT NULL) AS lanes FROM leases WHERE name = $1 AND token = $2 "
    "FOR KEY SHARE OF leases) AS held WHERE commits.lease = held.name AND commits.slot = $4 RETURNING held.lanes"
)
"""Marks the transaction, once it has the lanes that it writes to; nothing where the lease is another's by now.

Letters to one place are numbered in the order in which they are committed: whoever reads on from a number misses none.
"""
BECAME: Final = "UPDATE commits SET mark = mark WHERE lease = $1 AND slot = $2 RETURNING mark"
"""What the last transaction of a slot was that is committed; waits for one that is under way.

It writes, and is committed like any other: so what it tells is as durable, on every server that counts. The number of
the transaction would not do: after a crash PostgreSQL gives the same number to another one.
"""
OLDER: Final = "SELECT count(*) FROM leases WHERE starts_with(name, $1) AND coalesce(knows, 4) < $2"
"""How many processes there are, or were a moment ago, that know fewer steps."""
RENEW: Final = (
    "UPDATE leases SET until = clock_timestamp() + make_interval(secs => $3) WHERE name = $1 AND token = $2 "
    "RETURNING until, set_config('synchronous_commit', 'on', true)"  # as durable as what is written under it
)
RELEASE: Final = "UPDATE leases SET until = '-infinity' WHERE name = $1 AND token = $2"


def holder() -> str:
    """What tells this process from every other: the machine since its start, and the process since its own."""
    return f"{socket.gethostname()} {_machine()} {os.getpid()} {_began(os.getpid())}"


def is_gone(held_by: str) -> bool:
    """Returns whether the process that holds a lease has ended; False for one that cannot be seen from here."""
    _, machine, number, began = (*held_by.split(" "), "", "", "", "")[:4]
    return machine == _machine() and number.isdigit() and _began(int(number)) != began


def _machine() -> str:
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot}/{os.stat('/proc/self/ns/pid').st_ino}"  # noqa: PTH116  (a link of the kernel's)
    return socket.gethostname()


def _began(process: int) -> str:
    """When a process began, as the kernel counts; "" where there is none."""
    with suppress(OSError, IndexError):
        return Path(f"/proc/{process}/stat").read_text("ascii", errors="replace").rpartition(")")[2].split()[19]
    return ""


def lock_of(lane: str) -> int:
    """The number of the lock that a lane's letters are written under."""
    return int.from_bytes(hashlib.blake2b(lane.encode(), digest_size=8).digest(), signed=True)


class Lease(NamedTuple):
    """What this process holds."""

    name: str
    token: int
    taken: float
    """When it was ours for certain, on this process's own clock."""
    lasts: float


async def take(connection: "asyncpg.Connection[Any]", shown: str, *, lasts: float = LASTS) -> Lease:
    """Wait until the database is ours alone, as after another process was killed. Inside a transaction.

    Raises OSError (errno EBUSY) where somebody renews their lease meanwhile.
    """
    while True:
        gone = await room(connection, shown, lasts=lasts)
        begun = monotonic()
        await connection.execute(CUT, True, gone)
        await connection.execute(BURY, ONE_OF_SEVERAL, True, gone)
        token = await connection.fetchval(TAKE, NAME, holder(), lasts, gone)
        if token is not None:
            return Lease(NAME, token, begun, lasts)


async def join(connection: "asyncpg.Connection[Any]", shown: str, *, lasts: float, knows: int) -> Lease:
    """Be one process of several that knows so many steps of the tables. Inside a transaction; raises as `take`."""
    gone = await room(connection, shown, lasts=lasts, several=True)
    begun = monotonic()
    await connection.execute(CUT, False, gone)
    await connection.execute(SHUT, NAME, gone)
    joined = await connection.fetchrow(JOIN, ONE_OF_SEVERAL, holder(), lasts, knows)
    return Lease(joined["name"], joined["token"], begun, lasts)


async def room(
    connection: "asyncpg.Connection[Any]", shown: str, *, lasts: float = LASTS, several: bool = False
) -> list[str]:
    """Wait until nobody is there who leaves no room for one more, or for one of several. Returns who is gone.

    A lease that has run out lately is looked at for as long as one lasts: if the database was away, nobody could renew
    theirs. Inside a transaction: nobody else comes in until it ends. Raises OSError (errno EBUSY) where one does.
    """
    await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
    seen: dict[str, object] = {}
    until = monotonic() + lasts
    while True:
        rows = await connection.fetch(HELD)
        gone = [row["holder"] for row in rows if is_gone(row["holder"])]
        there = [row for row in rows if row["valid"] or (row["lately"] and monotonic() < until)]
        there = [row for row in there if row["holder"] not in gone and (row["name"] == NAME or not several)]
        if not there:
            return gone
        for row in there:
            if row["name"] in seen and row["until"] != seen[row["name"]]:
                raise _occupied(shown, row["holder"].partition(" ")[0])
        seen = {row["name"]: row["until"] for row in there}
        await asyncio.sleep(LOOKS)


def _occupied(shown: str, machine: str) -> OSError:
    fact = f"Another Riposte is running on {shown}, on the machine {machine}."
    return OSError(errno.EBUSY, f"{fact} Stop it first, or choose another database.")


async def nobody(connection: "asyncpg.Connection[Any]", shown: str, lasts: float, needs: int, version: int) -> None:
    """Return when no process is there, for none could work on the tables that are needed. Raises OSError as `take`."""
    try:
        held = await take(connection, shown, lasts=lasts)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        fact = str(error.strerror).partition(" Stop it first")[0].rstrip(".")
        raise OSError(
            errno.EBUSY,
            f"{fact}, of an older version: this one needs its tables in form {needs}, and they are in form {version}, "
            "which the older one cannot work beyond. Stop all processes and start this version, or first replace each "
            "by one of the versions between, until none of the older is there.",
        ) from error
    await connection.execute(RELEASE, held.name, held.token)


def taken_over(shown: str, *, several: bool = False) -> OSError:
    """The error for whoever holds the lease no more."""
    if several:
        fact = f"This process was silent for too long, so others have taken over what it did on {shown}."
        return OSError(errno.ESTALE, f"{fact} Start it again; what was accepted is kept.")
    fact = f"Another Riposte has taken over {shown}, so nothing more is accepted here."
    return OSError(errno.ESTALE, f"{fact} Stop one of the two; what was accepted is kept.")
