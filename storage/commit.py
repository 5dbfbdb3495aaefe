"""What is written: a change as a whole, what becomes of its messages, and the pruning of what has served its time."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

import msgspec

from storage.chain import GENESIS, damaged, link
from storage.checksum import checksum
from storage.lists import keep
from storage.numbers import bucket_of_lane, bucket_of_match, number_of, row_of
from storage.people.persons import numbered
from storage.people.words import Words, apart, inserted
from storage.plan import HELD, Plan, Statement, ask, marks, rows_of, tell
from storage.seal import SETTING, Sealer, setting_row
from storage.store import Alarm, Arrival, Change, Conflict, OutboxMessage, Outgoing, Summary

NOBODY: tuple[Any, ...] = (None, 0, GENESIS, None, None, None, None, None)
"""What a match that does not exist yet is taken to be."""
SELDOM_CHANGED: Final = ("game", "status", "players", "places")
"""The columns of a match's row that hardly any turn changes, as they are asked for."""
UNTRIED: tuple[Any, ...] = (0, 0, None, None, None, 0)
"""A message's attempts, and what else its checksum is over, before anybody has tried to deliver it."""
LETTER: Final = ("key", "lane", "attempts", "until", "done", "remote", "why", "short")
"""What the checksum of an outgoing message covers."""
AT_ONCE = 32
"""Messages that are shortened in one piece: a commit that waits for it waits for some milliseconds."""


def write(change: Change, sealer: Sealer, *, bucketed: bool = False) -> Plan[list[Outgoing]]:
    """Write a change into the transaction that is open. Returns its messages as they wait then; raises Conflict.

    `bucketed`: what waits has a bucket on this database.
    """
    written = []
    if change.heard:
        heard = change.heard, change.at
        written = [
            Statement("INSERT INTO heard (id, at, sum) VALUES (?1, ?2, ?3)", (*heard, checksum(*heard))),
            Statement("DELETE FROM arrivals WHERE id = ?1", (change.heard,)),
        ]
    if change.match:
        written += yield from _appended(change, sealer, bucketed=bucketed)
    values = {(owner, key): value for owner, key, value in change.settings}
    yield from tell([*written, *(_setting(*name, value, sealer) for name, value in sorted(values.items()))])
    for alarm in change.woken:
        for number in (yield from _numbers(alarm.match)):
            yield from ask(
                "DELETE FROM alarms WHERE match = ?1 AND kind = ?2 AND at = ?3", number, alarm.kind, alarm.at
            )
    for alarm in change.wakes:
        yield from _wake(alarm, bucketed=bucketed)
    waiting = (yield from _boxed(change.messages, sealer, bucketed=bucketed)) if change.messages else []
    for arrival in change.arrivals:
        yield from _kept(arrival, sealer)
    if change.dismissed:
        yield from ask(f"DELETE FROM arrivals WHERE id IN ({marks(len(change.dismissed))})", *change.dismissed)  # noqa: S608
    return waiting


def _setting(owner: str, key: str, value: str, sealer: Sealer) -> Statement:
    if value:
        return Statement(SETTING, setting_row(*sealer.setting(owner, key, value)))
    return Statement("DELETE FROM settings WHERE owner = ?1 AND key = ?2", (owner, key))


def _wake(alarm: Alarm, *, bucketed: bool) -> Plan[None]:
    """Set an alarm of another log, once."""
    for number in (yield from _numbers(alarm.match)):
        yield from tell([_set([(number, alarm.kind, alarm.at)], bucketed=bucketed)])


def _set(due: Sequence[tuple[int, str, int]], *, bucketed: bool) -> Statement:
    """Sets alarms; those that are set already stay."""
    more = ", bucket" if bucketed else ""
    rows, values = rows_of([(*row, checksum(*row), *([bucket_of_match(row[0])] if bucketed else [])) for row in due])
    sql = f"INSERT INTO alarms (match, kind, at, sum{more}) VALUES {rows} ON CONFLICT DO NOTHING"  # noqa: S608
    return Statement(sql, values)


def _numbers(match: str) -> Plan[list[int]]:
    """The number of a match, if there is such a one."""
    where, values = row_of(match)
    return [number for (number,) in (yield from ask(f"SELECT number FROM matches WHERE {where}", *values))]  # noqa: S608


def _kept(arrival: Arrival, sealer: Sealer) -> Plan[None]:
    """Keep a message that is not kept yet and was not dealt with."""
    if not (yield from ask("SELECT 1 FROM heard WHERE id = ?1", arrival.id)):
        sql = "INSERT INTO arrivals (id, body, sum) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"
        yield from ask(sql, arrival.id, sealer.seal(arrival.body, "arrivals", arrival.id), checksum(arrival.id))


