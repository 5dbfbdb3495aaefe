"""Which browsers a seat belongs to: what each of them keeps, as a hash, and links that let in one more."""

import sqlite3
from hashlib import sha256
from typing import Final

from bot.messages.model import Person

DAY: Final = 86_400_000
KEPT: Final = 400 * DAY
"""How long a browser that does not come back keeps a seat: no cookie lives longer."""
LINK: Final = 600_000
"""How long a link to another device can be used."""
UNUSED: Final = 600_000
"""After which a name that was asked for and never entered is forgotten."""

SCHEMA: Final = """
CREATE TABLE room (
    id TEXT NOT NULL                -- tells this room's cookies from those of another on the same machine
) STRICT;
INSERT INTO room VALUES (lower(hex(randomblob(8))));

CREATE TABLE session (
    token TEXT PRIMARY KEY,         -- the SHA-256 of what a browser keeps
    seat  TEXT NOT NULL,
    used  INTEGER NOT NULL,         -- the seat belongs to whoever has entered with it
    local INTEGER NOT NULL,         -- it began at this machine itself
    at    INTEGER NOT NULL          -- when it was last used
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_seat ON session (seat);

CREATE TABLE link (
    token TEXT PRIMARY KEY,         -- the SHA-256 of what stands in the link
    seat  TEXT NOT NULL,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID
"""


def hashed(token: str) -> str:
    """What is stored of a token."""
    return sha256(token.encode()).hexdigest()


def room_id(db: sqlite3.Connection) -> str:
    """The room's own id."""
    return str(db.execute("SELECT id FROM room").fetchone()[0])


def take(db: sqlite3.Connection, seat: str, token: str, fresh: str, *, local: bool, now: int) -> str:
    """The token with which a browser that holds `token` may enter a seat: the same, `fresh`, or "" for nobody's."""
    if _holds(db, seat, token, now):
        return token
    if taken(db, seat):
        return ""
    db.execute("DELETE FROM session WHERE NOT used AND at < ?", (now - UNUSED,))
    db.execute(
        "INSERT INTO session (token, seat, used, local, at) VALUES (?, ?, 0, ?, ?)",
        (hashed(fresh), seat, int(local), now),
    )
    return fresh


def taken(db: sqlite3.Connection, seat: str) -> bool:
    """Whether somebody has entered a seat."""
    return bool(db.execute("SELECT 1 FROM session WHERE seat = ? AND used", (seat,)).fetchone())


def let_in(db: sqlite3.Connection, seat: str, fresh: str, *, local: bool, now: int) -> None:
    """Let `fresh` open a seat, and nothing that was handed out and never used."""
    db.execute("DELETE FROM session WHERE seat = ? AND NOT used", (seat,))
    sql = "INSERT INTO session (token, seat, used, local, at) VALUES (?, ?, 1, ?, ?)"
    db.execute(sql, (hashed(fresh), seat, int(local), now))


def enter(db: sqlite3.Connection, seat: str, token: str, now: int) -> bool:
    """Whether a browser may enter; from then on the seat is its own."""
    if not _holds(db, seat, token, now):
        return False
    db.execute("UPDATE session SET used = 1, at = ? WHERE token = ?", (now, hashed(token)))
    db.execute("DELETE FROM session WHERE seat = ? AND NOT used", (seat,))
    return True


def make_link(db: sqlite3.Connection, seat: str, token: str, now: int) -> None:
    """Let whoever opens the link with `token` into a seat, once; an older link leads nowhere."""
    db.execute("DELETE FROM link WHERE seat = ? OR until <= ?", (seat, now))
    db.execute("INSERT INTO link (token, seat, until) VALUES (?, ?, ?)", (hashed(token), seat, now + LINK))


def spend_link(db: sqlite3.Connection, token: str, fresh: str, *, local: bool, now: int) -> Person | None:
    """The seat to which a link leads, which `fresh` then opens; None where it leads nowhere any more."""
    sql = "DELETE FROM link WHERE token = ? RETURNING seat, until"
    found = db.execute(sql, (hashed(token),)).fetchone()
    if found is None or found[1] <= now:
        return None
    seat = str(found[0])
    name = db.execute("SELECT name FROM seat WHERE id = ?", (seat,)).fetchone()
    if name is None:
        return None
    let_in(db, seat, fresh, local=local, now=now)
    return Person("web", seat, str(name[0]))


def is_local(db: sqlite3.Connection, seat: str) -> bool:
    """Whether a seat was taken at this machine itself."""
    return bool(db.execute("SELECT 1 FROM session WHERE seat = ? AND used AND local", (seat,)).fetchone())


def _holds(db: sqlite3.Connection, seat: str, token: str, now: int) -> bool:
    sql = "SELECT used, at FROM session WHERE token = ? AND seat = ?"
    found = db.execute(sql, (hashed(token), seat)).fetchone()
    return bool(found and now - found[1] < (KEPT if found[0] else UNUSED))
