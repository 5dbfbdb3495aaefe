"""A copy of everything that Riposte keeps, made while it runs and verified before it is there."""

import errno
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

DATABASE, WEB_ROOM, MATRIX = "riposte.db", "web-room.db", "matrix"
"""The names in a backup, and in the data folder."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What is in a backup."""

    matches: int
    damaged: tuple[str, ...]
    """Matches that were damaged already where they came from."""
    parts: tuple[str, ...]
    rows: tuple[str, ...] = ()
    """What else was, the web room's talk included."""


def back_up(store: str, data: Path, folder: Path) -> Backup:
    """Copy the database, then what platforms keep beside it. Raises OSError with the fact and the remedy.

    In this order: keys may be newer than what was read with them, never older.
    """
    from bot.adapters.web.history.file import damaged
    from storage import located
    from storage.inspect import copy, inspect, is_sound

    database = located(store)
    if not database.is_file():
        raise OSError(errno.ENOENT, f"There is nothing to copy: {database} does not exist. Start Riposte first.")
    if folder.exists() or folder.is_symlink():
        raise OSError(
            errno.EEXIST, f"The folder {folder} is there already, and a backup overwrites nothing. Name a new one."
        )
    unfinished = folder.with_name(f"{folder.name}.part")
    try:
        unfinished.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(unfinished, ignore_errors=True)  # of a backup that was cut off
        unfinished.mkdir(mode=0o700)
        parts = [DATABASE]
        copy(database, unfinished / DATABASE)
        found = inspect(unfinished / DATABASE)
        rows = list(found.rows)
        for other in _beside(data):
            target = unfinished / other.relative_to(data)
            target.parent.mkdir(mode=0o700, exist_ok=True)
            if other.suffix == ".db":
                copy(other, target)
                rows += damaged(target, None) if other.name == WEB_ROOM else []
                if not is_sound(target):
                    raise OSError(
                        errno.EBADMSG, f"The file {other} is damaged. Restore it from an older backup, or move it away."
                    )
            else:
                shutil.copyfile(other, target)
                target.chmod(0o600)
            parts.append(str(other.relative_to(data)))
        for part in (*unfinished.rglob("*"), unfinished):
            _onto_the_disk(part)
        unfinished.rename(folder)
        _onto_the_disk(folder.parent)
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        if error.filename is None:
            raise  # it is a sentence already
        fact = f"The backup {folder} cannot be written: {error.strerror}, at {error.filename}."
        raise OSError(error.errno, f"{fact} Name a folder with space that you may write to.") from error
    return Backup(found.matches, found.damaged, tuple(parts), tuple(rows))


def _beside(data: Path) -> list[Path]:
    """What platforms keep beside the database: the web room's talk, Matrix's login and keys."""
    talk = data / WEB_ROOM
    matrix = sorted(path for path in (data / MATRIX).glob("*") if path.is_file())
    running = ("-wal", "-shm", "-journal", ".new")  # belongs to the files beside it, or to a write under way
    return [*([talk] if talk.is_file() else []), *(path for path in matrix if not path.name.endswith(running))]


def _onto_the_disk(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
