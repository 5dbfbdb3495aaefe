"""What holds where two things meet: one test for each row of the table in docs/how-to-play.md."""

import asyncio
import re
import shutil
import zoneinfo
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.match.alarms import deadline
from engine.match.state import Match
from tests.chat_room import DAY, HOUR, MINUTE, ChatRoom, open_room, transcribe

pytestmark = pytest.mark.usefixtures("each_database")

PAGE = Path(__file__).parents[1] / "docs" / "how-to-play.md"
ELSEWHERE = {
    "a language file": "tests/test_catalogue.py",
    "an address that never answers": "tests/api/test_webhooks.py",
}
"""What is shown by tests of another file."""


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    opened = await open_room(tmp_path)
    yield opened
    await opened.store.close()


async def stands(room: ChatRoom, number: str = "1") -> Match:
    match = await room.service.repository.match(number)
    assert match is not None
    return match


async def said(room: ChatRoom, name: str, text: str, thread: str = "") -> str:
    return "\n".join(line for post in await room.say(name, text, thread) for line in transcribe(post, room.now))


async def begun(room: ChatRoom, terms: str = "") -> None:
    await room.say("anna", f"challenge @ben tokonoma side=white {terms}")
    await room.say("ben", "accept 1")


def test_every_row_has_its_test() -> None:
    rows = re.search(r"### When two things meet\n\n((?:\|.*\n)+)", PAGE.read_text("utf-8"))
    assert rows is not None
    told = [row.split("|")[1].strip() for row in rows[1].splitlines()[2:]]
    tested = {test.__doc__ for name, test in globals().items() if name.startswith("test_") and test.__doc__}
    assert set(told) == {*tested, *ELSEWHERE}
    assert all((PAGE.parents[1] / file).exists() for file in ELSEWHERE.values())


async def test_of_two_who_accept_one_has_the_seat(room: ChatRoom) -> None:
    """two who accept the same seat"""
    await room.say("anna", "challenge tokonoma side=white")
    both = [room.message(name, "accept 1") for name in ("ben", "cleo")]
    await asyncio.gather(*(room.service.receive(one) for one in both))
    told = await room.deliver()
    match = await stands(room)
    assert match.status == "running"
    assert len(match.seats) == 2
    late = next(name for name in ("ben", "cleo") if f"web:{name}" not in match.seats.values())
    assert any(post.only is not None and post.only.id == late for post in told), "and the other is told"


@pytest.mark.parametrize("answer", ["counter 1 time=5d", "accept 1", "decline 1 too late"])
async def test_a_withdrawn_challenge_takes_no_answer(room: ChatRoom, answer: str) -> None:
    """an answer to a challenge that was withdrawn"""
    await room.say("anna", "challenge @ben tokonoma")
    await room.say("anna", "decline 1")
    before = await stands(room)
    told = await said(room, "ben", answer)
    assert await stands(room) == before
    assert "challenge tokonoma" in told


async def test_a_button_of_ten_turns_ago_does_nothing(room: ChatRoom) -> None:
    """a button of an earlier turn"""
    await begun(room)
    old = {}
    for _ in range(10):
        match = await stands(room)
        name = match.seats[match.game.to_act(match.position)].removeprefix("web:")
        turn = match.game.write(next(iter(match.game.turns(match.position))), match.position)
        old.setdefault(name, f"move 1 @{match.stamp} {turn}")
        await room.say(name, turn, thread="1")
    before = await stands(room)
    for name, pressed in old.items():
        told = await said(room, name, pressed)
        assert f"to {name}" in told
        assert await stands(room) == before


@pytest.mark.parametrize(("late", "counts"), [(-1, True), (0, True), (1, False)])
async def test_a_turn_at_the_last_instant_counts_and_one_after_it_does_not(
    room: ChatRoom, late: int, counts: bool
) -> None:
    """a turn in the same second as the end of the time"""
    await begun(room)
    due = deadline(await stands(room))
    assert due is not None
    message = replace(room.message("anna", "c7c5", thread="1"), at=due + late)
    room.now = due + late
    await room.service.receive(message)
    await room.deliver()
    match = await stands(room)
    assert bool(match.turns_made) == counts
    await room.wait(MINUTE)
    assert ((await stands(room)).status == "running") == counts


