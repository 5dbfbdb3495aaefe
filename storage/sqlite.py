"""The store in one SQLite file that nobody else writes: one connection that writes, one that reads."""

import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeAlias, TypeVar

import msgspec

from storage import schema
from storage.chain import GENESIS, flaw, link
from storage.errors import DATABASE_ERRORS, damaged, explain
from storage.file import DatabaseFile
from storage.seal import Sealer, fitting, forget_clear_words, key_beside, known_key, seal_all
from storage.store import Alarm, Arrival, Change, Conflict, OutboxMessage, Outgoing, Record, Summary
from storage.writer import ThreadConnection, Writer

T = TypeVar("T")
Watch: TypeAlias = Callable[[str], None]

WRITING = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # an acknowledged turn survives a power cut
    "PRAGMA temp_store = MEMORY",  # savepoints remember pages they may have to restore: not in files
    "PRAGMA wal_autocheckpoint = 0",  # the writer folds the log in when it is quiet, never inside a commit
    "PRAGMA journal_size_limit = 67108864",
)
LISTS = (
    "SELECT * FROM summaries WHERE number IN (SELECT match FROM seats WHERE player = ?) "
    "AND ? IN ('', status) ORDER BY updated DESC, number DESC LIMIT ?",
    "SELECT * FROM summaries WHERE number IN (SELECT match FROM homes WHERE place = ?) "
    "AND ? IN ('', status) ORDER BY updated DESC, number DESC LIMIT ?",
    "SELECT * FROM summaries WHERE status = ? AND status = ? ORDER BY updated DESC, number DESC LIMIT ?",
)
"""By player, place, status: the first condition that is given picks the rows, the others filter them."""
ALL = "SELECT * FROM summaries WHERE ? = '' AND ? = '' ORDER BY updated DESC, number DESC LIMIT ?"
NOBODY: tuple[Any, ...] = (None, 0, GENESIS, None, None, None, None)
"""What is known of a match that does not exist yet."""
INDEXES = (
    ("DELETE FROM seats WHERE player = ? AND match = ?", "INSERT INTO seats VALUES (?, ?)"),
    ("DELETE FROM homes WHERE place = ? AND match = ?", "INSERT INTO homes VALUES (?, ?)"),
)
"""Who plays and where, to be found by it."""
BOTH = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",  # a stray write must not reach the file, and a bad disk must be an error, not a crash
    "PRAGMA busy_timeout = 1000",  # whoever waits for another program is told of it: not only after many seconds
)
READING = (*BOTH, "PRAGMA query_only = ON")


