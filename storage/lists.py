"""Lists of matches by player or place: found in their order, so that none is sorted and a page costs a page."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Any, Final

LATEST: Final = {
    "seats": "SELECT summaries.* FROM seats JOIN summaries ON summaries.number = seats.match "
    "WHERE seats.player = ? AND seats.status = ? ORDER BY seats.updated DESC, seats.match DESC LIMIT ?",
    "homes": "SELECT summaries.* FROM homes JOIN summaries ON summaries.number = homes.match "
    "WHERE homes.place = ? AND homes.status = ? ORDER BY homes.updated DESC, homes.match DESC LIMIT ?",
    "matches": "SELECT * FROM summaries WHERE ? = '' AND status = ? ORDER BY updated DESC, number DESC LIMIT ?",
    "": "SELECT * FROM summaries WHERE ? = '' AND ? = '' ORDER BY updated DESC, number DESC LIMIT ?",
}
"""The latest matches of a player, of a place, of all, in one status; then in any."""
STATUSES: Final = {
    "seats": "SELECT min(status) FROM seats WHERE player = ? AND status > ?",
    "homes": "SELECT min(status) FROM homes WHERE place = ? AND status > ?",
}
"""The next status that occurs: there are a handful, and each is found by one step in the table."""
MOVED: Final = (
    "UPDATE OR IGNORE seats SET status = ?, updated = ? WHERE player = ? AND status = ? AND updated = ? AND match = ?",
    "UPDATE OR IGNORE homes SET status = ?, updated = ? WHERE place = ? AND status = ? AND updated = ? AND match = ?",
)
KEPT: Final = (
    (
        "DELETE FROM seats WHERE player = ? AND status = ? AND updated = ? AND match = ?",
        "INSERT OR IGNORE INTO seats VALUES (?, ?, ?, ?)",
    ),
    (
        "DELETE FROM homes WHERE place = ? AND status = ? AND updated = ? AND match = ?",
        "INSERT OR IGNORE INTO homes VALUES (?, ?, ?, ?)",
    ),
)
UPDATED, NUMBER = 7, 8
"""Where a summary's row has what lists are sorted by."""


def latest(db: sqlite3.Connection, table: str, name: str, status: str, limit: int) -> list[Sequence[Any]]:
    """Returns the rows of the latest matches of a player ("seats"), a place ("homes") or all (""), `limit` of them."""
    if not table:
        return all_rows(db, LATEST["matches" if status else ""], name, status, limit)
    statuses = [status] if status else _statuses(db, table, name)
    found = [row for one in statuses for row in all_rows(db, LATEST[table], name, one, limit)]
    found.sort(key=lambda row: (row[UPDATED], row[NUMBER]), reverse=True)
    return found if limit < 0 else found[:limit]


def keep(
    db: sqlite3.Connection,
    number: int,
    before: tuple[Iterable[str], Iterable[str], str | None, int | None],
    after: tuple[Iterable[str], Iterable[str], str, int],
) -> None:
    """Put a match where lists find it: by players and by places, with its status and when it was changed."""
    for move, (forget, learn), old, new in zip(MOVED, KEPT, before[:2], after[:2], strict=True):
        if old == new and before[2:] != after[2:]:
            moves = db.executemany(move, [(*after[2:], name, *before[2:], number) for name in dict.fromkeys(new)])
            if moves.rowcount == len(set(new)):
                continue
        gone = {(name, *before[2:], number) for name in old}
        come = {(name, *after[2:], number) for name in new}
        for row in gone - come:
            db.execute(forget, row)
        for row in come - gone:
            db.execute(learn, row)


def misplaced(db: sqlite3.Connection) -> list[str]:
    """Returns the matches that lists find elsewhere than they stand."""
    wrong = "SELECT DISTINCT number FROM ({} EXCEPT {})"
    found = set()
    for table, name, names in (("seats", "player", "players"), ("homes", "place", "places")):
        kept = f"SELECT match AS number, {name}, status, updated FROM {table}"  # noqa: S608
        stand = (
            "SELECT number, each.value, status, updated FROM "  # noqa: S608
            f"(SELECT * FROM matches WHERE game IS NOT NULL AND json_valid({names})), json_each({names}) AS each"
        )
        for pair in ((kept, stand), (stand, kept)):
            found |= {str(number) for (number,) in db.execute(wrong.format(*pair))}
    return sorted(found)


def _statuses(db: sqlite3.Connection, table: str, name: str) -> list[str]:
    found = [""]
    while True:
        following = db.execute(STATUSES[table], (name, found[-1])).fetchone()[0]
        if following is None or following <= found[-1]:  # in a damaged table one could go round in circles
            return found[1:]
        found.append(following)


def all_rows(db: sqlite3.Connection, sql: str, *values: object) -> list[Any]:
    """Returns all rows of a question."""
    # A cursor that meets an unreadable row stays open, and with it an old view of the database.
    with closing(db.execute(sql, values)) as rows:
        return rows.fetchall()