def _boxed(messages: Sequence[OutboxMessage], sealer: Sealer, *, bucketed: bool) -> Plan[list[Outgoing]]:
    """Put messages into the outbox, behind those for the same place."""
    written: list[tuple[Any, ...]] = [
        (one.key, one.ordering_key, sealer.seal(one.body, "letters", one.key), checksum(*_untried(one)))
        for one in messages
    ]
    rows, values = rows_of([(*row, bucket_of_lane(row[1])) for row in written] if bucketed else written)
    more = ", bucket" if bucketed else ""
    sql = f"INSERT INTO letters (key, lane, body, sum{more}) VALUES {rows} RETURNING key, number, {LAST}"  # noqa: S608
    put = {key: found for key, *found in (yield from ask(sql, *values))}
    waiting = []
    behind: dict[str, int] = {}
    for message in messages:
        (number, last), lane = put[message.key], message.ordering_key
        waiting.append(Outgoing(number, message, 0, behind.get(lane, last)))
        behind[lane] = number
    return waiting


LAST = (
    "(SELECT coalesce(max(before.number), 0) FROM letters AS before "
    "WHERE before.done IS NULL AND before.lane = CAST(letters.lane AS TEXT) AND before.number < letters.number)"
)
"""The letter behind which a new one stands; for several to a place, right for the first.

Cast, or SQLite does not see that it could be looked up among those that wait for that place: it goes through all
letters that there ever were, the latest first, until it comes to one that waits there, and mostly none does.
"""


def _untried(message: OutboxMessage) -> tuple[object, ...]:
    return message.key, message.ordering_key, *UNTRIED


def _appended(change: Change, sealer: Sealer, *, bucketed: bool) -> Plan[list[Statement]]:
    """Returns what writes that which a change says about its match: events, summary, alarms."""
    name = change.match
    where, key = row_of(name)
    known = f"SELECT number, length, head, game, status, players, places, updated FROM matches WHERE {where}"  # noqa: S608
    rows = yield from ask(f"{known}{HELD}", *key)
    number, length, head, *stood = rows[0] if rows else NOBODY
    if length != change.expected:
        raise Conflict(f"match {name} has {length} events, not {change.expected}")
    if not rows and (number := number_of(name)) is None:
        ((number,),) = yield from ask("SELECT coalesce(max(number), 0) + 1 FROM matches")
    bodies = yield from numbered([body for _, body in change.events])
    events: list[tuple[object, ...]] = []
    words: list[Words] = []
    for (at, _), told in zip(change.events, bodies, strict=True):
        length += 1
        body, said = apart(told, number, length, sealer)
        words += [said] if said else []
        sealed = sealer.seal(body, "events", name, length)
        head = link(head, name, length, at, sealed)
        events.append((number, length, at, sealed, head))
    row: dict[str, object] = {"length": length, "head": head}
    if change.summary:
        row |= _summarized(change.summary)
    if rows:  # an indexed column that is set to what it was costs a page of the disk all the same
        stays = set(zip(SELDOM_CHANGED, stood, strict=False))
        changed = {column: value for column, value in row.items() if (column, value) not in stays}
        written = [_updated("matches", changed, number)]
    else:
        written = [_inserted("matches", {"number": number, "match": name} | row)]
    if events:
        places, values = rows_of(events)
        written.append(Statement(f"INSERT INTO events (match, seq, at, body, digest) VALUES {places}", values))  # noqa: S608
    written += inserted(words)
    if change.summary:
        written += _listed(number, change.summary, stood, row)
    if change.alarms is not None:
        written += _alarms(number, change.alarms, bucketed=bucketed)
    return written


def _updated(table: str, row: dict[str, object], number: int) -> Statement:
    return Statement(_update(table, tuple(row)), (*row.values(), number))


@lru_cache
def _update(table: str, columns: tuple[str, ...]) -> str:
    told = ", ".join(f"{column} = ?{place}" for place, column in enumerate(columns, 1))
    return f"UPDATE {table} SET {told} WHERE number = ?{len(columns) + 1}"  # noqa: S608


def _inserted(table: str, row: dict[str, object]) -> Statement:
    return Statement(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks(len(row))})", tuple(row.values()))  # noqa: S608


def _alarms(number: int, alarms: Sequence[Alarm], *, bucketed: bool) -> list[Statement]:
    """Replaces a match's alarms; those that it has already stay."""
    due = [(number, alarm.kind, alarm.at) for alarm in dict.fromkeys(alarms)]
    if not due:
        return [Statement("DELETE FROM alarms WHERE match = ?1", (number,))]
    gone = number, *[part for row in due for part in row[1:]]
    return [Statement(_all_but(len(due)), gone), _set(due, bucketed=bucketed)]


