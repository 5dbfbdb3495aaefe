"""The store over whatever database carries out plans: what is asked and what is written, once for all of them."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from storage import commit
from storage.chain import damaged
from storage.checksum import CORRUPT, is_whole
from storage.commit import names_of
from storage.deferred import DeferredWrites, forgiven
from storage.lists import latest
from storage.numbers import row_of
from storage.people import erasure
from storage.people.words import BEFORE_ALL, forget_names, whole, written_by
from storage.plan import Plan, Planned, ask, marks
from storage.seal import Sealer, opened_owners
from storage.snapshots import keep, load_log, resume
from storage.store import (
    Alarm,
    Arrival,
    Change,
    OutboxMessage,
    Outgoing,
    Record,
    Redact,
    Redacting,
    Summary,
    Unfinished,
)

T = TypeVar("T")

OWNERS = "SELECT owner, value, sum FROM settings WHERE key = ?1 ORDER BY owner"
PROGRAMS = "lane >= 'api/' AND lane < 'api0'"
"""What programs are told: said as the index on it is, so that it is used."""
NOTING = "SELECT owner FROM settings WHERE key >= ?1 AND key < ?2 ORDER BY key, owner"
LOOKED_AT = 1_000
"""Ids of what was heard that are looked at in one piece."""


class PlannedStore(ABC):
    """See `storage.store.Store`; a database says how plans are carried out on it."""

    several: ClassVar[bool] = False
    ours: str = ""
    """What is added to the conditions of what is due, where not all of it is this process's to do."""

    def __init__(self, sealer: Sealer, erased: Path):
        self._sealer = sealer
        self._erased = erased
        """The list of those who were erased, which no backup holds."""
        self._given = 0
        self._keeping_none = 0
        """For how many no match may be kept now."""
        self._deferred = DeferredWrites(self._write)

    # --- what a database does ---------------------------------------------------------------------------
    @abstractmethod
    async def _read(self, plan: Planned[T]) -> T:
        """Carry out a plan that only asks; all its questions see the same moment."""

    @abstractmethod
    async def _write(self, plan: Planned[T]) -> T:
        """Carry out a plan in a transaction of its own; returns when that is on the disk.

        Raises Conflict where what it adds is there already.
        """

    def held(self) -> bool:
        """Returns whether this process still speaks for the database."""
        return True

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        return await self._read(partial(ask, sql, *values))

    # --- matches --------------------------------------------------------------------------------------
    async def load(self, match: str) -> Sequence[Record]:
        """Returns all events of a match in order, their chain verified."""
        return await self._read(partial(_loaded, match, self._sealer))

    async def resume(self, match: str) -> tuple[bytes, int, Sequence[Record]]:
        """Returns a match as it was kept last, after how many events, and those behind it."""

        return await self._read(partial(resume, match, self._sealer))

    async def length(self, match: str) -> int:
        """Returns how many events a match has; 0 for an unknown one."""
        where, values = row_of(match)
        rows = await self._rows(f"SELECT length FROM matches WHERE {where}", *values)  # noqa: S608
        return int(rows[0][0]) if rows else 0

    def keep(self, match: str, seq: int, data: bytes) -> None:
        """Have a match kept as it stood after an event; nobody waits for it."""
        if not self._keeping_none:
            self._deferred.add(partial(keep, match, seq, data, self._sealer)).add_done_callback(forgiven)

    @asynccontextmanager
    async def keeping_none(self) -> AsyncIterator[None]:
        """Have no match kept meanwhile: as it was loaded, somebody may still stand in it who is being erased."""
        self._keeping_none += 1
        try:
            await self.flush()
            yield
        finally:
            self._keeping_none -= 1

    async def commit(self, change: Change) -> Sequence[Outgoing]:
        """Write a change for good, or raise Conflict. Returns its messages as they wait now."""
        return await self._deferred.along(partial(commit.write, change, self._sealer), self._write)

    async def flush(self) -> None:
        """Return when all that was recorded is written, if anything can be written."""
        await self._deferred.flush()

    async def known(self, heard: str) -> bool:
        """Returns whether a message was already dealt with."""
        return bool(await self._rows("SELECT 1 FROM heard WHERE id = ?1", heard))

    async def arrived(self, platform: str, limit: int = 100) -> Sequence[Arrival]:
        """Returns a platform's arrivals not dealt with yet, oldest first."""
        rows = await self._rows(
            f"SELECT id, body FROM arrivals WHERE id >= ?1 AND id < ?2{self.ours} ORDER BY number LIMIT ?3",  # noqa: S608
            *(f"{platform}:", f"{platform};", limit),
        )
        return [Arrival(name, self._sealer.open_or_leave(body, "arrivals", name)) for name, body in rows]

    async def next_match(self) -> str:
        """Returns a number that no match has yet; two who ask at the same time get two."""
        ((last,),) = await self._rows("SELECT coalesce(max(number), 0) FROM matches")
        self._given = max(self._given, last) + 1
        return str(self._given)

    async def summary(self, match: str) -> Summary | None:
        """Returns the summary of one match."""
        where, values = row_of(match, "summaries")
        rows = await self._rows(f"SELECT * FROM summaries WHERE {where}", *values)  # noqa: S608
        return _summary(rows[0]) if rows else None

    async def matches(
        self, *, player: str = "", place: str = "", status: str = "", limit: int = -1
    ) -> Sequence[Summary]:
        """Returns the summaries that fit all the given conditions, most recently changed first."""
        table, name = ("seats", player) if player else ("homes", place) if place else ("", "")
        page = partial(latest, table, name, status, -1 if player and place else limit)
        found = []
        for row in await self._read(page):
            with suppress(OSError):  # one damaged match must not hide the others
                found.append(_summary(row))
        fitting = [summary for summary in found if not place or place in summary.places]
        return fitting if limit < 0 else fitting[:limit]

    async def setting(self, owner: str, key: str) -> str:
        """Returns a setting, "" if it was never set."""
        rows = await self._rows("SELECT value, sum FROM settings WHERE owner = ?1 AND key = ?2", owner, key)
        if not rows:
            return ""
        if not is_whole((owner, key, *rows[0])):
            raise OSError(*CORRUPT)
        return self._sealer.open_setting(owner, key, rows[0][0])

    async def owners(self, key: str) -> Sequence[tuple[str, str]]:
        """Returns everybody and everything that has a setting, with its value."""
        return opened_owners(await self._rows(OWNERS, key), key, self._sealer)

    async def noting(self, key: str) -> Sequence[str]:
        """Returns everybody and everything that has a setting under a key, or under one like `"key 17"`."""
        return list(dict.fromkeys([owner for (owner,) in await self._rows(NOTING, key, f"{key}!")]))

    async def settings(self, owner: str) -> Sequence[tuple[str, str]]:
        """Returns all settings of a person or place, by key."""
        rows = await self._rows("SELECT key, value FROM settings WHERE owner = ?1 ORDER BY key", owner)
        return [(key, self._sealer.open_setting(owner, key, stored)) for key, stored in rows]

    # --- those who are erased ----------------------------------------------------------------------------
    async def erase(self, players: Sequence[str], redact: Redacting, at: int, unfinished: Unfinished) -> None:
        """Put tombstones in place of people; noted first in the list that no backup holds."""
        await self._write(partial(_noted, self._sealer, self._erased, players, at))
        async with self.keeping_none():
            await self._write(partial(erasure.forget, self._sealer, players, redact, at, unfinished))

    async def clean(self, gone: erasure.Gone, redact: Redact, owner: str, key: str) -> None:
        """Take people who are erased out of letters that are done with and of others' words, a piece at a time."""
        row: tuple[int, int] | None = BEFORE_ALL
        while row:
            row = await self._write(partial(forget_names, redact.text, row, self._sealer))
        last = -1
        while last:
            last = await self._write(partial(erasure.forget_letters, self._sealer, gone, redact, last))
        await self.commit(Change(settings=((owner, key, ""),)))

    async def words(self, players: Sequence[str]) -> Sequence[tuple[str, str, str]]:
        """Returns what people wrote in their own words: the log in which it stands, the field, and the words."""
        return await self._read(partial(written_by, players, self._sealer))

    async def unerased(self) -> Mapping[str, int]:
        """Returns whom the list of erasures names and this file knows, as after the restore of an older backup."""
        return await self._write(partial(erasure.unerased, self._sealer, self._erased))

    # --- outgoing messages ------------------------------------------------------------------------------
    async def claim(self, now: int, limit: int = 100) -> None:
        """Have messages that are due and nobody's be this process's to deliver: all are, where it is alone."""
        return

    async def waiting(self, now: int, limit: int = 100, platforms: Sequence[str] = ()) -> Sequence[Outgoing]:
        """Returns undelivered messages that are first under their ordering key, oldest first, unless put off."""
        await self.flush()
        rows = await self._read(partial(_first, now, limit, platforms, self.ours))
        found = []
        for number, body, *row in rows:
            is_whole(row)  # its body and its key hold together by the seal: what opens is what was to be said
            key, lane, attempts = row[:3]
            message = OutboxMessage(key, lane, self._sealer.open_or_leave(body, "letters", key))
            found.append(Outgoing(number, message, attempts))
        return found

    async def next_waiting(self, now: int) -> int | None:
        """Returns the earliest instant after `now` at which a message that was put off is due, or None."""
        ((earliest,),) = await self._rows("SELECT min(until) FROM heads WHERE until > ?1", now)
        return None if earliest is None else int(earliest)

    async def delivered(
        self, number: int, remote: str, at: int, *, soon: bool = True, untried: OutboxMessage | None = None
    ) -> None:
        """Record that a message has arrived."""
        await self._deferred.add(partial(commit.arrived, number, remote, at, untried), soon=soon)

    async def sent(self, remote: str) -> Sequence[OutboxMessage]:
        """Returns the messages that arrived under a platform's id, newest first."""
        return await self._letters("SELECT key, lane, body FROM letters WHERE remote = ?1 ORDER BY number DESC", remote)

    async def unsent(self, thread: str) -> Sequence[OutboxMessage]:
        return await self._letters(
            "SELECT key, lane, body FROM letters WHERE done IS NULL AND lane LIKE ?1", f"%/{thread}"
        )

    async def on_the_way(self, keys: Sequence[str]) -> bool:
        """Returns whether one of the messages with these keys has yet to arrive."""
        await self.flush()
        sql = f"SELECT 1 FROM letters WHERE done IS NULL AND key IN ({marks(len(keys))}) LIMIT 1"  # noqa: S608
        return bool(keys and await self._rows(sql, *keys))

    async def told(self, keys: Sequence[str]) -> Sequence[OutboxMessage]:
        """Returns those of the messages with these keys that there are."""
        sql = f"SELECT key, lane, body FROM letters WHERE key IN ({marks(len(keys))}) ORDER BY number"  # noqa: S608
        return await self._letters(sql, *keys) if keys else []

    async def news(self, ordering_key: str, after: int, limit: int = 100) -> Sequence[Outgoing]:
        """Returns the messages to a program's place behind a number, oldest first."""
        rows = await self._rows(
            f"SELECT number, key, lane, body, attempts FROM letters WHERE {PROGRAMS} AND lane = ?1 AND number > ?2 "  # noqa: S608
            "ORDER BY number LIMIT ?3",
            *(ordering_key, after, limit),
        )
        return [
            Outgoing(number, OutboxMessage(key, lane, self._sealer.open_or_leave(body, "letters", key)), attempts)
            for number, key, lane, body, attempts in rows
        ]

    async def latest(self, ordering_key: str) -> int:
        """Returns the number of the last message to a program's place; 0 = none."""
        sql = f"SELECT coalesce(max(number), 0) FROM letters WHERE {PROGRAMS} AND lane = ?1"  # noqa: S608
        ((number,),) = await self._rows(sql, ordering_key)
        return int(number)

    async def _letters(self, sql: str, *values: object) -> list[OutboxMessage]:
        await self.flush()
        rows = await self._rows(sql, *values)
        return [OutboxMessage(key, lane, self._sealer.open_or_leave(body, "letters", key)) for key, lane, body in rows]

    async def put_off(self, number: int, until: int, *, tried: bool = True) -> None:
        """Have a message tried again at an instant; `tried` = this counts as an attempt."""
        await self._write(partial(commit.tried, number, attempts=int(tried), until=until))

    async def undeliverable(self, number: int, why: str, at: int) -> None:
        """Record that a message will never be delivered, and why."""
        await self._write(partial(commit.tried, number, done=at, why=why))

    # --- what has served its time ---------------------------------------------------------------------
    async def shorten(self, before: int, shorter: Callable[[str], str]) -> int:
        """Shorten the bodies of some messages that were done with before an instant. Returns of how many."""
        return await self._write(partial(commit.shorten, before, shorter, self._sealer))

    async def forget_heard(self, before: int, after: str) -> str:
        """Forget those of the next ids after one that were dealt with before an instant. Returns the last one seen."""
        rows = await self._rows("SELECT id, at FROM heard WHERE id > ?1 ORDER BY id LIMIT ?2", after, LOOKED_AT)
        if old := [id_ for id_, at in rows if 0 < at < before]:
            await self._write(partial(commit.forget, old))
        return str(rows[-1][0]) if len(rows) == LOOKED_AT else ""

    # --- alarms ---------------------------------------------------------------------------------------
    async def due(self, now: int, limit: int = 100) -> Sequence[Alarm]:
        """Returns the alarms that are due, earliest first."""
        return await self._read(partial(_due, now, limit, self.ours))

    async def next_alarm(self, after: int = -1) -> int | None:
        """Returns the earliest instant after `after` at which an alarm is set, or None."""
        ((earliest,),) = await self._rows("SELECT min(at) FROM alarms WHERE at > ?1", after)
        return None if earliest is None else int(earliest)


