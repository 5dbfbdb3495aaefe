"""Sends what has changed into the bucket while Riposte runs; nobody who plays waits for it."""

import asyncio
import errno
import shutil
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Final

import structlog

from bot.bucket.address import bucket
from bot.bucket.blocks import Known, parts
from bot.bucket.mark import mark, marked
from bot.bucket.objects import Objects
from bot.bucket.rounds import (
    Round,
    Rounds,
    begun,
    generations,
    instant,
    named_after,
    new_generation,
    read,
    since,
    write,
)
from bot.folders import DATABASE, MATRIX, WEB_ROOM, of_matrix
from bot.settings import Settings
from bot.standby import EVERY, LATE, TALK_EVERY, events_in, looks
from bot.trouble import reason
from storage import is_server, located
from storage.people.erasure import list_beside
from storage.seal import read_key

log = structlog.get_logger(__name__)

KEEP: Final = 7 * 86_400
"""Seconds for which a generation is kept after the next one has begun."""
MOST: Final = 1_000
"""Rounds of a generation: whoever goes on from it reads each."""
LEAST: Final = 64 * 1024 * 1024
"""Bytes of rounds that may lie behind a copy, however small that is."""
UNCHANGED: Final = 2 * EVERY
"""Seconds after which it is said that nothing has changed."""
LOOKED: Final = 300
"""Seconds after which it is looked again whether another sends there, too."""
PUT_BACK: Final = (
    "what counts in the bucket is older than what was sent: somebody has put it back. A whole copy is sent now; look "
    "who else may write there"
)
ASIDE: Final = "bucket.part"
"""The folder in which copies lie while they are sent."""


class BucketStandby:
    """Runs until it is cancelled; what cannot be sent is told in the log, and tried again."""

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
        self._generation = ""
        self._rounds = Rounds()
        self._known: dict[str, Known] = {}
        self._seen: dict[str, tuple[int, ...]] = {}
        """How each source looked when it was last sent."""
        self._talk_due = 0.0
        self._looked = 0.0
        self._pruned = False

    async def run(self) -> None:
        """Send again and again."""
        while self._settings.bucket:
            began = time.monotonic()
            try:
                await self.copy()
            except OSError as error:
                log.error("the standby in the bucket is not up to date", error=reason(error))
            await self._pause(max(EVERY, 3 * (time.monotonic() - began)))

    async def copy(self) -> None:
        """Send what has changed, then list it. Raises OSError with a sentence; the next try sends it all."""
        settings, at = self._settings, self._now()
        objects = opened(settings)
        rounds, known, generation = self._rounds, self._known, self._generation
        size = sum(one.size for one in rounds.rounds[1:])
        begins = not rounds.rounds or len(rounds.rounds) >= MOST or size > max(LEAST, rounds.rounds[0].size)
        if begins or abs(at - self._looked) >= LOOKED:
            newest, put_back = await self._refuse_to_hide(objects)
            self._looked, begins = at, begins or put_back
        if begins:
            generation, rounds, known = named_after(newest, at), Rounds(), {}
        aside = settings.data / ASIDE
        try:
            found, seen, talk_due = await asyncio.to_thread(self._gather, aside, at, whole=not known)
            looked = {name: one for name, one in known.items() if name in found}
            unchanged = {name: path for name, path in found.items() if path is not None}
            sent = await self._sent(objects, generation, unchanged, known, looked, gone=set(known) - set(found), at=at)
            events = (
                await asyncio.to_thread(events_in, aside / DATABASE) if (aside / DATABASE).exists() else rounds.events
            )
        finally:
            await asyncio.to_thread(shutil.rmtree, aside, ignore_errors=True)
        if not sent.parts and (not rounds.rounds or at - rounds.at < UNCHANGED):
            self._seen, self._talk_due = seen, talk_due
            return  # nothing is there, or nothing has changed, as was said a moment ago
        rounds = Rounds(events, int(at), [*rounds.rounds, *([sent] if sent.parts else [])])
        began = generation != self._generation
        before = marked(settings.data)
        ours = (*before.generations, generation) if began else before.generations
        if began:  # said first: whatever comes to count there is known as ours
            await asyncio.to_thread(mark, settings.data, before.at, ours)
        await write(objects, generation, rounds)
        self._generation, self._rounds, self._known = generation, rounds, looked
        self._seen, self._talk_due = seen, talk_due
        await asyncio.to_thread(mark, settings.data, at, ours)
        if began or not self._pruned:
            self._pruned = False
            await self._prune(objects, at)
            self._pruned = True

    async def _sent(
        self,
        objects: Objects,
        generation: str,
        files: dict[str, Path],
        known: dict[str, Known],
        looked: dict[str, Known],
        *,
        gone: set[str],
        at: float,
    ) -> Round:
        """Send what has changed of files as a round of its own name."""
        name = new_generation(at)
        compared = {one: how for one, how in known.items() if one in files or one in gone}
        made = parts(files, compared, looked)
        count = size = 0
        while (part := await asyncio.to_thread(next, made, None)) is not None:
            await objects.put(f"{generation}/{name}/{count:06d}", part)
            count, size = count + 1, size + len(part)
        return Round(name, count, int(at), size)

    def _gather(
        self, aside: Path, at: float, *, whole: bool
    ) -> tuple[dict[str, Path | None], dict[str, tuple[int, ...]], float]:
        """Copy each database that has changed aside, as it is at one moment. Returns all files; None = as it was."""
        settings = self._settings
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(mode=0o700, parents=True)
        sources: dict[str, Path] = {}
        if not is_server(settings.store):
            sources[DATABASE] = located(settings.store)
        if settings.erased.exists():
            sources[list_beside(Path(DATABASE)).name] = settings.erased
        talk, talk_due = settings.data / WEB_ROOM, self._talk_due
        if talk.exists():
            sources[WEB_ROOM] = talk
        sources |= {
            f"{MATRIX}/{file.name}": file for file in of_matrix(settings.data)
        }  # last: never older than the rest
        found: dict[str, Path | None] = {}
        seen = dict(self._seen)
        for name, source in sources.items():
            now = looks(source)
            waits = name == WEB_ROOM and at < talk_due and not whole
            if not whole and (waits or seen.get(name) == now):
                found[name] = None
                continue
            target = aside / name
            target.parent.mkdir(mode=0o700, exist_ok=True)
            _copied(source, target)
            found[name], seen[name] = target, now
            if name == WEB_ROOM:
                talk_due = at + TALK_EVERY
        return found, seen, talk_due

    async def _refuse_to_hide(self, objects: Objects) -> tuple[str, bool]:
        """Raise OSError where the bucket holds what this folder does not: it waits to be restored, or another writes.

        Returns the newest generation there, "" = none, and whether what counts is older than what was last sent.
        """
        settings, there = self._settings, await generations(objects)
        found, newest = list(there), None
        while found and newest is None:
            newest = await read(objects, name := found.pop())
        sent, ours = marked(settings.data)
        if newest is not None and ours and name not in ours:
            fact = f"Another Riposte has sent into the bucket {objects.where.name} since {since(name)}, or this folder"
            raise OSError(
                errno.EEXIST,
                f"{fact} is older than what lies there, so nothing is sent. Stop one of the two, or name another "
                "folder in RIPOSTE_BUCKET.",
            )
        if (
            newest is not None
            and not self._generation
            and not is_server(settings.store)
            and newest.events > await asyncio.to_thread(events_in, located(settings.store))
        ):
            fact = f"The bucket {objects.where.name} holds more than the database {settings.store}, so nothing is sent."
            raise OSError(
                errno.EEXIST, f"{fact} Restore it (docs/hosting.md), or name another folder in RIPOSTE_BUCKET."
            )
        put_back = newest is not None and sent is not None and name in ours and newest.at < int(sent)
        if put_back:
            log.error(PUT_BACK, bucket=objects.where.name, sent=instant(sent or 0))
        return there[-1] if there else "", put_back

    async def _prune(self, objects: Objects, at: float) -> None:
        """Delete generations that were followed by another one long ago."""
        there = await generations(objects)
        for one, following in pairwise(there):
            if begun(following) < at - KEEP and one != self._generation:
                await objects.clear(one)


