"""Erases a person: their key becomes a number's tombstone wherever it stands; and the list by which that is repeated.

The list lies beside the database and in no backup: whoever restores an older one erases again, when it is opened.
"""

import os
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec

from storage.errors import DATABASE_ERRORS
from storage.file import DatabaseFile
from storage.persons import FORMER, keys_in, number_of
from storage.seal import PLAIN, SETTING, Sealer
from storage.writer import Writer

AT_ONCE: Final = 200
"""Letters that are looked at in one piece: a commit that waits for it waits for some milliseconds."""
LISTS: Final = ("accounts", "followers", "arbiters", "organisers", "blocked", "challengers")
"""Settings that hold a person in each line: whoever is erased stands in none."""
HASHED: Final = re.compile(r"([a-z]+:)?[0-9a-f]{32,}")
"""The owner of a setting that says whose a code, a link or a key is."""
GONE: Final = "erased"
"""Why a letter was never delivered whose reader is gone."""

Gone = Mapping[str, str]
"""From people's keys to their tombstones."""
Redact = Callable[[str, bool], str]
"""Returns a stored message without those who are erased, told whether it is done with; "" for one that nobody reads."""


# --- the list beside the database -------------------------------------------------------------------------
def list_beside(database: Path) -> Path:
    """Where the list of erasures is."""
    return database.with_name(f"{database.stem}.erased")


def digest_of(sealer: Sealer, player: str) -> str:
    """What stands for a person in the list: it tells nobody who it is, and only with the key whether it is somebody."""
    return sealer.mark(f"erased {player}")


def note(path: Path, lines: Sequence[tuple[str, int]]) -> None:
    """Add erasures to the list; they are on the disk when this returns."""
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(number, "a", encoding="ascii") as file:
        file.write("".join(f"{digest} {at}\n" for digest, at in lines))
        file.flush()
        os.fsync(number)


def listed(path: Path) -> dict[str, int]:
    """Returns the erasures of a list, by digest and instant; a line that was cut off is left out."""
    found: dict[str, int] = {}
    with suppress(FileNotFoundError):
        for line in path.read_text("ascii", errors="replace").splitlines():
            if entry := re.fullmatch(r"([0-9a-f]{40}) (\d{1,16})", line):
                found[entry[1]] = int(entry[2])
    return found


def unerased(db: sqlite3.Connection, sealer: Sealer, beside: Path) -> dict[str, int]:
    """Returns whom the list names that this file knows and has not erased since, by key."""
    done = {digest for (digest,) in db.execute("SELECT digest || ' ' || at FROM erasures")}
    missing = {digest: at for digest, at in listed(beside).items() if f"{digest} {at}" not in done}
    if not missing:
        return {}
    known = {digest_of(sealer, key): key for key in keys_in(db)}
    return {known[digest]: at for digest, at in missing.items() if digest in known}


async def erase(
    writer: Writer,
    file: DatabaseFile,
    sealer: Sealer,
    players: Sequence[str],
    *,
    redact: Callable[[Gone], Redact],
    at: int,
) -> None:
    """Erase people: noted in the list first, then from everything, letters that are done with in small pieces."""
    known = partial(begin, sealer=sealer, beside=list_beside(file.path), players=players, at=at)
    await writer.write(known)
    gone = await writer.write(partial(forget, sealer=sealer, players=players, redact=redact, at=at))
    last = -1
    while last:
        last = await writer.write(partial(forget_letters, sealer=sealer, gone=gone, redact=redact(gone), after=last))
    drop_copies(file.path)
    await writer.run(partial(fold, file=file))


# --- in the database --------------------------------------------------------------------------------------
def begin(db: sqlite3.Connection, sealer: Sealer, beside: Path, players: Sequence[str], at: int) -> None:
    """Note in the list who is erased, before anything is: what a crash cuts off is done at the next start."""
    known = listed(beside)
    lines = [(digest_of(sealer, player), at) for player in players]
    if new := [line for line in lines if known.get(line[0]) != line[1]]:
        note(beside, new)


