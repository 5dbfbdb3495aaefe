"""Time in which Riposte was away costs nobody anything, whether it was switched off or its machine was asleep."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.runtime.downtime import OUTAGE, Downtime
from engine.match.alarms import deadline
from storage.store import Alarm
from tests.chat_room import DAY, HOUR, ChatRoom, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    """Anna has a day for her first turn."""
    room = await open_room(tmp_path)
    await room.say("anna", "challenge @ben tokonoma time=1d side=white")
    await room.say("ben", "accept")
    yield room
    await room.store.close()


def downtime(room: ChatRoom) -> Downtime:
    return Downtime(room.store, room.service.credit, lambda: room.now)


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
