"""A long match that was followed once is kept as it stood and read from there; where that misfits, the log wins."""

import asyncio
import random
import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import fields
from pathlib import Path

import pytest

from bot import repository
from bot.commands.people.privacy import CONFIRM
from bot.privacy.erasing import Erasing
from bot.repository import at_hand
from engine.games import GAMES
from engine.match.snapshot import keep
from engine.match.snapshot.line import Line, then
from engine.match.state import Match, Ply
from storage import deferred
from tests.chat_room import ChatRoom, open_room
from tests.parts_of_games import OURS
from tests.stores import inspected, told

pytestmark = pytest.mark.usefixtures("each_database")

TURNS = 26


@pytest.fixture
async def room(tmp_path: Path, each_database: str) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def played(room: ChatRoom, key: str, turns: int = TURNS, number: str = "1") -> Match:
    """A running match of a game after some turns; of a short game of somebody else one before its end."""
    chosen, matches, running = random.Random(key), room.service.repository, None
    await room.say("anna", f"challenge @ben {key}")
    await room.say("ben", f"accept {number}")
    while True:
        match = await matches.match(number)
        assert match is not None
        if match.status == "over" and running and key not in OURS:
            return running
        assert match.status == "running", "another seed, please"
        running, game, position = match, match.game, match.position
        if match.turns_made >= turns:
            return match
        if asked := game.asks(position):
            await room.say(name_of(match, asked[0].side), f"secret {number} {asked[0].example}")
        else:
            turn = game.write(chosen.choice(list(game.turns(position))), position)
            await room.say(name_of(match, game.to_act(position)), turn, number)


def name_of(match: Match, side: str) -> str:
    return match.seats[side].partition(":")[2]