async def test_a_vacation_brings_no_time_back(room: ChatRoom) -> None:
    """a vacation that begins once the time is over"""
    await begun(room, "time=2d timeout=claim")
    await room.wait(3 * DAY)
    assert (await stands(room)).status == "running"
    await room.say("anna", "vacation 7d")
    await room.say("ben", "claim 1")
    match = await stands(room)
    assert match.status == "over"
    assert match.result is not None
    assert match.result.winners == ("B",)


async def test_lines_that_answer_each_other_come_to_an_end(room: ChatRoom) -> None:
    """lines of both players that answer each other"""
    await begun(room, "umpire=turn")
    there_and_back = (
        "if e1e3 then c5c7 then e3e1 then c7c5",
        "if c7c5 then e1e3 then c5c7 then e3e1 then c7c5 then e1e3",
    )
    await room.say("anna", there_and_back[0], thread="1")
    await room.say("ben", there_and_back[1], thread="1")
    await room.say("anna", "c7c5", thread="1")
    await room.wait(HOUR)
    match = await stands(room)
    assert match.status == "running"
    assert 2 <= match.turns_made <= 6


async def test_whoever_is_erased_has_resigned(room: ChatRoom) -> None:
    """somebody who erases themselves in mid-match"""
    await begun(room)
    await room.say("anna", "c7c5", thread="1")
    await room.say("ben", "if c5c7 then e3e1", thread="1")
    await room.say("anna", "privacy erase yes")
    match = await stands(room)
    assert match.result is not None
    assert match.result.winners == ("B",)
    assert "Former players play no more" in await said(room, "ben", "rematch 1")


async def test_a_tournament_goes_on_without_its_organiser(room: ChatRoom) -> None:
    """an organiser who leaves"""
    await room.say("anna", "tournament swiss tokonoma seats=2 rounds=1")
    await room.say("anna", "organise 1 leave")
    for name in ("ben", "cleo"):
        await room.say(name, "join 1")
    await room.wait(MINUTE)
    assert (await stands(room)).status == "running"
    assert "hosts" in await said(room, "anna", "organise 1 cancel")
    await room.say("hana", "organise 1 cancel", "")
    of = await room.service.repository.tournament("t1")
    assert of is not None
    assert of.status == "running"
    await room.say("hana", "organise 1 cancel", host=True)
    of = await room.service.repository.tournament("t1")
    assert of is not None
    assert of.called_off


async def test_a_zone_that_changes_holds_from_the_next_turn_on(room: ChatRoom) -> None:
    """a time zone that is changed, or changes its rules"""
    await room.say("anna", "zone Pacific/Kiritimati")
    await begun(room, "rest=weekend time=3d")
    due = deadline(await stands(room))
    await room.say("anna", "zone Pacific/Niue")
    room.restart()
    assert deadline(await stands(room)) == due, "what was told of this turn stands"


@pytest.fixture
def another_day(tmp_path: Path) -> Iterator[Callable[[str, str], None]]:
    """The zones as another version of the database has them: one follows the rules of another from now on."""
    paths = zoneinfo.TZPATH

    def follows(zone: str, other: str) -> None:
        rules = next(Path(path) / other for path in paths if (Path(path) / other).exists())
        (tmp_path / "zones" / zone).parent.mkdir(parents=True)
        shutil.copy(rules, tmp_path / "zones" / zone)
        zoneinfo.reset_tzpath([str(tmp_path / "zones"), *paths])
        zoneinfo.ZoneInfo.clear_cache()

    yield follows
    zoneinfo.reset_tzpath(paths)
    zoneinfo.ZoneInfo.clear_cache()


async def test_new_rules_of_a_zone_hold_from_the_next_turn_on(
    room: ChatRoom, another_day: Callable[[str, str], None]
) -> None:
    """a time zone that is changed, or changes its rules"""
    await room.say("anna", "zone Pacific/Kiritimati")
    await begun(room, "rest=weekend time=3d")
    due = deadline(await stands(room))
    assert due is not None
    another_day("Pacific/Kiritimati", "Pacific/Niue")  # a day and an hour behind: so long later its weekends begin
    room.restart()
    assert deadline(await stands(room)) == due, "what was told of this turn stands"
    await room.wait(HOUR)
    assert (await stands(room)).status == "running"
    await room.say("anna", "c7c5", "1")
    await room.say("ben", "c1c3", "1")
    match = await stands(room)
    rests = match.rests["web:anna"]
    assert [datetime.fromtimestamp(start / 1000, UTC).hour for start, _ in rests[:1]] == [11], "midnight there, by now"
