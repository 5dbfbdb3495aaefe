"""Forgets people: what they said, what was said to and about them, and their seats; noted, so that it is done once."""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from bot.adapters.web.history.file import opened_words, sealed_words
from bot.messages.model import FORMER, Person
from bot.messages.redaction import Redaction, redaction
from storage.people.erasure import digest_of
from storage.seal import Sealer

PLATFORM: Final = "web"
NAMED: Final = re.compile(r'"person":("(?:[^"\\]|\\.)*"),"name":("(?:[^"\\]|\\.)*")')
"""How a post names somebody."""


def forget_people(
    db: sqlite3.Connection, sealer: Sealer, people: Sequence[Person], at: int, said: Sequence[str] = ()
) -> None:
    """Forget everything of people, whatever platform they write from; `at` is when the list says they were erased.

    `said`: what they wrote in their own words, as posts may quote it.
    """
    names = {person.name for person in people}
    for person in people:
        if person.platform == PLATFORM:
            names |= {str(name) for (name,) in db.execute("SELECT name FROM seat WHERE id = ?", (person.id,))}
            for table, column in _of_seats(db):
                db.execute(f"DELETE FROM {table} WHERE {column} = ?", (person.id,))  # noqa: S608  (our own tables)
            db.execute("DELETE FROM message WHERE author = ? OR only_for = ?", (person.id, person.id))
        db.execute("INSERT OR REPLACE INTO erased VALUES (?, ?)", (digest_of(sealer, person.key), at))
    _redact(db, sealer, redaction({person.key: f"{FORMER}:0" for person in people}, sorted(names), said))
    known = [one for person in people for one in (person.key, *((person.id,) if person.platform == PLATFORM else ()))]
    for column in ("players", "to_act"):
        here = f"' ' || {column} || ' '"
        for one in known:
            db.execute(
                f"UPDATE place SET {column} = trim(replace({here}, ' ' || ?1 || ' ', ' {FORMER} ')) "  # noqa: S608
                f"WHERE instr({here}, ' ' || ?1 || ' ')",
                (one,),
            )


def brought_back(db: sqlite3.Connection, sealer: Sealer, listed: Mapping[str, int]) -> list[tuple[Person, int]]:
    """Returns who was erased once and is here all the same, as after a restore, and when that was."""
    done = dict(db.execute("SELECT digest, at FROM erased").fetchall())
    missing = {digest: at for digest, at in listed.items() if done.get(digest) != at}
    if not missing:
        return []
    found = {digest_of(sealer, person.key): person for person in _named(db, sealer)}
    for digest, at in missing.items():
        if digest not in found:  # of somebody who is not here: they are looked for this once
            db.execute("INSERT OR REPLACE INTO erased VALUES (?, ?)", (digest, at))
    return [(found[digest], at) for digest, at in missing.items() if digest in found]


def _named(db: sqlite3.Connection, sealer: Sealer) -> Iterator[Person]:
    """Yields everybody whom anything here names, some of them twice; those with a seat last, by the seat's name."""
    for players, to_act in db.execute("SELECT players, to_act FROM place"):
        for key in f"{players} {to_act}".split():
            platform, _, number = key.partition(":")
            yield Person(platform, number, "")
    for author, name, said, body in db.execute("SELECT author, id, said, body FROM message"):
        with suppress(OSError, ValueError):  # a damaged one opens for nobody
            for key, called in NAMED.findall(opened_words(sealer, author, name, said, body)[1]):
                platform, _, number = msgspec.json.decode(key).partition(":")
                yield Person(platform, number, msgspec.json.decode(called))
    for seat, called in db.execute("SELECT id, name FROM seat"):
        yield Person(PLATFORM, str(seat), str(called))


def _of_seats(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """The tables that keep something for a seat, and the column that says for which."""
    tables = [str(name) for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    kept = []
    for table in tables:
        columns = {str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")}
        kept += [(table, "seat")] if "seat" in columns else [(table, "id")] if table == "seat" else []
    return kept


def _redact(db: sqlite3.Connection, sealer: Sealer, without: Redaction) -> None:
    """Take people out of what others said and of the bot's posts; a picture that may show their name goes."""
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
