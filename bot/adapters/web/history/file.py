"""The file of the web room's talk: ours alone while it is open, watched, and sealed with the database's key."""

import contextlib
import errno
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self, TypeVar

from bot.adapters.web.history import checksums, sessions
from storage.seal import Sealer, fitting
from storage.sqlite.checksums import known_to
from storage.sqlite.earlier import forget_clear_words
from storage.sqlite.errors import DATABASE_ERRORS, explain
from storage.sqlite.file import DatabaseFile

T = TypeVar("T")

FOLDED: Final = 2_000
"""Changed rows after which the log is moved into the file."""


@dataclass(slots=True)
class HistoryFile:
    """The open file; all of it runs on one thread."""

    db: sqlite3.Connection
    sealer: Sealer
    file: DatabaseFile
    unfolded: int = 0

    @classmethod
    def open(cls, path: Path, key: Path) -> Self:
        """Make or open the file. Raises OSError with a sentence for the host where that cannot be done."""
        file = DatabaseFile.lock(path)
        try:
            db = _connect(path)
            try:
                opened = cls(db, _prepare(db, path, key), file)
            except BaseException:
                db.close()
                raise
        except BaseException:
            file.unlock()
            raise
        file.settle()
        return opened

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()
        self.file.unlock()

    def fold(self) -> None:
        """Move the whole log into the file: nothing of what was deleted stays in it."""
        with contextlib.suppress(*DATABASE_ERRORS):
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.unfolded = 0
        self.file.settle()

    def transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do `work` in one transaction; what was written is there, in the file that others find, once this returns."""
        before = self.db.total_changes
        self.file.check(self.db)
        with _transaction(self.db):
            done = work(self.db)
        self.file.check(self.db)
        self.unfolded += self.db.total_changes - before
        if self.unfolded > FOLDED:
            self.unfolded = 0
            with contextlib.suppress(*DATABASE_ERRORS):  # nothing is lost, the log just stays longer
                self.db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            self.file.settle()
        return done


_VERSION, _PLAIN, _UNSUMMED, _OWNERLESS, _CLEAR = 5, 4, 3, 2, 1
"""The file's form, and the last ones that did not say what pictures show, without checksums, in which seats were
anybody's, in which all stood in the clear."""

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA wal_autocheckpoint = 0",  # the file changes only when we know of it
    "PRAGMA journal_size_limit = 67108864",
    "PRAGMA secure_delete = ON",
)

_SCHEMA = """
CREATE TABLE seat (
    id    TEXT PRIMARY KEY,
    name  TEXT NOT NULL,
    since INTEGER NOT NULL          -- nothing older counts as unread
) STRICT, WITHOUT ROWID;

CREATE TABLE place (
    channel TEXT NOT NULL,
    thread  TEXT NOT NULL,          -- '' is the channel itself
    game    TEXT NOT NULL DEFAULT '',
    players TEXT NOT NULL DEFAULT '',
    to_act  TEXT NOT NULL DEFAULT '',
    over    INTEGER NOT NULL DEFAULT 0,
    first   INTEGER NOT NULL,
    PRIMARY KEY (channel, thread)
) STRICT, WITHOUT ROWID;

CREATE TABLE message (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    id       TEXT NOT NULL,
    channel  TEXT NOT NULL,
    thread   TEXT NOT NULL,
    author   TEXT NOT NULL,
    name     TEXT NOT NULL,
    only_for TEXT NOT NULL,
    said     TEXT NOT NULL,
    body     TEXT NOT NULL,
    at       INTEGER NOT NULL,
    heard    INTEGER NOT NULL,
    UNIQUE (author, id)             -- nobody's message can pass for another's, or for the bot's
) STRICT;
CREATE INDEX message_by_place ON message (channel, thread, number);
CREATE INDEX message_unheard ON message (number) WHERE NOT heard;

CREATE TABLE picture (
    token TEXT PRIMARY KEY,
    png   BLOB NOT NULL
) STRICT;

CREATE TABLE seen (
    seat    TEXT NOT NULL,
    channel TEXT NOT NULL,
    thread  TEXT NOT NULL,
    number  INTEGER NOT NULL,
    PRIMARY KEY (seat, channel, thread)
) STRICT, WITHOUT ROWID;
"""


_ERASED = "CREATE TABLE IF NOT EXISTS erased (digest TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID"
"""Which erasures of the list beside the database this file has been through."""


def _connect(path: Path) -> sqlite3.Connection:
    try:
        db = sqlite3.connect(path, isolation_level=None, timeout=5)
        known_to(db)
        return db
    except DATABASE_ERRORS as error:
        raise OSError(
            errno.EACCES, f"The web room cannot write its history {path}: {error}. Name another folder."
        ) from error


