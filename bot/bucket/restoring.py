"""Makes a data folder of what a bucket holds, to go on from it."""

import asyncio
import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from bot.bucket.blocks import put_in_place
from bot.bucket.keeping import opened
from bot.bucket.mark import mark
from bot.bucket.objects import Objects
from bot.bucket.rounds import Round, begun, generations, read
from bot.folders import DATABASE, onto_the_disk
from bot.settings import Settings
from storage.inspection import Inspection

UNFINISHED: Final = "restore.part"
"""The folder in the data folder in which what comes lies until it is whole."""
HARMLESS: Final = (UNFINISHED, ".env", "lost+found")
"""What a folder may hold that is as good as empty: a new volume has its own, and settings may lie in it."""


class Restored(NamedTuple):
    """What was put into the data folder."""

    at: int
    """As of when, in seconds since 1970 UTC."""
    found: Inspection | None
    """What the database holds; None where there was none."""


async def restore(settings: Settings, as_of: float | None = None) -> Restored:
    """Make the data folder as it was last, or at an instant in seconds since 1970 UTC.

    Raises OSError with the fact and the remedy.
    """
    from storage.sqlite.inspect import inspect

    folder = settings.data
    if lies := in_the_way(settings):
        fact = f"The folder {folder} is not empty, and nothing is overwritten."
        raise OSError(errno.EEXIST, f"{fact} Stop Riposte and move away what lies there: {', '.join(lies)}.")
    objects = opened(settings)
    there = await generations(objects)
    generation, rounds, at = await _found(objects, there, as_of)
    made = not folder.exists()
    unfinished = folder / UNFINISHED
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        if made:
            folder.mkdir(mode=0o700, parents=True)
        unfinished.mkdir(mode=0o700)
        for one in rounds:
            for count in range(one.parts):
                with _or_earlier(one.at):
                    part = await objects.get(f"{generation}/{one.name}/{count:06d}")
                await asyncio.to_thread(put_in_place, part, unfinished)
        database = unfinished / DATABASE
        found = await asyncio.to_thread(inspect, database) if database.exists() else None
        mark(unfinished, at, tuple(there))
        await asyncio.to_thread(_placed, unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        if made:
            with suppress(OSError):
                folder.rmdir()
        raise
    return Restored(at, found)


def in_the_way(settings: Settings) -> list[str]:
    """Returns what a data folder holds that is more than a new one has: the key and settings in a volume, say."""
    folder, key = settings.data, settings.key.absolute()
    if not folder.exists():
        return []
    found = sorted(path for path in folder.iterdir() if path.name not in HARMLESS and path.absolute() != key)
    return [path.name for path in found]


async def _found(objects: Objects, there: list[str], as_of: float | None) -> tuple[str, list[Round], int]:
    """The generation to go on from, its rounds, and as of when they are."""
    for name in reversed(there):
        try:
            with _or_earlier(begun(name)):
                counted = await read(objects, name)
        except OSError as error:
            if error.errno == errno.EBADMSG and as_of is not None and begun(name) > as_of:
                continue  # of later, and of no use to anybody any more
            raise
        rounds = [one for one in counted.rounds if as_of is None or one.at <= as_of] if counted else []
        if counted and rounds:
            return name, rounds, counted.at if as_of is None else min(counted.at, int(as_of))
    fact = f"The bucket {objects.where.name} holds no copy{'' if as_of is None else ' from before that'}."
    raise OSError(errno.ENOENT, f"{fact} Correct RIPOSTE_BUCKET{'' if as_of is None else ', or name a later time'}.")


@contextmanager
def _or_earlier(at: float) -> Iterator[None]:
    """What is damaged or missing is told with the command that takes a copy from before it."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.EBADMSG, errno.ENOENT):
            raise
        then = datetime.fromtimestamp(at - 1, UTC)
        remedy = f"If the key is right, take a copy from before it: `riposte restore --as-of {then:%Y-%m-%dT%H:%M}`."
        raise OSError(error.errno, f"{error.strerror} {remedy}") from error


def _placed(unfinished: Path, folder: Path) -> None:
    """Move all into the folder itself, which may be a volume; last the database, which a Riposte goes on from."""
    for path in (*unfinished.rglob("*"), unfinished):
        onto_the_disk(path)
    for path in sorted(unfinished.iterdir(), key=lambda path: (path.name == DATABASE, path.name)):
        path.rename(folder / path.name)
    unfinished.rmdir()
    onto_the_disk(folder)
    onto_the_disk(folder.absolute().parent)
