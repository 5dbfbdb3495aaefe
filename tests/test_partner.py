"""Riposte as an opponent: it acts once for each moment of a match, sees what its seat sees, and gives nothing away."""

import asyncio
import multiprocessing
import os
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.messages.model import PARTNER
from bot.partner.desk import Desk
from bot.partner.seat import at_once
from bot.runtime.wake import SWEEP
from engine.appraisal import STRONGEST, WEAKEST, Appraising
from engine.dice import Dice
from engine.game import Ruling
from engine.games import GAMES
from engine.match.commands import Decline, Join
from engine.search.callout import notices, slip
from engine.search.job import Job, decide
from engine.search.partner import level_of, think
from engine.search.values import Task
from tests.chat_room import DAY, ChatRoom, open_room

SEED = bytes(range(32))


def told(room: ChatRoom) -> str:
    return "\n".join(room.lines)


async def job_in(room: ChatRoom, match: str = "1") -> Job:
    job = await room.seat.job(match, room.now)
    assert job is not None
    return job


async def silent(folder: Path, *said: str) -> ChatRoom:
    """A room in which Riposte has not thought about the last thing said."""
    room = await open_room(folder)
    *before, last = said
    for text in before:
        await room.say("anna", text, "" if text.startswith(("play", "challenge")) else "1")
    await room.service.receive(room.message("anna", last, "" if last.startswith(("play", "challenge")) else "1"))
    await room.deliver()
    return room


async def test_a_decision_is_carried_out_once_however_often_it_comes(tmp_path: Path) -> None:
    room = await silent(tmp_path, "play tokonoma side=white level=1", "c7c5")
    job = await job_in(room)
    decided = decide(job)
    for _ in range(3):
        await room.seat.decided(job, decided, room.now)
    match = await room.service.repository.match("1")
    assert match is not None
    assert [ply.by for ply in match.plies] == ["web:anna", PARTNER]
    await room.store.close()


async def test_after_a_restart_the_same_job_is_found_and_leads_to_the_same_turn(tmp_path: Path) -> None:
    room = await silent(tmp_path, "play tokonoma side=white level=1", "c7c5")
    before = await job_in(room)
    room.restart()
    after = await job_in(room)
    assert after == before
    assert decide(after) == decide(before)
    await room.store.close()


async def test_a_decision_for_a_moment_that_has_passed_changes_nothing(tmp_path: Path) -> None:
    room = await silent(tmp_path, "play tokonoma side=white level=1", "c7c5")
    job = await job_in(room)
    decided = decide(job)
    await room.service.receive(room.message("anna", "takeback", "1"))
    await room.seat.job("1", room.now)  # it agrees to the takeback
    match = await room.service.repository.match("1")
    assert match is not None
    await room.seat.decided(job, decided, room.now)
    assert (await room.service.repository.match("1")) == match
    await room.store.close()


async def test_workers_of_their_own_make_the_turn(tmp_path: Path) -> None:
    room = await silent(tmp_path, "play tokonoma side=white level=1", "c7c5")
    desk = Desk(room.seat, lambda: room.now, cores=1)
    running = asyncio.create_task(desk.run())
    async with asyncio.timeout(60):
        while True:
            match = await room.service.repository.match("1")
            assert match is not None
            if len(match.plies) == 2:
                break
            await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert match.plies[-1].by == PARTNER
    await room.store.close()