def forget(
    db: sqlite3.Connection, sealer: Sealer, players: Sequence[str], redact: Callable[[Gone], Redact], at: int
) -> Gone:
    """Erase people from everything but letters that are done with; in the transaction that is open."""
    gone = {player: f"{FORMER}{number_of(db, player)}" for player in players}
    without = redact(gone)
    for player, tombstone in gone.items():
        db.execute(
            "UPDATE people SET player = ?1, sum = checksum(?1) WHERE player = ?2 AND NOT EXISTS "
            "(SELECT 1 FROM people WHERE player = ?1)",
            (tombstone, player),
        )
        db.execute("INSERT OR REPLACE INTO erasures VALUES (?, ?)", (digest_of(sealer, player), at))
    own = _matches(db, gone)
    _settings(db, sealer, gone, own)
    _arrivals(db, sealer, gone)
    _waiting(db, sealer, gone, without, at)
    for player, tombstone in gone.items():
        db.execute("DELETE FROM heard WHERE instr(id, ?)", (player,))
        db.execute(  # a lane of their own is that of their program
            "UPDATE letters SET lane = ?1, done = coalesce(done, ?2), "
            "sum = checksum(key, ?1, attempts, until, coalesce(done, ?2), remote, why, short) "
            "WHERE instr(lane, ?3) OR instr(lane, ?4)",
            (tombstone, at, player, quote(player, safe=":@")),
        )
    return gone


def forget_letters(db: sqlite3.Connection, sealer: Sealer, gone: Gone, redact: Redact, after: int) -> int:
    """Erase people from some letters that are done with, by number; returns the last one looked at, 0 after all."""
    rows = db.execute(
        "SELECT number, key, body, why FROM letters WHERE number > ? AND done IS NOT NULL ORDER BY number LIMIT ?",
        (after, AT_ONCE),
    ).fetchall()
    for number, key, stored, why in rows:
        with suppress(OSError, ValueError):  # a damaged one opens for nobody
            body = sealer.open(stored, "letters", key)
            told = redact(body, True)
            if told != body:
                _rewrite(db, number, sealer.seal(told, "letters", key))
        if why and _names(why, gone):
            _rewrite(db, number, None, "")
    return int(rows[-1][0]) if len(rows) == AT_ONCE else 0


def _matches(db: sqlite3.Connection, gone: Gone) -> list[str]:
    """Put tombstones into summaries and lists; returns whose matches these are."""
    own: list[str] = []
    for player, tombstone in gone.items():
        seated = db.execute("SELECT match FROM seats WHERE player = ?", (player,)).fetchall()
        for (number,) in seated:
            row = db.execute("SELECT match, players, to_act FROM matches WHERE number = ?", (number,)).fetchone()
            if row is None:
                continue
            own.append(row[0])
            db.execute("DELETE FROM snapshots WHERE match = ?", (number,))
            players, to_act = (_swapped(text, gone) for text in row[1:])
            db.execute(
                "UPDATE matches SET players = ?1, to_act = ?2, "
                "sum = checksum(match, game, status, ?1, ?2, places, due, updated) WHERE number = ?3",
                (players, to_act, number),
            )
        db.execute("UPDATE OR REPLACE seats SET player = ? WHERE player = ?", (tombstone, player))
    return own


def _swapped(text: str, gone: Gone) -> str:
    names: list[str] = msgspec.json.decode(text)
    return msgspec.json.encode([gone.get(name, name) for name in names]).decode()


