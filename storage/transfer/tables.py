"""What is copied from a database into another: every table but those by which each knows itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from storage.checksum import SUMMED, damaged_rows
from storage.inspection import WORDED_SINCE
from storage.plan import ALL, PAGE, Plan, ask, marks
from storage.snapshots import load_log


@dataclass(frozen=True, slots=True)
class Table:
    """A table, in the order in which it can be filled."""

    name: str
    keys: tuple[str, ...]
    columns: tuple[str, ...]
    """All of them."""
    counted: bool = False
    """Whether a PostgreSQL gives its numbers."""


def _table(name: str, *keys: str, more: Sequence[str] = (), counted: bool = False) -> Table:
    columns = dict.fromkeys((*keys, *SUMMED.get(name, ()), *more, *(("sum",) if name in SUMMED else ())))
    return Table(name, keys, tuple(columns), counted)


TABLES: Final = (
    _table("people", "number", more=("player", "sum"), counted=True),
    _table("matches", "number", more=("length", "head"), counted=True),
    _table("events", "match", "seq", more=("at", "body", "digest")),
    _table("words", "match", "seq"),
    _table("seats", "player", "status", "updated", "match"),
    _table("homes", "place", "status", "updated", "match"),
    _table("alarms", "match", "kind", "at"),
    _table("heard", "id"),
    _table("settings", "owner", "key"),
    _table("letters", "number", more=("body",), counted=True),
    _table("arrivals", "number", more=("body",), counted=True),
    _table("snapshots", "match", more=("seq", "body")),
    _table("erasures", "digest", more=("at",)),
)


def page(table: Table, after: Sequence[object]) -> Plan[list[Any]]:
    """Returns the next rows of a table behind a key; () = the first."""
    told = f"SELECT {', '.join(table.columns)} FROM {table.name}"  # noqa: S608  (names of our own)
    where = f"WHERE ({', '.join(table.keys)}) > ({marks(len(after))})" if after else ""
    order = f"ORDER BY {', '.join(table.keys)} LIMIT {PAGE}"
    return (yield from ask(f"{told} {where} {order}", *after))


def counts() -> Plan[dict[str, int]]:
    """Returns how many rows each table has."""
    found = {}
    for table in TABLES:
        ((found[table.name],),) = yield from ask(f"SELECT count(*) FROM {table.name}")  # noqa: S608
    return found


def heads() -> Plan[dict[str, tuple[int, bytes]]]:
    """Returns the length and the last digest of each match's log."""
    rows = yield from ask("SELECT match, length, head FROM matches ORDER BY number LIMIT ?1", ALL)
    return {match: (length, bytes(head)) for match, length, head in rows}


def verified() -> Plan[tuple[dict[str, tuple[int, bytes]], list[str]]]:
    """Returns the same once every log was followed from its first event, and what is not as it was written."""
    stands = yield from heads()
    wrong = []
    for match in stands:
        try:
            yield from load_log(match)
        except OSError:
            wrong.append(f"match {match}")
    return stands, wrong + (yield from damaged_rows(WORDED_SINCE))
