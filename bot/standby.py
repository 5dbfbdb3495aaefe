"""Copies everything to another disk while Riposte runs, so that losing the machine costs a minute at most.

The keys go to a folder of their own, apart from what they open. Each file is written beside the one before, synced and
then put in its place, so there is a whole copy at every moment.
"""

import asyncio
import errno
import shutil
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import structlog

from bot.folders import DATABASE, MATRIX, WEB_ROOM, of_matrix, onto_the_disk
from bot.settings import Settings
from bot.trouble import reason
from storage import is_server, located
from storage.people.erasure import list_beside
from storage.sqlite.inspect import copy

log = structlog.get_logger(__name__)

EVERY: Final = 20.0
"""Seconds between two copies of the database; one that takes longer than a third of that is made less often."""
TALK_EVERY: Final = 600.0
"""Seconds between two copies of the web room's talk and pictures, which are many and which no game depends on."""
LATE: Final = 60.0
"""Seconds after which the copy is older than was promised."""
STAMP: Final = "as-of"
"""The file that says as of when the copy is whole, in seconds since 1970 UTC."""


class Standby:
    """Runs until it is cancelled; what cannot be copied is told in the log, and tried again."""

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], float] = time.time,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ):
        """`now` tells seconds since 1970 UTC."""
        self._settings = settings
        self._now = now
        self._pause = pause
        self._looked = False
        self._talk_due = 0.0
        self._seen: dict[Path, tuple[int, ...]] = {}
        """How each file looked when it was last copied."""

    async def run(self) -> None:
        """Copy again and again."""
        while self._settings.standby is not None:
            began = time.monotonic()
            try:
                await asyncio.to_thread(self.copy)
            except OSError as error:
                log.error("the standby is not up to date", error=reason(error))
            await self._pause(max(EVERY, 3 * (time.monotonic() - began)))

    def copy(self) -> None:
        """Copy what has changed, then note as of when all of it is there. Raises OSError with a sentence."""
        settings = self._settings
        assert settings.standby is not None, "there is a standby"
        folder, at = settings.standby, self._now()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_server(settings.store):  # a server's database has a standby of its own
                source = located(settings.store)
                if not self._looked:
                    _refuse_to_overwrite(source, folder / DATABASE)
                    self._looked = True
                self._take(source, folder / DATABASE)
            if settings.erased.exists():
                self._take(settings.erased, list_beside(folder / DATABASE))
            talk = settings.data / WEB_ROOM
            if at >= self._talk_due and talk.exists():
                self._take(talk, folder / WEB_ROOM)
                self._talk_due = at + TALK_EVERY
            if keys := settings.standby_keys:  # last: newer than what was read with them, never older
                (keys / MATRIX).mkdir(mode=0o700, parents=True, exist_ok=True)
                self._take(settings.key, keys / settings.key.name)
                for file in of_matrix(settings.data):
                    self._take(file, keys / MATRIX / file.name)
            _put(folder / STAMP, f"{at:.0f}\n")
        except OSError as error:
            if error.filename is None:
                raise  # it is a sentence already
            fact = f"The standby cannot be written: {error.strerror}, at {error.filename}."
            raise OSError(
                error.errno, f"{fact} Look after its disk, or set RIPOSTE_STANDBY to another folder."
            ) from error

    def _take(self, source: Path, target: Path) -> None:
        """Copy one file, if it has changed."""
        now = looks(source)
        if self._seen.get(source) == now and target.exists():
            return
        unfinished = target.with_name(f"{target.name}.part")
        unfinished.unlink(missing_ok=True)
        if source.suffix == ".db":
            copy(source, unfinished)
        else:
            shutil.copyfile(source, unfinished)
            unfinished.chmod(0o600)
        _place(unfinished, target)
        self._seen[source] = now


def age(folder: Path, now: float) -> float | None:
    """Returns how many seconds old the copy in a folder is; None where there is none."""
    try:
        return max(0.0, now - float((folder / STAMP).read_text("ascii")))
    except (OSError, ValueError):
        return None


def told(settings: Settings, now: float) -> tuple[str, str]:
    """Returns how old the copy is, and the remedy where it is too old; ("", "") where none is wanted."""
    folder = settings.standby
    if folder is None:
        return "", ""
    old = age(folder, now)
    if old is None:
        return f"there is no standby in {folder} yet", "Start Riposte; if it runs, its log says why there is none."
    fact = f"the standby in {folder} is {old:.0f} s old"
    return fact, "Its log says why; a Riposte that runs copies at least once a minute." if old > LATE else ""


def looks(source: Path) -> tuple[int, ...]:
    """Returns what changes whenever the file or its log does."""
    found = [path.stat() for path in (source, source.with_name(f"{source.name}-wal")) if path.exists()]
    return tuple(value for one in found for value in (one.st_ino, one.st_mtime_ns, one.st_size))


def _refuse_to_overwrite(source: Path, copied: Path) -> None:
    """Raise OSError where the copy holds what this database does not: it waits to be restored."""
    if copied.exists() and events_in(copied) > events_in(source):
        fact = f"The copy in {copied.parent} holds more than the database {source}, so it is left as it is."
        raise OSError(
            errno.EEXIST, f"{fact} Restore it (docs/hosting.md), or name an empty folder with RIPOSTE_STANDBY."
        )


def events_in(path: Path) -> int:
    """Returns how many events a database holds. Raises OSError with a sentence."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            return int(db.execute("SELECT count(*) FROM events").fetchone()[0])
    except sqlite3.Error as error:
        if error.sqlite_errorcode in {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_NOTADB}:
            return 0  # an empty file, or none of ours: nothing is lost with it
        remedy = "Look after its disk; if it is a copy that is damaged, move it away."
        raise OSError(errno.EIO, f"The database {path} cannot be read: {error}. {remedy}") from error


def _put(path: Path, text: str) -> None:
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.write_text(text, "ascii")
    _place(unfinished, path)


def _place(unfinished: Path, target: Path) -> None:
    """Put a file in its place once it is on the disk."""
    onto_the_disk(unfinished)
    unfinished.rename(target)
    onto_the_disk(target.parent)
