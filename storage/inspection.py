"""Looks at everything that a database holds, and names what is not as it was written."""

from dataclasses import dataclass

from storage.checksum import damaged_rows
from storage.lists import misplaced
from storage.people.persons import named
from storage.people.words import whole, wrongly_gone
from storage.plan import Plan, ask
from storage.seal import Sealer, broken_seals, known_key
from storage.snapshots import load_log, misfits

SUMMED_SINCE = 4
"""The first schema whose rows have checksums."""
KEPT_SINCE = 6
"""The first schema with snapshots."""
NUMBERED_SINCE = 7
"""The first schema whose events hold people's numbers."""
WORDED_SINCE = 8
"""The first schema whose events hold no words that people wrote."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a database was found to hold."""

    version: int
    """Of its schema; 0 for an empty file."""
    matches: int
    events: int
    waiting: int
    """Messages that are not delivered yet."""
    damaged: tuple[str, ...]
    """Matches that are not as they were written."""
    rows: tuple[str, ...] = ()
    """What else is not, by table and name: nothing of it is told to anybody."""
    unfit: tuple[str, ...] = ()
    """Matches whose snapshot does not fit their log: that is read instead, and nothing is lost."""


def inspected(version: int, sealer: Sealer | None, each: str) -> Plan[Inspection]:
    """Verify every match's chain and every row's checksum, and with a key every seal; `each` as in `misplaced`."""
    knowing = sealer if version >= NUMBERED_SINCE and (yield from known_key()) else None
    matches = [name for (name,) in (yield from ask("SELECT match FROM matches ORDER BY number"))]
    nameless = "SELECT DISTINCT match FROM events WHERE match NOT IN (SELECT number FROM matches)"
    damaged = [str(number) for (number,) in (yield from ask(nameless))]
    events = 0
    for match in matches:
        try:
            log = yield from load_log(match)
            events += len(log)
            if knowing is not None:
                if version >= WORDED_SINCE:  # every number in it is somebody's, and no words are missing
                    yield from whole(match, log, knowing)
                else:
                    yield from named(match, knowing.open_log(log))
        except OSError:
            damaged.append(match)
    ((waiting,),) = yield from ask("SELECT count(*) FROM letters WHERE done IS NULL")
    rows: list[str] = []
    if version >= SUMMED_SINCE:
        rows = yield from damaged_rows(version)
        rows += [f"lists match {match}" for match in (yield from misplaced(each))]
    if version >= WORDED_SINCE:
        rows += yield from wrongly_gone()
    if sealer is not None and (yield from known_key()):
        rows += yield from broken_seals(sealer, version)
    unfit = (yield from misfits(sealer)) if sealer is not None and version >= KEPT_SINCE else []
    count = sum(map(str.isdecimal, matches))  # neither the logs of tournaments nor those of spectators' remarks
    return Inspection(version, count, events, waiting, tuple(damaged), tuple(dict.fromkeys(rows)), tuple(unfit))
