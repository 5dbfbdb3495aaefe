"""Work on a database as generators of statements: a rule is written once, whichever database carries it out.

A plan yields statements and gets the rows of the last one. In a statement `?1` stands for its first value, and `HELD`
at its end says that its row is about to be changed: a database that several write locks it.
"""

import hashlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")


class Statement(NamedTuple):
    """One statement with its values."""

    sql: str
    values: Sequence[object] = ()


Plan: TypeAlias = Generator[tuple[Statement, ...], list[Any], T]
"""Several statements that are yielded together depend on nothing that another of them writes, and share no row."""
Planned: TypeAlias = Callable[[], Plan[T]]
"""Makes a plan, each time it is tried."""

HELD: Final = " FOR NO KEY UPDATE"
ALL: Final = 2**63 - 1
"""A limit that limits nothing."""
PAGE: Final = 500
"""Rows of a table that are looked at in one piece."""


def ask(sql: str, *values: object) -> Plan[list[Any]]:
    """Carry out one statement. Returns its rows."""
    return (yield (Statement(sql, values),))


def tell(statements: Sequence[Statement]) -> Plan[None]:
    """Carry out several, of which none needs another."""
    if statements:
        yield tuple(statements)


@lru_cache
def marks(count: int, first: int = 1) -> str:
    """Returns `?1, ?2, ?3`, say."""
    return ", ".join([f"?{number}" for number in range(first, first + count)])


@lru_cache
def _marked(rows: int, width: int) -> str:
    return ", ".join([f"({marks(width, 1 + width * row)})" for row in range(rows)])


def rows_of(rows: Sequence[Sequence[object]]) -> tuple[str, list[object]]:
    """Returns `(?1, ?2), (?3, ?4)` for rows of a width, and their values in a line."""
    return _marked(len(rows), len(rows[0])), [value for row in rows for value in row]


def each_page(
    table: str, keys: Sequence[str], columns: Sequence[str], look: Callable[[list[Any]], None], where: str = "true"
) -> Plan[None]:
    """Show all rows of a table to `look`, a page at a time in the order of its key; columns follow the key's."""
    width = len(keys)
    told = f"SELECT {', '.join((*keys, *columns))} FROM {table} WHERE {where}"  # noqa: S608  (names of our own)
    order = f"ORDER BY {', '.join(keys)} LIMIT {PAGE}"
    rows = yield from ask(f"{told} {order}")
    while rows:
        look(rows)
        last = rows[-1][:width]
        if len(rows) < PAGE:
            return
        rows = yield from ask(f"{told} AND ({', '.join(keys)}) > ({marks(width)}) {order}", *last)


# --- numbered steps ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step; never changed once it is published."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """SHA-256 of its text."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def read_migrations(folder: Path) -> tuple[Migration, ...]:
    """Returns the steps of a folder in order: `0001_first.sql`, `0002_…`."""
    steps = [
        Migration(int(file.stem[:4]), file.stem, file.read_text(encoding="utf-8"))
        for file in sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.sql"))
    ]
    assert [step.number for step in steps] == list(range(1, len(steps) + 1)), "migrations are numbered without gaps"
    return tuple(steps)
