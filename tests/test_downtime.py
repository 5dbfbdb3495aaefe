"""Time in which Riposte was away costs nobody anything, whether it was switched off or its machine was asleep."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.runtime.downtime import OUTAGE, Downtime
from engine.match.alarms import deadline
from storage.store import Alarm
from tests.away import measured
from tests.chat_room import DAY, HOUR, ChatRoom, open_room

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    """Anna has a day for her first turn."""
    room = await open_room(tmp_path)
    await room.say("anna", "challenge @ben tokonoma time=1d side=white")
    await room.say("ben", "accept")
    yield room
    await room.store.close()


def downtime(room: ChatRoom) -> Downtime:
    return Downtime(room.store, room.service.credit, lambda: room.now, lambda: ("", 0))


async def due(room: ChatRoom) -> int:
    match = await room.service.repository.match("1")
    assert match is not None
    instant = deadline(match)
    assert instant is not None
    return instant


async def test_the_first_start_of_all_gives_nothing_back(room: ChatRoom) -> None:
    before = await due(room)
    await downtime(room).check()
    assert await due(room) == before


async def test_time_in_which_the_bot_was_switched_off_is_given_back(room: ChatRoom) -> None:
    await downtime(room).check()
    before = await due(room)
    room.now += 5 * HOUR
    await downtime(room).check()  # started again
    assert await due(room) == before + 5 * HOUR


async def test_a_bot_that_dies_before_it_has_noted_what_it_gave_does_not_give_it_twice(room: ChatRoom) -> None:
    await downtime(room).check()
    before, since = await due(room), room.now
    room.now += 5 * HOUR
    await room.service.credit(since, room.now)
    room.now += 1_000
    await downtime(room).check()  # started again
    assert await due(room) == before + 5 * HOUR


async def test_time_in_which_the_machine_slept_is_given_back_before_anybody_is_flagged(room: ChatRoom) -> None:
    watch = downtime(room)
    await watch.check()
    before = await due(room)
    room.now += 3 * DAY
    await watch.before(room.service.alarm_fired)(Alarm("1", "flag", before))
    match = await room.service.repository.match("1")
    assert match is not None
    assert match.status == "running"
    assert await due(room) == before + 3 * DAY


async def test_moments_without_a_note_are_nobody_s_loss(room: ChatRoom) -> None:
    watch = downtime(room)
    before = await due(room)
    for _ in range(30):
        await watch.check()
        room.now += OUTAGE - 1
    assert await due(room) == before


async def test_a_clock_that_was_set_back_gives_and_takes_nothing(room: ChatRoom) -> None:
    watch = downtime(room)
    await watch.check()
    before = await due(room)
    room.now -= 2 * HOUR
    await watch.check()
    room.now += OUTAGE - 1
    await watch.check()
    assert await due(room) == before


# --- the wall clock -----------------------------------------------------------------------------------------
class Machine:
    """Its own time goes on as it will; the wall clock is what it is set to."""

    def __init__(self, room: ChatRoom) -> None:
        self.room = room
        self.start, self.up = "this start", 1_000_000

    def pass_(self, span: int) -> None:
        self.room.now += span
        self.up += span

    def watch(self) -> Downtime:
        return Downtime(self.room.store, self.room.service.credit, lambda: self.room.now, lambda: (self.start, self.up))


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("jump", [5 * HOUR, -5 * HOUR, 10 * 365 * DAY])
async def test_a_wall_clock_that_jumps_is_no_outage(room: ChatRoom, jump: int, *, restarted: bool) -> None:
    machine = Machine(room)
    watch = machine.watch()
    await watch.check()
    before = await due(room)
    machine.pass_(OUTAGE // 2)
    room.now += jump
    watch = machine.watch() if restarted else watch
    with capture_logs() as logs:
        assert await watch.held(Alarm("1", "flag", before))
    assert [line["log_level"] for line in logs] == ["error"]
    assert await due(room) == before
    machine.pass_(OUTAGE - 1)
    assert await watch.held(Alarm("1", "flag", before))
    machine.pass_(1)
    assert not await watch.held(Alarm("1", "flag", before))


@pytest.mark.parametrize("jumps", [(DAY * 3650,), (DAY * 5, DAY * -5, DAY * 5), (DAY * -5, DAY * 5)])
async def test_nobody_loses_on_time_because_the_clock_has_just_jumped(room: ChatRoom, jumps: tuple[int, ...]) -> None:
    machine = Machine(room)
    watch = machine.watch()
    await watch.check()
    for jump in jumps:
        machine.pass_(HOUR // 30)
        room.now += jump
        with capture_logs():
            await watch.check()
    await watch.before(room.service.receive)(room.message("anna", "move 1 c7c5"))
    match = await room.service.repository.match("1")
    assert match is not None
    assert [ply.text for ply in match.plies] == ["c7c5"]


async def test_what_was_heard_by_a_clock_that_was_ahead_and_had_to_wait_is_not_too_late(room: ChatRoom) -> None:
    watch = Machine(room).watch()
    heard = room.message("anna", "move 1 c7c5")
    await watch.before(room.service.receive)(replace(heard, at=heard.at + 10 * DAY))
    match = await room.service.repository.match("1")
    assert match is not None
    assert [ply.text for ply in match.plies] == ["c7c5"]


@pytest.mark.parametrize(("jump", "given"), [(3 * HOUR, 5 * HOUR), (-3 * HOUR, 2 * HOUR)])
async def test_nobody_gets_or_loses_by_a_clock_that_jumps_in_an_outage(room: ChatRoom, jump: int, given: int) -> None:
    """A clock set back by three hours shows two of five: whoever is given these has as much left as before."""
    machine = Machine(room)
    await machine.watch().check()
    before = await due(room)
    machine.pass_(5 * HOUR)
    room.now += jump
    with capture_logs():
        await machine.watch().check()
    assert await due(room) == before + given


async def test_after_a_start_of_the_machine_the_wall_clock_tells(room: ChatRoom) -> None:
    machine = Machine(room)
    await machine.watch().check()
    before = await due(room)
    machine.start, machine.up = "another start", 5
    room.now += 5 * HOUR
    await machine.watch().check()
    assert await due(room) == before + 5 * HOUR


# --- many matches -------------------------------------------------------------------------------------------
async def test_an_outage_is_one_interval_and_is_written_into_a_match_with_its_next_turn(room: ChatRoom) -> None:
    watch = downtime(room)
    await watch.check()
    before = await due(room)
    stored = len(await room.store.load("1"))
    for _ in range(2):
        room.now += 5 * HOUR
        await watch.check()
    assert len(await room.store.load("1")) == stored
    assert await room.deliver() == []
    assert await due(room) == before + 10 * HOUR
    await room.say("anna", "c7c5", "1")
    bodies = [record.body for record in await room.store.load("1")]
    assert len(bodies) == stored + 3  # two credits, the turn
    room.restart()
    assert await due(room) == room.now + DAY


async def test_whatever_falls_due_in_an_outage_is_put_off_without_a_word(room: ChatRoom) -> None:
    watch = downtime(room)
    await watch.check()
    before = await due(room)
    room.now += 2 * DAY
    for alarm in await room.store.due(room.now):
        await watch.before(room.service.alarm_fired)(alarm)
    assert await room.deliver() == []
    assert await room.store.due(room.now) == []
    room.restart()
    assert await due(room) == before + 2 * DAY
    told = await room.wait(2 * DAY)
    assert len(told) == 5  # three reminders, and that time has run out, in the thread and in its channel


async def test_an_outage_is_given_to_whoever_was_to_act_before_it_alone(room: ChatRoom) -> None:
    watch = downtime(room)
    await watch.check()
    room.now += 5 * HOUR
    await watch.check()
    await room.say("carol", "challenge @dave tokonoma time=1d side=white")
    await room.say("dave", "accept 2")
    room.restart()
    match = await room.service.repository.match("2")
    assert match is not None
    assert deadline(match) == match.turn_started_at + DAY
    assert match.turn_started_at <= room.now


async def test_a_turn_just_before_a_crash_is_credited_from_then_on(room: ChatRoom) -> None:
    watch = downtime(room)
    await watch.check()
    await room.say("anna", "c7c5", "1")  # a minute after the note
    before = await due(room)
    room.now += 5 * HOUR
    room.restart()
    await downtime(room).check()
    assert await due(room) == before + 5 * HOUR


async def test_many_matches_are_given_an_hour_back_without_a_post() -> None:
    _, posts, written = await measured(stored=300, running=200)
    assert posts == 0
    assert 0 < written < 50  # those whose alarms fell due in that hour
