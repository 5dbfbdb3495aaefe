"""`riposte check` works every match out anew: what was played checks out, what was altered beside a log is told."""

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.check import examine, examined
from bot.program import app
from bot.ratings.results import read_result, write_result
from bot.service.cause import Cause
from bot.service.dispatch import apply
from bot.settings import Settings
from engine.match.commands import AlarmFired, LoseContact
from engine.match.snapshot.keep import write
from storage import open_store
from storage.store import Alarm, Change, Store, Summary
from tests.chat_room import DAY, ChatRoom, open_room
from tests.stores import Server
from tests.test_conversations import CONVERSATIONS, replayed
from tests.test_last_version import CLOSED, DATABASE

SHORT = (("anna", "challenge @ben tokonoma side=white time=3d", ""), ("ben", "accept 1", ""), ("anna", "c7c5", "1"))


async def told(store: Store) -> list[str]:
    return [str(finding) async for finding in examined(store)]


async def faults(store: Store) -> list[str]:
    return [line for line in await told(store) if line.startswith("FAULT")]


@pytest.fixture
async def room(tmp_path: Path) -> ChatRoom:
    room = await open_room(tmp_path)
    for who, line, thread in SHORT:
        await room.say(who, line, thread)
    return room


@pytest.mark.parametrize("path", CONVERSATIONS, ids=[path.stem for path in CONVERSATIONS])
async def test_whatever_people_do_checks_out(path: Path, tmp_path: Path) -> None:
    await replayed(path.read_text("utf-8"), tmp_path)
    store = await open_store(tmp_path / "riposte.db")
    try:
        assert await faults(store) == []
    finally:
        await store.close()


async def test_so_does_a_database_of_the_last_version_and_what_is_played_on_in_it(tmp_path: Path) -> None:
    room = ChatRoom(await open_store(shutil.copy(DATABASE, tmp_path / "riposte.db")), now=CLOSED, heard=1000)
    try:
        assert await faults(room.store) == []
        await room.say("anna", "resign 1 yes")
        assert await told(room.store) == [
            "ok: 7 matches were worked out anew from "
            f"{sum([len(await room.store.load(str(number))) for number in range(1, 8)])} events, "
            "with lists, alarms, snapshots and results."
        ]
    finally:
        await room.store.close()


@pytest.mark.parametrize(
    ("altered", "said"),
    [
        (lambda one: replace(one, status="over"), "lists show status 'over', and its log says 'running'"),
        (lambda one: replace(one, to_act=("web:anna",)), "lists show to_act ('web:anna',)"),
        (lambda one: replace(one, players=("web:anna", "web:carol")), "lists show players"),
        (lambda one: replace(one, due=one.due + 1), "lists show due"),
        (lambda one: replace(one, places=()), "lists show places ()"),
        (lambda one: replace(one, game="veney"), "lists show game 'veney'"),
    ],
)
async def test_a_list_that_shows_something_else_is_told(
    altered: Callable[[Summary], Summary], said: str, room: ChatRoom
) -> None:
    summary = await room.store.summary("1")
    assert summary is not None
    length = len(await room.store.load("1"))
    await room.store.commit(Change(match="1", expected=length, summary=altered(summary)))
    assert any(said in line for line in await faults(room.store))
    await room.store.close()


@pytest.mark.parametrize("late", [None, -1, 60_000])
async def test_a_time_that_would_run_out_at_another_instant_is_told(late: int | None, room: ChatRoom) -> None:
    alarms = [alarm for alarm in await room.store.due(1 << 60) if alarm.match == "1"]
    wrong = [replace(alarm, at=alarm.at + (late or 0)) for alarm in alarms if late is not None or alarm.kind != "flag"]
    length = len(await room.store.load("1"))
    await room.store.commit(Change(match="1", expected=length, alarms=tuple(wrong)))
    assert any("it is to be woken for flag at " in line for line in await faults(room.store))
    later = [replace(alarm, at=alarm.at + 60_000) if alarm.kind == "nudge" else alarm for alarm in alarms]
    await room.store.commit(Change(match="1", expected=length, alarms=(*later,)))
    assert await faults(room.store) == []  # a reminder may wait for the morning
    await room.store.commit(Change(match="1", expected=length, alarms=(*alarms, Alarm("1", "close", room.now))))
    assert any("it is to be woken for close at " in line for line in await faults(room.store))
    await room.store.close()


