"""Checks a history: what was said, acknowledged, applied, posted and seen must be one story.

Read from outside, from what a run has left in its folder: `said` and `acknowledged`, written by those who speak, the
database, and the wall with what is seen there.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.messages.serialization import read_event
from engine.match.events import Played
from storage.people.persons import with_names
from storage.people.words import unsaid
from storage.seal import read_key
from storage.sqlite.inspect import inspect
from tests.faults.bot import DATABASE, KEY, append, read_wall, rows


@dataclass(frozen=True, slots=True)
class Said:
    """A line of somebody's."""

    id: str
    match: str = ""
    """Where it is a turn: its match, how many turns its player saw there, and how it is written."""
    seen: int = 0
    text: str = ""

    def note(self, folder: Path) -> None:
        """Write it down, before it is said."""
        append(folder / "said", json.dumps(asdict(self)))


@dataclass(frozen=True, slots=True)
class History:
    """What a run has left."""

    said: dict[str, Said]
    acknowledged: list[str]
    heard: set[str]
    applied: dict[str, list[str]]
    """The turns of each match's log, in order."""
    posted: list[tuple[str, str, bool]]
    """Messages in the order in which they were stored: key, lane, whether they have arrived."""
    seen: list[tuple[str, str]]
    """Key and lane of what stands on the wall."""
    damaged: tuple[str, ...]


def read(folder: Path) -> History:
    """The history of a run."""
    database, sealer = folder / DATABASE, read_key(KEY)
    assert sealer is not None, "the key of the tests is there"
    found = inspect(database, sealer)
    people = dict(rows(database, "SELECT number, player FROM people"))
    applied: dict[str, list[str]] = {}
    for match, seq, body in rows(
        database,
        "SELECT matches.match, seq, body FROM events JOIN matches ON matches.number = events.match "
        "WHERE matches.game IS NOT NULL ORDER BY events.match, seq",
    ):
        event = read_event(with_names(unsaid(sealer.open(body, "events", match, seq)), people))
        if isinstance(event, Played):
            applied.setdefault(match, []).append(event.text)
    letters = rows(database, "SELECT key, lane, done IS NOT NULL AND why IS NULL FROM letters ORDER BY number")
    return History(
        said={line["id"]: Said(**line) for line in map(json.loads, _lines(folder / "said"))},
        acknowledged=_lines(folder / "acknowledged"),
        heard={id_ for (id_,) in rows(database, "SELECT id FROM heard")},
        applied=applied,
        posted=[(key, lane, bool(done)) for key, lane, done in letters],
        seen=[(key, lane) for lane, key, _ in read_wall(folder / "wall")],
        damaged=(*found.damaged, *found.rows),
    )


def broken(folder: Path) -> list[str]:
    """Returns what does not hold of a run that has come to rest, a sentence each."""
    history = read(folder)
    return [*_turns(history), *_posts(history), *(f"damaged: {part}" for part in history.damaged)]


def _turns(history: History) -> Iterable[str]:
    """What was acknowledged is applied, once, where its player saw it; and nothing else is.

    Where nobody has written down what was said, it may have been talk, which is not kept.
    """
    for id_ in history.acknowledged:
        if id_ in history.said and id_ not in history.heard:
            yield f"{id_} was acknowledged and is forgotten"
    turns = [said for said in history.said.values() if said.match and said.id in history.heard]
    for said in turns:
        applied = history.applied.get(said.match, [])
        if said.text not in applied[said.seen : said.seen + 1]:
            yield f"{said.id} is not applied in match {said.match} as turn {said.seen + 1}: {said.text}"
    if history.said:
        expected = Counter(said.match for said in turns)
        for match, applied in history.applied.items():
            if len(applied) != expected[match]:
                yield f"match {match} has {len(applied)} turns, and {expected[match]} were said"


def _posts(history: History) -> Iterable[str]:
    """What was posted is seen once and in order; and nothing else is."""
    for key, times in Counter(key for key, _ in history.seen).items():
        if times > 1:
            yield f"{key} is seen {times} times"
    for lane in {lane for _, lane, _ in history.posted}:
        posted = [key for key, where, arrived in history.posted if where == lane and arrived]
        seen = [key for key, where in history.seen if where == lane]
        if posted != seen:
            yield f"in {lane} {seen} is seen and not {posted}"
    known = {key for key, _, _ in history.posted}
    for key, lane in history.seen:
        if key not in known:
            yield f"{key} is seen in {lane} and was never posted"


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
