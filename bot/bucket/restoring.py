"""Makes a data folder of what a bucket holds, to go on from it."""

import asyncio
import errno
import shutil
from pathlib import Path
from typing import NamedTuple

from bot.bucket.blocks import put_in_place
from bot.bucket.keeping import opened
from bot.bucket.rounds import Round, generations, read
from bot.folders import DATABASE, onto_the_disk
from bot.settings import Settings
from storage.inspection import Inspection


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
    if folder.exists() and any(folder.iterdir()):
        fact = f"The folder {folder} is not empty, and nothing is overwritten."
        raise OSError(errno.EEXIST, f"{fact} Stop Riposte and move it away: `mv {folder} {folder}.old`.")
    objects = opened(settings)
    generation, rounds, at = "", list[Round](), 0
    for name in reversed(await generations(objects)):
        counted = await read(objects, name)
        rounds = [one for one in counted.rounds if as_of is None or one.at <= as_of] if counted else []
        if counted and rounds:
            generation, at = name, counted.at if as_of is None else min(counted.at, int(as_of))
            break
    if not generation:
        fact = f"The bucket {objects.where.name} holds no copy{'' if as_of is None else ' from before that'}."
        raise OSError(
            errno.ENOENT, f"{fact} Correct RIPOSTE_BUCKET{'' if as_of is None else ', or name a later time'}."
        )
    unfinished = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700, parents=True)
    try:
        for one in rounds:
            for count in range(one.parts):
                part = await objects.get(f"{generation}/{one.name}/{count:06d}")
                await asyncio.to_thread(put_in_place, part, unfinished)
        database = unfinished / DATABASE
        found = await asyncio.to_thread(inspect, database) if database.exists() else None
        await asyncio.to_thread(_placed, unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    return Restored(at, found)


def _placed(unfinished: Path, folder: Path) -> None:
    for path in (*unfinished.rglob("*"), unfinished):
        onto_the_disk(path)
    if folder.exists():
        folder.rmdir()  # it is empty
    unfinished.rename(folder)
    onto_the_disk(folder.absolute().parent)
