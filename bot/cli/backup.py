"""A copy of everything that Riposte keeps, made while it runs and verified before it is there."""

import errno
import shutil
from dataclasses import dataclass
from pathlib import Path

from bot.folders import DATABASE, WEB_ROOM, of_matrix, onto_the_disk


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
    """Copy the database if it is a file, then what platforms keep beside it. Raises OSError with fact and remedy.

    In this order: keys may be newer than what was read with them, never older.
    """
    from bot.adapters.web.history.file import damaged
    from storage import is_server, located
    from storage.inspection import Inspection
    from storage.sqlite.inspect import copy, inspect, is_sound

    database = None if is_server(store) else located(store)
    if database is not None and not database.is_file():
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
        parts: list[str] = []
        found = Inspection(0, 0, 0, 0, ())
        if database is not None:
            parts.append(DATABASE)
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
            onto_the_disk(part)
        unfinished.rename(folder)
        onto_the_disk(folder.parent)
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
    return [*([talk] if talk.is_file() else []), *of_matrix(data)]