class SqliteStore:
    """See `storage.store.Store`. Opened by `open`."""

    def __init__(self, writer: Writer, reader: ThreadConnection, file: DatabaseFile, sealer: Sealer):
        self._writer = writer
        self._sealer = sealer
        self._reader = reader
        self._file = file
        self._given = 0

    @classmethod
    async def open(
        cls,
        path: Path,
        key: Path | None = None,
        *,
        steps: tuple[schema.Migration, ...] | None = None,
        watch: Watch | None = None,
    ) -> Self:
        """Open the database, creating or upgrading it. Raises OSError with the fact and the remedy.

        `key` is the file with the key that bodies are sealed with, made if the database has none yet.
        `watch` gets every SQL statement of the writer just before it runs, and `"COMMITTED"` after each commit: the
        points at which the crash tests kill the process.
        """
        steps = schema.migrations() if steps is None else steps
        file = DatabaseFile.lock(path)
        sealers: list[Sealer] = []

        def begin(db: sqlite3.Connection) -> None:
            sealers.append(_begin(db, path, key or key_beside(path), steps, watch))

        try:
            writing = await ThreadConnection.open(str(path), begin)
            try:
                read_only = f"{path.absolute().as_uri()}?mode=ro"
                reading = await ThreadConnection.open(read_only, partial(_set, pragmas=READING))
            except BaseException:
                await writing.close()
                raise
        except BaseException as error:
            file.unlock()
            if isinstance(error, DATABASE_ERRORS):
                raise explain(error) from error
            raise
        file.settle()
        return cls(
            Writer(writing, file, partial(watch, "COMMITTED") if watch else lambda: None), reading, file, *sealers
        )

    async def close(self) -> None:
        """Finish what is queued and close the database."""
        await self._reader.close()
        await self._writer.close()
        self._file.unlock()

    # --- matches --------------------------------------------------------------------------------------
    async def load(self, match: str) -> Sequence[Record]:
        """Returns all events of a match in order, their chain verified."""
        return self._sealer.open_log(await self._read(partial(load_log, match=match)))

    async def commit(self, change: Change) -> None:
        """Write a change for good, or raise Conflict."""
        await self._writer.write(partial(_commit, change=change, sealer=self._sealer))

    async def known(self, heard: str) -> bool:
        """Returns whether a message was already dealt with."""
        return bool(await self._rows("SELECT 1 FROM heard WHERE id = ?", heard))

    async def arrived(self, platform: str, limit: int = 100) -> Sequence[Arrival]:
        """Returns a platform's arrivals not dealt with yet, oldest first."""
        rows = await self._rows(
            "SELECT id, body FROM arrivals WHERE id >= ? AND id < ? ORDER BY number LIMIT ?",
            *(f"{platform}:", f"{platform};", limit),
        )
        return [Arrival(name, self._sealer.open_or_leave(body, "arrivals", name)) for name, body in rows]

    async def next_match(self) -> str:
        """Returns a number that no match has yet; two who ask at the same time get two."""
        ((last,),) = await self._rows("SELECT coalesce(max(number), 0) FROM matches")
        self._given = max(self._given, last) + 1
        return str(self._given)

    async def summary(self, match: str) -> Summary | None:
        """Returns the summary of one match."""
        rows = await self._rows("SELECT * FROM summaries WHERE match = ?", match)
        return _summary(rows[0]) if rows else None

    async def matches(
        self, *, player: str = "", place: str = "", status: str = "", limit: int = -1
    ) -> Sequence[Summary]:
        """Returns the summaries that fit all the given conditions, most recently changed first."""
        sql, value = next((pair for pair in zip(LISTS, (player, place, status), strict=True) if pair[1]), (ALL, ""))
        found = []
        for row in await self._rows(sql, value, status, -1 if player and place else limit):
            with suppress(OSError):  # one damaged match must not hide the others
                found.append(_summary(row))
        fitting = [summary for summary in found if not place or place in summary.places]
        return fitting if limit < 0 else fitting[:limit]

    async def setting(self, owner: str, key: str) -> str:
        """Returns a setting, "" if it was never set."""
        rows = await self._rows("SELECT value FROM settings WHERE owner = ? AND key = ?", owner, key)
        return self._sealer.open_setting(owner, key, rows[0][0]) if rows else ""

    # --- outgoing messages ------------------------------------------------------------------------------
    async def owners(self, key: str) -> Sequence[tuple[str, str]]:
        sql = "SELECT owner, value FROM settings WHERE key = ? ORDER BY owner"
        return [(owner, value) for owner, value in await self._rows(sql, key)]

    async def waiting(self, now: int, limit: int = 100) -> Sequence[Outgoing]:
        """Returns undelivered messages that are first under their ordering key, oldest first, unless put off."""
        rows = await self._rows(
            "SELECT number, key, lane, body, attempts FROM heads WHERE until <= ? ORDER BY number LIMIT ?", now, limit
        )
        return [
            Outgoing(number, OutboxMessage(key, lane, self._sealer.open_or_leave(body, "letters", key)), attempts)
            for number, key, lane, body, attempts in rows
        ]

    async def next_waiting(self, now: int) -> int | None:
        """Returns the earliest instant after `now` at which a message that was put off is due, or None."""
        ((earliest,),) = await self._rows("SELECT min(until) FROM heads WHERE until > ?", now)
        return None if earliest is None else int(earliest)

    async def delivered(self, number: int, remote: str, at: int) -> None:
        """Record that a message has arrived."""
        await self._update(
            "UPDATE letters SET done = ?, remote = ? WHERE number = ? AND done IS NULL", at, remote, number
        )

    async def sent(self, remote: str) -> Sequence[OutboxMessage]:
        """Returns the messages that arrived under a platform's id, newest first."""
        return await self._letters("SELECT key, lane, body FROM letters WHERE remote = ? ORDER BY number DESC", remote)

    async def unsent(self, thread: str) -> Sequence[OutboxMessage]:
        return await self._letters(
            "SELECT key, lane, body FROM letters WHERE done IS NULL AND lane LIKE ?", f"%/{thread}"
        )

    async def _letters(self, sql: str, value: str) -> list[OutboxMessage]:
        rows = await self._rows(sql, value)
        return [OutboxMessage(key, lane, self._sealer.open_or_leave(body, "letters", key)) for key, lane, body in rows]

    async def put_off(self, number: int, until: int, *, tried: bool = True) -> None:
        """Have a message tried again at an instant; `tried` = this counts as an attempt."""
        sql = "UPDATE letters SET until = ?, attempts = attempts + ? WHERE number = ? AND done IS NULL"
        await self._update(sql, until, int(tried), number)

    async def undeliverable(self, number: int, why: str, at: int) -> None:
        """Record that a message will never be delivered, and why."""
        await self._update("UPDATE letters SET done = ?, why = ? WHERE number = ? AND done IS NULL", at, why, number)

    # --- alarms ---------------------------------------------------------------------------------------
    async def due(self, now: int, limit: int = 100) -> Sequence[Alarm]:
        """Returns the alarms that are due, earliest first."""
        rows = await self._rows(
            "SELECT matches.match, kind, at FROM alarms JOIN matches ON matches.number = alarms.match "
            "WHERE at <= ? ORDER BY at LIMIT ?",
            now,
            limit,
        )
        return [Alarm(*row) for row in rows]

    async def next_alarm(self, after: int = -1) -> int | None:
        """Returns the earliest instant after `after` at which an alarm is set, or None."""
        ((earliest,),) = await self._rows("SELECT min(at) FROM alarms WHERE at > ?", after)
        return None if earliest is None else int(earliest)

    # --- the two connections --------------------------------------------------------------------------
    async def _rows(self, sql: str, *values: object) -> list[Any]:
        return await self._read(lambda db: _all(db, sql, *values))

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await _explained(self._reader.run(work))

    async def _update(self, sql: str, *values: object) -> None:
        def update(db: sqlite3.Connection) -> None:
            db.execute(sql, values)

        await self._writer.write(update)


