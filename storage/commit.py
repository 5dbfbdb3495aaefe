"""What is written: a change as a whole, and the pruning of what has served its time."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from storage.chain import GENESIS, link
from storage.checksum import checksum
from storage.errors import damaged
from storage.lists import keep
from storage.persons import numbered
from storage.seal import SETTING, Sealer
from storage.store import Change, Conflict, OutboxMessage, Outgoing, Summary

NOBODY: tuple[Any, ...] = (None, 0, GENESIS, None, None, None, None, None)
"""What is known of a match that does not exist yet."""
UNTRIED: tuple[Any, ...] = (0, 0, None, None, None, 0)
"""A message's attempts, and what else its checksum is over, before anybody has tried to deliver it."""
OTHER_LOGS: Final = {"t": 0, "k": 10**15}
WAKES = (
    "INSERT OR IGNORE INTO alarms (match, kind, at, sum) "
    "SELECT number, ?2, ?3, checksum(number, ?2, ?3) FROM matches WHERE match = ?1"
)
WOKEN = "DELETE FROM alarms WHERE match = (SELECT number FROM matches WHERE match = ?1) AND kind = ?2 AND at = ?3"
"""An alarm of another log, set and done with."""
AT_ONCE = 32
"""Messages that are shortened in one piece: a commit that waits for it waits for some milliseconds."""


def write(db: sqlite3.Connection, change: Change, sealer: Sealer) -> list[Outgoing]:
    """Write a change into the transaction that is open. Returns its messages as they wait then; raises Conflict."""
    try:
        if change.heard:
            heard = change.heard, change.at
            db.execute("INSERT INTO heard VALUES (?, ?, ?)", (*heard, checksum(*heard)))
            db.execute("DELETE FROM arrivals WHERE id = ?", (change.heard,))
        if change.match:
            _append(db, change, sealer)
        for alarm in change.woken:
            db.execute(WOKEN, (alarm.match, alarm.kind, alarm.at))
        for alarm in change.wakes:
            db.execute(WAKES, (alarm.match, alarm.kind, alarm.at))
        waiting = [_boxed(db, message, sealer) for message in change.messages]
        if change.arrivals:
            db.executemany(
                "INSERT INTO arrivals (id, body, sum) SELECT ?1, ?2, checksum(?1) "
                "WHERE NOT EXISTS (SELECT 1 FROM heard WHERE id = ?1) "
                "ON CONFLICT DO NOTHING",
                [(arrival.id, sealer.seal(arrival.body, "arrivals", arrival.id)) for arrival in change.arrivals],
            )
        if change.dismissed:
            db.executemany("DELETE FROM arrivals WHERE id = ?", [(id_,) for id_ in change.dismissed])
        for owner, key, value in change.settings:
            if value:
                db.execute(SETTING, sealer.setting(owner, key, value))
            else:
                db.execute("DELETE FROM settings WHERE owner = ? AND key = ?", (owner, key))
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode in (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE):
            raise Conflict(f"this was written before: {error}") from error
        raise
    return waiting


def _boxed(db: sqlite3.Connection, message: OutboxMessage, sealer: Sealer) -> Outgoing:
    """Put a message into the outbox, behind those for the same place."""
    key, lane = message.key, message.ordering_key
    ((behind,),) = db.execute("SELECT max(number) FROM letters WHERE done IS NULL AND lane = ?", (lane,))
    row = (key, lane, sealer.seal(message.body, "letters", key), checksum(key, lane, *UNTRIED))
    number = db.execute("INSERT INTO letters (key, lane, body, sum) VALUES (?, ?, ?, ?)", row).lastrowid
    assert number is not None
    return Outgoing(number, message, 0, behind or 0)


