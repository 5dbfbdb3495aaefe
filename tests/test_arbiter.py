"""An arbiter's acts: what holds besides what `conversations/arbiter_rules.txt` shows."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.commands.people.roles import has_role
from bot.messages.serialization import read_event
from engine.match.evolve import replay
from engine.match.record.read import read_record
from engine.match.record.write import record_of
from engine.match.state import Match
from tests.chat_room import DAY, ChatRoom, open_room

pytestmark = pytest.mark.usefixtures("each_database")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    opened = await open_room(tmp_path)
    await opened.say("hana", "role @cleo arbiter", host=True)
    yield opened
    await opened.store.close()


async def begun(room: ChatRoom, game: str = "tokonoma", terms: str = "umpire=turn") -> None:
    room.seed = 1
    await room.say("anna", f"challenge @ben {game} {terms}")
    await room.say("ben", "accept 1")


async def match(room: ChatRoom) -> Match:
    found = await room.service.repository.match("1")
    assert found is not None
    events = [read_event(record.body) for record in await room.store.load("1")]
    assert replay(events, check=True) == found
    return found


async def told(room: ChatRoom, name: str, text: str, **where: str) -> str:
    before = len(room.lines)
    await room.say(name, text, **where)
    return "\n".join(room.lines[before + 1 :])


async def test_a_lifted_result_counts_in_no_rating_and_stands_in_no_record(room: ChatRoom) -> None:
    await begun(room)
    for name, turn in (("anna", "c7c5"), ("ben", "c1c3"), ("anna", "a5a4"), ("ben", "c3c4")):
        await room.say(name, turn, thread="1")
    await room.say("ben", "resign yes", thread="1")
    assert "won 1" in await told(room, "anna", "rating")
    await room.say("cleo", "arbiter 1 lift his account was stolen")
    assert "finished no match" in await told(room, "anna", "rating")
    room.restart()
    assert "finished no match" in await told(room, "anna", "rating")
    found = await match(room)
    assert found.status == "running"
    events = [read_event(record.body) for record in await room.store.load("1")]
    record = record_of(events, {}, None)
    assert record.header("Result") == ""
    assert not any(entry.kind == "left" for entry in record.entries)
    assert read_record(record.write()).header("Seed") == ""


async def test_after_a_lifted_result_nothing_can_be_called_that_was_told_at_the_end(room: ChatRoom) -> None:
    await begun(room)
    await room.say("anna", "e5a4", thread="1")
    await room.say("ben", "resign yes", thread="1")
    assert "1 untenable turn was never called" in await told(room, "ben", "calls 1")
    await room.say("cleo", "arbiter 1 lift a slip")
    assert "call" in (await told(room, "ben", "call 1")).lower()
    assert [ply.text for ply in (await match(room)).plies] == ["e5a4"]
    assert "takeback" not in [one.what for one in (await match(room)).offers]


async def test_a_result_is_not_lifted_where_the_dice_have_been_told(room: ChatRoom) -> None:
    await begun(room, "veney", "")
    await room.say("ben", "resign yes", thread="1")
    assert "could be foretold" in await told(room, "cleo", "arbiter 1 lift a slip")
    assert "could be foretold" not in await told(room, "cleo", "arbiter 1 undo what")


async def test_a_result_of_the_board_itself_holds(room: ChatRoom) -> None:
    start = 'start="F2F1/6/b1A1AB1/5f/S4 b q1"'
    await begun(room, "tokonoma", start)
    found = await match(room)
    black = found.seats["B"].removeprefix("web:")
    assert "wins" in await told(room, black, "d6c7", thread="1")
    assert "The board itself ends" in await told(room, "cleo", "arbiter 1 lift a slip")


async def test_an_act_can_be_undone_for_thirty_days_by_whoever_did_it(room: ChatRoom) -> None:
    await begun(room, terms="time=60d")
    await room.say("hana", "role @dora arbiter", host=True)
    await room.say("cleo", "arbiter 1 void they do not play")
    assert "no ruling in this match to undo" in await told(room, "dora", "arbiter 1 undo they do")
    await room.wait(29 * DAY)
    assert "Play goes on" in await told(room, "cleo", "arbiter 1 undo they do")
    assert "no ruling in this match to undo" in await told(room, "cleo", "arbiter 1 undo more")
    await room.say("cleo", "arbiter 1 void they do not play")
    await room.wait(31 * DAY)
    assert "no ruling in this match to undo" in await told(room, "cleo", "arbiter 1 undo they do")


async def test_a_lifted_result_is_set_again_only_while_nobody_has_moved(room: ChatRoom) -> None:
    await begun(room)
    await room.say("ben", "resign yes", thread="1")
    await room.say("cleo", "arbiter 1 lift a slip")
    await room.say("anna", "c7c5", thread="1")
    assert "has gone on since" in await told(room, "cleo", "arbiter 1 undo no slip")


async def test_a_pause_that_was_ended_begins_again_when_that_is_undone(room: ChatRoom) -> None:
    await begun(room)
    await room.say("cleo", "arbiter 1 adjourn a holiday")
    until = (await match(room)).pauses[0][1]
    await room.say("cleo", "arbiter 1 resume it is over")
    await room.say("cleo", "arbiter 1 undo it is not")
    assert (await match(room)).pauses[-1][1] == until


@pytest.mark.parametrize("meanwhile", ["arbiter 1 adjourn another holiday", "arbiter 1 void they do not play"])
async def test_a_pause_that_was_ended_stays_so_where_the_match_rests_or_is_over(room: ChatRoom, meanwhile: str) -> None:
    await begun(room)
    await room.say("hana", "role @dora arbiter", host=True)
    await room.say("cleo", "arbiter 1 adjourn a holiday")
    await room.say("cleo", "arbiter 1 resume it is over")
    await room.say("dora", meanwhile)
    assert "has gone on since" in await told(room, "cleo", "arbiter 1 undo it is not")


async def test_a_pause_that_would_be_over_by_now_does_not_begin_again(room: ChatRoom) -> None:
    await begun(room)
    await room.say("cleo", "arbiter 1 pause 2d a holiday")
    await room.say("cleo", "arbiter 1 resume it is over")
    await room.wait(2 * DAY)
    assert "has gone on since" in await told(room, "cleo", "arbiter 1 undo it is not")


async def test_nobody_rules_in_a_match_of_their_own_by_any_account(room: ChatRoom) -> None:
    await begun(room)
    code = (await told(room, "anna", "account")).split("`account ")[1].split("`")[0]
    await room.say("annas", f"account {code} yes", platform="matrix", channel="den")
    await room.say("hana", "role @matrix:annas arbiter", host=True)
    assert "match of your own" in await told(
        room, "annas", "arbiter 1 win white I am she", platform="matrix", channel="den"
    )


async def test_no_seat_goes_to_an_account_that_is_linked_to_a_player_s(room: ChatRoom) -> None:
    await begun(room)
    code = (await told(room, "anna", "account")).split("`account ")[1].split("`")[0]
    await room.say("annas", f"account {code} yes", platform="matrix", channel="den")
    answer = await told(room, "cleo", "arbiter 1 seat black @matrix:annas ben is ill")
    assert "already plays in this match" in answer
    assert (await match(room)).seats == {"W": "web:anna", "B": "web:ben"}


async def test_a_seat_handed_on_takes_its_turns_along_and_can_be_handed_back(room: ChatRoom) -> None:
    await begun(room)
    await room.say("anna", "c7c5", thread="1")
    await room.say("emil", "help")
    await room.say("cleo", "arbiter 1 seat white @emil anna is ill")
    found = await match(room)
    assert [ply.by for ply in found.plies] == ["web:emil"]
    assert "no seat" in await told(room, "anna", "takeback 1")
    assert "asks to take back turn 1" in await told(room, "emil", "takeback 1")
    assert "plays on for @emil." in await told(room, "cleo", "arbiter 1 undo anna is well")
    assert (await match(room)).seats["W"] == "web:anna"
    await room.say("ben", "resign yes", thread="1")
    assert "Rating" not in await told(room, "anna", "rating")


async def test_no_match_is_moved_where_riposte_cannot_write(room: ChatRoom) -> None:
    from storage.store import Change

    await begun(room)
    await room.store.commit(Change(settings=(("web/attic/7", "closed", "1 locked"),)))
    answer = await told(room, "cleo", "arbiter 1 move the lounge is loud", channel="attic")
    assert "cannot write here" in answer
    assert (await match(room)).places == ("web/lounge/",)


async def test_a_match_is_moved_only_where_one_is_an_arbiter_too(room: ChatRoom) -> None:
    await begun(room)
    answer = await told(room, "cleo", "arbiter 1 move to my own room", platform="matrix", channel="den")
    assert "Only arbiters" in answer  # matrix's cleo is somebody else
    code = (await told(room, "cleo", "account")).split("`account ")[1].split("`")[0]
    await room.say("cleom", f"account {code} yes", platform="matrix", channel="den")
    answer = await told(room, "cleom", "arbiter 1 move to my own room", platform="matrix", channel="den")
    assert "whose arbiter you are" in answer
    assert (await match(room)).places == ("web/lounge/",)


async def test_where_nobody_is_an_arbiter_hosts_rule_and_an_arbiter_who_leaves_makes_room_for_them(
    room: ChatRoom,
) -> None:
    await begun(room)
    before = len(room.lines)
    await room.say("hana", "arbiter 1 pause 2d a talk", host=True)
    assert "Only arbiters" in "\n".join(room.lines[before:])
    await room.say("cleo", "role @cleo none")
    before = len(room.lines)
    await room.say("hana", "arbiter 1 pause 2d a talk", host=True)
    assert "pauses match 1" in "\n".join(room.lines[before:])


async def test_an_organiser_is_known_by_every_account(room: ChatRoom) -> None:
    await room.say("hana", "role @dora organiser", host=True)
    repository = room.service.repository
    assert await has_role(repository, "organiser", ("web//room",), ("web:dora",))
    assert not await has_role(repository, "organiser", ("web//room",), ("web:cleo",))


async def test_two_who_accept_one_challenge_at_once_get_one_seat(room: ChatRoom) -> None:
    room.seed = 0
    await room.say("anna", "challenge tokonoma")
    first, second = room.message("ben", "accept 1"), room.message("cleo", "accept 1")
    await asyncio.gather(room.service.receive(first), room.service.receive(second))
    await room.deliver()
    assert "You have no seat in this match" in "\n".join(room.lines)
    assert len((await match(room)).seats) == 2
