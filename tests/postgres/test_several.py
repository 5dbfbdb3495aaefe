"""Several processes on one PostgreSQL: what is whose to do, and what becomes of it when one of them is gone."""

import asyncio
import errno
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest

from bot.adapters.discord.interactions.buttons import Signer
from bot.adapters.discord.interactions.expiry import Expiry
from bot.commands.context import Effect
from bot.commands.people.privacy import CONFIRM
from bot.messages.model import Adapter, Button, OutgoingMessage, Place
from bot.messages.serialization import address, write_message
from bot.peers.peers import Peers
from bot.privacy.erasing import Erasing
from bot.repository import OUTAGES
from bot.runtime.inbox import Inbox
from bot.runtime.readiness import Readiness
from bot.service.cause import Cause
from engine.match.alarms import deadline
from engine.match.state import Match
from storage import deferred
from storage.numbers import BUCKETS, bucket_of_lane, bucket_of_match, number_of
from storage.plan import ask
from storage.postgres import schema
from storage.postgres.lease import OURS
from storage.postgres.plans import close
from storage.postgres.shared import OUR_LETTERS, SharedStore
from storage.postgres.store import PostgresStore
from storage.store import Alarm, Arrival, Change, News, OutboxMessage, Summary
from tests.chat_room import ChatRoom
from tests.stores import Server
from tests.turns import NOON, turn

Opens = Callable[..., "asyncio.Future[SharedStore]"]


@pytest.fixture
async def url(postgres: Server, tmp_path: Path) -> str:
    postgres.forget()
    return await postgres.database(tmp_path / "riposte.db")


@pytest.fixture
async def joined(url: str, tmp_path: Path) -> AsyncIterator[Callable[..., object]]:
    """Opens one more process's store; a `lost` one renews its lease no more, as if it were stopped."""
    async with AsyncExitStack() as stack:

        async def another(*serves: str, lasts: float = 10, lost: bool = False) -> SharedStore:
            store = await SharedStore.open(url, tmp_path / "riposte.key", tmp_path / "riposte.erased", lasts=lasts)
            stack.push_async_callback(store.close)
            store.serves = lambda: serves
            if lost:
                assert store._renewal is not None
                store._renewal.cancel()
            return store

        yield another


def post(key: str, channel: str = "hall") -> OutboxMessage:
    where = Place("web", channel)
    return OutboxMessage(key, address(where), write_message(OutgoingMessage(key, where, (key,))))


async def keys(store: SharedStore) -> list[str]:
    await store.claim(NOON)
    return [one.message.key for one in await store.waiting(NOON)]


async def test_no_two_processes_are_given_the_same_number_for_a_match(joined: Opens) -> None:
    one, other = await joined(), await joined()
    given = await asyncio.gather(*(store.next_match() for store in (one, other) for _ in range(20)))
    assert len(set(given)) == 40
    assert one.process < other.process


async def test_a_letter_is_that_process_s_which_has_committed_it_and_can_deliver_it(joined: Opens) -> None:
    here, there = await joined("web"), await joined("web")
    (waiting,) = await here.commit(Change(messages=(post("a"),)))
    assert waiting.behind == 0
    assert await keys(there) == []
    assert await keys(here) == ["a"]


async def test_a_letter_for_another_platform_is_taken_by_whoever_serves_it(joined: Opens) -> None:
    here, there, third = await joined("matrix"), await joined("web"), await joined("web")
    (waiting,) = await here.commit(Change(messages=(post("a"),)))
    assert waiting.behind == -1
    assert await keys(here) == []
    found = await asyncio.gather(keys(there), keys(third))
    assert sorted(found) == [[], ["a"]]


async def test_a_platform_with_many_letters_keeps_nobody_from_taking_another_s(joined: Opens) -> None:
    elsewhere, there = await joined("discord"), await joined("matrix", "web")
    many = tuple(OutboxMessage(f"m{n}", f"matrix/room {n}/", post("m").body) for n in range(5))
    await elsewhere.commit(Change(messages=(*many, post("a"))))
    await there.claim(NOON, 2)
    found = await there.waiting(NOON, 2, ("matrix", "web"))
    assert [one.message.key for one in found] == ["m0", "m1", "a"]