def _first(now: int, limit: int, platforms: Sequence[str], ours: str) -> Plan[list[Any]]:
    """Returns the first letters of lanes, at most so many of each of these platforms and of all others together."""
    others = "".join([f" AND lane NOT LIKE ?{place}" for place in range(3, 3 + len(platforms))])
    parts = [(" AND lane LIKE ?3", (f"{one}/%",)) for one in platforms]
    rows: list[Any] = []
    for which, values in [*parts, (others, tuple([f"{one}/%" for one in platforms]))]:
        rows += yield from ask(
            "SELECT number, body, key, lane, attempts, until, done, remote, why, short, sum FROM heads "  # noqa: S608
            f"WHERE until <= ?1{ours}{which} ORDER BY number LIMIT ?2",
            *(now, limit, *values),
        )
    return sorted(rows, key=itemgetter(0))


def _due(now: int, limit: int, ours: str) -> Plan[list[Alarm]]:
    sql = f"SELECT match, kind, at, sum FROM alarms WHERE at <= ?1{ours} ORDER BY at LIMIT ?2"  # noqa: S608
    if not (rows := (yield from ask(sql, now, limit))):
        return []
    for row in rows:
        is_whole(row)  # it goes off all the same: the match knows by itself what is due
    numbers = sorted({number for number, *_ in rows})
    sql = f"SELECT number, match FROM matches WHERE number IN ({marks(len(numbers))})"  # noqa: S608
    names = dict((yield from ask(sql, *numbers)))
    return [Alarm(names[number], kind, at) for number, kind, at, _ in rows if number in names]


def _loaded(match: str, sealer: Sealer) -> Plan[list[Record]]:
    return (yield from whole(match, (yield from load_log(match)), sealer))


def _noted(sealer: Sealer, beside: Path, players: Sequence[str], at: int) -> Plan[None]:
    erasure.begin(sealer, beside, players, at)
    yield from ()


def _summary(row: Sequence[Any]) -> Summary:
    match, game, status, players, to_act, places, due, updated, _, sum_ = row
    if not is_whole((match, game, status, players, to_act, places, due, updated, sum_)):
        raise damaged(match, 0)
    lists = names_of(match, players), names_of(match, to_act), names_of(match, places)
    return Summary(match, game, status, *lists, due, updated)
