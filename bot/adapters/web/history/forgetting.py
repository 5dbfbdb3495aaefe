"""Forgets a seat: what was said from it, to it and about it, and whoever enters it; noted, so that it is done once."""

import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec

from bot.adapters.web.history.file import opened_words, sealed_words
from bot.messages.model import FORMER
from bot.messages.redaction import redaction
from storage.erasure import digest_of
from storage.seal import Sealer

PLATFORM: Final = "web"


def forget_seat(db: sqlite3.Connection, sealer: Sealer, seat: str, at: int) -> None:
    """Forget everything of a seat; `at` is when the list says that it was erased."""
    row = db.execute("SELECT name FROM seat WHERE id = ?", (seat,)).fetchone()
    key, names = f"{PLATFORM}:{seat}", [str(row[0])] if row else []
    for table, column in _of_seats(db):
        db.execute(f"DELETE FROM {table} WHERE {column} = ?", (seat,))  # noqa: S608  (names of our own tables)
    db.execute("DELETE FROM message WHERE author = ? OR only_for = ?", (seat, seat))
    _redact(db, sealer, key, names)
    spaced = "' ' || {0} || ' '"
    for column in ("players", "to_act"):
        here = spaced.format(column)
        db.execute(
            f"UPDATE place SET {column} = trim(replace({here}, ' ' || ?1 || ' ', ' {FORMER} ')) "  # noqa: S608
            f"WHERE instr({here}, ' ' || ?1 || ' ')",
            (key,),
        )
        db.execute(
            f"UPDATE place SET {column} = trim(replace({here}, ' ' || ?1 || ' ', ' {FORMER} ')) "  # noqa: S608
            f"WHERE instr({here}, ' ' || ?1 || ' ')",
            (seat,),
        )
    db.execute("INSERT OR REPLACE INTO erased VALUES (?, ?)", (digest_of(sealer, key), at))


def brought_back(db: sqlite3.Connection, sealer: Sealer, listed: Mapping[str, int]) -> dict[str, int]:
    """Returns the seats that were erased once and are here all the same, as after a restore, and when that was."""
    done = dict(db.execute("SELECT digest, at FROM erased").fetchall())
    missing = {digest: at for digest, at in listed.items() if done.get(digest) != at}
    if not missing:
        return {}
    seats = [str(seat) for (seat,) in db.execute("SELECT id FROM seat")]
    found = {seat: digest_of(sealer, f"{PLATFORM}:{seat}") for seat in seats}
    return {seat: missing[digest] for seat, digest in found.items() if digest in missing}


def _of_seats(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """The tables that keep something for a seat, and the column that says for which."""
    tables = [str(name) for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    kept = []
    for table in tables:
        columns = {str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")}
        kept += [(table, "seat")] if "seat" in columns else [(table, "id")] if table == "seat" else []
    return kept


def _redact(db: sqlite3.Connection, sealer: Sealer, key: str, names: list[str]) -> None:
    """Take somebody out of what others said and of the bot's posts; a picture that may show their name goes."""
    without = redaction({key: f"{FORMER}:0"}, names)
    for number, author, name, said, body in db.execute("SELECT number, author, id, said, body FROM message").fetchall():
        with suppress(OSError, ValueError):  # a damaged one opens for nobody
            words, shown = opened_words(sealer, author, name, said, body)
            if not without.concerned(words + shown):
                continue
            fields = msgspec.json.decode(shown) if shown else {}
            if fields and (source := str((fields.get("picture") or {}).get("source", ""))):
                db.execute("DELETE FROM picture WHERE token = ?", (source.removeprefix("picture/"),))
            told = msgspec.json.encode(without.words(fields)).decode() if shown else ""
            db.execute(
                "UPDATE message SET said = ?, body = ? WHERE number = ?",
                (*sealed_words(sealer, author, name, without.text(words), told), number),
            )