async def test_letters_to_a_place_go_one_after_the_other_whoever_has_them(joined: Opens) -> None:
    here, there = await joined("web"), await joined("web")
    (first,) = await here.commit(Change(messages=(post("a"),)))
    (second,) = await there.commit(Change(messages=(post("b"),)))
    assert second.behind == first.number
    assert (await keys(here), await keys(there)) == (["a"], [])
    await here.delivered(first.number, "1", NOON)
    assert (await keys(here), await keys(there)) == ([], ["b"])


async def test_a_letter_that_was_put_off_is_anybody_s(joined: Opens) -> None:
    here, there = await joined("web"), await joined("web")
    (waiting,) = await here.commit(Change(messages=(post("a"),)))
    await here.put_off(waiting.number, NOON)
    assert await keys(there) == ["a"]
    assert await keys(here) == []


async def test_what_a_silent_process_had_to_do_is_free_and_it_writes_nothing_more(joined: Opens) -> None:
    silent, other = await joined("web", lasts=0.3, lost=True), await joined("web", lasts=1)
    (waiting,) = await silent.commit(Change(messages=(post("a"),)))
    await silent.commit(Change(match="1", events=((NOON, "x"),), alarms=(Alarm("1", "flag", NOON),)))
    assert len(await silent.due(NOON)) == 1
    assert (await keys(other), await other.due(NOON)) == ([], [])
    while silent.held():
        await asyncio.sleep(0.05)
    while not await keys(other):
        await other.bury()
    assert len(await other.due(NOON)) == 1
    with pytest.raises(OSError, match="taken over") as error:
        await silent.delivered(waiting.number, "1", NOON)
    assert error.value.errno == errno.ESTALE
    with pytest.raises(OSError, match="Start it again"):
        await silent.commit(turn("1", 1))
    assert len(await other.load("1")) == 1


async def test_one_that_was_stopped_between_two_words_to_postgresql_holds_nobody_up(joined: Opens) -> None:
    silent, other = await joined(lasts=0.3, lost=True), await joined(lasts=1)
    async with silent._pool.acquire() as connection:
        await connection.execute(silent._begin)
        await connection.fetchrow(OURS, silent._lease.name, silent._lease.token, [], 0, 1)
        await connection.prepare("SELECT 1")  # parsed, and not carried out yet: PostgreSQL waits for us without an end
        while await is_there(silent, other):
            await other.bury()
        close(connection)  # it is cut by now, and we may not have heard of it yet
    assert await is_there(other, other)


async def is_there(store: SharedStore, asked: SharedStore) -> bool:
    """Whether a process still has its lease."""
    return bool(await asked._rows("SELECT 1 FROM leases WHERE name = ?1", store._lease.name))


async def test_an_alarm_goes_off_in_one_process(joined: Opens) -> None:
    stores = [await joined() for _ in range(3)]
    for match in range(1, 31):
        alarm = Alarm(str(match), "flag", NOON)
        await stores[0].commit(Change(match=alarm.match, events=((NOON, "x"),), alarms=(alarm,)))
    found = await asyncio.gather(*(store.due(NOON, 10) for store in stores))
    again = await asyncio.gather(*(store.due(NOON, 30) for store in stores))
    assert max(map(len, found)) <= 10
    fired = [alarm.match for alarms in again for alarm in alarms]
    assert sorted(fired, key=int) == [str(match) for match in range(1, 31)]


async def test_what_was_received_is_dealt_with_by_whoever_has_the_platform(joined: Opens) -> None:
    silent, other = await joined(lasts=0.3, lost=True), await joined(lasts=1)
    assert await silent.take("matrix", "matrix")
    assert not await other.take("matrix", "matrix")
    kept = Arrival("matrix:1", "said")
    await silent.commit(Change(arrivals=(kept,)))
    assert (await silent.arrived("matrix"), await other.arrived("matrix")) == ([kept], [])
    while not await other.take("matrix", "matrix"):
        await other.bury()
    assert await other.arrived("matrix") == [kept]


