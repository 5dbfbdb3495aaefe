"""Time begins when the post has been delivered that tells whoever is awaited to act."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.messages.model import OutgoingMessage, Undeliverable
from bot.messages.serialization import read_message
from engine.match.alarms import PATIENCE, alarms, deadline
from engine.match.commands import Credit, Deliver, FindContact, LoseContact, Play, Resign
from engine.match.evolve import replay
from engine.match.state import Match
from storage.store import Alarm
from tests.chat_room import ChatRoom, open_room
from tests.table import DAY, HOUR, MINUTE, Table, begun

SECOND = 1_000


def awaited(time: str = "5s", **terms: str) -> Table:
    table = begun(time=time, **terms)
    table.at = table.now.turn_started_at
    return table


# --- the rule ---------------------------------------------------------------------------------------------
def test_a_turn_of_five_seconds_lasts_five_seconds_from_its_delivery() -> None:
    table = awaited()
    assert table.done(Deliver(table.now.awaits), after=3 * SECOND) == ("Delivered",)
    assert deadline(table.now) == table.at + 5 * SECOND
    assert max(alarm.at for alarm in alarms(table.now)) == deadline(table.now)


def test_it_begins_once_however_often_a_post_arrives() -> None:
    table = awaited()
    table.done(Deliver(table.now.awaits), after=3 * SECOND)
    due = deadline(table.now)
    assert table.done(Deliver(table.now.awaits), after=0) == ()
    assert deadline(table.now) == due


def test_the_post_of_an_earlier_turn_begins_nothing() -> None:
    table = awaited()
    old = table.now.awaits
    table.done(Play("anna", "c7c5"), after=SECOND)
    assert table.done(Deliver(old), after=3 * SECOND) == ()
    assert table.done(Deliver(table.now.awaits), after=0) == ("Delivered",)


@pytest.mark.parametrize(
    ("time", "late", "begins"), [("3d", 999, False), ("3d", 1_001, True), ("5s", 50, False), ("5s", 51, True)]
)
def test_days_need_no_event_for_less_than_a_second(time: str, late: int, begins: bool) -> None:
    table = awaited(time)
    assert table.done(Deliver(table.now.awaits), after=late) == (("Delivered",) if begins else ())


def test_a_bank_pays_for_no_time_before_the_delivery() -> None:
    table = awaited("1h+1m")
    table.done(Deliver(table.now.awaits), after=30 * MINUTE)
    table.done(Play("anna", "c7c5"), after=10 * MINUTE)
    assert table.now.time_left["W"] == 51 * MINUTE


def test_an_outage_before_the_delivery_counts_once() -> None:
    table = awaited("3d")
    start = table.at
    table.done(Credit(HOUR), after=HOUR)
    table.done(Deliver(table.now.awaits), after=5 * SECOND)
    assert deadline(table.now) == start + HOUR + 5 * SECOND + 3 * DAY


def test_time_out_of_contact_before_the_delivery_counts_once() -> None:
    for found in (False, True):
        table = awaited("3d")
        start = table.at
        table.done(LoseContact("anna", table.at), after=HOUR)
        steps = [Deliver(table.now.awaits), FindContact("anna")]
        for step in reversed(steps) if found else steps:
            table.says(step, HOUR if step is (steps[found]) else 0)
        assert deadline(table.now) == start + 2 * HOUR + 3 * DAY


def test_what_time_was_lost_as_a_penalty_stays_lost() -> None:
    table = awaited("10d")
    whole = deadline(table.now)
    assert whole is not None
    match = table.now.but(turn_started_at=table.now.turn_started_at - DAY)
    table.match = match
    table.done(Deliver(match.awaits), after=HOUR)
    assert deadline(table.now) == whole - DAY + HOUR


def test_a_match_waits_seven_days_for_deliveries_in_all() -> None:
    table = awaited("3d")
    start = table.at
    table.done(Deliver(table.now.awaits), after=PATIENCE + DAY)
    assert deadline(table.now) == start + PATIENCE + 3 * DAY
    table = awaited("3d")
    table.match = table.now.but(waited=PATIENCE)
    assert table.done(Deliver(table.now.awaits), after=DAY) == ()


def test_nothing_begins_once_a_match_is_over_or_without_a_clock() -> None:
    table = awaited()
    before = table.now.awaits
    table.done(Resign("anna"), after=SECOND)
    assert table.done(Deliver(before), after=SECOND) == ()
    table = awaited("none")
    assert table.done(Deliver(table.now.awaits), after=DAY) == ()


def test_a_log_with_late_deliveries_is_replayed_as_it_was() -> None:
    table = awaited("1h+1m")
    table.done(Deliver(table.now.awaits), after=MINUTE)
    table.play("c7c5")
    table.done(Deliver(table.now.awaits), after=MINUTE)
    replayed = replay(table.events, check=True)
    assert replayed is not None
    assert (replayed.turn_started_at, replayed.time_left) == (table.now.turn_started_at, table.now.time_left)


# --- in a room --------------------------------------------------------------------------------------------
class Slow:
    """A room in which posts arrive when the test says so."""

    def __init__(self, room: ChatRoom):
        self.room = room

    async def say(self, name: str, text: str) -> None:
        await self.room.service.receive(
            self.room.message(name, text, "1" if text[0] == "c" and text[1].isdigit() else "")
        )

    async def arrive(self, error: Undeliverable | None = None) -> list[OutgoingMessage]:
        told: list[OutgoingMessage] = []
        while waiting := await self.room.store.waiting(self.room.now):
            for outgoing in waiting:
                post = read_message(outgoing.message.body)
                if error and post.begins:
                    await self.room.service.contact.failed(post, error)
                    await self.room.store.undeliverable(outgoing.number, str(error), self.room.now)
                    error = None
                    continue
                await self.room.service.contact.arrived(post)
                await self.room.store.delivered(outgoing.number, f"remote {outgoing.number}", self.room.now)
                told.append(post)
        return told

    async def match(self) -> Match:
        match = await self.room.service.repository.match("1")
        assert match is not None
        return match

    async def alarm(self, kind: str = "flag") -> None:
        await self.room.service.alarm_fired(Alarm("1", kind, self.room.now))


@pytest.fixture
async def slow(tmp_path: Path) -> AsyncIterator[Slow]:
    room = await open_room(tmp_path)
    slow = Slow(room)
    await slow.say("anna", "challenge @ben tokonoma side=white time=10m")
    await slow.say("ben", "accept 1")
    yield slow
    await room.store.close()


async def test_one_post_begins_the_time_and_reminders_do_not(slow: Slow) -> None:
    assert [post.begins for post in await slow.arrive() if post.begins] == [(await slow.match()).awaits]
    slow.room.now = (await slow.match()).turn_started_at + 9 * MINUTE
    await slow.alarm("nudge")
    reminder = await slow.arrive()
    assert reminder[0].rings
    assert not any(post.begins for post in reminder)


async def test_nobody_runs_out_of_time_while_the_post_is_under_way(slow: Slow) -> None:
    slow.room.now = (await slow.match()).turn_started_at + HOUR
    await slow.alarm()
    assert (await slow.match()).status == "running"
    await slow.say("ben", "draw 1")  # nor because the other says something
    assert (await slow.match()).status == "running"
    await slow.arrive()
    match = await slow.match()
    assert deadline(match) == slow.room.now + 10 * MINUTE
    assert await slow.room.store.next_alarm() == min(alarm.at for alarm in alarms(match))


async def test_whoever_answers_a_post_that_is_under_way_is_in_time(slow: Slow) -> None:
    slow.room.now = (await slow.match()).turn_started_at + HOUR
    await slow.say("anna", "c7c5")
    assert (await slow.match()).turns_made == 1


async def test_once_it_has_arrived_time_runs_out(slow: Slow) -> None:
    await slow.arrive()
    match = await slow.match()
    slow.room.now = (deadline(match) or 0) + 1
    await slow.alarm()
    assert (await slow.match()).status == "over"


async def test_a_post_that_will_never_arrive_stops_nothing(slow: Slow) -> None:
    await slow.arrive(Undeliverable("forbidden words"))
    match = await slow.match()
    slow.room.now = (deadline(match) or 0) + 1
    await slow.alarm()
    assert (await slow.match()).status == "over"


async def test_a_copy_in_private_begins_the_time_where_the_place_is_closed(slow: Slow) -> None:
    error = Undeliverable("lacks a permission", closes="place")
    slow.room.now = (await slow.match()).turn_started_at + HOUR
    told = await slow.arrive(error)
    assert any(post.begins and post.only is not None for post in told)
    assert deadline(await slow.match()) == slow.room.now + 10 * MINUTE


async def test_a_delivery_that_is_noted_twice_counts_once_and_outlives_a_restart(slow: Slow) -> None:
    waiting = await slow.room.store.unsent("1")
    post = next(post for one in waiting if (post := read_message(one.body)).begins)
    slow.room.now = (await slow.match()).turn_started_at + MINUTE
    await slow.room.service.contact.arrived(post)
    due = deadline(await slow.match())
    slow.room.restart()
    slow.room.now += MINUTE
    await slow.room.service.contact.arrived(post)
    assert deadline(await slow.match()) == due == slow.room.now - MINUTE + 10 * MINUTE


async def test_a_match_that_is_never_told_of_waits_seven_days_at_most(slow: Slow) -> None:
    slow.room.now = (await slow.match()).turn_started_at + PATIENCE + HOUR
    await slow.alarm()
    assert (await slow.match()).status == "over"