def _prepare(db: sqlite3.Connection, path: Path, key: Path) -> Sealer:
    """Bring the file to this version's form, sealed. Returns what opens it."""
    try:
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        if version > _VERSION:
            raise OSError(
                errno.EBADMSG,
                f"The web room's history {path} was written by a newer Riposte (it says {version}, this one knows "
                f"{_VERSION}). Start the newer Riposte, or name another folder.",
            )
        proof = db.execute("SELECT proof FROM seal").fetchone() if version > _CLEAR else None
        sealer = fitting(proof[0] if proof else "", key, path)
        for pragma in _PRAGMAS:
            db.execute(pragma).fetchall()
        db.execute(_ERASED)
        if version < _VERSION:
            with _transaction(db):
                if not version:
                    for statement in _SCHEMA.split(";\n"):
                        db.execute(statement)
                if version <= _CLEAR:
                    _seal_all(db, sealer)
                if version <= _OWNERLESS:
                    for statement in sessions.SCHEMA.split(";\n"):
                        db.execute(statement)
                if version <= _UNSUMMED:
                    db.execute("ALTER TABLE place ADD COLUMN due INTEGER NOT NULL DEFAULT 0")
                    checksums.add_sums(db)
                if version <= _PLAIN:
                    db.execute("ALTER TABLE picture ADD COLUMN described TEXT NOT NULL DEFAULT ''")
                db.execute(f"PRAGMA user_version = {_VERSION}")
            if version == _CLEAR:
                forget_clear_words(db)
    except DATABASE_ERRORS as error:
        raise OSError(
            errno.EBADMSG,
            f"The web room cannot read its history {path}: {error}. Move the file away to begin a new one; "
            "it holds only the talk, every match is kept elsewhere.",
        ) from error
    return sealer


def _seal_all(db: sqlite3.Connection, sealer: Sealer) -> None:
    """Seal what stands in the clear, and note with which key."""
    db.execute("CREATE TABLE seal (proof TEXT NOT NULL) STRICT")
    db.execute("INSERT INTO seal VALUES (?)", (sealer.proof,))
    for number, author, key, said, body in db.execute("SELECT number, author, id, said, body FROM message").fetchall():
        sealed = sealed_words(sealer, author, key, said, body)
        db.execute("UPDATE message SET said = ?, body = ? WHERE number = ?", (*sealed, number))
    for (token,) in db.execute("SELECT token FROM picture").fetchall():  # one at a time: all of them are much
        (png,) = db.execute("SELECT png FROM picture WHERE token = ?", (token,)).fetchone()
        sealed_png = sealer.seal_bytes(png, "picture", token)
        db.execute("UPDATE picture SET png = ? WHERE token = ?", (sealed_png, token))


def sealed_words(sealer: Sealer, author: str, key: str, said: str, body: str) -> tuple[str, str]:
    """What was typed and what the page shows of it, as they are stored."""
    return sealer.seal(said, "said", author, key), sealer.seal(body, "shown", author, key)


def opened_words(sealer: Sealer, author: str, key: str, said: str, body: str) -> tuple[str, str]:
    """The same, read. Raises OSError for what is not as it was written."""
    return sealer.open(said, "said", author, key), sealer.open(body, "shown", author, key)


def damaged(path: Path, sealer: Sealer | None) -> list[str]:
    """What a file holds that is not as it was written, each as `table key`; a room may be open on it meanwhile.

    Raises OSError with the fact and the remedy.
    """
    try:
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            db.execute("PRAGMA busy_timeout = 5000")
            version = int(db.execute("PRAGMA user_version").fetchone()[0])
            rows = checksums.damaged_rows(db) if version > _UNSUMMED else []
            if sealer is not None and version > _CLEAR:
                rows += _broken_seals(db, sealer)
            return list(dict.fromkeys(rows))
    except DATABASE_ERRORS as error:
        raise explain(error) from error


def _broken_seals(db: sqlite3.Connection, sealer: Sealer) -> Iterator[str]:
    for number, author, key, said, body in db.execute("SELECT number, author, id, said, body FROM message"):
        try:
            opened_words(sealer, author, key, said, body)
        except OSError:
            yield f"message {number}"
    has = {str(row[1]) for row in db.execute("PRAGMA table_info(picture)")}
    described = "described" if "described" in has else "''"
    for token, png, told in db.execute(f"SELECT token, png, {described} FROM picture"):  # noqa: S608
        try:
            sealer.open_bytes(png, "picture", token)
            if told:
                sealer.open(told, "described", token)
        except OSError:
            yield f"picture {token}"


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        # A full disk ends the transaction by itself.
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
