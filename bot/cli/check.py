"""`riposte check`: whether all that is kept beside the logs of matches is what follows from these logs.

`doctor` looks at what Riposte stands on, and whether everything stored is as it was written. This works each match out
anew, from its first event on, and holds beside it what lists show, when it is to be woken, how it was kept, and its
result. Of results it leaves out what hung on the day: whether its players were rated, and where it counted.
"""

import shutil
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

from bot.cli.databases import Database, database
from bot.console.checks import Finding, fault, ok
from bot.messages.serialization import read_event
from bot.ratings.results import KEY, OWNER, read_result, result_of
from bot.repository import summarize
from bot.settings import Settings
from engine.game import NotationError
from engine.match.alarms import alarms
from engine.match.evolve import replay
from engine.match.snapshot.keep import read, write
from engine.match.state import Match
from storage import open_store
from storage.store import Alarm, Store, Summary

EVER = 1 << 62
"""Later than any alarm is set for."""
BACKUP = "Restore a backup that `riposte check` finds nothing in; until then this match plays on by its log."
ENDLESS = "it is open to a claim, and no alarm ends it if nobody claims it: an earlier version of Riposte set none"
CLAIM = "Nothing is lost. Whatever happens next in the match sets the alarm; an opponent's `claim {match}` ends it."
VERSION = "Start the version of Riposte that it was played with; all other matches can be played."


async def examine(settings: Settings) -> AsyncIterator[Finding]:
    """Yields what is found in a copy of the database, made beside a Riposte that may be running."""
    kept = database(settings)
    if await kept.in_use() is None:
        yield fault(f"there is no database {kept.shown}", "Name the one that is to be looked at by RIPOSTE_DATABASE.")
        return
    folder = Path(mkdtemp(prefix="check-", dir=kept.path.parent if kept.path else settings.data))
    try:
        await _copy(kept, folder / "riposte.db", settings)
        store = await open_store(folder / "riposte.db", settings.key)
        try:
            async for finding in examined(store):
                yield finding
        finally:
            await store.close()
    finally:
        shutil.rmtree(folder)


async def _copy(kept: Database, file: Path, settings: Settings) -> None:
    if kept.path is None:
        from bot.cli.migrate import migrate

        await migrate(kept.where, str(file), settings.data)
    else:
        from storage.sqlite.inspect import copy

        copy(kept.path, file)


async def examined(store: Store) -> AsyncIterator[Finding]:
    """Yields what does not follow from the logs of a store, match by match, then how much was looked at."""
    set_for: dict[str, set[Alarm]] = defaultdict(set)
    for alarm in await store.due(EVER, limit=EVER):
        set_for[alarm.match].add(alarm)
    count = events = 0
    for summary in await store.matches():
        count += 1
        try:
            log = await store.load(summary.match)
            match = replay((read_event(record.body) for record in log), check=True)
        except OSError as error:
            yield fault(f"match {summary.match} is damaged: {error.strerror or error}", "")
            continue
        except (KeyError, ValueError, NotationError) as error:
            yield fault(f"match {summary.match} cannot be replayed: {error!r}", VERSION)
            continue
        events += len(log)
        if match is None:
            yield fault(f"match {summary.match} is listed, and nothing has happened in it", BACKUP)
            continue
        alarmed = set_for[match.id]
        for end in _unended(match, alarmed):
            yield fault(f"match {match.id}: {ENDLESS}", CLAIM.format(match=match.id))
            alarmed = {*alarmed, end}
        for what in [*_listed(match, summary), *_woken(match, alarmed), *await _kept(store, match)]:
            yield fault(f"match {match.id}: {what}", BACKUP)
        if what := await _result(store, match):
            yield fault(f"match {match.id}: {what}", BACKUP)
    matches = f"{count} match{'es were' if count != 1 else ' was'}"
    yield ok(f"{matches} worked out anew from {events} events, with lists, alarms, snapshots and results")


def _unended(match: Match, found: set[Alarm]) -> Iterator[Alarm]:
    """What is to end a match that nobody claims, where that is not set: earlier versions set nothing there."""
    if match.claimable and not any(alarm.kind == "flag" for alarm in found):
        yield from (Alarm(match.id, alarm.kind, alarm.at) for alarm in alarms(match) if alarm.kind == "flag")


def _listed(match: Match, summary: Summary) -> Iterator[str]:
    anew = summarize(match, summary.updated)
    for name in Summary.__dataclass_fields__:
        if getattr(anew, name) != getattr(summary, name):
            yield f"lists show {name} {getattr(summary, name)!r}, and its log says {getattr(anew, name)!r}"


def _woken(match: Match, found: set[Alarm]) -> Iterator[str]:
    """A reminder may be set for later than it was due: nobody is woken at night. One that was given is set no more."""
    expected = {Alarm(match.id, alarm.kind, alarm.at) for alarm in alarms(match)}
    for kind in sorted({alarm.kind for alarm in expected ^ found}):
        due, at = (_instants(many, kind) for many in (expected, found))
        if kind != "nudge" or (due and at and at < due) or (at and not due):
            yield f"it is to be woken for {kind} at {at or 'no time'}, and its log says {due or 'no time'}"


def _instants(many: set[Alarm], kind: str) -> int:
    return max((alarm.at for alarm in many if alarm.kind == kind), default=0)


async def _kept(store: Store, match: Match) -> list[str]:
    data, behind, log = await store.resume(match.id)
    kept = read(data) if behind else None
    if kept is None:  # none was kept, or by another program: then nobody reads it
        return []
    resumed = replay((read_event(record.body) for record in log), check=True, match=kept[0])
    if resumed is None or write(resumed, 0) == write(match, 0):
        return []
    return [f"as it was kept after event {behind} it is not what its log says"]


async def _result(store: Store, match: Match) -> str:
    stored = await store.setting(OWNER.format(match=match.id), KEY.format(game=match.game.key))
    if not stored:  # it goes on, is an import, or from before results were kept
        return ""
    kept = read_result(stored)
    anew = result_of(match, people=kept.rated, places=kept.places, calls=kept.calls)
    if anew is not None and replace(anew, rated=kept.rated) == kept:
        return ""
    return f"its result is kept as {stored}, and its log says {anew}"
