"""Databases of earlier versions: seals what stands in the clear, puts people and their words apart from the events."""

import sqlite3

from storage.chain import GENESIS, flaw, link
from storage.people.persons import DONE, numbered
from storage.people.words import set_apart
from storage.seal import PROOF, SETTING, Sealer, setting_row
from storage.sqlite.plans import carried_out
from storage.store import Record


def seal_all(db: sqlite3.Connection, sealer: Sealer) -> None:
    """Seal everything that is stored in the clear, all or nothing; the chains are verified and made anew.

    A match that was damaged before stays as it is and stays damaged, but for its words, which are sealed too.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        for row in db.execute("SELECT number, match, length, head FROM matches").fetchall():
            _seal_match(db, sealer, row)
        for number, key, body in db.execute("SELECT number, key, body FROM letters").fetchall():
            db.execute("UPDATE letters SET body = ? WHERE number = ?", (sealer.seal(body, "letters", key), number))
        for number, name, body in db.execute("SELECT number, id, body FROM arrivals").fetchall():
            db.execute("UPDATE arrivals SET body = ? WHERE number = ?", (sealer.seal(body, "arrivals", name), number))
        for owner, key, value in db.execute("SELECT owner, key, value FROM settings").fetchall():
            db.execute(SETTING, setting_row(*sealer.setting(owner, key, value)))
        db.execute(SETTING, setting_row(*PROOF, sealer.proof))
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _seal_match(db: sqlite3.Connection, sealer: Sealer, row: tuple[int, str, int, bytes]) -> None:
    number, match, length, head = row
    rows = db.execute("SELECT seq, at, body, digest FROM events WHERE match = ? ORDER BY seq", (number,)).fetchall()
    whole = not flaw([Record(match, *row) for row in rows], length, head)
    digest = GENESIS
    for seq, at, body, old in rows:
        sealed = sealer.seal(body, "events", match, seq)
        digest = link(digest, match, seq, at, sealed) if whole else old
        db.execute("UPDATE events SET body = ?, digest = ? WHERE match = ? AND seq = ?", (sealed, digest, number, seq))
    if whole:
        db.execute("UPDATE matches SET head = ? WHERE number = ?", (digest, number))


def forget_clear_words(db: sqlite3.Connection) -> None:
    """Rewrite the file without the pages in which anything stood in the clear."""
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


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
        db.execute(SETTING, setting_row(*DONE, "yes"))
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
        (told,) = carried_out(db, numbered([opened]))
        sealed = sealer.seal(told, "events", match, seq)
        digest = link(digest, match, seq, at, sealed)
        db.execute("UPDATE events SET body = ?, digest = ? WHERE match = ? AND seq = ?", (sealed, digest, number, seq))
    db.execute("UPDATE matches SET head = ? WHERE number = ?", (digest, number))


def take_words(db: sqlite3.Connection, sealer: Sealer) -> None:
    """Take people's words out of the events of a database whose events hold them; all or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        carried_out(db, set_apart(sealer))
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