async def test_a_duty_counts_as_ready_while_somebody_does_it(joined: Opens) -> None:
    silent, other = await joined(lasts=0.3, lost=True), await joined(lasts=1)
    await silent.take("discord 0-1/4", "discord")
    await silent.ready("discord 0-1/4", ready=True)
    assert await other.duties() == [("discord 0-1/4", "discord", True)]
    while (await other.duties())[0][2]:
        await other.bury()
    assert await other.take("discord 0/2", "discord", ["discord 0-1/4"])
    assert await other.duties() == [("discord 0/2", "discord", False)]


async def test_a_deadline_waits_until_whoever_reads_the_platform_is_known_to_have_been_there_after_it(
    joined: Opens,
) -> None:
    silent, other = await joined(lost=True), await joined()
    await silent.take("discord", "discord")
    await silent.ready("discord", ready=True)
    summary = Summary("1", "tokonoma", "running", ("discord:1", "discord:2"), ("discord:1",), (), NOON, NOON)
    await other.commit(Change(match="1", events=((NOON, "x"),), summary=summary))
    flag = Alarm("1", "flag", NOON)

    async def held(store: SharedStore, now: int) -> bool:
        room = ChatRoom(store)
        peers = Peers(store, room.service.repository, room.service.transactions)
        return await Readiness(store, [], lambda: now, peers.missing).held(flag)

    assert await held(other, NOON), "what was written just before may lie there unread"
    assert not await held(other, NOON + 60_000), "it was there since, and has read all"
    assert not await held(silent, NOON), "whoever reads knows by itself"


async def test_what_one_commits_is_news_to_the_others_alone(joined: Opens) -> None:
    here, there = await joined("web"), await joined()
    heard: list[News | None] = []
    ours: list[News | None] = []
    told = asyncio.Event()
    await here.hears(ours.append)
    await there.hears(lambda news: (heard.append(news), told.set() if news else None)[0])
    await here.commit(Change(match="1", events=((NOON, "x"),), settings=(("web:anna", "zone", "UTC"),)))
    await asyncio.wait_for(told.wait(), 10)
    assert heard == [None, News(here.process, "1", (("web:anna", "zone"),), ())]
    assert ours == [None]


async def test_one_that_is_alone_and_several_keep_each_other_out(joined: Opens, url: str, tmp_path: Path) -> None:
    where = url, tmp_path / "riposte.key", tmp_path / "riposte.erased"
    alone = await PostgresStore.open(*where, lasts=1)
    with pytest.raises(OSError, match="Another Riposte is running"):
        await joined()
    await alone.close()
    one = await joined(lasts=1)
    with pytest.raises(OSError, match="Another Riposte is running"):
        await PostgresStore.open(*where)
    await one.commit(turn("1", 0))
    await one.close()
    alone = await PostgresStore.open(*where)
    assert len(await alone.load("1")) == 1
    await alone.close()


async def test_all_pause_while_one_asks_for_it(joined: Opens) -> None:
    one, other = await joined(), await joined()
    await one.take("pause", "")
    assert not await one.all_pause()
    assert await one.pauses_for() == 0
    assert await other.pauses_for() == one.process
    await other.paused(one.process)
    assert await one.all_pause()
    await joined()
    assert not await one.all_pause(), "one that has just begun knows nothing of it"
    await one.give_up("pause")
    assert await other.pauses_for() == 0


