"""The database's file under a running program: locked, watched, and rescued when somebody takes it away."""

import errno
import fcntl
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Self, TypeAlias

from storage.sqlite.errors import DATABASE_ERRORS

Seen: TypeAlias = tuple[int, ...] | None
"""What tells one file from another that has taken its place; None = there is none."""


class DatabaseFile:
    """One database file that is ours alone as long as this lives."""

    def __init__(self, path: Path, locks: list[int]):
        self.path = path
        self._path, self._log_path = os.fspath(path), f"{path}-wal"  # asked for twice in each transaction
        self._locks = locks
        self._main: Seen = None
        self._log: Seen = None
        self._told: OSError | None = None
        """What callers are told since the file was last found missing."""

    @classmethod
    def lock(cls, path: Path) -> Self:
        """Lock the database itself, so that no second bot can start on it; released if this process dies."""
        _refuse_beside_rescued(path)
        locks: list[int] = []
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # A lock on the database holds wherever that is moved. 0.1.0 locks the file beside it, and looks there.
            for each in (path, path.with_name(path.name + ".lock")):
                locks.append(os.open(each, os.O_RDWR | os.O_CREAT, 0o600))  # it holds secrets: readable by us alone
                fcntl.flock(locks[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            _close(locks)
            if isinstance(error, BlockingIOError):
                fact = f"Another Riposte is running on {path}. Stop it first, or choose another database file."
                raise OSError(errno.EBUSY, fact) from None
            fact = f"The database {path} cannot be written: {error.strerror}. Give Riposte write access to its folder."
            raise OSError(error.errno, fact) from error
        return cls(path, locks)

    def settle(self) -> None:
        """Remember how the file looks now; called after whatever we ourselves write into it."""
        self._main, self._log = self._look(), _identity(self._log_path)

    def check(self, db: sqlite3.Connection) -> None:
        """Raise OSError if the file or its log is no longer the one that we write, once what there is is rescued."""
        main, log = self._look(), _identity(self._log_path)
        if main == self._main and (log == self._log or self._log is None):
            self._log, self._told = log, None
            return
        if self._told is None:
            self._told = self._rescue(db, gone=main is None or log is None)
        raise self._told

    def unlock(self) -> None:
        """Let others have the file."""
        _close(self._locks)

    def _look(self) -> Seen:
        found = _stat(self._path)
        # Nobody but us writes there: a file whose content was exchanged under its name shows it by its time and size.
        return found and (found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size)

    def _beside(self, ending: str) -> Path:
        return self.path.with_name(self.path.name + ending)

    def _rescue(self, db: sqlite3.Connection, *, gone: bool) -> OSError:
        """Copy what our connection still reads into a file beside it. Returns what callers are told."""
        happened = "was removed" if gone else "was replaced or written by another program"
        fact = f"The database {self.path} {happened} while Riposte was running, so nothing more is accepted."
        target = next(each for each in map(self._beside, _names()) if not each.exists())
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            db.execute("VACUUM INTO ?", (str(target),))
            target.chmod(0o600)
            with target.open("rb") as written:
                os.fsync(written.fileno())
        except (OSError, *DATABASE_ERRORS) as error:
            with suppress(OSError):
                target.unlink()
            remedy = f"It could not be rescued ({error}): stop Riposte and restore a backup."
        else:
            remedy = f"All that was accepted is in {target}: stop Riposte, move that file to {self.path}, start again."
        return OSError(errno.ESTALE, f"{fact} {remedy}")


def is_locked(path: Path) -> bool:
    """Returns whether a Riposte is running on the database."""
    try:
        lock = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(lock)


def rescued_from(path: Path) -> Path | None:
    """Returns the latest file that was rescued from a database, if one lies beside it."""
    return max(path.parent.glob(f"{path.name}.rescued*"), key=lambda file: file.stat().st_mtime_ns, default=None)


def _refuse_beside_rescued(path: Path) -> None:
    """Raise OSError rather than begin anew where a rescued database waits to be moved back."""
    rescued = None if path.exists() else rescued_from(path)
    if rescued is not None:
        raise OSError(
            errno.ENOENT,
            f"The database {path} is missing, and {rescued} was rescued from it. "
            f"Move that file to {path} to go on, or move it elsewhere to begin anew.",
        )


def _names() -> list[str]:
    return [".rescued", *(f".rescued-{number}" for number in range(2, 1000))]


def _identity(path: str) -> Seen:
    found = _stat(path)
    return found and (found.st_dev, found.st_ino)


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116  (no object for each)
    except OSError:
        return None


def _close(locks: list[int]) -> None:
    for lock in locks:
        os.close(lock)