# --- on the connections' threads ----------------------------------------------------------------------
def _begin(
    db: sqlite3.Connection, path: Path, key: Path, steps: tuple[schema.Migration, ...], watch: Watch | None
) -> Sealer:
    """Make the new connection the writer's; a file that is not ours, or another's key, is refused before any change."""
    db.set_trace_callback(watch)
    _set(db, BOTH)
    version = schema.check(db, path, steps)
    known = known_key(db) if version else ""
    sealer = fitting(known, key, path)
    _set(db, WRITING)
    schema.upgrade(db, path, version, steps)
    if not known:
        seal_all(db, sealer)
        if version:
            forget_clear_words(db)
    return sealer


def _set(db: sqlite3.Connection, pragmas: tuple[str, ...]) -> None:
    for pragma in pragmas:
        db.execute(pragma).fetchall()


def _commit(db: sqlite3.Connection, change: Change, sealer: Sealer) -> None:
    try:
        if change.heard:
            db.execute("INSERT INTO heard (id) VALUES (?)", (change.heard,))
            db.execute("DELETE FROM arrivals WHERE id = ?", (change.heard,))
        if change.match:
            _append(db, change, sealer)
        db.executemany(
            "INSERT INTO letters (key, lane, body) VALUES (?, ?, ?)",
            [(one.key, one.ordering_key, sealer.seal(one.body, "letters", one.key)) for one in change.messages],
        )
        db.executemany(
            "INSERT INTO arrivals (id, body) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM heard WHERE id = ?1) "
            "ON CONFLICT DO NOTHING",
            [(arrival.id, sealer.seal(arrival.body, "arrivals", arrival.id)) for arrival in change.arrivals],
        )
        db.executemany("DELETE FROM arrivals WHERE id = ?", [(id_,) for id_ in change.dismissed])
        for owner, key, value in change.settings:
            if value:
                db.execute(
                    "INSERT OR REPLACE INTO settings (owner, key, value) VALUES (?, ?, ?)",
                    sealer.setting(owner, key, value),
                )
            else:
                db.execute("DELETE FROM settings WHERE owner = ? AND key = ?", (owner, key))
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode in (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE):
            raise Conflict(f"this was written before: {error}") from error
        raise


