"""Damage to what is stored, drawn from a seed: flipped bits, in rows and in the file, and logs that are cut or lost."""

import asyncio
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeAlias

from storage.seal import read_key
from storage.sqlite.inspect import inspect
from storage.sqlite.store import SqliteStore
from storage.store import Alarm, Arrival, Change, OutboxMessage
from tests.faults.bot import DATABASE, KEY
from tests.faults.evening import Evening

LINES = 24
"""Lines of play in the database that is damaged."""
CHANGES = 12
ROW_NUMBERS = ("matches.number", "events.match", "letters.number", "arrivals.number", "snapshots.match")
"""SQLite's own order shows when one of these has changed."""
UNSUMMED = ("migrations", "erasures")
"""Tables whose rows have no sum: migrations are compared with the program's own, and whoever stands wrongly among
those who were erased is erased again by the list beside the database."""


class Tried(Protocol):
    """What a run adds to."""

    acknowledged: int


Damage: TypeAlias = Callable[[Path, int, Tried], list[str]]


def rows_flipped(folder: Path, seed: int, tried: Tried) -> list[str]:
    """One bit of one value in one row, of any column of any table."""
    chance = Random(f"rows {seed}")
    path = folder / DATABASE
    path.write_bytes(whole())
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        columns = [each for each in sorted(_columns(db)) if db.execute(_filled(*each)).fetchone()]
        table, column = columns[seed % len(columns)]
        names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        row = list(chance.choice(db.execute(f"SELECT {', '.join(names)} FROM {table} {_where(column)}").fetchall()))
        old = row[names.index(column)]
        new = flipped(old, chance)
        condition = " AND ".join(f"{name} IS ?" for name in names)
        db.execute(f"UPDATE OR REPLACE {table} SET {column} = ? WHERE {condition}", (new, *row))
    tried.acknowledged += 1
    return [] if noticed(path) else [f"{table}.{column} was {old!r:.60} and is {new!r:.60}, and nobody noticed"]


def file_flipped(folder: Path, seed: int, tried: Tried) -> list[str]:
    """One bit anywhere in the file: it is noticed, or every value is as it was."""
    chance = Random(f"file {seed}")
    path, raw = folder / DATABASE, bytearray(whole())
    at, bit = chance.randrange(len(raw)), 1 << chance.randrange(8)
    raw[at] ^= bit
    path.write_bytes(raw)
    tried.acknowledged += 1
    if noticed(path):
        return []
    before = folder / "before.db"
    before.write_bytes(whole())
    return [] if dump(path) == dump(before) else [f"bit {bit} of byte {at} was flipped, and nobody noticed"]


def log_cut(folder: Path, seed: int, tried: Tried) -> list[str]:
    """A power cut: the log ends anywhere, in garbage. What is left is whole changes, and those that were folded in."""
    return asyncio.run(_log_cut(folder, Random(f"log {seed}"), tried, lost=False))


def log_lost(folder: Path, seed: int, tried: Tried) -> list[str]:
    """The log is deleted while nothing runs: what is left is whole changes, and can be played on."""
    return asyncio.run(_log_cut(folder, Random(f"lost {seed}"), tried, lost=True))


async def _log_cut(folder: Path, chance: Random, tried: Tried, *, lost: bool) -> list[str]:
    path, copy, log = folder / DATABASE, folder / "copy.db", folder / f"{DATABASE}-wal"
    store = await SqliteStore.open(path, KEY)
    ends, folded = [log.stat().st_size], 0
    fold = chance.randrange(CHANGES)
    for n in range(CHANGES):
        await store.commit(change(n, chance))
        ends.append(log.stat().st_size)
        if n == fold:
            await store._writer.run(store._writer._checkpoint)
            folded = n + 1
    base, tail = path.read_bytes(), log.read_bytes()
    await store.close()
    tried.acknowledged += CHANGES
    copy.write_bytes(base)
    cut = chance.choice([chance.choice(ends), chance.randrange(len(tail) + 1)])
    if not lost:
        Path(f"{copy}-wal").write_bytes(tail[:cut] + chance.choice([b"", bytes(8192), chance.randbytes(5000)]))
    if cut < ends[folded] and not lost:  # a disk that forgets what it had synced: by SQLite's rules that undoes it
        folded = 0
    try:
        store = await SqliteStore.open(copy, KEY)
    except OSError:
        return []  # it is told
    try:
        return [fault async for fault in _whole_changes(store, folded)]
    finally:
        await store.close()