@pytest.mark.parametrize("old", [False, True])
async def test_a_match_that_an_earlier_version_left_open_to_a_claim_for_ever_is_told(old: bool, tmp_path: Path) -> None:
    database = shutil.copy(DATABASE, tmp_path / "riposte.db")
    room = ChatRoom(await open_store(database), now=CLOSED, heard=1000)
    match = await room.service.repository.match("1")
    assert match is not None
    (awaited,) = match.sides_to_act
    lost = LoseContact(match.seats[awaited], room.now)
    for command in (lost, AlarmFired("claim")):
        await room.service.transactions.run(
            Cause(f"test:{command}", room.now), partial(apply, room.service.repository, "1", command, room.now)
        )
        room.now += 8 * DAY
    set_ = [alarm for alarm in await room.store.due(1 << 60) if alarm.match == "1"]
    assert [alarm.kind for alarm in set_] == ["flag"]
    if old:
        await room.store.commit(Change(match="1", expected=len(await room.store.load("1")), alarms=()))
    told = await faults(room.store)
    assert ["match 1: it is open to a claim, and no alarm ends it" in line for line in told] == [True] * old
    assert all("`claim 1` ends it" in line for line in told)
    await room.store.close()


@pytest.mark.parametrize("wrong", [False, True])
async def test_a_match_that_was_kept_as_it_never_stood_is_told(wrong: bool, room: ChatRoom) -> None:
    match = await room.service.repository.match("1")
    assert match is not None
    kept = match.but(time_left={side: left + 1 for side, left in match.time_left.items()}) if wrong else match
    written = write(kept, room.now)
    assert written is not None
    room.store.keep("1", match.length, written)
    await room.say("ben", "c1c3", "1")
    assert (await room.store.resume("1"))[1] == match.length
    told = [f"FAULT: match 1: as it was kept after event {match.length} it is not what its log says"]
    assert [line.partition(".")[0] for line in await faults(room.store)] == told * wrong
    await room.store.close()


async def test_a_result_that_is_not_its_log_s_is_told(room: ChatRoom) -> None:
    for line in ("c1c3", "resign yes"):
        await room.say("ben", line, "1")
    owner, key = "match:1", "result tokonoma"
    kept = read_result(await room.store.setting(owner, key))
    assert await faults(room.store) == []
    await room.store.commit(Change(settings=((owner, key, write_result(replace(kept, winners=kept.players))),)))
    (line,) = await faults(room.store)
    assert "match 1: its result is kept as" in line
    await room.store.close()


async def test_the_command_looks_at_a_copy_beside_a_running_riposte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    room = await open_room(data)
    for who, line, thread in SHORT:
        await room.say(who, line, thread)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIPOSTE_KEY_FILE", str(data / "riposte.key"))
    before = sorted(path.name for path in data.iterdir())
    done = await asyncio.to_thread(CliRunner().invoke, app, ["check"])
    assert (done.exit_code, done.output.strip()) == (
        0,
        f"ok: 1 match was worked out anew from {len(await room.store.load('1'))} events, "
        "with lists, alarms, snapshots and results.",
    )
    assert sorted(path.name for path in data.iterdir()) == before  # nothing is left of the copy
    await room.say("ben", "c1c3", "1")
    await room.store.close()
    monkeypatch.setenv("RIPOSTE_DATABASE", str(tmp_path / "nothing.db"))
    done = await asyncio.to_thread(CliRunner().invoke, app, ["check"])
    assert done.exit_code == 1
    assert "there is no database" in done.output


async def test_so_does_a_postgresql_beside_whoever_plays_on_it(postgres: Server, tmp_path: Path) -> None:
    postgres.forget()
    url = await postgres.database(tmp_path / "new.db", empty=True)
    store = await open_store(url, tmp_path / "riposte.key", tmp_path / "riposte.erased")
    try:
        room = ChatRoom(store)
        for who, line, thread in SHORT:
            await room.say(who, line, thread)
        asked = Settings(database=url, data=tmp_path, key_file=tmp_path / "riposte.key")
        assert [finding.state async for finding in examine(asked)] == ["ok"]
        summary = await store.summary("1")
        assert summary is not None
        length = len(await store.load("1"))
        await store.commit(Change(match="1", expected=length, summary=replace(summary, status="over")))
        (line, last) = [str(finding) async for finding in examine(asked)]
        assert "match 1: lists show status 'over', and its log says 'running'" in line
        assert last.startswith(f"ok: 1 match was worked out anew from {length} events")
    finally:
        await store.close()