def _append(db: sqlite3.Connection, change: Change, sealer: Sealer) -> None:
    """Write what a change says about its match: events, summary, alarms."""
    name = change.match
    known = "SELECT number, length, head, game, status, players, places, updated FROM matches WHERE match = ?"
    row = db.execute(known, (name,)).fetchone()
    number, length, head, *seldom_changed = row or NOBODY
    if length != change.expected:
        raise Conflict(f"match {name} has {length} events, not {change.expected}")
    if row is None:
        number = db.execute(
            "INSERT INTO matches (number, match, length, head) VALUES (?, ?, 0, ?)",
            (number_of(name), name, head),
        ).lastrowid
    for at, body in change.events:
        length += 1
        sealed = sealer.seal(numbered(db, body), "events", name, length)
        head = link(head, name, length, at, sealed)
        db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", (number, length, at, sealed, head))
    if change.summary:
        _summarize(db, number, (length, head), change.summary, seldom_changed)
    else:
        db.execute("UPDATE matches SET length = ?, head = ? WHERE number = ?", (length, head, number))
    if change.alarms is not None:
        db.execute("DELETE FROM alarms WHERE match = ?", (number,))
        for alarm in change.alarms:
            due = number, alarm.kind, alarm.at
            db.execute("INSERT INTO alarms VALUES (?, ?, ?, ?)", (*due, checksum(*due)))


def number_of(match: str) -> int | None:
    """The number of a match whose name is one: "7", but not "007" or one that is too long.

    Other logs stand below zero, so that they use no match's number up: "t7" is a tournament's, "k7" holds what is said
    by those who look on.
    """
    if match[:1] in OTHER_LOGS:
        counted = number_of(match[1:])
        return None if counted is None else -counted - OTHER_LOGS[match[0]]
    number = int(match) if match.isdecimal() and len(match) < 16 else 0
    return number if str(number) == match else None


def _summarize(
    db: sqlite3.Connection, number: int, log: tuple[int, bytes], summary: Summary, before: Sequence[Any]
) -> None:
    """Rewrite the match's row, and where lists find it."""
    players, to_act, places = (
        msgspec.json.encode(names).decode() for names in (summary.players, summary.to_act, summary.places)
    )
    row = (summary.game, summary.status, players, to_act, places, summary.due, summary.updated)
    db.execute(
        "UPDATE matches SET length = ?, head = ?, game = ?, status = ?, players = ?, to_act = ?, places = ?, due = ?, "
        "updated = ?, sum = ? WHERE number = ?",
        (*log, *row, checksum(summary.match, *row), number),
    )
    _, status, *lists, updated = before
    seated, placed = (names_of(summary.match, text) if text else () for text in lists)
    stands = summary.players, summary.places, summary.status, summary.updated
    keep(db, number, (seated, placed, status, updated), stands)


def names_of(match: str, text: str) -> tuple[str, ...]:
    """The names in a stored list. Raises OSError for one that is damaged."""
    try:
        return msgspec.json.decode(text, type=tuple[str, ...])
    except ValueError:
        raise damaged(match, 0) from None


def shorten(db: sqlite3.Connection, before: int, shorter: Callable[[str], str], sealer: Sealer) -> int:
    """Shorten the bodies of a few messages that were done with before an instant. Returns of how many."""
    rows = db.execute(
        "SELECT number, key, body FROM letters WHERE done < ? AND short = 0 ORDER BY done LIMIT ?", (before, AT_ONCE)
    ).fetchall()
    for number, key, stored in rows:
        body = stored
        with suppress(OSError, ValueError):  # a damaged one stays as it is
            body = sealer.seal(shorter(sealer.open(stored, "letters", key)), "letters", key)
        db.execute(
            "UPDATE letters SET body = ?, short = 1, sum = checksum(key, lane, attempts, until, done, remote, why, 1) "
            "WHERE number = ?",
            (body, number),
        )
    return len(rows)


def forget(db: sqlite3.Connection, ids: Sequence[str]) -> None:
    """Forget messages that were dealt with long ago."""
    db.executemany("DELETE FROM heard WHERE id = ?", [(id_,) for id_ in ids])