async def _whole_changes(store: SqliteStore, folded: int) -> Any:
    """What is wrong with a store that holds the first of the changes, those that were folded in at least."""
    left = len(await store.load("1")) // 2
    if left < folded:
        yield f"{left} changes are left of {folded} that were folded in"
    if len(await store.load("1")) != 2 * left:
        yield "half a change is left"
    if [await store.known(f"heard {n}") for n in range(CHANGES)] != [n < left for n in range(CHANGES)]:
        yield "what was heard is not what was written"
    if [alarm.kind for alarm in await store.due(99)] != [f"alarm {n}" for n in range(left)][-1:]:
        yield "another alarm is set"
    await store.commit(change(left, Random(0)))
    if len(await store.load("1")) != 2 * left + 2:
        yield "it cannot be played on"


def change(n: int, chance: Random) -> Change:
    """The n-th change of a match: two events, a letter, an alarm, a setting."""
    return Change(
        heard=f"heard {n}",
        match="1",
        expected=2 * n,
        events=((n, f"first of {n} " + "x" * chance.randrange(6000)), (n, f"second of {n}")),
        messages=(OutboxMessage(f"letter {n}", "lane", "y" * chance.randrange(6000)),),
        alarms=(Alarm("1", f"alarm {n}", n),),
        settings=(("riposte", "last", str(n)),),
    )


# --- what is damaged -----------------------------------------------------------------------------------------
@lru_cache(maxsize=1)
def whole() -> bytes:
    """A database in which something stands in every table."""
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(_fill(Path(name)))
        return (Path(name) / DATABASE).read_bytes()


async def _fill(folder: Path) -> None:
    evening = Evening(folder, Random(14))
    await evening.start()
    await evening.play(LINES)
    await evening.rest()
    store = evening.store
    for line in ("settings theme dark", "challenge tokonoma"):  # something waits, and somebody has settled something
        await evening.say(evening.message("Ben", line))
    await store.commit(Change(arrivals=(Arrival("matrix:$1", "{}"),), settings=(("riposte", "alive", "123"),)))
    for summary in await store.matches():
        store.keep(summary.match, len(await store.load(summary.match)), b"as it stands")
    await store.flush()
    await store._writer.run(lambda db: db.execute("INSERT INTO erasures VALUES (?, 5)", ("0" * 40,)))
    await evening.stop()


def flipped(value: object, chance: Random) -> object:
    """The value with one bit changed, of the same kind."""
    if isinstance(value, int):
        return value ^ 1 << chance.randrange(20)
    raw = bytearray(value.encode() if isinstance(value, str) else bytes(value))  # type: ignore[call-overload]
    raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(7)
    return raw.decode(errors="replace") if isinstance(value, str) else bytes(raw)


def noticed(path: Path) -> bool:
    """Whether a host is told that something is not as it was written."""
    try:
        found = inspect(path, read_key(KEY))
    except OSError:
        return True
    return bool(found.rows or found.damaged or found.unfit)


def dump(path: Path) -> Sequence[Any]:
    """Every value of a database."""
    with closing(sqlite3.connect(path)) as db:
        tables = sorted({table for table, _ in _columns(db)})
        return [(table, db.execute(f"SELECT * FROM {table}").fetchall()) for table in tables]


def _columns(db: sqlite3.Connection) -> set[tuple[str, str]]:
    """Every column of every table: a new one cannot be missed."""
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    found = {
        (table, row[1])
        for table in tables
        if table not in UNSUMMED and not table.startswith("sqlite_")
        for row in db.execute(f"PRAGMA table_info({table})")
    }
    return {(table, column) for table, column in found if f"{table}.{column}" not in ROW_NUMBERS}


def _where(column: str) -> str:
    return f"WHERE {column} NOT NULL AND {column} != ''"


def _filled(table: str, column: str) -> str:
    return f"SELECT 1 FROM {table} {_where(column)} LIMIT 1"


DAMAGES: dict[str, Damage] = {
    "rows-flipped": rows_flipped,
    "file-flipped": file_flipped,
    "log-cut": log_cut,
    "log-lost": log_lost,
}
