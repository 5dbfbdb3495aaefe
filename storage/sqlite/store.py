"""The store in one SQLite file that nobody else writes: one connection that writes, one that reads."""

import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Self, TypeAlias, TypeVar

from storage.database import PlannedStore
from storage.people.erasure import Gone, list_beside
from storage.plan import Migration, Planned
from storage.seal import Sealer, fitting, key_beside, known_key
from storage.sqlite import schema
from storage.sqlite.checksums import known_to
from storage.sqlite.earlier import forget_clear_words, number_all, seal_all, take_words
from storage.sqlite.erasing import drop_copies, fold
from storage.sqlite.errors import DATABASE_ERRORS, explain
from storage.sqlite.file import DatabaseFile
from storage.sqlite.plans import at_one_moment, carried_out
from storage.sqlite.writer import ThreadConnection, Writer
from storage.store import Redact

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


class SqliteStore(PlannedStore):
    """See `storage.store.Store`. Opened by `open`."""

    def __init__(self, writer: Writer, reader: ThreadConnection, file: DatabaseFile, sealer: Sealer):
        super().__init__(sealer, list_beside(file.path))
        self._writer = writer
        self._reader = reader
        self._file = file

    @classmethod
    async def open(
        cls,
        path: Path,
        key: Path | None = None,
        *,
        steps: tuple[Migration, ...] | None = None,
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
        await self.flush()
        try:
            await self._reader.close()
        finally:
            try:
                await self._writer.close()
            finally:
                self._file.unlock()

    # --- plans ----------------------------------------------------------------------------------------
    async def _read(self, plan: Planned[T]) -> T:
        return await _explained(self._reader.run(lambda db: at_one_moment(db, plan)))

    async def _write(self, plan: Planned[T]) -> T:
        return await self._writer.write(lambda db: carried_out(db, plan()))

    async def clean(self, gone: Gone, redact: Redact, owner: str, key: str) -> None:
        """Take people who are erased out of all that is done with, in the file's copies and its log, too."""
        await super().clean(gone, redact, owner, key)
        drop_copies(self._file.path)
        await self._writer.run(partial(fold, file=self._file))


# --- on the connections' threads ----------------------------------------------------------------------
def _begin(db: sqlite3.Connection, path: Path, key: Path, steps: tuple[Migration, ...], watch: Watch | None) -> Sealer:
    """Make the new connection the writer's; a file that is not ours, or another's key, is refused before any change."""
    db.set_trace_callback(watch)
    known_to(db)
    _set(db, BOTH)
    version = schema.check(db, path, steps)
    known = carried_out(db, known_key()) if version else ""
    sealer = fitting(known, key, path)
    _set(db, WRITING)
    schema.upgrade(db, path, version, steps)
    if not known:
        seal_all(db, sealer)
        if version:
            forget_clear_words(db)
    if number_all(db, sealer) and version:
        forget_clear_words(db)  # people's ids stood where they are deleted now
    take_words(db, sealer)
    return sealer


def _set(db: sqlite3.Connection, pragmas: tuple[str, ...]) -> None:
    for pragma in pragmas:
        db.execute(pragma).fetchall()


async def _explained(question: Awaitable[T]) -> T:
    """The answer; an error of the disk or the file as an OSError for hosts."""
    try:
        return await question
    except DATABASE_ERRORS as error:
        raise explain(error) from error