@lru_cache
def _all_but(count: int) -> str:
    stay = " OR ".join(f"kind = ?{2 * place} AND at = ?{2 * place + 1}" for place in range(1, count + 1))
    return f"DELETE FROM alarms WHERE match = ?1 AND NOT ({stay})"  # noqa: S608


def _summarized(summary: Summary) -> dict[str, object]:
    """What a match's row says of it."""
    players, to_act, places = (
        msgspec.json.encode(names).decode() for names in (summary.players, summary.to_act, summary.places)
    )
    row = {
        "game": summary.game,
        "status": summary.status,
        "players": players,
        "to_act": to_act,
        "places": places,
        "due": summary.due,
        "updated": summary.updated,
    }
    return row | {"sum": checksum(summary.match, *row.values())}


def _listed(number: int, summary: Summary, before: Sequence[Any], written: Mapping[str, object]) -> list[Statement]:
    """Puts a match where lists find it; `written` is its row after the change."""
    _, status, players, places, updated = before
    seated, placed = (
        now if text == written[column] else names_of(summary.match, text) if text else ()
        for column, text, now in (("players", players, summary.players), ("places", places, summary.places))
    )
    stands = summary.players, summary.places, summary.status, summary.updated
    return keep(number, (seated, placed, status, updated), stands)


def names_of(match: str, text: str) -> tuple[str, ...]:
    """The names in a stored list. Raises OSError for one that is damaged."""
    try:
        return _NAMES.decode(text)
    except ValueError:
        raise damaged(match, 0) from None


_NAMES: Final = msgspec.json.Decoder(tuple[str, ...])


# --- what becomes of messages -----------------------------------------------------------------------------
def arrived(number: int, remote: str, at: int, untried: OutboxMessage | None) -> Plan[None]:
    """Note that a message has arrived; `untried`: it, where that was the first try, as for nearly all."""
    if untried:
        told = dict(zip(LETTER, _untried(untried), strict=True)) | {"done": at, "remote": remote}
        if (yield from ask(FIRST_TRY, at, remote, checksum(*told.values()), number, *_untried(untried)[:2])):
            return
    yield from tried(number, done=at, remote=remote)


FIRST_TRY = (
    "UPDATE letters SET done = ?1, remote = ?2, sum = ?3 "
    "WHERE number = ?4 AND done IS NULL AND key = ?5 AND lane = ?6 AND attempts = 0 AND until = 0 RETURNING number"
)
"""What became of a letter of which nothing has to be read first."""


def tried(number: int, *, attempts: int = 0, **news: object) -> Plan[None]:
    """Note what has become of a message that had not arrived; `attempts` are added to those it had."""
    sql = f"SELECT {', '.join(LETTER)} FROM letters WHERE number = ?1 AND done IS NULL{HELD}"  # noqa: S608
    for row in (yield from ask(sql, number)):
        told = dict(zip(LETTER, row, strict=True)) | news
        told["attempts"] += attempts
        yield from tell([rewritten(number, told, *news, "attempts")])


def rewritten(number: int, letter: dict[str, Any], *changed: str, body: str | None = None) -> Statement:
    """Writes some columns of a letter anew, with the checksum over all that it has."""
    row = {column: letter[column] for column in changed} | ({} if body is None else {"body": body})
    return _updated("letters", row | {"sum": checksum(*(letter[column] for column in LETTER))}, number)


# --- pruning ----------------------------------------------------------------------------------------------
def shorten(before: int, shorter: Callable[[str], str], sealer: Sealer) -> Plan[int]:
    """Shorten the bodies of a few messages that were done with before an instant. Returns of how many."""
    rows = yield from ask(
        f"SELECT number, body, {', '.join(LETTER)} FROM letters "  # noqa: S608
        "WHERE done IS NOT NULL AND done < ?1 AND short = 0 ORDER BY done LIMIT ?2",
        *(before, AT_ONCE),
    )
    written = []
    for number, stored, *row in rows:
        letter = dict(zip(LETTER, row, strict=True)) | {"short": 1}
        key, body = letter["key"], stored
        with suppress(OSError, ValueError):  # a damaged one stays as it is
            body = sealer.seal(shorter(sealer.open(stored, "letters", key)), "letters", key)
        written.append(rewritten(number, letter, "short", body=body))
    for one in written:
        yield from tell([one])
    return len(rows)


def forget(ids: Sequence[str]) -> Plan[None]:
    """Forget messages that were dealt with long ago."""
    yield from ask(f"DELETE FROM heard WHERE id IN ({marks(len(ids))})", *ids)  # noqa: S608
