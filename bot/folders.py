"""Where a host's data lie: the folders made at the start, and what is kept beside the database."""

import os
from pathlib import Path

from bot.logs import DailyFile
from bot.settings import Settings

DATABASE, WEB_ROOM, MATRIX = "riposte.db", "web-room.db", "matrix"
"""The names in a backup, and in the data folder."""
RUNNING = ("-wal", "-shm", "-journal", ".new")
"""What files end in that belong to those beside them, or to a write under way."""


def database(settings: Settings) -> str:
    """Where the database is, once its folder exists."""
    make(settings.data, "RIPOSTE_DATA")
    if "://" not in settings.store:
        make(Path(settings.store).parent, "RIPOSTE_DATABASE")
    return settings.store


def daily_log(settings: Settings) -> DailyFile | None:
    """The log's files, once their folder exists; None where it goes to standard error."""
    if settings.log_folder is None:
        return None
    make(settings.log_folder, "RIPOSTE_LOG_FOLDER")
    return DailyFile(settings.log_folder, settings.log_days)


def make(folder: Path, setting: str) -> None:
    """Make a folder that may be there already. Raises OSError with the fact and the remedy."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fact = f"The folder {folder} cannot be made: {error.strerror}."
        raise OSError(error.errno, f"{fact} Choose one that Riposte may write to, with {setting}.") from error


def of_matrix(data: Path) -> list[Path]:
    """The files of the bot's login on Matrix and its keys."""
    files = sorted(path for path in (data / MATRIX).glob("*") if path.is_file())
    return [path for path in files if not path.name.endswith(RUNNING)]


def onto_the_disk(path: Path) -> None:
    """Return when a file or folder is on the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