async def test_one_core_goes_round_all_matches_in_processes_of_their_own(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    for number in ("1", "2", "3"):
        await room.service.receive(room.message("anna", "play tokonoma side=white level=1"))
        await room.seat.job(number, room.now)
        await room.service.receive(room.message("anna", "c7c5", number))
    here, seen = multiprocessing.active_children(), list[str]()
    desk = Desk(room.seat, lambda: room.now, cores=1)
    room.listeners += [desk.committed, lambda change, _: seen.append(change.match)]
    running = asyncio.create_task(desk.run())
    workers = set[int]()
    async with asyncio.timeout(60):
        while len({*seen}) < 3:
            workers.add(len(multiprocessing.active_children()) - len(here))
            await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert max(workers) == 1, "as many as there are cores for it"
    assert sorted(seen[:3]) == ["1", "2", "3"], "each has its turn"
    await room.store.close()


def ends(_job: Job) -> None:
    """What a worker does that is killed as soon as it has begun."""
    os._exit(1)


async def test_where_workers_end_at_once_others_are_hired_after_longer_and_longer_and_the_host_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.partner.desk.decide", ends)
    room = await silent(tmp_path, "play tokonoma side=white level=1", "c7c5")
    pauses: list[float] = []
    rested = asyncio.Event()

    async def wait(event: asyncio.Event, seconds: float) -> None:
        if seconds == SWEEP:
            await event.wait()
            return
        pauses.append(seconds)
        room.now += round(seconds * 1000)
        if len(pauses) == 3:
            rested.set()
            await asyncio.Event().wait()

    with capture_logs() as logs:
        running = asyncio.create_task(Desk(room.seat, lambda: room.now, cores=1, wait=wait).run())
        async with asyncio.timeout(60):
            await rested.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert pauses == [1, 5, 10]
    assert [line["log_level"] for line in logs] == ["warning", "error"]
    assert "worker processes die as soon as they are started" in logs[1]["event"]
    await room.store.close()


async def test_a_host_settles_in_how_many_matches_it_plays_at_a_time(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    room.service.repository.opponents = 1
    await room.say("anna", "play tokonoma side=white")
    await room.say("ben", "challenge @riposte tokonoma")
    assert "many matches" in room.lines[-1]
    assert await room.service.repository.match("2") is None
    await room.store.close()


@pytest.mark.parametrize(("terms", "declined"), [("formality=formal", True), ("", False)])
async def test_a_seat_in_a_match_for_keeps_is_declined(terms: str, declined: bool, tmp_path: Path) -> None:
    """Whichever way the challenge has come about."""
    room = await open_room(tmp_path)
    await room.say("anna", "token moon shell")
    await room.say("anna", f"challenge @ben veney {terms}")
    match = await room.service.repository.match("1")
    assert match is not None
    assert isinstance(at_once(match, room.service.repository), Decline if declined else Join)
    await room.store.close()


async def test_nothing_is_sent_to_the_account_that_riposte_plays_from(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    await room.say("anna", "challenge @riposte veney setup=concealed side=white")
    await room.say("anna", "secret $SBC 5555", "1")
    assert room.posts
    assert all(post.only is None or post.only.platform == "web" for post in room.posts)
    assert all(person.platform == "web" for post in room.posts for person in post.rings)
    assert all(post.where.platform == "web" for post in room.posts)
    await room.store.close()


async def test_a_host_who_lets_it_play_no_match_is_told_of_by_a_sentence(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    room.service.repository.opponents = 0
    await room.say("anna", "challenge @riposte tokonoma")
    said = "Riposte does not play here itself. Challenge somebody: `challenge @name tokonoma`."
    assert room.lines[-1] == f"  Riposte to anna: {said}"
    await room.say("anna", "play tokonoma")
    assert "1 seat is free" in told(room)
    await room.store.close()


async def test_no_more_matches_are_played_at_once_than_its_host_lets_it(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    room.service.repository.opponents = 1
    await room.say("anna", "challenge @riposte tokonoma")
    await room.say("ben", "challenge @riposte tokonoma")
    assert room.lines[-1] == "  Riposte to ben: Riposte plays as many matches as it can. Try again later."
    await room.say("anna", "resign 1 yes")
    await room.say("ben", "challenge @riposte tokonoma")
    assert await room.service.repository.match("2") is not None
    await room.store.close()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("play tokonoma 3", "level=3"),
        ("challenge @riposte tokonoma level 3", "level=3"),
        ("challenge @ben tokonoma time 5d", "time=5d"),
        ("challenge @ben tokonoma umpire", "umpire=refuse"),
    ],
)
async def test_a_term_without_its_sign_is_guessed(typed: str, meant: str, tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    await room.say("anna", typed)
    assert f"Did you mean `{meant}`?" in room.lines[-1]
    await room.store.close()


async def test_play_alone_asks_which_game_with_an_example_of_its_own(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    await room.say("anna", "play")
    assert room.lines[-1] == "  Riposte to anna: Which game? `games` lists them: `play tokonoma level=2`."
    await room.store.close()


async def test_one_person_plays_five_matches_against_it_at_most(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    for _ in range(6):
        await room.say("anna", "play tokonoma side=white")
    said = "You are playing 5 matches against Riposte already. `matches` lists them; finish one first."
    assert room.lines[-1] == f"  Riposte to anna: {said}"
    await room.say("ben", "play tokonoma side=white")
    assert await room.service.repository.match("6") is not None
    await room.store.close()


async def test_a_position_of_a_running_match_cannot_be_tried_against_it(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    await room.say("anna", "challenge @ben tokonoma side=white")
    await room.say("ben", "accept 1")
    await room.say("anna", "c7c5", "1")
    match = await room.service.repository.match("1")
    assert match is not None
    start = match.game.encode(match.position)
    await room.say("anna", f'play tokonoma start="{start}"')
    assert "That position stands in match 1, which is not over." in told(room)
    await room.store.close()


TWINS = {
    "tokonoma": ("f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w", "c7c5", "c7c4"),
    "tirachen": ("R: G@e1 C@a5 / W: G@e9 / T: e5 - / pR: - / pW: - / mob: RW / to: R", "Ca5b5", "Ca5b7"),
    "chirality": ("P1: A44 D44 / P2: B44 B45 / res: 8 8 / to: P1", "D44-D50", "D44-A50"),
    "ironclad": (
        "rW: A1=1 C4=2 / rB: D6=2 A8=1 / sW: d5 / sB: - / last: - / mode: full / owner: W / half: - / to: W",
        "C4-C5",
        "C4-C6",
    ),
    "veney": (
        "W: S@Y6 $@X6 C@W5 e@X8 e@Z7 / B: S@Y13 $@X13 e@Y12 / rW: G / a: - / to: W",
        "$X7",
        "$W9",
    ),
}


@pytest.mark.parametrize("key", TWINS)
def test_what_is_noticed_depends_on_level_and_rule_and_a_tenable_turn_is_never_called(key: str) -> None:
    game = GAMES[key]
    assert isinstance(game, Appraising)
    start, tenable, untenable = TWINS[key]
    called = dict.fromkeys(range(WEAKEST, STRONGEST + 1), 0)
    position = game.decode(start)
    rulings = {text: tuple(game.judge(position, game.read(text, position))) for text in (tenable, untenable)}
    assert rulings[untenable]
    for level in called:
        for number in range(100):
            luck = number.to_bytes(32, "big")
            assert not notices(game, rulings[tenable], level, Dice(luck))
            called[level] += bool(notices(game, rulings[untenable], level, Dice(luck)))
    assert called[WEAKEST] < 60
    assert called[STRONGEST] == 100
    assert list(called.values()) == sorted(called.values())


def test_a_subtle_rule_is_overlooked_more_often() -> None:
    veney = GAMES["veney"]
    assert isinstance(veney, Appraising)
    plain, subtle = (
        next(rule for rule in veney.rules if (rule.ref in veney.subtle) == wanted) for wanted in (False, True)
    )
    move = next(iter(veney.turns(veney.setup({}, Dice(SEED)))))[0]
    counts = [
        sum(
            bool(notices(veney, (Ruling(rule, move, rule.gist),), 3, Dice(number.to_bytes(32, "big"))))
            for number in range(200)
        )
        for rule in (plain, subtle)
    ]
    assert counts[0] > counts[1] > 0


@pytest.mark.parametrize("key", TWINS)
def test_unless_it_calls_twins_are_answered_alike(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two jobs that differ in the tenability of the standing turn alone lead to the same turn."""
    start, tenable, untenable = TWINS[key]
    game = GAMES[key]
    assert isinstance(game, Appraising)
    before = game.decode(start)
    position = game.encode(game.play(before, game.read(tenable, before)))
    side = game.to_act(game.decode(position))
    seen = set()
    for number in range(12):
        jobs = [
            Job("1", 5, key, side, position, f"{number:064x}", WEAKEST, standing=((start, text),))
            for text in (tenable, untenable)
        ]
        first, second = map(decide, jobs)
        assert replace(second, call="") == first
        seen.add(bool(second.call))
    assert seen == {False, True}


@pytest.mark.parametrize("key", ["tokonoma", "tirachen", "chirality", "ironclad", "veney"])
def test_a_slip_is_a_turn_that_can_be_read_and_breaks_a_rule(key: str) -> None:
    game = GAMES[key]
    assert isinstance(game, Appraising)
    position = game.setup({}, Dice(SEED))
    side = game.to_act(position)
    turn = think(Task(game, side), position, level_of(game, WEAKEST), SEED).turn
    slipped = slip(game, position, turn, Dice(SEED))
    assert slipped is not None
    assert not game.tenable(position, slipped)
    assert game.read(game.write(slipped, position), position) == slipped


async def test_slips_can_be_called_out(tmp_path: Path) -> None:
    room = await open_room(tmp_path)
    await room.say("anna", "play tirachen side=red umpire=turn slips=on level=1")
    game = GAMES["tirachen"]
    for _ in range(40):
        match = await room.service.repository.match("1")
        assert match is not None
        assert match.status == "running"
        last = match.plies[-1] if match.plies else None
        if last is not None and last.by == PARTNER and not game.tenable(last.before, last.turn):
            await room.say("anna", "call", "1")
            assert "is **untenable**" in told(room)
            break
        turn = think(Task(game, "R"), match.position, level_of(game, WEAKEST), SEED).turn  # type: ignore[arg-type]
        await room.say("anna", game.write(turn, match.position), "1")
    else:
        pytest.fail("it made no slip in forty turns")
    await room.store.close()


@pytest.mark.parametrize(("side", "opening"), [("white", ("c7c5",)), ("black", ())])
async def test_riposte_s_own_time_runs_though_nobody_rings_it(
    side: str, opening: tuple[str, ...], tmp_path: Path
) -> None:
    room = await silent(tmp_path, f"play tokonoma time=2d side={side}", *opening)
    await room.wait(3 * DAY)
    assert "@Riposte" in room.lines[-1]
    assert "@anna" in room.lines[-1]
    assert "on time" in room.lines[-1]
    await room.store.close()
