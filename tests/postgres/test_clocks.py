"""Two processes whose clocks are minutes apart: the database's counts; nothing is early, and nothing twice."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.runtime.scheduler import Scheduler
from storage.postgres.shared import SharedStore
from storage.store import Alarm, Change
from tests.chat_room import DAY, ChatRoom
from tests.stores import Server

MINUTES = 60.0
Opens = Callable[..., Awaitable[SharedStore]]


class Told:
    """A machine's clock, so many seconds ahead of ours."""

    def __init__(self, ahead: float):
        self.ahead = ahead

    def __call__(self) -> float:
        return time.time() + self.ahead


@pytest.fixture
async def opens(postgres: Server, tmp_path: Path) -> AsyncIterator[Opens]:
    postgres.forget()
    url = await postgres.database(tmp_path / "riposte.db")
    async with AsyncExitStack() as stack:

        async def another(clock: Callable[[], float]) -> SharedStore:
            key, erased = tmp_path / "riposte.key", tmp_path / "riposte.erased"
            store = await SharedStore.open(url, key, erased, clock=clock, lasts=1)
            stack.push_async_callback(store.close)
            store.serves = lambda: ("web",)
            return store

        yield another


def true() -> int:
    return time.time_ns() // 1_000_000


async def until(so: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not so():
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("apart", [(5 * MINUTES, -5 * MINUTES), (-3 * MINUTES, 0.0), (0.0, 86_400.0)])
async def test_an_alarm_fires_once_and_never_early_whatever_the_machines_say(
    opens: Opens, apart: tuple[float, float]
) -> None:
    stores = [await opens(Told(ahead)) for ahead in apart]
    fired: list[tuple[int, Alarm]] = []

    def firing(store: SharedStore) -> Callable[[Alarm], Awaitable[None]]:
        async def fire(alarm: Alarm) -> None:
            fired.append((true(), alarm))
            await store.commit(Change(woken=(alarm,), heard=f"{alarm.kind} has fired"))

        return fire

    due = true() + 1_500
    alarms = tuple(Alarm(str(n), f"flag{n}", due + n * 20) for n in range(1, 31))
    for alarm in alarms:
        await stores[0].commit(Change(match=alarm.match, events=((due, "{}"),), alarms=(alarm,)))
    schedulers = [asyncio.create_task(Scheduler(store, firing(store), store.now).run()) for store in stores]
    await until(lambda: len(fired) >= len(alarms))
    for _ in range(20):
        await asyncio.sleep(0.02)
    for task in schedulers:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    assert sorted(alarm.kind for _, alarm in fired) == sorted(alarm.kind for alarm in alarms)
    assert min(at - alarm.at for at, alarm in fired) >= 0
    assert max(at - alarm.at for at, alarm in fired) < 60_000


async def test_whoever_has_time_left_is_not_flagged_by_a_machine_that_is_ahead(opens: Opens) -> None:
    late, ahead = await opens(Told(-4 * MINUTES)), await opens(Told(4 * MINUTES))
    room, other = ChatRoom(late), ChatRoom(ahead)

    async def says(where: ChatRoom, name: str, text: str, thread: str = "") -> None:
        store = where.store
        assert isinstance(store, SharedStore)
        message = where.message(name, text, thread)
        at = store.now()
        room.now = other.now = at
        message = replace(message, id=f"web:{name} {text}", at=at)
        await where.service.receive(message)

    await says(room, "Anna", "challenge @ben tokonoma side=white time=1d umpire=friendly")
    await says(other, "Ben", "accept 1")
    await says(other, "Anna", "c7c5", "1")
    match = await other.service.repository.match("1")
    assert match is not None
    black = next(side for side in match.seats if match.seats[side] == "web:ben")
    assert DAY - 5_000 < match.time_left[black] <= DAY
    for store in (late, ahead):  # a day is not over, by either
        assert "flag" not in {alarm.kind for alarm in await store.due(store.now() + DAY - 30_000)}
    (due,) = {alarm.at for alarm in await ahead.due(ahead.now() + DAY + 1) if alarm.kind == "flag"}
    assert abs(due - true() - DAY) < 30_000


async def test_a_clock_that_is_set_while_riposte_runs_is_noticed_and_the_host_is_told(
    opens: Opens, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Told(0)
    store = await opens(clock)
    assert abs(store.now() - true()) < 50
    with caplog.at_level(logging.WARNING):
        clock.ahead = -7 * MINUTES
        await until(lambda: abs(store.now() - true()) < 1_000)
        clock.ahead = 0
        await until(lambda: "agree again" in caplog.text)
    assert caplog.text.count("seconds ahead of the database's") == 1
    assert abs(store.now() - true()) < 50


async def test_a_slow_answer_is_not_taken_for_a_clock_that_is_off(opens: Opens) -> None:
    store = await opens(Told(0))
    began = time.monotonic() - 3.5
    store._told_until(began, datetime.now(UTC) - timedelta(seconds=3.4) + timedelta(seconds=store.lasts))
    assert store._off == 0
    store._told_until(began, datetime.now(UTC) - timedelta(seconds=90) + timedelta(seconds=store.lasts))
    assert store.now() <= true() - 90_000 + 50


async def test_leases_go_by_the_database_s_clock(opens: Opens) -> None:
    one, other = await opens(Told(10 * MINUTES)), await opens(Told(-10 * MINUTES))
    for store in (one, other) * 3:
        await store.bury()
        assert store.held()
    assert await one.take("discord", "discord")
    assert not await other.take("discord", "discord")
    assert other._renewal is not None
    assert one._renewal is not None
    one._renewal.cancel()
    async with asyncio.timeout(30):
        while not await other.take("discord", "discord"):
            await other.bury()
    assert not one.held()
