"""A database of the last version is opened by this one, and everything in it is found and played on.

`databases/0.1.0.db` was written by version 0.1.0 through its own commands, by a room as in `chat_room.py` with a told
clock: matches 1 to 5 are one of each game after six turns (match 2 after seven), under `umpire=turn`; in match 1 a draw
is offered by Ben; in match 6 (Veney with a concealed setup) Ben has sent his layout and Anna has not; match 7 is open
to anybody. Two messages were never delivered, one of them was put off once. A message from Discord waits.
"""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.messages.model import IncomingMessage
from bot.runtime.inbox import Inbox
from engine.dice import COUNTED
from engine.match.state import Match
from storage import open_store
from storage.sqlite.inspect import inspect
from tests.chat_room import ChatRoom
from tests.told import PATIENT

DATABASE = Path(__file__).parent / "databases/0.1.0.db"
CLOSED = 1_800_003_120_000
"""When it was closed."""
GAMES = {"1": "tokonoma", "2": "chirality", "3": "ironclad", "4": "tirachen", "5": "veney"}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(DATABASE, tmp_path / "riposte.db"))


@pytest.fixture
async def room(copy: Path) -> AsyncIterator[ChatRoom]:
    room = ChatRoom(await open_store(copy), now=CLOSED, heard=1000)
    yield room
    await room.store.close()


async def match(room: ChatRoom, number: str) -> Match:
    found = await room.service.repository.match(number)
    assert found is not None
    return found


