"""The store beside the disk it stands on: durable turns awaited and in bulk, growth, and long logs verified."""

import asyncio
import os
import sqlite3
import tempfile
from collections.abc import Awaitable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time

import aiosqlite

from benchmarks.table import SAMPLES, Plot, Row, seconds
from storage.sqlite.store import SqliteStore
from storage.store import Alarm, Change, OutboxMessage, Summary

TURNS = 1_500
PLAYERS, ROUNDS = 64, 100
FEW, MANY, RUNNING = 1_000, 100_000, 20_000
"""Matches of a small and of a big database, and how many of the latter have not ended."""
FILLING = 300
"""Seconds for which the big one is filled further, to see whether a turn costs more then."""
PAGE = 500
"""Matches of which a list of somebody's is made."""
PAUSE = 0.006
"""Seconds between two turns of one database: 80 a second, more than Discord lets a bot say."""
LONG = 200

Spans = list[float]


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_awaited(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        yield asyncio.run(_sustained(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_growth(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        yield asyncio.run(_long(Path(folder)))


def turn(match: int, expected: int, status: str = "running") -> Change:
    """What a turn of the service's writes, in kind and size: event, message with a picture, alarms, summary, heard."""
    name = str(match)
    return Change(
        heard=f"web:{match}:{expected}",
        match=name,
        expected=expected,
        events=((expected, f'{{"event":"Played","by":"web:anna","text":"c7c5","position":"{"x" * 220}"}}'),),
        messages=(
            OutboxMessage(f"{hash((match, expected)):024x}", f"web/lounge/{match}", '{"key":' + "y" * 900 + "}"),
        ),
        alarms=(Alarm(name, "nudge", expected), Alarm(name, "flag", expected + 1)),
        summary=Summary(
            *(name, "tokonoma", status, ("web:anna", "web:ben"), ("web:anna",), ("web/lounge/",)), 1, expected + 1
        ),
    )


async def _awaited(folder: Path) -> list[Row]:
    """One turn after another, each beside a bare write of 4 KiB to the disk and beside awaiting every statement."""
    store = await SqliteStore.open(folder / "riposte.db")
    plain = await _plain(folder / "plain.db")
    disk = os.open(folder / "disk", os.O_RDWR | os.O_CREAT)
    os.write(disk, bytes(4096 * TURNS))
    os.fsync(disk)
    ours, usual, floor = Spans(), Spans(), Spans()
    spent: list[Spans] = [[], []]
    for n in range(TURNS):
        change, used = turn(1 + n % 50, n // 50), process_time()
        ours.append(await _timed(store.commit(change)))
        spent[0].append(process_time() - used)
        used = process_time()
        usual.append(await _timed(_statement_by_statement(plain, change)))
        spent[1].append(process_time() - used)
        begun = perf_counter()
        os.pwrite(disk, os.urandom(4096), 4096 * n)
        os.fdatasync(disk)
        floor.append(perf_counter() - begun)
    os.close(disk)
    await store.close()
    await plain.close()
    return [
        _beside("a durable turn, awaited: p50", median(ours), "fdatasync", median(floor), 3),
        _beside("a durable turn, awaited: p99", _high(ours, 100), "fdatasync", _high(floor, 100), 3),
        _beside("the same beside statement by statement: p50", median(ours), "aiosqlite", median(usual), None),
        _beside("and their CPU", median(spent[0]), "aiosqlite", median(spent[1]), None),
    ]


async def _sustained(folder: Path) -> Row:
    """Many players at once: what waits shares a transaction."""
    store = await SqliteStore.open(folder / "riposte.db")

    async def player(match: int) -> None:
        for n in range(ROUNDS):
            await store.commit(turn(match, n))

    begun = perf_counter()
    await asyncio.gather(*map(player, range(1, PLAYERS + 1)))
    rate = PLAYERS * ROUNDS / (perf_counter() - begun)
    await store.close()
    return Row(
        f"durable turns with {PLAYERS} players at once", f"{rate:,.0f} /s", goal=">= 4,000 /s", met=rate >= 4_000
    )


async def _growth(folder: Path) -> list[Row]:
    """The same turns in a small and in a big database, alternately, with the pauses of a busy day."""
    small, big = [await SqliteStore.open(folder / f"{count}.db") for count in (FEW, MANY)]
    for store, count in ((small, FEW), (big, MANY)):
        await _fill(store, 0, count)
    lists = [await _list(big, status) for status in ("running", "")]
    spans, spent = await _compared(small, big, MANY)
    worst = _high(spans[1], 1000)
    costs = [(f"{FEW:,}", median(spent[0]) * 1e6), (f"{MANY:,}", median(spent[1]) * 1e6)]
    rows = [
        *lists,
        _beside(f"a turn among {MANY:,} matches: p50", median(spans[1]), f"among {FEW:,}", median(spans[0]), 1.25),
        _beside("the same, CPU, median", median(spent[1]), f"among {FEW:,}", median(spent[0]), 1.3),
        Row(f"a turn among {MANY:,} matches: p99.9", seconds(worst), goal="<= 5 ms", met=worst <= 5e-3),
    ]
    until, count = perf_counter() + FILLING, MANY
    while perf_counter() < until:
        await _fill(big, count, count + 1000)
        count += 1000
    spans, spent = await _compared(small, big, count)
    costs.append((f"{count:,}", median(spent[1]) * 1e6))
    plot = Plot("A turn beside the matches that are stored", "µs of CPU to write it", (("", tuple(costs)),))
    rows += [
        _beside(f"a turn among {count:,} matches: p50", median(spans[1]), f"among {FEW:,}", median(spans[0]), 1.3),
        replace(_beside("the same, CPU, median", median(spent[1]), f"among {FEW:,}", median(spent[0]), 1.3), plot=plot),
    ]
    await small.close()
    await big.close()
    return rows


async def _compared(small: SqliteStore, big: SqliteStore, many: int) -> tuple[list[Spans], list[Spans]]:
    """What turns take by the clock and in CPU time, in both, of matches that nobody has played in before."""
    chance = Random(many)
    spans, spent = [Spans(), Spans()], [Spans(), Spans()]
    for _ in range(TURNS):
        for nth, (store, count) in enumerate(((small, FEW), (big, many))):
            match = str(chance.randint(count - count // 5 + 1, count))
            expected = len(await store.load(match))
            await asyncio.sleep(PAUSE)
            used = process_time()
            spans[nth].append(await _timed(store.commit(turn(int(match), expected))))
            spent[nth].append(process_time() - used)
    return spans, spent


async def _list(store: SqliteStore, status: str) -> Row:
    """The latest matches of somebody who plays in all of them."""
    taken = Spans()
    for _ in range(SAMPLES):
        used = process_time()
        found = await store.matches(player="web:anna", status=status, limit=PAGE)
        taken.append(process_time() - used)
        assert len(found) == PAGE
    listed = f"{RUNNING:,} running" if status else f"{MANY:,} stored"
    took = median(taken)
    return Row(f"the latest {PAGE} of {listed} matches: CPU", seconds(took), goal="<= 5 ms", met=took <= 5e-3)


async def _long(folder: Path) -> Row:
    """A long match's log, read and its chain verified, beside reading the rows alone."""
    store = await SqliteStore.open(folder / "riposte.db")
    for n in range(LONG):
        await store.commit(turn(1, n))
    db = sqlite3.connect(folder / "riposte.db")
    ours, bare = Spans(), Spans()
    for _ in range(200):
        ours.append(await _timed(store.load("1")))
        begun = perf_counter()
        db.execute("SELECT seq, at, body, digest FROM events WHERE match = 1 ORDER BY seq").fetchall()
        bare.append(perf_counter() - begun)
    db.close()
    await store.close()
    return _beside(f"a log of {LONG} events, verified", median(ours), "the rows alone", median(bare), None)


async def _fill(store: SqliteStore, since: int, until: int) -> None:
    """Store matches with a turn each, of which one in five goes on: the latest."""
    ended = since + (until - since) * (MANY - RUNNING) // MANY
    for first in range(since + 1, until + 1, 1000):
        numbers = range(first, min(first + 1000, until + 1))
        await asyncio.gather(
            *(store.commit(turn(match, 0, "over" if match <= ended else "running")) for match in numbers)
        )


async def _plain(path: Path) -> aiosqlite.Connection:
    """The store's own tables, to be written to the usual way."""
    await (await SqliteStore.open(path)).close()
    db = await aiosqlite.connect(path)
    await db.executescript("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")
    return db


async def _statement_by_statement(db: aiosqlite.Connection, change: Change) -> None:
    """What the store writes, awaited one statement after the other, and no digest."""
    number, seq = int(change.match), change.expected + 1
    await db.execute("INSERT INTO heard (id) VALUES (?)", (change.heard,))
    await db.execute(
        "INSERT OR IGNORE INTO matches (number, match, length, head) VALUES (?, ?, 0, x'')", (number, number)
    )
    await db.execute("INSERT INTO events VALUES (?, ?, ?, ?, zeroblob(32))", (number, seq, *change.events[0]))
    await db.execute("UPDATE matches SET length = ? WHERE number = ?", (seq, number))
    await db.execute("DELETE FROM alarms WHERE match = ?", (number,))
    for alarm in change.alarms or ():
        await db.execute("INSERT INTO alarms (match, kind, at) VALUES (?, ?, ?)", (number, alarm.kind, alarm.at))
    for message in change.messages:
        await db.execute(
            "INSERT INTO letters (key, lane, body) VALUES (?, ?, ?)", (message.key, message.ordering_key, message.body)
        )
    await db.commit()


async def _timed(act: Awaitable[object]) -> float:
    begun = perf_counter()
    await act
    return perf_counter() - begun


def _beside(what: str, ours: float, name: str, peer: float, limit: float | None) -> Row:
    ratio = ours / peer
    goal = f"<= {limit:g}x" if limit else ""
    return Row(what, seconds(ours), f"{name} {seconds(peer)}", f"{ratio:.2f}", goal, ratio <= limit if limit else None)


def _high(spans: Spans, one_in: int) -> float:
    return quantiles(spans, n=one_in)[-1]
