"""Who may write to a database: one Riposte at a time, which says every few seconds that it is still there.

The database's own clock counts, so that those of two machines may be minutes apart. Whoever takes over gets a higher
token, and what is written under an older one is refused: a process that was paused meanwhile can change nothing.
"""

import asyncio
import errno
import os
import socket
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final

import asyncpg

NAME: Final = "riposte"
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
HELD: Final = "SELECT holder, until, until > clock_timestamp() AS valid FROM leases WHERE name = $1"
RENEW: Final = (
    "UPDATE leases SET until = clock_timestamp() + make_interval(secs => $3) WHERE name = $1 AND token = $2 RETURNING 1"
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


async def take(connection: "asyncpg.Connection[Any]", shown: str, *, lasts: float = LASTS) -> tuple[int, float]:
    """Wait until the lease is ours, as after another process was killed. Returns our token, and when it
    was ours for certain, on this process's own clock.

    Raises OSError (errno EBUSY) where somebody renews it meanwhile.
    """
    ours, seen = holder(), None
    while True:
        row = await connection.fetchrow(HELD, NAME)
        gone = [row["holder"]] if row is not None and is_gone(row["holder"]) else []
        taken = monotonic()
        token = await connection.fetchval(TAKE, NAME, ours, lasts, gone)
        if token is not None:
            return int(token), taken
        if row is not None and row["valid"]:
            if seen is not None and row["until"] != seen:
                where = row["holder"].partition(" ")[0]
                fact = f"Another Riposte is running on {shown}, on the machine {where}."
                raise OSError(errno.EBUSY, f"{fact} Stop it first, or choose another database.")
            seen = row["until"]
        await asyncio.sleep(LOOKS)


def taken_over(shown: str) -> OSError:
    """The error for whoever holds the lease no more."""
    fact = f"Another Riposte has taken over {shown}, so nothing more is accepted here."
    return OSError(errno.ESTALE, f"{fact} Stop one of the two; what was accepted is kept.")
