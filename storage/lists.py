"""Lists of matches by player or place, kept in order: nothing is sorted, and a page costs no more than a page."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from storage.plan import ALL, Plan, Statement, ask, marks, rows_of

LATEST: Final = {
    "seats": "SELECT summaries.* FROM seats JOIN summaries ON summaries.number = seats.match "
    "WHERE seats.player = ?1 AND seats.status = ?2 ORDER BY seats.updated DESC, seats.match DESC LIMIT ?3",
    "homes": "SELECT summaries.* FROM homes JOIN summaries ON summaries.number = homes.match "
    "WHERE homes.place = ?1 AND homes.status = ?2 ORDER BY homes.updated DESC, homes.match DESC LIMIT ?3",
    "matches": "SELECT * FROM summaries WHERE ?1 = '' AND status = ?2 ORDER BY updated DESC, number DESC LIMIT ?3",
    "": "SELECT * FROM summaries WHERE ?1 = '' AND ?2 = '' ORDER BY updated DESC, number DESC LIMIT ?3",
}
"""The latest matches of a player, of a place, of all, in one status; then in any."""
STATUSES: Final = {
    "seats": "SELECT min(status) FROM seats WHERE player = ?1 AND status > ?2",
    "homes": "SELECT min(status) FROM homes WHERE place = ?1 AND status > ?2",
}
"""The next status that occurs: there are a handful, and each is found by one step in the table."""
COLUMNS: Final = {"seats": "player", "homes": "place"}
"""The tables by which lists are found, and whose lists they are."""
MOVED: Final = {
    table: f"UPDATE {table} SET status = ?1, updated = ?2 "  # noqa: S608  (names of our own)
    f"WHERE status = ?3 AND updated = ?4 AND match = ?5 AND {column} = ?6"
    for table, column in COLUMNS.items()
}
"""Moves a match to where it stands now in the list of one player or place."""
UPDATED, NUMBER = 7, 8
"""Where a summary's row has what lists are sorted by."""


def latest(table: str, name: str, status: str, limit: int) -> Plan[list[Sequence[Any]]]:
    """Returns the rows of the latest matches of a player ("seats"), a place ("homes") or all (""), `limit` of them."""
    most = ALL if limit < 0 else limit
    if not table:
        return (yield from ask(LATEST["matches" if status else ""], name, status, most))
    statuses = [status] if status else (yield from _statuses(table, name))
    found: list[Sequence[Any]] = []
    for one in statuses:
        found += yield from ask(LATEST[table], name, one, most)
    found.sort(key=lambda row: (row[UPDATED], row[NUMBER]), reverse=True)
    return found[:most]


def keep(
    number: int,
    before: tuple[Iterable[str], Iterable[str], str | None, int | None],
    after: tuple[Iterable[str], Iterable[str], str, int],
) -> list[Statement]:
    """Puts a match where lists find it: by players and by places, with its status and when it was changed."""
    written = []
    for (table, column), old, new in zip(COLUMNS.items(), before[:2], after[:2], strict=True):
        gone, come = dict.fromkeys(old), dict.fromkeys(new)
        stay = [name for name in come if name in gone]
        if before[2:] != after[2:]:  # as at nearly every turn
            # Each by its whole key: several at once take SQLite three times as long, which lays a table for them first.
            moved = MOVED[table]
            written += [Statement(moved, (*after[2:], *before[2:], number, name)) for name in stay]
        for name in stay:
            del gone[name], come[name]
        if gone:
            where = f"status = ?1 AND updated = ?2 AND match = ?3 AND {column} IN ({marks(len(gone), 4)})"
            written.append(Statement(f"DELETE FROM {table} WHERE {where}", (*before[2:], number, *gone)))  # noqa: S608
        if come:
            rows, values = rows_of([(name, *after[2:], number) for name in come])
            sql = f"INSERT INTO {table} ({column}, status, updated, match) VALUES {rows} ON CONFLICT DO NOTHING"  # noqa: S608
            written.append(Statement(sql, values))
    return written


def misplaced(each: str) -> Plan[list[str]]:
    """Returns the matches that lists find elsewhere than they stand.

    `each` is how this database says the names of a stored list, as rows with a `value`.
    """
    wrong = "SELECT DISTINCT number FROM ({} EXCEPT {}) AS wrong"
    found = set()
    for (table, name), names in zip(COLUMNS.items(), ("players", "places"), strict=True):
        kept = f"SELECT match AS number, {name}, status, updated FROM {table}"  # noqa: S608
        stand = (
            "SELECT number, each.value, status, updated FROM "  # noqa: S608
            f"(SELECT * FROM matches WHERE game IS NOT NULL) AS listed, {each.format(names)}"
        )
        for pair in ((kept, stand), (stand, kept)):
            found |= {str(number) for (number,) in (yield from ask(wrong.format(*pair)))}
    return sorted(found)


def _statuses(table: str, name: str) -> Plan[list[str]]:
    found = [""]
    while True:
        ((following,),) = yield from ask(STATUSES[table], name, found[-1])
        if following is None or following <= found[-1]:  # in a damaged table one could go round in circles
            return found[1:]
        found.append(following)
