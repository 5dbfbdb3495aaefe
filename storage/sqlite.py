"""The store in one SQLite file that nobody else writes: one connection that writes, one that reads."""

import json
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeAlias, TypeVar

from storage import erasure, schema
from storage.chain import flaw
from storage.checksum import is_whole, known_to
from storage.commit import forget, names_of, number_of, shorten, write
from storage.errors import CAUSES, DATABASE_ERRORS, damaged, explain
from storage.file import DatabaseFile
from storage.lists import all_rows, latest
from storage.persons import named, number_all
from storage.seal import Sealer, fitting, forget_clear_words, key_beside, known_key, opened_owners, seal_all
from storage.snapshots import keep, resume
from storage.store import Alarm, Arrival, Change, OutboxMessage, Outgoing, Record, Summary
from storage.writer import ThreadConnection, Writer

T = TypeVar("T")
Watch: TypeAlias = Callable[[str], None]

WRITING = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # an acknowledged turn survives a power cut
    "PRAGMA temp_store = MEMORY",  # savepoints remember pages they may have to restore: not in files
    "PRAGMA wal_autocheckpoint = 0",  # the writer folds the log in when it is quiet, never inside a commit
    "PRAGMA journal_size_limit = 67108864",
    "PRAGMA secure_delete = ON",  # what is deleted is overwritten
)
BOTH = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA mmap_size = 0",  # a stray write must not reach the file, and a bad disk must be an error, not a crash
    "PRAGMA busy_timeout = 1000",  # whoever waits for another program is told of it: not only after many seconds
)
READING = (*BOTH, "PRAGMA query_only = ON")
OWNERS = "SELECT owner, value, sum FROM settings WHERE key = ? ORDER BY owner"
PROGRAMS = "lane >= 'api/' AND lane < 'api0'"
"""What programs are told: said as the index on it is, so that it is used."""
LOOKED_AT = 1_000
"""Ids of what was heard that are looked at in one piece."""


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
            done = partial(watch, "COMMITTED") if watch else lambda: None
            writer = await Writer.open(str(path), begin, file, done)
            try:
                read_only = f"{path.absolute().as_uri()}?mode=ro"
                reading = await ThreadConnection.open(read_only, partial(_set, pragmas=READING))
            except BaseException:
                await writer.close()
                raise
        except BaseException as error:
            file.unlock()
            if isinstance(error, DATABASE_ERRORS):
                raise explain(error) from error
            raise
        file.settle()
        return cls(writer, reading, file, *sealers)

    async def close(self) -> None:
        """Finish what is queued and close the database."""
        try:
            await self._reader.close()
        finally:
            try:
                await self._writer.close()
            finally:
                self._file.unlock()

    # --- matches --------------------------------------------------------------------------------------
    async def load(self, match: str) -> Sequence[Record]:
        """Returns all events of a match in order, their chain verified."""
        # Beside the loop: it may be long.
        return await self._read(lambda db: named(db, match, self._sealer.open_log(load_log(db, match))))

    async def resume(self, match: str) -> tuple[bytes, int, Sequence[Record]]:
        """Returns a match as it was kept last, after how many events, and those behind it."""

        def resumed(db: sqlite3.Connection) -> tuple[bytes, int, Sequence[Record]]:
            data, seq, records = resume(db, match, self._sealer)
            return data, seq, named(db, match, self._sealer.open_log(records)) if records else []

        return await self._read(resumed)

    def keep(self, match: str, seq: int, data: bytes) -> None:
        """Have a match kept as it stood after an event, with one of the next changes."""
        self._writer.later(partial(keep, match=match, seq=seq, data=data, sealer=self._sealer))

    async def commit(self, change: Change) -> Sequence[Outgoing]:
        """Write a change for good, or raise Conflict. Returns its messages as they wait now."""
        return await self._writer.write(partial(write, change=change, sealer=self._sealer))

    async def flush(self) -> None:
        """Have everything written that could wait for the next change, if anything can be written."""
        with suppress(OSError):  # whoever wants it written is told, and tries again
            await self._writer.flush()

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
        table, name = ("seats", player) if player else ("homes", place) if place else ("", "")
        page = partial(latest, table=table, name=name, status=status, limit=-1 if player and place else limit)
        found = []
        for row in await self._read(page):
            with suppress(OSError):  # one damaged match must not hide the others
                found.append(_summary(row))
        fitting = [summary for summary in found if not place or place in summary.places]
        return fitting if limit < 0 else fitting[:limit]

    async def setting(self, owner: str, key: str) -> str:
        """Returns a setting, "" if it was never set."""
        rows = await self._rows("SELECT value, sum FROM settings WHERE owner = ? AND key = ?", owner, key)
        if not rows:
            return ""
        if not is_whole((owner, key, *rows[0])):
            raise OSError(*CAUSES[sqlite3.SQLITE_CORRUPT])
        return self._sealer.open_setting(owner, key, rows[0][0])

    async def owners(self, key: str) -> Sequence[tuple[str, str]]:
        """Returns everybody and everything that has a setting, with its value."""
        return opened_owners(await self._rows(OWNERS, key), key, self._sealer)

    async def settings(self, owner: str) -> Sequence[tuple[str, str]]:
        """Returns all settings of a person or place, by key."""
        rows = await self._rows("SELECT key, value FROM settings WHERE owner = ? ORDER BY key", owner)
        return [(key, self._sealer.open_setting(owner, key, stored)) for key, stored in rows]

    # --- those who are erased ----------------------------------------------------------------------------
    async def erase(self, players: Sequence[str], redact: Callable[[erasure.Gone], erasure.Redact], at: int) -> None:
        """Put tombstones in place of people, everywhere; noted first in the list that no backup holds."""
        await erasure.erase(self._writer, self._file, self._sealer, players, redact=redact, at=at)

    async def unerased(self) -> Mapping[str, int]:
        """Returns whom the list of erasures names and this file knows, as after the restore of an older backup."""
        return await self._writer.write(
            partial(erasure.unerased, sealer=self._sealer, beside=erasure.list_beside(self._file.path))
        )

    # --- outgoing messages ------------------------------------------------------------------------------
    async def waiting(self, now: int, limit: int = 100) -> Sequence[Outgoing]:
        """Returns undelivered messages that are first under their ordering key, oldest first, unless put off."""
        await self.flush()
        rows = await self._rows(
            "SELECT number, body, key, lane, attempts, until, done, remote, why, short, sum FROM heads "
            "WHERE until <= ? ORDER BY number LIMIT ?",
            *(now, limit),
        )
        found = []
        for number, body, *row in rows:
            is_whole(row)  # its body and its key hold together by the seal: what opens is what was to be said
            key, lane, attempts = row[:3]
            message = OutboxMessage(key, lane, self._sealer.open_or_leave(body, "letters", key))
            found.append(Outgoing(number, message, attempts))
        return found

    async def next_waiting(self, now: int) -> int | None:
        """Returns the earliest instant after `now` at which a message that was put off is due, or None."""
        ((earliest,),) = await self._rows("SELECT min(until) FROM heads WHERE until > ?", now)
        return None if earliest is None else int(earliest)

    async def delivered(self, number: int, remote: str, at: int, *, soon: bool = False) -> None:
        """Record that a message has arrived, with the next change or after a second."""
        await self._update(
            "UPDATE letters SET done = ?1, remote = ?2, sum = checksum(key, lane, attempts, until, ?1, ?2, why, short) "
            "WHERE number = ?3 AND done IS NULL",
            *(at, remote, number),
            soon=soon,
        )

    async def sent(self, remote: str) -> Sequence[OutboxMessage]:
        """Returns the messages that arrived under a platform's id, newest first."""
        return await self._letters("SELECT key, lane, body FROM letters WHERE remote = ? ORDER BY number DESC", remote)

    async def unsent(self, thread: str) -> Sequence[OutboxMessage]:
        return await self._letters(
            "SELECT key, lane, body FROM letters WHERE done IS NULL AND lane LIKE ?", f"%/{thread}"
        )

    async def on_the_way(self, keys: Sequence[str]) -> bool:
        """Returns whether one of the messages with these keys has yet to arrive."""
        await self.flush()
        sql = "SELECT 1 FROM letters WHERE done IS NULL AND key IN (SELECT value FROM json_each(?)) LIMIT 1"
        return bool(await self._rows(sql, json.dumps(list(keys))))

    async def told(self, keys: Sequence[str]) -> Sequence[OutboxMessage]:
        """Returns those of the messages with these keys that there are."""
        sql = "SELECT key, lane, body FROM letters WHERE key IN (SELECT value FROM json_each(?)) ORDER BY number"
        return await self._letters(sql, json.dumps(list(keys)))

    async def news(self, ordering_key: str, after: int, limit: int = 100) -> Sequence[Outgoing]:
        """Returns the messages to a program's place behind a number, oldest first."""
        rows = await self._rows(
            f"SELECT number, key, lane, body, attempts FROM letters WHERE {PROGRAMS} AND lane = ? AND number > ? "  # noqa: S608
            "ORDER BY number LIMIT ?",
            *(ordering_key, after, limit),
        )
        return [
            Outgoing(number, OutboxMessage(key, lane, self._sealer.open_or_leave(body, "letters", key)), attempts)
            for number, key, lane, body, attempts in rows
        ]

    async def latest(self, ordering_key: str) -> int:
        """Returns the number of the last message to a program's place; 0 = none."""
        sql = f"SELECT coalesce(max(number), 0) FROM letters WHERE {PROGRAMS} AND lane = ?"  # noqa: S608
        ((number,),) = await self._rows(sql, ordering_key)
        return int(number)

    async def _letters(self, sql: str, value: str) -> list[OutboxMessage]:
        await self.flush()
        rows = await self._rows(sql, value)
        return [OutboxMessage(key, lane, self._sealer.open_or_leave(body, "letters", key)) for key, lane, body in rows]

    async def put_off(self, number: int, until: int, *, tried: bool = True) -> None:
        """Have a message tried again at an instant; `tried` = this counts as an attempt."""
        sql = (
            "UPDATE letters SET until = ?1, attempts = attempts + ?2, "
            "sum = checksum(key, lane, attempts + ?2, ?1, done, remote, why, short) WHERE number = ?3 AND done IS NULL"
        )
        await self._update(sql, until, int(tried), number)

    async def undeliverable(self, number: int, why: str, at: int) -> None:
        """Record that a message will never be delivered, and why."""
        sql = (
            "UPDATE letters SET done = ?1, why = ?2, sum = checksum(key, lane, attempts, until, ?1, remote, ?2, short) "
            "WHERE number = ?3 AND done IS NULL"
        )
        await self._update(sql, at, why, number)

    # --- what has served its time ---------------------------------------------------------------------
    async def shorten(self, before: int, shorter: Callable[[str], str]) -> int:
        """Shorten the bodies of some messages that were done with before an instant. Returns of how many."""
        return await self._writer.write(partial(shorten, before=before, shorter=shorter, sealer=self._sealer))

    async def forget_heard(self, before: int, after: str) -> str:
        """Forget those of the next ids after one that were dealt with before an instant. Returns the last one seen."""
        rows = await self._rows("SELECT id, at FROM heard WHERE id > ? ORDER BY id LIMIT ?", after, LOOKED_AT)
        if old := [id_ for id_, at in rows if 0 < at < before]:
            await self._writer.write(partial(forget, ids=old))
        return str(rows[-1][0]) if len(rows) == LOOKED_AT else ""

    # --- alarms ---------------------------------------------------------------------------------------
    async def due(self, now: int, limit: int = 100) -> Sequence[Alarm]:
        """Returns the alarms that are due, earliest first."""
        rows = await self._rows(
            "SELECT matches.match, alarms.match, kind, at, alarms.sum FROM alarms "
            "JOIN matches ON matches.number = alarms.match WHERE at <= ? ORDER BY at LIMIT ?",
            *(now, limit),
        )
        for row in rows:
            is_whole(row[1:])  # it goes off all the same: the match knows by itself what is due
        return [Alarm(match, kind, at) for match, _, kind, at, _ in rows]

    async def next_alarm(self, after: int = -1) -> int | None:
        """Returns the earliest instant after `after` at which an alarm is set, or None."""
        ((earliest,),) = await self._rows("SELECT min(at) FROM alarms WHERE at > ?", after)
        return None if earliest is None else int(earliest)

    # --- the two connections --------------------------------------------------------------------------
    async def _rows(self, sql: str, *values: object) -> list[Any]:
        return await self._read(lambda db: all_rows(db, sql, *values))

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await _explained(self._reader.run(work))

    async def _update(self, sql: str, *values: object, soon: bool = True) -> None:
        def update(db: sqlite3.Connection) -> None:
            db.execute(sql, values)

        await self._writer.write(update, soon=soon)