def opened(settings: Settings) -> Objects:
    """The bucket of the settings, under the database's key. Raises OSError where something of it is missing."""
    sealer = read_key(settings.key)
    if sealer is None:
        fact = f"There is no key {settings.key} yet, so nothing can be sealed for the bucket."
        raise OSError(errno.ENOENT, f"{fact} Start Riposte once, or put your copy of the key there.")
    return Objects(bucket(settings.bucket), settings.bucket_key.get_secret_value(), sealer)


def told(settings: Settings, now: float) -> tuple[str, str]:
    """Returns how old what the bucket holds is, and the remedy where it is too old; ("", "") where none is wanted."""
    if not settings.bucket:
        return "", ""
    place = bucket(settings.bucket)
    name = f"the standby in the bucket {place.name} at {place.at}"
    old = age(settings, now)
    if old is None:
        return f"there is no copy in the bucket {place.name} yet", "Start Riposte; if it runs, its log says why."
    return f"{name} is {old:.0f} s old", "Its log says why; a Riposte that runs sends every 20 s." if old > LATE else ""


def age(settings: Settings, now: float) -> float | None:
    """Returns how many seconds old what the bucket holds is, as this machine knows; None where nothing was sent."""
    at = marked(settings.data).at
    return None if at is None else max(0.0, now - at)


def _copied(source: Path, target: Path) -> None:
    """Copy a file; a database as it is at one moment, each page in its place, so that few blocks change."""
    try:
        if source.suffix != ".db":
            shutil.copyfile(source, target)
            return
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as db,
            closing(sqlite3.connect(target)) as copy,
        ):
            db.backup(copy)
    except sqlite3.Error as error:
        raise OSError(errno.EIO, f"The database {source} cannot be copied: {error}. Look after its disk.") from error
    except OSError as error:
        fact = f"What goes into the bucket cannot be copied aside: {error.strerror}, at {error.filename}."
        raise OSError(error.errno, f"{fact} Free some space there: as much as the database has.") from error
