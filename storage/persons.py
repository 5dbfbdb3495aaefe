"""Whom events are about, by number: who is behind a number stands in one table, so that it can be forgotten."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from storage.chain import GENESIS, flaw, link
from storage.checksum import checksum
from storage.errors import damaged
from storage.seal import PLAIN, SETTING, Sealer
from storage.store import Record

ONE: Final = ("by", "player", "to")
"""The fields of an event that hold a person's key; stored, a number stands there."""
SEVERAL: Final = ("invited", "players", "seeds", "byes")
"""Those that hold a list of them."""
BY_SEAT: Final = ("seats",)
"""Those that hold one for each seat."""
COUNTED: Final = ("points",)
"""Those that hold something for each person."""
PARTS: Final = ("seatings",)
"""Those that hold a list of parts with such fields of their own."""
DONE: Final = (PLAIN, "numbered")
"""The setting that says that all events hold numbers."""
FORMER: Final = "former:"
"""What the key of somebody who has been forgotten begins with; their number follows."""

Swap = Callable[[Any], Any]


def number_of(db: sqlite3.Connection, player: str) -> int:
    """Returns the number of a person, a new one for somebody new."""
    row = db.execute("SELECT number FROM people WHERE player = ?", (player,)).fetchone()
    if row is None:
        row = db.execute(
            "INSERT INTO people (player, sum) VALUES (?1, checksum(?1)) RETURNING number", (player,)
        ).fetchone()
    return int(row[0])


def numbered(db: sqlite3.Connection, body: str) -> str:
    """Returns an event with numbers in place of people's keys."""
    return _swapped(body, lambda value: number_of(db, value) if isinstance(value, str) and value else value)


def named(db: sqlite3.Connection, match: str, log: Sequence[Record]) -> list[Record]:
    """Returns events with people's keys in place of numbers. Raises OSError for a number that nobody has."""
    known: dict[int, str] = {}

    def key(value: Any) -> Any:
        if not isinstance(value, int):
            return value
        if value not in known:
            row = db.execute("SELECT player, sum FROM people WHERE number = ?", (value,)).fetchone()
            if row is None or row[1] != checksum(row[0]):
                raise damaged(match, 0)
            known[value] = row[0]
        return known[value]

    return [replace(record, body=_swapped(record.body, key)) for record in log]


def with_names(body: str, people: Mapping[int, str]) -> str:
    """Returns an event with people's keys in place of numbers, by a table at hand. Raises KeyError for others."""
    return _swapped(body, lambda value: people[value] if isinstance(value, int) else value)


def _swapped(body: str, swap: Swap) -> str:
    if not body.startswith("{"):  # no event of Riposte's
        return body
    event = msgspec.json.decode(body)
    swapped = _part(event, swap)
    return body if swapped == event else msgspec.json.encode(swapped).decode()


def _part(event: dict[str, Any], swap: Swap) -> dict[str, Any]:
    """An event, or a part of one, with its people swapped."""
    found = dict(event)
    found |= {field: swap(event[field]) for field in ONE if field in event}
    found |= {field: [swap(value) for value in event[field]] for field in SEVERAL if field in event}
    found |= {field: [_part(value, swap) for value in event[field]] for field in PARTS if field in event}
    for field in BY_SEAT:
        if field in event:
            found[field] = {seat: swap(value) for seat, value in event[field].items()}
    for field in COUNTED:
        if field in event:  # a name in JSON is a text, a number too
            keyed = {swap(int(key) if key.isdigit() else key): value for key, value in event[field].items()}
            found[field] = {str(key): value for key, value in keyed.items()}
    return found


# --- databases of earlier versions ------------------------------------------------------------------------
def number_all(db: sqlite3.Connection, sealer: Sealer) -> bool:
    """Put numbers into the events of a database whose events hold keys; the chains are verified and made anew.

    All or nothing. A match that was damaged before stays as it is. Returns whether anything was to be done.
    """
    if db.execute("SELECT 1 FROM settings WHERE owner = ? AND key = ?", DONE).fetchone():
        return False
    db.execute("BEGIN IMMEDIATE")
    try:
        rows = db.execute("SELECT number, match, length, head FROM matches").fetchall()
        for row in rows:
            _number_match(db, sealer, row)
        db.execute("DELETE FROM snapshots")  # they stand behind digests that are no more
        db.execute(SETTING, (*DONE, "yes"))
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return bool(rows)


def _number_match(db: sqlite3.Connection, sealer: Sealer, row: tuple[int, str, int, bytes]) -> None:
    number, match, length, head = row
    rows = db.execute("SELECT seq, at, body, digest FROM events WHERE match = ? ORDER BY seq", (number,)).fetchall()
    if flaw([Record(match, *row) for row in rows], length, head):
        return
    digest = GENESIS
    for seq, at, body, _ in rows:
        try:
            opened = sealer.open(body, "events", match, seq)
        except OSError:
            return  # whoever asks for it is told
        sealed = sealer.seal(numbered(db, opened), "events", match, seq)
        digest = link(digest, match, seq, at, sealed)
        db.execute("UPDATE events SET body = ?, digest = ? WHERE match = ? AND seq = ?", (sealed, digest, number, seq))
    db.execute("UPDATE matches SET head = ? WHERE number = ?", (digest, number))


def keys_in(db: sqlite3.Connection) -> Iterable[str]:
    """Yields everybody of whom anything is stored, by key, some of them twice."""
    for sql in (
        "SELECT player FROM people",
        "SELECT DISTINCT player FROM seats",
        "SELECT DISTINCT owner FROM settings",
    ):
        for (key,) in db.execute(sql).fetchall():
            yield str(key)