async def test_whoever_stands_by_for_a_platform_has_loaded_what_it_needs(
    joined: Opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needed_by_this_test.py").write_text("made = []\ndef prepare():\n    made.append(1)\n")
    monkeypatch.syspath_prepend(tmp_path)
    has, stands_by = await joined(), ChatRoom(await joined())
    await has.take("discord", "discord")
    waits = asyncio.Event()

    async def wait(*_: object) -> None:
        waits.set()
        await asyncio.Event().wait()

    peers = Peers(stands_by.store, stands_by.service.repository, stands_by.service.transactions, wait=wait)
    opening = asyncio.ensure_future(peers.opening("discord", never, needs="needed_by_this_test")())
    await asyncio.wait_for(waits.wait(), 10)
    assert sys.modules["needed_by_this_test"].made == [1]
    opening.cancel()
    await asyncio.gather(opening, return_exceptions=True)


async def never() -> Adapter:
    raise AssertionError("another process has it")


# --- what is in memory ------------------------------------------------------------------------------------
async def test_what_one_process_has_decided_the_other_knows(joined: Opens) -> None:
    here, there = ChatRoom(await joined("web")), ChatRoom(await joined("web"), heard=100)
    await here.say("anna", "challenge @ben tokonoma time=1d")
    await there.say("ben", "accept 1")
    for room, other in ((here, there), (there, here), (here, there), (there, here)):
        match = await room.service.repository.match("1")
        assert match is not None
        assert match == await other.service.repository.match("1")
        game, position = match.game, match.position
        who = match.seats[game.to_act(position)].partition(":")[2]
        await room.say(who, game.write(next(iter(game.turns(position))), position), "1")
    assert await here.store.load("1") == await there.store.load("1")
    await here.say("ben", "challenge @anna veney")
    assert [one.match for one in await there.store.matches()] == ["2", "1"]


async def test_a_setting_that_one_process_has_changed_counts_in_the_other(joined: Opens) -> None:
    here, there = ChatRoom(await joined("web")), ChatRoom(await joined("web"), heard=100)
    await here.say("anna", "zone Europe/Berlin")
    (first,) = await there.say("anna", "zone")
    await here.say("anna", "zone Asia/Tokyo")
    (second,) = await there.say("anna", "zone")
    assert "Europe/Berlin" in str(first.text)
    assert "Asia/Tokyo" in str(second.text)


async def test_time_rests_in_all_processes_as_soon_as_one_is_told_so(joined: Opens) -> None:
    here, there = ChatRoom(await joined("web")), ChatRoom(await joined("web"), heard=100)
    await here.say("anna", "challenge @ben tokonoma time=1d")
    await here.say("ben", "accept 1")
    match = await there.service.repository.match("1")
    assert match is not None
    who = match.seats[match.sides_to_act[0]].partition(":")[2]
    await here.say(who, "vacation 3d")
    rested = await here.service.repository.match("1")
    assert rested is not None
    assert rested.rests
    there.service.repository.afresh()
    assert deadline_of(await there.service.repository.match("1")) == deadline_of(rested)


async def test_outages_that_two_processes_have_noticed_are_both_given_back(joined: Opens) -> None:
    here, there = ChatRoom(await joined("web")), ChatRoom(await joined("web"))
    assert await there.service.repository.setting(*OUTAGES) == ""
    await here.service.credit(NOON, NOON + 600_000)
    await there.service.credit(NOON + 1, NOON + 600_001)
    assert await here.store.setting(*OUTAGES) == f"{NOON} {NOON + 600_000}\n{NOON + 1} {NOON + 600_001}"


async def test_the_buttons_of_a_match_that_two_processes_note_at_once_are_all_noted(joined: Opens) -> None:
    both = [Expiry(Inbox(await joined(), "discord"), Signer(b""), never_leads_on, asyncio.sleep) for _ in range(2)]
    button = (Button("Accept", "accept 7"),)
    await asyncio.gather(*(expiry.posted(5, str(post), button) for post in range(20) for expiry in [both[post % 2]]))
    noted = {str(post): (5, "accept 7") for post in range(20)}
    assert [await expiry.noted("7") for expiry in both] == [noted, noted]


async def never_leads_on(_line: str) -> bool:
    return False


def deadline_of(match: Match | None) -> int | None:
    assert match is not None
    return deadline(match)


async def test_nobody_is_written_anew_by_another_process_while_they_are_erased(joined: Opens) -> None:
    stores = await joined("web"), await joined("web")
    here, there = ChatRoom(stores[0]), ChatRoom(stores[1], heard=100)
    await here.say("anna", "challenge @ben tokonoma")
    await there.say("ben", "accept 1")
    ours, theirs = (Peers(room.store, room.service.repository, room.service.transactions) for room in (here, there))
    here.erasing = Erasing(here.service.repository, here.service.transactions, lambda: here.now, alone=ours.alone)
    acted = asyncio.Event()

    async def under_way() -> Effect:
        """Something that was begun before, and goes on until others pause."""
        while not await stores[1].pauses_for():
            await asyncio.sleep(0)
        acted.set()
        return Effect(settings=(("web:anna", "zone", "UTC"),))

    readiness = Readiness(stores[1], [], lambda: there.now)
    beats = asyncio.create_task(theirs.run(readiness))
    late = asyncio.create_task(there.service.transactions.run(Cause("late", there.now), under_way))
    await here.say("anna", "privacy erase")
    await here.say("anna", CONFIRM)
    await asyncio.wait_for(acted.wait(), 10)
    await late
    known = [player for (player,) in await stores[0]._rows("SELECT player FROM people")]
    assert sorted(known) == ["former:1", "web:ben"]
    assert await stores[0].settings("web:anna") == []
    assert await stores[1].pauses_for() == 0
    match = await there.service.repository.match("1")
    assert match is not None
    assert "web:anna" not in match.parties
    beats.cancel()
    await asyncio.gather(beats, return_exceptions=True)


async def test_another_process_keeps_no_match_as_it_stood_before_somebody_was_erased(
    joined: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deferred, "PATIENCE", 1_000)
    stores = await joined("web"), await joined("web")
    here, there = ChatRoom(stores[0]), ChatRoom(stores[1], heard=100)
    await here.say("anna", "challenge @ben tokonoma")
    await there.say("ben", "accept 1")
    ours, theirs = (Peers(room.store, room.service.repository, room.service.transactions) for room in (here, there))
    here.erasing = Erasing(here.service.repository, here.service.transactions, lambda: here.now, alone=ours.alone)
    stores[1].keep("1", 1, b"with Anna")
    beats = asyncio.create_task(theirs.run(Readiness(stores[1], [], lambda: there.now)))
    await here.say("anna", "privacy erase")
    await here.say("anna", CONFIRM)
    await stores[1].flush()
    assert await stores[0]._rows("SELECT * FROM snapshots") == []
    beats.cancel()
    await asyncio.gather(beats, return_exceptions=True)


async def test_each_process_claims_from_one_bucket_after_the_other_and_begins_elsewhere(joined: Opens) -> None:
    one, other = await joined("web"), await joined("web")
    order = one._in_order_of_ours([*range(64), None]), other._in_order_of_ours([*range(64), None])
    assert set(order[0]) == set(order[1]) == {*range(64), None}
    assert abs(order[0].index(order[1][0])) > 16
    lanes = [f"hall{n}" for n in range(12)]
    await one.commit(Change(messages=tuple(post(lane, lane) for lane in lanes)))
    rows = await one._rows("SELECT lane, bucket, get_byte(sha256(convert_to(lane, 'UTF8')), 0) % 64 FROM letters")
    assert all(bucket == bucket_of_lane(lane) == told for lane, bucket, told in rows)
    assert len({bucket for _, bucket, _ in rows}) > 6


async def test_ten_thousand_letters_to_one_place_keep_no_other_place_of_their_bucket_waiting(joined: Opens) -> None:
    away, here = await joined(), await joined("web")
    lane = "web/full/"
    near = next(f"web/{n}/" for n in range(999) if bucket_of_lane(f"web/{n}/") == bucket_of_lane(lane))
    await away.commit(Change(messages=(OutboxMessage("f0", lane, "x"),)))
    more = "INSERT INTO letters (key, lane, bucket, body, process) SELECT 'f' || n, ?1, ?2, '', NULL FROM "
    await away._write(partial(ask, f"{more}generate_series(1, 9999) AS n", lane, bucket_of_lane(lane)))
    await away.commit(Change(messages=tuple(OutboxMessage(where, where, "x") for where in (near, "web/other/"))))
    assert await keys(here) == ["f0", near, "web/other/"]
    ((held,),) = await here._rows("SELECT count(*) FROM letters WHERE process IS NOT NULL")
    assert held == 3, "what comes after the first of a place is anybody's"


async def test_ten_thousand_alarms_of_one_bucket_keep_those_of_no_other_from_another_process(joined: Opens) -> None:
    one, other = await joined(), await joined()
    for store in (one, other):  # each is given those where it begins, before the others have anything
        (first, *_) = store._in_order_of_ours(range(BUCKETS))
        match = next(n for n in range(1, 999) if bucket_of_match(n) == first)
        alarm = Alarm(str(match), "flag 0", NOON)
        await store.commit(Change(match=alarm.match, events=((NOON, "x"),), alarms=(alarm,)))
        if store is one:
            more = "INSERT INTO alarms (match, kind, at, bucket) SELECT ?1, 'x' || n, ?2, ?3 FROM "
            await store._write(partial(ask, f"{more}generate_series(1, 9999) AS n", match, NOON, first))
    assert len(await one.due(NOON)) == 100
    assert [alarm.kind for alarm in await other.due(NOON, 1)] == ["flag 0"]
    ((left,),) = await one._rows("SELECT count(*) FROM alarms WHERE process IS NULL")
    assert left == 9_900, "as many as are asked for, and the rest is anybody's"


async def test_who_is_stopped_while_it_claims_from_a_bucket_holds_up_none_of_it_but_what_it_holds(
    joined: Opens,
) -> None:
    silent, other, writer = await joined("web", lasts=1, lost=True), await joined("web", lasts=9), await joined()
    lane = "web/held/"
    near = next(f"web/{n}/" for n in range(999) if bucket_of_lane(f"web/{n}/") == bucket_of_lane(lane))
    await writer.commit(Change(messages=tuple(OutboxMessage(where, where, "x") for where in (lane, near, "web/far/"))))
    ((number,),) = await writer._rows("SELECT number FROM letters WHERE lane = ?1", lane)
    async with silent._pool.acquire() as connection:
        await connection.execute(silent._begin)
        await connection.fetchrow(OURS, silent._lease.name, silent._lease.token, [], 0, 1)
        claimed = OUR_LETTERS.replace("?", "$")
        assert await connection.fetch(claimed, silent.process, bucket_of_lane(lane), [number])
        assert await asyncio.wait_for(keys(other), 30) == [near, "web/far/"]
        while await is_there(silent, other):
            await other.bury()
        assert await keys(other) == [lane, near, "web/far/"]
        close(connection)


async def test_what_an_older_version_has_written_is_claimed_before_it_has_a_bucket(joined: Opens) -> None:
    store = await joined("web")
    await store.commit(turn("1", 0, ordering_key="web/hall"))
    await store._write(lambda: ask("UPDATE letters SET bucket = NULL, process = NULL"))
    await store._write(lambda: ask("UPDATE alarms SET bucket = NULL"))
    assert await keys(store) == ["letter 1 0"]
    assert [alarm.match for alarm in await store.due(NOON * 2)] == ["1"]


async def test_the_buckets_of_what_an_older_version_has_written_are_filled_in_once_it_is_gone(
    postgres: Server, tmp_path: Path
) -> None:
    postgres.forget()
    url = await postgres.database(tmp_path / "riposte.db", empty=True)
    how = url, tmp_path / "riposte.key", tmp_path / "riposte.erased"
    before = schema.steps_at_hand()[:6]
    store = await PostgresStore.open(*how, steps=before)
    for match in ("1", "t4", "k9"):
        columns = "INSERT INTO matches (number, match, length, head) VALUES (?1, ?2, 0, '')"
        await store._write(partial(ask, columns, number_of(match), match))
        await store._write(
            partial(ask, "INSERT INTO alarms (match, kind, at) VALUES (?1, 'flag', 5)", number_of(match))
        )
        await store._write(partial(ask, "INSERT INTO letters (key, lane, body) VALUES (?1, ?1, '')", f"web/ä {match}"))
    await store.close()
    store = await PostgresStore.open(*how)
    try:
        rows = await store._rows("SELECT lane, bucket FROM letters")
        assert all(bucket == bucket_of_lane(lane) for lane, bucket in rows)
        rows = await store._rows("SELECT match, bucket FROM alarms")
        assert len(rows) == 3
        assert all(bucket == bucket_of_match(match) for match, bucket in rows)
    finally:
        await store.close()
