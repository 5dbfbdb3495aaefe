"""The scheduler fires each alarm at its instant, once, and misses none."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.runtime.scheduler import HOLD, IN_FLIGHT, Scheduler
from storage.sqlite.store import SqliteStore
from storage.store import Alarm, Change
from tests.stores import opened
from tests.told import Clock

pytestmark = pytest.mark.usefixtures("each_database")


class Tower:
    """A scheduler at work; each alarm that fires sets those that its table says come next."""

    def __init__(self, store: SqliteStore):
        self.store, self.clock = store, Clock(0)
        self.heard: list[tuple[int, str, str]] = []
        self.next: dict[tuple[str, str], tuple[Alarm, ...]] = {}
        self.deaf: set[str] = set()
        self.scheduler = Scheduler(store, self.fire, self.clock.now, self.clock.wait)
        self.task = asyncio.create_task(self.scheduler.run())

    async def fire(self, alarm: Alarm) -> None:
        self.heard.append((self.clock.ms, alarm.match, alarm.kind))
        if alarm.match in self.deaf:
            raise OSError("damaged")
        await self.set(alarm.match, *self.next.get((alarm.match, alarm.kind), ()))

    async def set(self, match: str, *alarms: Alarm) -> None:
        known = len(await self.store.load(match))
        await self.store.commit(Change(match=match, expected=known, events=((0, "x"),), alarms=alarms))
        self.scheduler.nudge()

    async def at(self, ms: int) -> None:
        """The clock shows that instant, and whatever was to ring by then has rung."""
        await self.clock.asleep()
        self.clock.pass_((ms - self.clock.ms) / 1000)
        await self.clock.asleep()


@pytest.fixture
async def tower(tmp_path: Path, each_database: str) -> AsyncIterator[Tower]:
    tower = Tower(await opened(tmp_path / "riposte.db"))
    yield tower
    tower.task.cancel()
    await asyncio.gather(tower.task, return_exceptions=True)
    await tower.store.close()


async def test_alarms_ring_at_their_instant_in_order_and_never_early(tower: Tower) -> None:
    await tower.set("1", Alarm("1", "nudge", 5_000), Alarm("1", "flag", 9_000))
    await tower.set("2", Alarm("2", "flag", 7_000))
    tower.next[("1", "nudge")] = (Alarm("1", "flag", 9_000),)
    for ms in (4_999, 5_000, 6_999, 7_000, 8_999, 9_000):
        await tower.at(ms)
    assert tower.heard == [(5_000, "1", "nudge"), (7_000, "2", "flag"), (9_000, "1", "flag")]
    assert await tower.store.next_alarm() is None


async def test_a_flag_waits_for_what_was_written_in_time_and_is_still_on_its_way(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    tower = Tower(store)
    tower.task.cancel()
    tower.scheduler = Scheduler(store, tower.fire, tower.clock.now, tower.clock.wait, waits=IN_FLIGHT)
    tower.task = asyncio.create_task(tower.scheduler.run())
    await tower.set("1", Alarm("1", "nudge", 9_000))
    await tower.set("2", Alarm("2", "flag", 9_000))
    await tower.set("3", Alarm("3", "flag", 9_000))
    await tower.at(9_000)
    await tower.at(10_999)
    await tower.set("3")  # the turn has arrived
    await tower.at(11_000)
    await tower.at(20_000)
    assert tower.heard == [(9_000, "1", "nudge"), (11_000, "2", "flag")]
    tower.task.cancel()
    await asyncio.gather(tower.task, return_exceptions=True)
    await store.close()


async def test_what_fell_due_while_the_bot_was_down_rings_at_the_start_in_order(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    for match in range(1, 251):
        name = str(match)
        await store.commit(Change(match=name, events=((0, "x"),), alarms=(Alarm(name, "flag", -match),)))
    tower = Tower(store)
    await tower.clock.asleep()
    assert [match for _, match, _ in tower.heard] == [str(match) for match in range(250, 0, -1)]
    tower.task.cancel()
    await asyncio.gather(tower.task, return_exceptions=True)
    await store.close()


async def test_an_earlier_alarm_set_later_still_rings_first(tower: Tower) -> None:
    await tower.set("1", Alarm("1", "flag", 9_000))
    await tower.set("2", Alarm("2", "flag", 3_000))
    await tower.at(3_000)
    assert tower.heard == [(3_000, "2", "flag")]


async def test_an_alarm_that_was_taken_back_does_not_ring(tower: Tower) -> None:
    await tower.set("1", Alarm("1", "flag", 3_000))
    await tower.set("1")
    await tower.set("2", Alarm("2", "flag", 3_000))
    await tower.at(4_000)
    assert [match for _, match, _ in tower.heard] == ["2"]


async def test_a_match_that_cannot_answer_is_asked_again_a_minute_later_and_delays_nobody(tower: Tower) -> None:
    names = [str(match) for match in range(1, 121)]
    tower.deaf.update(names)
    for name in names:
        await tower.set(name, Alarm(name, "flag", 1_000))
    await tower.set("999", Alarm("999", "flag", 2_000))
    with capture_logs() as logs:
        await tower.at(1_000)
        await tower.at(2_000)
    assert {(entry["event"], entry["kind"]) for entry in logs} == {("an alarm failed", "flag")}
    assert tower.heard[-1] == (2_000, "999", "flag")
    assert len(tower.heard) == 121
    tower.deaf.clear()
    await tower.at(61_000)
    assert {ms for ms, _, _ in tower.heard[121:]} == {61_000}
    assert await tower.store.next_alarm() is None


async def test_an_alarm_that_is_held_fires_when_it_is_held_no_longer(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    tower = Tower(store)
    tower.task.cancel()
    held = {"1"}

    async def is_held(alarm: Alarm) -> bool:
        return alarm.match in held

    scheduler = Scheduler(store, tower.fire, tower.clock.now, tower.clock.wait, held=is_held)
    tower.scheduler = scheduler
    tower.task = asyncio.create_task(scheduler.run())
    await tower.set("1", Alarm("1", "flag", 1_000))
    await tower.set("2", Alarm("2", "flag", 1_000))
    await tower.at(2_000)
    assert [match for _, match, _ in tower.heard] == ["2"]
    held.clear()
    await tower.at(2_000 + HOLD)
    assert [match for _, match, _ in tower.heard] == ["2", "1"]
    tower.task.cancel()
    await asyncio.gather(tower.task, return_exceptions=True)
    await store.close()