async def rows(path: Path, table: str, names: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return sorted(db.execute(f"SELECT {names} FROM {table}").fetchall(), key=repr)


async def test_everything_stored_is_as_it_was_written(copy: Path) -> None:
    assert (inspect(copy).matches, inspect(copy).events, inspect(copy).waiting, inspect(copy).damaged) == (7, 52, 2, ())


async def test_opening_it_seals_what_it_holds_and_changes_nothing_else(copy: Path) -> None:
    columns = {
        "matches": "number, match, length, game, status, players, to_act, places, due, updated",
        "events": "match, seq, at",
        "letters": "number, key, lane, attempts, until, done, remote, why",
        "alarms": "match, kind, at",
        "heard": "id",
        "arrivals": "number, id",
    }
    before = [await rows(copy, table, names) for table, names in columns.items()]
    events, letters, settings = [await rows(copy, *one) for one in CLEAR]
    store = await open_store(copy)
    assert [await rows(copy, table, names) for table, names in columns.items()] == before
    loaded = [
        (int(each.match), one.seq, one.body) for each in await store.matches() for one in await store.load(each.match)
    ]
    assert sorted(loaded, key=repr) == events
    waiting = await store.waiting(CLOSED)
    assert {(one.message.key, one.message.body) for one in waiting} <= set(letters)
    assert [await store.setting(str(owner), str(key)) for owner, key, _ in settings] == [
        value for *_, value in settings
    ]
    await store.close()


CLEAR = (("events", "match, seq, body"), ("letters", "key, body"), ("settings", "owner, key, value"))
"""What stood in the clear."""


async def test_nothing_of_it_is_left_in_the_clear(copy: Path) -> None:
    secrets = [str(row[-1]) for table, names in CLEAR[:2] for row in await rows(copy, table, names)]
    store = await open_store(copy)
    await store.close()
    kept = b"".join(each.read_bytes() for each in copy.parent.glob("riposte.db*") if ".before-" not in each.name)
    assert [text for text in secrets if text.encode()[:200] in kept] == []


async def test_a_match_keeps_the_dice_that_it_began_with(room: ChatRoom) -> None:
    for number in GAMES:
        stands = await match(room, number)
        assert stands.luck == COUNTED
        assert stands.dice.binding is None


@pytest.mark.parametrize("number", GAMES)
async def test_a_match_of_each_game_is_replayed_and_played_on(room: ChatRoom, number: str) -> None:
    found = await match(room, number)
    assert (found.game.key, found.status, found.turns_made) == (GAMES[number], "running", 7 if number == "2" else 6)
    await room.deliver()
    standing = await match(room, number)
    turn = standing.game.write(next(iter(standing.game.turns(standing.position))), standing.position)
    player = standing.seats[standing.game.to_act(standing.position)].partition(":")[2]
    (message, *_) = await room.say(player.title(), turn, number)
    assert message.only is None
    assert message.picture is not None
    assert (await match(room, number)).turns_made == standing.turns_made + 1


async def test_a_turn_of_the_last_version_can_be_called_out(room: ChatRoom) -> None:
    caller = (await match(room, "3")).seats[(await match(room, "3")).game.to_act((await match(room, "3")).position)]
    await room.say(caller.partition(":")[2].title(), "call yes", "3")
    assert len((await match(room, "3")).failed_calls) == 1


async def test_an_open_offer_is_answered(room: ChatRoom) -> None:
    assert [offer.what for offer in (await match(room, "1")).offers] == ["draw"]
    await room.say("Anna", "accept 1 @6 draw", "1")  # as its button says
    ended = await match(room, "1")
    assert ended.result is not None
    assert ended.result.rule == "riposte:draw"


async def test_a_pending_private_answer_is_given(room: ChatRoom) -> None:
    waiting = await match(room, "6")
    assert [ask.side for ask in waiting.game.asks(waiting.position)] == ["W"]
    await room.say("Anna", "secret 6 C$SB 5555", "6")
    assert (await match(room, "6")).game.asks((await match(room, "6")).position) == ()


async def test_an_open_challenge_is_accepted(room: ChatRoom) -> None:
    await room.say("Cleo", "accept 7")
    assert (await match(room, "7")).status == "running"


async def test_messages_that_were_never_delivered_go_out_as_they_were_written(room: ChatRoom) -> None:
    waiting = await room.store.waiting(CLOSED)
    assert [(one.message.ordering_key, one.attempts) for one in waiting] == [("web/lounge/", 1), ("web/lounge/2", 0)]
    private, turn = await room.deliver()
    assert private.only is not None
    assert private.only.name == "Anna"
    assert turn.picture is not None
    assert (turn.picture.game, turn.picture.theme) == ("chirality", "dark")
    assert turn.picture.alt.startswith("Chirality. ")
    assert [choice.command for choice in turn.choices] == ["move 2 @8", "call 2 @7"]


async def test_a_message_that_had_arrived_is_dealt_with(room: ChatRoom) -> None:
    inbox, dealt_with = Inbox(room.store, "discord"), asyncio.Event()
    assert await inbox.recall("seen") == "900"

    async def receive(message: IncomingMessage) -> bool:
        answered = await room.service.receive(message)
        dealt_with.set()
        return answered

    reading = asyncio.create_task(inbox.read_out(receive))
    async with asyncio.timeout(PATIENT):
        await dealt_with.wait()
    reading.cancel()
    await asyncio.wait([reading])
    assert [message.only.name for message in await room.deliver() if message.only][-1] == "Cleo"


async def test_settings_and_alarms_hold(room: ChatRoom) -> None:
    repository = room.service.repository
    assert await repository.setting("web:anna", "token") == "moon shell"
    assert await repository.setting("web:ben", "theme") == "dark"
    *_, answer = await room.say("Anna", "settings language")
    assert "English" in str(answer.text)
    said = await room.wait(30 * 86_400_000)
    assert {message.where.thread for message in said} >= {*GAMES, "6"}
    assert [(await match(room, number)).status for number in (*GAMES, "6")] == ["over"] * 6


FENCING = Path(__file__).parent / "databases/0.2.0-veney.db"
"""Written by version 0.2.0 through its own commands: matches of Veney whose turns that version carried out otherwise.

Matches 1 and 2: a Self was fended (in 2 placed again), 5: withdrawn; 3: three casts at a measure that was not empty,
without effect; 4: an engagement was moved that would not be meant today. Anna is White, `umpire=turn`.
"""
AS_IT_WAS = {
    "1": "W: $@X4 e@W5 S@X11 / B: e@Y12 $@Y13 / rW: C D L / rB: S C D L J / a: ^XY8 / to: B",
    "2": "W: e@W5 $@X5 S@X11 / B: $@Y10 e@Y12 S@Z13 / rW: C D L / rB: C D L J / a: ^XY8 / to: W",
    "3": "W: S@X3 $@X5 C@Z6 / B: S@X14 $@X16 / rW: e / rB: e G J / dW: C D L / a: - / to: B",
    "4": "W: S@X3 $@Y3 / B: e@Y7 e@Y13 S@X14 $@X16 / rB: e / a: - / to: W",
    "5": "W: $@X4 e@W5 / B: S@X11 $@Y11 e@Y12 / rW: S C D L / rB: C D L J / a: ^XY8 / to: W",
}
GOES_ON = {"1": "$Y11", "2": "$X6", "3": "SX13", "4": "SX4", "5": "$X6"}


@pytest.fixture
async def fencers(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = ChatRoom(await open_store(Path(shutil.copy(FENCING, tmp_path / "riposte.db"))), now=CLOSED, heard=1000)
    await room.deliver()
    yield room
    await room.store.close()


@pytest.mark.parametrize("number", AS_IT_WAS)
async def test_a_turn_that_goes_elsewhere_by_todays_rules_stands_as_it_was_played(
    fencers: ChatRoom, number: str
) -> None:
    stands = await match(fencers, number)
    assert stands.status == "running"
    assert stands.game.encode(stands.position).partition(" / flags")[0] == AS_IT_WAS[number]
    player = stands.seats[stands.game.to_act(stands.position)].partition(":")[2].title()
    await fencers.say(player, GOES_ON[number], number)
    fencers.service.repository.forget(number)
    assert (await match(fencers, number)).turns_made == stands.turns_made + 1


@pytest.mark.parametrize(("number", "caller"), [("1", "Ben"), ("2", "Anna"), ("3", "Ben"), ("4", "Anna")])
async def test_a_turn_that_was_carried_out_otherwise_can_be_called_out(
    fencers: ChatRoom, number: str, caller: str
) -> None:
    before = (await match(fencers, number)).plies[-1].before
    await fencers.say(caller, f"call {number} yes")
    fencers.service.repository.forget(number)
    stands = await match(fencers, number)
    assert stands.plies[-1].kind == "penalty"
    was, now = (stands.game.encode(one).partition(" / to:")[0] for one in (before, stands.position))
    assert now == was


async def test_a_side_whose_self_was_fended_may_place_it_as_it_could_when_the_match_began(fencers: ChatRoom) -> None:
    await fencers.say("Ben", "S*Z13", "1")
    stands = await match(fencers, "1")
    assert "S@Z13" in stands.game.encode(stands.position)