# --- on the connections' threads ----------------------------------------------------------------------
def _begin(
    db: sqlite3.Connection, path: Path, key: Path, steps: tuple[schema.Migration, ...], watch: Watch | None
) -> Sealer:
    """Make the new connection the writer's; a file that is not ours, or another's key, is refused before any change."""
    db.set_trace_callback(watch)
    known_to(db)
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
    if number_all(db, sealer) and version:
        forget_clear_words(db)  # people's ids stood where they are deleted now
    return sealer


def _set(db: sqlite3.Connection, pragmas: tuple[str, ...]) -> None:
    for pragma in pragmas:
        db.execute(pragma).fetchall()


def load_log(db: sqlite3.Connection, match: str) -> list[Record]:
    """Returns all events of a match as they are stored, sealed, their chain verified, for which no key is needed.

    Raises OSError for one that is not as it was written.
    """
    db.execute("BEGIN")  # both questions see the same moment
    try:
        row = db.execute("SELECT number, length, head FROM matches WHERE match = ?", (match,)).fetchone()
        if row is None:
            if all_rows(db, "SELECT 1 FROM events WHERE match = ? LIMIT 1", number_of(match)):
                raise damaged(match, 0)  # its events are there: the row that names it is damaged
            return []
        number, length, head = row
        rows = all_rows(db, "SELECT seq, at, body, digest FROM events WHERE match = ? ORDER BY seq", number)
        records = [Record(match, *row) for row in rows]
    finally:
        db.execute("COMMIT")
    if wrong := flaw(records, length, head):
        raise damaged(match, wrong)
    return records


def _summary(row: Sequence[Any]) -> Summary:
    *told, _, sum_ = row
    match, game, status, *lists, due, updated = told
    if not is_whole((*told, sum_)):
        raise damaged(match, 0)
    players, to_act, places = (names_of(match, text) for text in lists)
    return Summary(match, game, status, players, to_act, places, due, updated)


async def _explained(question: Awaitable[T]) -> T:
    """The answer; an error of the disk or the file as an OSError for hosts."""
    try:
        return await question
    except DATABASE_ERRORS as error:
        raise explain(error) from error