def _append(db: sqlite3.Connection, change: Change, sealer: Sealer) -> None:
    """Write what a change says about its match: events, summary, alarms."""
    name = change.match
    known = "SELECT number, length, head, game, status, players, places FROM matches WHERE match = ?"
    row = db.execute(known, (name,)).fetchone()
    number, length, head, *seldom_changed = row or NOBODY
    if length != change.expected:
        raise Conflict(f"match {name} has {length} events, not {change.expected}")
    if row is None:
        number = db.execute(
            "INSERT INTO matches (number, match, length, head) VALUES (?, ?, 0, ?)",
            (_number(name), name, head),
        ).lastrowid
    for at, body in change.events:
        length += 1
        sealed = sealer.seal(body, "events", name, length)
        head = link(head, name, length, at, sealed)
        db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", (number, length, at, sealed, head))
    if change.summary:
        _summarize(db, number, (length, head), change.summary, seldom_changed)
    else:
        db.execute("UPDATE matches SET length = ?, head = ? WHERE number = ?", (length, head, number))
    if change.alarms is not None:
        db.execute("DELETE FROM alarms WHERE match = ?", (number,))
        db.executemany(
            "INSERT INTO alarms VALUES (?, ?, ?)", [(number, alarm.kind, alarm.at) for alarm in change.alarms]
        )


def _number(match: str) -> int | None:
    """The number of a match whose name is one: "7", but not "007" or one that is too long."""
    number = int(match) if match.isdecimal() and len(match) < 16 else 0
    return number if str(number) == match else None


def _summarize(
    db: sqlite3.Connection, number: int, log: tuple[int, bytes], summary: Summary, seldom_changed: list[str | None]
) -> None:
    """Rewrite the match's row; what seldom changes, and the tables to find it by, only if it has changed."""
    players, to_act, places = (
        msgspec.json.encode(names).decode() for names in (summary.players, summary.to_act, summary.places)
    )
    db.execute(
        "UPDATE matches SET length = ?, head = ?, to_act = ?, due = ?, updated = ? WHERE number = ?",
        (*log, to_act, summary.due, summary.updated, number),
    )
    if seldom_changed == [summary.game, summary.status, players, places]:
        return
    db.execute(
        "UPDATE matches SET game = ?, status = ?, players = ?, places = ? WHERE number = ?",
        (summary.game, summary.status, players, places, number),
    )
    names = zip(INDEXES, seldom_changed[2:], (summary.players, summary.places), strict=True)
    for (forget, learn), before, after in names:
        known = set(_names(summary.match, before)) if before else set()
        db.executemany(forget, [(name, number) for name in known - set(after)])
        db.executemany(learn, [(name, number) for name in set(after) - known])


def _all(db: sqlite3.Connection, sql: str, *values: object) -> list[Any]:
    # A cursor that meets an unreadable row stays open, and with it an old view of the database.
    with closing(db.execute(sql, values)) as rows:
        return rows.fetchall()


def load_log(db: sqlite3.Connection, match: str) -> list[Record]:
    """Returns all events of a match as they are stored, sealed, their chain verified, for which no key is needed.

    Raises OSError for one that is not as it was written.
    """
    db.execute("BEGIN")  # both questions see the same moment
    try:
        row = db.execute("SELECT number, length, head FROM matches WHERE match = ?", (match,)).fetchone()
        if row is None:
            if _all(db, "SELECT 1 FROM events WHERE match = ? LIMIT 1", _number(match)):
                raise damaged(match, 0)  # its events are there: the row that names it is damaged
            return []
        number, length, head = row
        rows = _all(db, "SELECT seq, at, body, digest FROM events WHERE match = ? ORDER BY seq", number)
        records = [Record(match, *row) for row in rows]
    finally:
        db.execute("COMMIT")
    if wrong := flaw(records, length, head):
        raise damaged(match, wrong)
    return records


def _summary(row: Sequence[Any]) -> Summary:
    match, game, status, *lists, due, updated, _ = row
    players, to_act, places = (_names(match, text) for text in lists)
    return Summary(match, game, status, players, to_act, places, due, updated)


def _names(match: str, text: str) -> tuple[str, ...]:
    try:
        return msgspec.json.decode(text, type=tuple[str, ...])
    except ValueError:
        raise damaged(match, 0) from None


async def _explained(question: Awaitable[T]) -> T:
    """The answer; an error of the disk or the file as an OSError for hosts."""
    try:
        return await question
    except DATABASE_ERRORS as error:
        raise explain(error) from error