async def kept(room: ChatRoom, key: str = "tokonoma") -> Match:
    """A match that has been followed from its log, and kept as it stood."""
    match = await played(room, key)
    room.service.repository.forget(match.id)
    assert await room.service.repository.match(match.id) == match
    await room.store.flush()
    room.service.repository.forget(match.id)
    return match


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Notes the length of each log that is followed from its first event."""
    lengths: list[int] = []
    whole = repository.replayed

    def noted(log: list[object]) -> Match:
        lengths.append(len(log))
        return whole(log)  # type: ignore[arg-type]

    monkeypatch.setattr(repository, "replayed", noted)
    return lengths


@pytest.mark.parametrize("key", sorted(GAMES))
async def test_a_match_is_read_back_as_it_was_written(room: ChatRoom, key: str) -> None:
    match = await played(room, key, 12)
    written = keep.write(match, 7)
    assert written is not None
    found = keep.read(written)
    assert found is not None
    again, last = found
    assert last == 7
    for one in fields(match):
        assert getattr(again, one.name) == getattr(match, one.name), one.name
    assert keep.write(again, 7) == written


@pytest.mark.parametrize("key", ["tokonoma", "ironclad"])
async def test_a_kept_match_is_followed_from_there_and_played_on(room: ChatRoom, key: str, followed: list[int]) -> None:
    match = await kept(room, key)
    assert followed == [match.length]
    matches = room.service.repository
    assert await matches.match("1") == match
    assert followed == [match.length], "it was followed from its first event again"
    turn = match.game.write(next(iter(match.game.turns(match.position))), match.position)
    await room.say(name_of(match, match.game.to_act(match.position)), turn, "1")
    after = await matches.match("1")
    assert after is not None
    assert after.length > match.length
    matches.forget("1")
    assert await matches.match("1") == after
    assert repository.replayed(list(await room.store.load("1"))) == after  # type: ignore[arg-type]
    assert followed == [match.length, after.length]


@pytest.mark.parametrize(
    "meddling",
    [
        pytest.param(lambda body, seq: (bytes(400), seq), id="emptied"),
        pytest.param(lambda body, seq: (body[:100] + bytes([body[100] ^ 1]) + body[101:], seq), id="a bit of it"),
        pytest.param(lambda body, seq: (body, seq - 1), id="an event earlier"),
        pytest.param(lambda body, seq: (body, 999), id="later than there are events"),
    ],
)
async def test_where_a_snapshot_does_not_fit_the_log_wins_and_the_host_is_told(
    room: ChatRoom,
    tmp_path: Path,
    meddling: Callable[[bytes, int], tuple[bytes, int]],
    followed: list[int],
    caplog: pytest.LogCaptureFixture,
) -> None:
    match = await kept(room)
    ((body, seq),) = await told(tmp_path / "riposte.db", "SELECT body, seq FROM snapshots")
    await told(tmp_path / "riposte.db", "UPDATE snapshots SET body = ?1, seq = ?2", *meddling(body, seq))
    assert (await inspected(tmp_path / "riposte.db")).unfit == ("1",)
    assert await room.service.repository.match("1") == match
    assert followed == [match.length] * 2
    assert "the snapshot of match 1 does not fit its log" in caplog.text
    await room.store.flush()  # it is kept anew
    assert (await inspected(tmp_path / "riposte.db")).unfit == ()


async def test_a_snapshot_of_another_match_is_not_read(room: ChatRoom, tmp_path: Path, followed: list[int]) -> None:
    await kept(room)
    other = await played(room, "tokonoma", TURNS + 4, "2")
    await told(tmp_path / "riposte.db", "UPDATE snapshots SET match = 2")
    room.service.repository.forget("2")
    assert await room.service.repository.match("2") == other
    assert followed[-1] == other.length


async def test_what_another_program_has_kept_is_not_read(
    room: ChatRoom, followed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await kept(room)
    monkeypatch.setattr(keep, "_program", lambda game: "another")
    assert await room.service.repository.match("1") == match
    assert followed == [match.length] * 2


async def test_damage_behind_a_snapshot_is_found(room: ChatRoom, tmp_path: Path) -> None:
    match = await kept(room)
    turn = match.game.write(next(iter(match.game.turns(match.position))), match.position)
    await room.say(name_of(match, match.game.to_act(match.position)), turn, "1")
    room.service.repository.forget("1")
    await told(tmp_path / "riposte.db", "UPDATE events SET at = at + 1 WHERE match = 1 AND seq = ?1", match.length + 1)
    with pytest.raises(OSError, match="damaged"):
        await room.service.repository.match("1")


async def test_a_snapshot_is_sealed(room: ChatRoom, tmp_path: Path) -> None:
    await kept(room)
    ((body,),) = await told(tmp_path / "riposte.db", "SELECT body FROM snapshots")
    with pytest.raises(zlib.error):
        zlib.decompress(body)
    assert b"tokonoma" not in body


async def test_matches_at_hand_take_only_so_many_bytes(room: ChatRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_hand, "MOST", 2 * at_hand.OF_MATCH + 3 * at_hand.OF_PLY)
    matches = room.service.repository
    for number in "123":
        await played(room, "tokonoma", 1, number)
    assert [matches.length(number) is not None for number in "123"] == [False, True, True]
    await played(room, "tokonoma", 6, "4")
    assert [matches.length(number) is not None for number in "1234"] == [False, False, False, True]
    for number in "1234":
        matches.forget(number)
        matches.forget(number)
    assert matches.at_hand.held == 0


async def test_what_was_played_long_ago_is_packed_and_kept(room: ChatRoom, followed: list[int]) -> None:
    match = await played(room, "tokonoma", 30)
    matches = room.service.repository
    before = matches.at_hand.held
    await matches.at_hand.pack(0)
    packed = await matches.match("1")
    assert packed is not match
    assert packed == match
    assert matches.at_hand.held < before / 2
    turn = match.game.write(next(iter(match.game.turns(match.position))), match.position)
    await room.say(name_of(match, match.game.to_act(match.position)), turn, "1")
    after = await matches.match("1")
    assert after is not None
    assert after.turns_made == 31
    await room.store.flush()
    matches.forget("1")
    assert await matches.match("1") == after
    assert followed == [], "it was kept as it stood"
    assert repository.replayed(list(await room.store.load("1"))) == after  # type: ignore[arg-type]


async def test_matches_that_are_short_are_not_looked_through_for_what_can_be_packed(
    room: ChatRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_hand, "MANY", 1)
    looked, is_long = list[str](), at_hand._is_long

    def looks(match: Match) -> bool:
        looked.append(match.id)
        return is_long(match)

    monkeypatch.setattr(at_hand, "_is_long", looks)
    for number in "123":
        await played(room, "tokonoma", 1, number)
    await played(room, "tokonoma", 30, "4")
    looked.clear()
    match = await room.service.repository.match("3")
    assert match is not None
    turn = match.game.write(next(iter(match.game.turns(match.position))), match.position)
    await room.say(name_of(match, match.game.to_act(match.position)), turn, "3")
    await asyncio.sleep(0)
    assert set(looked) <= {"3"}


async def test_a_match_that_goes_on_while_it_is_packed_is_not_set_back(room: ChatRoom) -> None:
    match = await played(room, "tokonoma", 30)
    matches = room.service.repository
    turn = match.game.write(next(iter(match.game.turns(match.position))), match.position)
    saying = room.say(name_of(match, match.game.to_act(match.position)), turn, "1")
    await asyncio.gather(matches.at_hand.pack(0), saying)
    after = await matches.match("1")
    assert after is not None
    assert after.turns_made == 31
    assert repository.replayed(list(await room.store.load("1"))) == after  # type: ignore[arg-type]


@pytest.mark.parametrize("key", sorted(GAMES))
async def test_a_packed_line_is_what_it_was(room: ChatRoom, key: str) -> None:
    match = await played(room, key, 12)
    written = keep.write(match, 7)
    assert written is not None
    plies = tuple(match.plies)

    def packed() -> Sequence[Ply]:
        found = keep.read(written or b"")
        assert found is not None
        assert isinstance(found[0].plies, Line) or key not in OURS, "a short match is kept whole"
        return found[0].plies

    several = range(-len(plies) - 2, len(plies) + 3)
    for start in (None, *several):
        assert packed()[start:] == plies[start:]
        assert packed()[:start] == plies[:start]
    for index in range(-len(plies), len(plies)):
        assert packed()[index] == plies[index]
    with pytest.raises(IndexError):
        packed()[len(plies)]
    assert packed()[1:-1:2] == plies[1:-1:2]
    assert [*reversed(packed())] == [*reversed(plies)]
    assert packed().index(plies[2]) == 2
    assert len(packed()) == len(plies)
    assert packed() == packed()
    assert then(packed(), plies[0]) == (*plies, plies[0])
    assert packed() != plies[1:]


async def test_no_match_is_kept_as_it_stood_before_somebody_was_erased(
    room: ChatRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deferred, "PATIENCE", 1_000)
    match = await kept(room)
    data, length, _ = await room.store.resume(match.id)

    @asynccontextmanager
    async def packed_just_then() -> AsyncIterator[None]:
        room.store.keep(match.id, length, data)
        yield

    service = room.service
    room.erasing = Erasing(service.repository, service.transactions, lambda: room.now, alone=packed_just_then)
    await room.say("anna", "privacy erase")
    await room.say("anna", CONFIRM)
    await room.store.flush()
    assert await told(tmp_path / "riposte.db", "SELECT * FROM snapshots") == []
    left = await room.service.repository.match(match.id)
    assert left is not None
    assert "web:anna" not in left.parties