def _settings(db: sqlite3.Connection, sealer: Sealer, gone: Gone, own: Sequence[str]) -> None:
    for player in gone:
        db.execute("DELETE FROM settings WHERE owner = ?", (player,))
    mine = {f"match:{match}" for match in own}
    for owner, key, stored in db.execute(
        "SELECT owner, key, value FROM settings WHERE owner != ? AND (owner NOT LIKE 'match:%' OR key = 'followers' "
        "OR owner IN (SELECT value FROM json_each(?)))",
        (PLAIN, msgspec.json.encode(sorted(mine)).decode()),
    ).fetchall():
        if _names(f"{owner} {key}", gone):
            db.execute("DELETE FROM settings WHERE owner = ? AND key = ?", (owner, key))
            continue
        try:
            value = sealer.open_setting(owner, key, stored)
        except OSError:  # a damaged one opens for nobody
            continue
        if not _names(value, gone):
            continue
        if key in LISTS:
            value = "\n".join(line for line in value.splitlines() if line not in gone)
        elif HASHED.fullmatch(owner):  # a code, link or key in use leads to nobody any more
            value = ""
        else:
            value = _named(value, gone)
        if value:
            db.execute(SETTING, sealer.setting(owner, key, value))
        else:
            db.execute("DELETE FROM settings WHERE owner = ? AND key = ?", (owner, key))


def _arrivals(db: sqlite3.Connection, sealer: Sealer, gone: Gone) -> None:
    for number, name, stored in db.execute("SELECT number, id, body FROM arrivals").fetchall():
        with suppress(OSError, ValueError):
            body = sealer.open(stored, "arrivals", name)
            if _names(body, gone):
                db.execute("DELETE FROM arrivals WHERE number = ?", (number,))


def _waiting(db: sqlite3.Connection, sealer: Sealer, gone: Gone, redact: Redact, at: int) -> None:
    """Letters on their way: those to whoever is erased are given up, the others tell of a former player."""
    for number, key, stored in db.execute("SELECT number, key, body FROM letters WHERE done IS NULL").fetchall():
        with suppress(OSError, ValueError):
            body = sealer.open(stored, "letters", key)
            told = redact(body, False)
            if told == body:
                continue
            _rewrite(db, number, sealer.seal(told, "letters", key))
            if not told:
                db.execute(
                    "UPDATE letters SET done = ?1, why = ?2, short = 1, "
                    "sum = checksum(key, lane, attempts, until, ?1, remote, ?2, 1) WHERE number = ?3",
                    (at, GONE, number),
                )


def _rewrite(db: sqlite3.Connection, number: int, body: str | None, why: str | None = None) -> None:
    if body is not None:
        db.execute("UPDATE letters SET body = ? WHERE number = ?", (body, number))
    if why is not None:
        db.execute(
            "UPDATE letters SET why = ?1, sum = checksum(key, lane, attempts, until, done, remote, ?1, short) "
            "WHERE number = ?2",
            (why, number),
        )


def ids_of(gone: Gone) -> tuple[str, ...]:
    """What a person is known by: their key, and its number alone where that can be nobody else's."""
    numbers = (key.partition(":")[2] for key in gone)
    return (*gone, *(number for number in numbers if (number.isdigit() and len(number) > 8) or number.startswith("@")))


def _names(text: str, gone: Gone) -> bool:
    """Whether a text has somebody in it who is erased: their key or id, or a platform's form of it."""
    return any(one in text for one in ids_of(gone)) or any(f'"id":"{key.partition(":")[2]}"' in text for key in gone)


def _named(text: str, gone: Gone) -> str:
    """The text with tombstones in place of keys, and of ids that can be nobody else's."""
    for one in ids_of(gone):
        text = re.sub(rf"(?<![\w.-]){re.escape(one)}(?![\w.-])", gone.get(one, FORMER.rstrip(":")), text)
    return text


def drop_copies(database: Path) -> None:
    """Remove the copies of the database from before upgrades: nobody is erased in them."""
    for copy in database.parent.glob(f"{database.name}.before-*"):
        copy.unlink(missing_ok=True)


def fold(db: sqlite3.Connection, file: DatabaseFile) -> None:
    """Leave nothing of it in the log beside the file."""
    with suppress(*DATABASE_ERRORS):
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    file.settle()
