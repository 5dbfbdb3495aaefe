"""No flag falls before what was written while Riposte was away has been read: it may have been in time."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.messages.serialization import write_incoming
from bot.repository import OUTAGES
from bot.runtime.readiness import LONGEST, Readiness
from engine.match.alarms import deadline
from engine.match.state import Match
from storage.store import Alarm, Arrival, Change
from tests.chat_room import DAY, MINUTE, ChatRoom, open_room


@dataclass
class Platform:
    """A platform that is read, or not yet."""

    platform: str
    caught_up: bool = False


@dataclass
class Start:
    """A match of which White's time ran out while Riposte was away; it has just been started."""

    room: ChatRoom
    web: Platform = field(default_factory=lambda: Platform("web"))
    other: Platform = field(default_factory=lambda: Platform("matrix", caught_up=True))
    readiness: Readiness = field(init=False)

    def __post_init__(self) -> None:
        self.readiness = Readiness(self.room.store, [self.web, self.other], lambda: self.room.now)

    async def flag(self) -> Alarm:
        return next(alarm for alarm in await self.room.store.due(self.room.now) if alarm.kind == "flag")

    async def held(self) -> bool:
        return await self.readiness.held(await self.flag())

    async def match(self) -> Match:
        match = await self.room.service.repository.match("1")
        assert match is not None
        return match


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    room = await open_room(tmp_path)
    await room.say("anna", "challenge @ben tokonoma side=white time=1d")
    await room.say("ben", "accept 1")
    room.now += DAY + 5 * MINUTE
    yield Start(room)
    await room.store.close()


async def test_a_flag_is_held_until_the_platform_has_been_read(start: Start) -> None:
    assert await start.held()
    start.web.caught_up = True
    assert not await start.held()


async def test_a_flag_is_held_until_what_was_read_is_dealt_with_but_not_for_ever(start: Start) -> None:
    late = start.room.message("anna", "c7c5", "1")
    await start.room.store.commit(Change(arrivals=(Arrival(late.id, write_incoming(late)),)))
    start.web.caught_up = True
    assert await start.held()
    start.room.now += LONGEST
    assert not await start.held(), "a message that cannot be dealt with holds nothing for ever"


async def test_a_platform_that_is_lost_again_is_read_again_first(start: Start) -> None:
    start.web.caught_up = True
    assert not await start.held()
    start.web.caught_up = False
    assert await start.held()


async def test_a_match_that_lives_elsewhere_does_not_wait(start: Start) -> None:
    start.web.caught_up, start.other.caught_up = True, False
    assert not await start.held()


async def test_a_turn_that_was_written_in_time_counts_however_late_it_is_read(start: Start) -> None:
    late = start.room.message("anna", "c7c5", "1")
    await start.room.service.receive(replace(late, sent=late.at - 10 * MINUTE))
    match = await start.match()
    assert (match.status, match.turns_made) == ("running", 1)
    assert match.turn_started_at == late.at, "the other's time begins when it is played"


async def test_what_a_homeserver_says_of_when_a_turn_was_written_counts_in_an_outage_of_ours_alone(
    start: Start,
) -> None:
    late = start.room.message("anna", "c7c5", "1")
    told = replace(late, sent=late.at - 10 * MINUTE, hearsay=True)
    match = await start.match()
    repository = start.room.service.repository
    assert await repository.given(match, told) is None, "anybody's server could say so"
    outage = f"{told.sent - MINUTE} {told.sent + MINUTE}"
    await start.room.store.commit(Change(settings=((*OUTAGES, outage),)))
    repository.forget_all()
    assert await repository.given(match, told) == told.sent
    assert await repository.given(match, replace(told, sent=told.sent - 2 * MINUTE)) is None
    assert await repository.given(match, replace(told, hearsay=False)) == told.sent


@pytest.mark.parametrize(("before", "counts"), [(1, True), (0, True), (-1, False)])
async def test_what_the_page_has_received_in_time_counts_though_it_waits(
    start: Start, before: int, counts: bool
) -> None:
    due = deadline(await start.match())
    assert due is not None
    await start.room.service.receive(replace(start.room.message("anna", "c7c5", "1"), at=due - before))
    assert start.room.now > due + 2 * MINUTE, "it has waited behind others"
    assert (await start.match()).turns_made == counts


async def test_a_turn_that_was_written_too_late_does_not_count(start: Start) -> None:
    late = start.room.message("anna", "c7c5", "1")
    await start.room.service.receive(replace(late, sent=late.at - MINUTE))
    assert (await start.match()).status == "over"
