"""Whom events are about, by number: who is behind a number stands in one table, so that it can be forgotten."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import msgspec

from storage.chain import damaged
from storage.checksum import checksum
from storage.plan import Plan, ask, marks
from storage.seal import PLAIN
from storage.store import Record

DONE: Final = (PLAIN, "numbered")
"""The setting that says that all events hold numbers."""
FORMER: Final = "former:"
"""What the key of somebody who has been forgotten begins with; their number follows."""

Swap = Callable[[Any], Any]


def numbers_of(players: Iterable[str]) -> Plan[dict[str, int]]:
    """Returns the numbers of people, new ones for those who are new."""
    asked = sorted(set(players))
    found = yield from _known(asked)
    for player in asked:
        if player not in found:
            sql = "INSERT INTO people (player, sum) VALUES (?1, ?2) ON CONFLICT DO NOTHING RETURNING number"
            rows = yield from ask(sql, player, checksum(player))
            found |= {player: rows[0][0]} if rows else (yield from _known([player]))  # somebody else was faster
    return found


def _known(players: Sequence[str]) -> Plan[dict[str, int]]:
    if not players:
        return {}
    sql = f"SELECT player, number FROM people WHERE player IN ({marks(len(players))})"  # noqa: S608
    return dict((yield from ask(sql, *players)))


def numbered(bodies: Sequence[str]) -> Plan[list[str]]:
    """Returns events with numbers in place of people's keys."""
    told: set[str] = set()

    def note(value: Any) -> Any:
        if isinstance(value, str) and value:
            told.add(value)
        return value

    events = [_event(body) for body in bodies]
    for event in events:
        _look(event, note)
    numbers = yield from numbers_of(told)
    pairs = zip(bodies, events, strict=True)
    return [_swapped(body, event, lambda value: numbers.get(value, value)) for body, event in pairs]


def named(match: str, log: Sequence[Record]) -> Plan[list[Record]]:
    """Returns events with people's keys in place of numbers. Raises OSError for a number that nobody has."""
    told: set[int] = set()

    def note(value: Any) -> Any:
        if isinstance(value, int):
            told.add(value)
        return value

    events = [_event(record.body) for record in log]
    for event in events:
        _look(event, note)
    if not told:
        return list(log)
    sql = f"SELECT number, player, sum FROM people WHERE number IN ({marks(len(told))})"  # noqa: S608
    people = {
        number: player for number, player, sum_ in (yield from ask(sql, *sorted(told))) if sum_ == checksum(player)
    }
    if len(people) != len(told):
        raise damaged(match, 0)
    pairs = zip(log, events, strict=True)
    return [replace(record, body=_swapped(record.body, event, partial(_name, people))) for record, event in pairs]


def with_names(body: str, people: Mapping[int, str]) -> str:
    """Returns an event with people's keys in place of numbers, by a table at hand. Raises KeyError for others."""
    return _swapped(body, _event(body), partial(_name, people))


def _name(people: Mapping[int, str], value: Any) -> Any:
    return people[value] if isinstance(value, int) else value


def _event(body: str) -> dict[str, Any]:
    """What an event holds; nothing where it is none of Riposte's."""
    return msgspec.json.decode(body) if body.startswith("{") else {}


def _swapped(body: str, event: dict[str, Any], swap: Swap) -> str:
    swapped = _part(event, swap)
    return body if swapped == event else msgspec.json.encode(swapped).decode()


def _part(event: dict[str, Any], swap: Swap) -> dict[str, Any]:
    """An event, or a part of one, with its people swapped."""
    return event | {field: HOLDERS[field](value, swap) for field, value in event.items() if field in HOLDERS}


def _look(event: dict[str, Any], note: Swap) -> None:
    """Have all people of an event noted."""
    for field, value in event.items():
        if field in HOLDERS:
            HOLDERS[field](value, note)


def _one(value: Any, swap: Swap) -> Any:
    return swap(value)


def _several(values: Any, swap: Swap) -> Any:
    return [swap(value) for value in values]


def _by_seat(seats: Any, swap: Swap) -> Any:
    return {seat: swap(value) for seat, value in seats.items()}


def _counted(counts: Any, swap: Swap) -> Any:
    """Something for each person; a name in JSON is a text, a number too."""
    keyed = {swap(int(key) if key.isdigit() else key): value for key, value in counts.items()}
    return {str(key): value for key, value in keyed.items()}


def _parts(parts: Any, swap: Swap) -> Any:
    return [_part(part, swap) for part in parts]


HOLDERS: Final[Mapping[str, Callable[[Any, Swap], Any]]] = {
    **dict.fromkeys(("by", "player", "to"), _one),
    **dict.fromkeys(("invited", "players", "seeds", "byes"), _several),
    "seats": _by_seat,
    "points": _counted,
    "seatings": _parts,
}
"""The fields of an event that hold people's keys, where stored numbers stand, and how they hold them."""


def keys_in() -> Plan[set[str]]:
    """Returns everybody of whom anything is stored, by key."""
    found: set[str] = set()
    for sql in (
        "SELECT player FROM people",
        "SELECT DISTINCT player FROM seats",
        "SELECT DISTINCT owner FROM settings",
    ):
        found |= {str(key) for (key,) in (yield from ask(sql))}
    return found
