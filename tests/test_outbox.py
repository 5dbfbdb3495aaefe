"""The relay delivers every message once, each place's in order, however the platforms behave."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.messages.model import OutgoingMessage, Picture, Place, Retry, Undeliverable, absent
from bot.messages.serialization import address, write_message
from bot.runtime.outbox import GIVE_UP, LONGEST_PAUSE, OutboxRelay, backoff
from storage.database import PlannedStore
from storage.store import Change, OutboxMessage, Outgoing
from tests.stores import opened, unwritable
from tests.told import PATIENT, Clock

pytestmark = pytest.mark.usefixtures("each_database")

PICTURE = Picture(game="tokonoma", position="…", viewer=None)


class Hall:
    """A platform that remembers what it showed, and has its moods."""

    platform = "web"

    def __init__(self) -> None:
        self.shown: list[tuple[str, str, bytes | None]] = []
        self.moods: dict[str, list[Exception]] = defaultdict(list)
        self.gates: dict[str, asyncio.Event] = {}
        self.busy = 0
        self.busiest = 0
        self.asked: list[str] = []
        self._news = asyncio.Event()

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        self.asked.append(post.key)
        self.busy += 1
        self.busiest = max(self.busy, self.busiest)
        self._news.set()
        try:
            if gate := self.gates.get(post.key):
                await gate.wait()
            await asyncio.sleep(0)
            if self.moods[post.key]:
                raise self.moods[post.key].pop(0)
        finally:
            self.busy -= 1
            self._news.set()
        self.shown.append((post.where.channel, post.key, image))
        return f"remote {post.key}"

    def keys(self, channel: str = "hall") -> list[str]:
        return [key for where, key, _ in self.shown if where == channel]

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENT):
            while not condition():
                self._news.clear()
                await self._news.wait()


class Office:
    """A relay at work, with its store, platform and clock."""

    def __init__(self, store: PlannedStore):
        self.store, self.hall, self.clock = store, Hall(), Clock()
        self.unpaintable = False
        self.adapters = {"web": self.hall}
        self.relay = OutboxRelay(store, self.adapters, self.paint, self.clock.now, self.clock.wait)
        self.task = asyncio.create_task(self.relay.run())

    async def paint(self, picture: Picture) -> bytes:
        if self.unpaintable:
            raise ZeroDivisionError
        return picture.game.encode()

    async def send(self, *posts: OutgoingMessage) -> None:
        letters = (OutboxMessage(post.key, address(post.where), write_message(post)) for post in posts)
        await self.store.commit(Change(messages=tuple(letters)))
        self.relay.nudge()

    async def settled(self, now: int | None = None) -> None:
        """Until the outbox holds nothing that could go out now."""
        async with asyncio.timeout(PATIENT):
            while await self.store.waiting(self.clock.ms if now is None else now):
                await asyncio.sleep(0)

    async def stop(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[MutableMapping[str, Any]]]:
    with capture_logs() as logs:
        yield logs


@pytest.fixture
async def office(tmp_path: Path, each_database: str) -> AsyncIterator[Office]:
    office = Office(await opened(tmp_path / "riposte.db"))
    yield office
    await office.stop()
    await office.store.close()


def post(key: str, channel: str = "hall", picture: Picture | None = None) -> OutgoingMessage:
    return OutgoingMessage(key, Place("web", channel), ("words",), picture=picture)


async def test_a_message_goes_out_as_soon_as_it_is_committed_with_its_picture(office: Office) -> None:
    await office.send(post("a", picture=PICTURE), post("b"))
    await office.settled()
    assert office.hall.shown == [("hall", "a", b"tokonoma"), ("hall", "b", None)]


async def test_messages_left_from_before_a_restart_go_out_without_a_nudge(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    await store.commit(Change(messages=(OutboxMessage("a", "web/hall/", write_message(post("a"))),)))
    office = Office(store)
    await office.settled()
    assert office.hall.keys() == ["a"]
    await office.stop()
    await store.close()


async def test_each_lane_keeps_its_order_and_lanes_do_not_wait_for_each_other(office: Office) -> None:
    office.hall.gates["a0"] = asyncio.Event()
    await office.send(*(post(f"{channel}{n}", channel) for n in range(4) for channel in "abc"))
    await office.hall.until(lambda: len(office.hall.shown) == 8)
    assert office.hall.keys("a") == []
    assert office.hall.busiest <= 3
    office.hall.gates["a0"].set()
    await office.settled()
    assert [office.hall.keys(c) for c in "abc"] == [[f"{c}{n}" for n in range(4)] for c in "abc"]


async def test_only_so_many_messages_are_in_flight_and_every_place_gets_its_turn(office: Office) -> None:
    await office.send(*(post(f"k{n}", f"room {n}") for n in range(150)))
    await office.settled()
    assert len(office.hall.shown) == 150
    assert 1 < office.hall.busiest <= 32


async def test_a_message_that_lands_while_the_outbox_is_read_does_not_go_out_again(tmp_path: Path) -> None:
    class SlowStore(PlannedStore):
        """Everything in flight lands between reading the outbox and saying what was in it."""

        async def waiting(self, now: int, limit: int = 100, platforms: Sequence[str] = ()) -> Sequence[Outgoing]:
            seen = await super().waiting(now, limit, platforms)
            while office.relay._in_flight:
                await asyncio.sleep(0)
            return seen

    store = await opened(tmp_path / "riposte.db", with_=SlowStore)
    office = Office(store)
    office.hall.gates["a"] = asyncio.Event()
    await office.send(post("a"))
    await office.hall.until(lambda: office.hall.asked == ["a"])
    await office.send(post("b", "elsewhere"))
    office.hall.gates["a"].set()
    await office.hall.until(lambda: office.hall.keys("elsewhere") == ["b"])
    await office.clock.asleep()
    await office.stop()
    assert sorted(office.hall.asked) == ["a", "b"]
    await store.close()


async def test_a_platform_that_says_later_is_asked_later_and_the_place_waits_for_it(office: Office) -> None:
    office.hall.moods["a"] = [Retry(4.6)]
    await office.send(post("a"), post("b"), post("c", "elsewhere"))
    await office.settled()
    assert office.hall.keys() == []
    assert office.hall.keys("elsewhere") == ["c"]
    assert await office.store.next_waiting(office.clock.ms) == office.clock.ms + 4600
    office.clock.pass_(4.5)
    assert await office.store.waiting(office.clock.ms) == []
    office.clock.pass_(0.1)
    await office.settled()
    assert office.hall.keys() == ["a", "b"]


async def test_what_a_clock_that_was_ahead_has_put_off_goes_out_once_the_clock_is_right(office: Office) -> None:
    office.clock.ms += 10 * 365 * 86_400_000
    office.hall.moods["a"] = [Retry(4.6)]
    await office.send(post("a"), post("b"))
    await office.settled()
    assert office.hall.keys() == []
    await office.clock.asleep()
    office.clock.ms -= 10 * 365 * 86_400_000
    office.clock.pass_(60)
    await office.settled(1 << 62)
    assert office.hall.keys() == ["a", "b"]


async def test_attempts_get_rarer_but_never_rarer_than_a_quarter_of_a_minute(office: Office) -> None:
    office.hall.moods["a"] = [Retry(0) for _ in range(9)]
    await office.send(post("a"))
    await office.settled()
    waits = []
    while due := await office.store.next_waiting(office.clock.ms):
        waits.append((due - office.clock.ms) / 1000)
        office.clock.pass_(waits[-1])
        await office.settled()
    assert waits == [1, 2, 4, 8, 15, 15, 15, 15, 15]
    assert office.hall.keys() == ["a"]
    assert backoff(10**6) == LONGEST_PAUSE


async def test_a_platform_that_is_not_there_yet_costs_no_attempt(office: Office) -> None:
    office.hall.moods["a"] = [absent(seconds) for seconds in (0, 2, 70)]
    await office.send(post("a"))
    waits = []
    await office.settled()
    while due := await office.store.next_waiting(office.clock.ms):
        waits.append((due - office.clock.ms) / 1000)
        office.clock.pass_(waits[-1])
        await office.settled()
    assert waits == [0.5, 2, 30]
    assert office.hall.keys() == ["a"]


async def test_what_is_undeliverable_leaves_its_place_and_keeps_the_reason(office: Office) -> None:
    office.hall.moods["a"] = [Undeliverable("the room is gone")]
    await office.send(post("a"), post("b"))
    await office.settled()
    assert office.hall.keys() == ["b"]
    assert await office.store._rows("SELECT key FROM letters WHERE why = 'the room is gone'") == [("a",)]


async def test_an_adapter_that_breaks_is_asked_again_with_the_same_key(
    office: Office, logged: list[MutableMapping[str, Any]]
) -> None:
    office.hall.moods["a"] = [ConnectionResetError(), KeyError("surprise"), TimeoutError()]
    await office.send(post("a"), post("b"))
    for _ in range(4):
        await office.settled()
        office.clock.pass_(LONGEST_PAUSE)
    await office.settled()
    assert office.hall.asked == ["a", "a", "a", "a", "b"]
    assert [(entry["event"], entry["key"]) for entry in logged] == [("a delivery failed", "a")] * 3
    assert office.hall.keys() == ["a", "b"]


async def test_a_message_that_breaks_the_adapter_for_ever_makes_way_at_last(office: Office) -> None:
    office.hall.moods["a"] = [KeyError("poison") for _ in range(GIVE_UP + 2)]
    await office.send(post("a"), post("b"))
    async with asyncio.timeout(PATIENT):
        while not office.hall.keys():
            office.clock.pass_(LONGEST_PAUSE)
            await office.settled()
    assert office.hall.asked == ["a"] * (GIVE_UP + 1) + ["b"]


async def test_a_platform_that_is_not_connected_now_may_be_some_day(office: Office) -> None:
    elsewhere = OutgoingMessage("a", Place("matrix", "!room"), ("words",))
    await office.send(elsewhere, post("b"))
    await office.settled()
    assert office.hall.keys() == ["b"]
    assert await office.store.next_waiting(office.clock.ms) == office.clock.ms + 60_000


async def test_a_message_that_cannot_be_read_does_not_hold_up_its_place(office: Office) -> None:
    await office.store.commit(Change(messages=(OutboxMessage("a", "web/hall/", '{"key": '),)))
    await office.send(post("b"))
    await office.settled()
    assert office.hall.keys() == ["b"]
    assert [(key,) for (key,) in await office.store._rows("SELECT key FROM letters WHERE why LIKE 'unreadable%'")] == [
        ("a",)
    ]


async def test_words_get_through_when_their_picture_cannot_be_painted(office: Office) -> None:
    office.unpaintable = True
    await office.send(post("a", picture=PICTURE))
    await office.settled()
    assert office.hall.shown == [("hall", "a", None)]


async def test_a_delivery_that_cannot_be_written_down_is_not_made_twice(
    office: Office, tmp_path: Path, logged: list[MutableMapping[str, Any]]
) -> None:
    office.hall.gates["a"] = asyncio.Event()
    await office.send(post("a"), post("b"))
    await office.hall.until(lambda: office.hall.asked == ["a"])
    async with unwritable(office.store, tmp_path / "riposte.db"), asyncio.timeout(PATIENT):
        office.hall.gates["a"].set()
        while "a delivery cannot be recorded" not in [one["event"] for one in logged]:
            await asyncio.sleep(0.01)
    async with asyncio.timeout(PATIENT):
        while office.hall.keys() != ["a", "b"]:
            await office.clock.asleep()
            office.clock.pass_(20)
    assert office.hall.asked == ["a", "b"]


async def test_stopping_lets_messages_in_flight_arrive(office: Office) -> None:
    office.hall.gates["a"] = asyncio.Event()
    await office.send(post("a"), post("b"))
    await office.hall.until(lambda: office.hall.asked == ["a"])
    office.task.cancel()
    await asyncio.sleep(0)
    office.hall.gates["a"].set()
    await asyncio.gather(office.task, return_exceptions=True)
    assert office.hall.keys() == ["a"]
    assert [o.message.key for o in await office.store.waiting(office.clock.ms)] == ["b"]


# --- handed on in memory --------------------------------------------------------------------------------
class Counting(PlannedStore):
    """A store that counts how often its outbox is read."""

    reads = 0

    async def waiting(self, now: int, limit: int = 100, platforms: Sequence[str] = ()) -> Sequence[Outgoing]:
        self.reads += 1
        return await super().waiting(now, limit, platforms)


async def commit(office: Office, *posts: OutgoingMessage) -> None:
    change = Change(messages=tuple(OutboxMessage(one.key, address(one.where), write_message(one)) for one in posts))
    office.relay.committed(change, await office.store.commit(change))


async def test_what_was_just_committed_goes_out_in_order_without_reading_the_outbox(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db", with_=Counting)
    office = Office(store)
    await office.clock.asleep()
    before = store.reads
    for n in range(5):
        await commit(office, post(f"a{n}"), post(f"b{n}", "elsewhere"))
    await office.hall.until(lambda: len(office.hall.shown) == 10)
    assert office.hall.keys() == [f"a{n}" for n in range(5)]
    assert office.hall.keys("elsewhere") == [f"b{n}" for n in range(5)]
    assert store.reads == before
    await office.stop()
    await store.close()


async def test_what_is_committed_behind_a_message_that_was_put_off_waits_for_it(office: Office) -> None:
    office.hall.moods["a"] = [Retry(4)]
    await office.clock.asleep()
    await commit(office, post("a"), post("b"))
    await office.settled()
    await commit(office, post("c"), post("d", "elsewhere"))
    await office.settled()
    assert office.hall.keys("elsewhere") == ["d"]
    assert office.hall.keys() == []
    office.clock.pass_(4)
    await office.settled()
    assert office.hall.keys() == ["a", "b", "c"]
    assert office.hall.asked.count("d") == 1


async def test_only_so_many_are_in_flight_however_they_came(office: Office) -> None:
    await office.clock.asleep()
    await commit(office, *(post(f"k{n}", f"room {n}") for n in range(150)))
    await office.hall.until(lambda: len(office.hall.shown) == 150)
    assert office.hall.busiest <= 32
    assert sorted(office.hall.asked) == sorted(f"k{n}" for n in range(150))


async def test_a_platform_that_hangs_leaves_room_for_the_others(office: Office) -> None:
    await office.clock.asleep()
    slow = office.adapters["matrix"] = Hall()
    stuck = [OutgoingMessage(f"m{n}", Place("matrix", f"room {n}"), ("words",)) for n in range(150)]
    slow.gates |= {one.key: asyncio.Event() for one in stuck}
    await commit(office, *stuck)
    await slow.until(lambda: slow.busy > 1)
    await commit(office, post("a"), post("b"))
    await office.hall.until(lambda: office.hall.keys() == ["a", "b"])
    assert slow.shown == []
    for gate in slow.gates.values():
        gate.set()
    await slow.until(lambda: len(slow.shown) == 150)


async def test_what_waits_is_not_looked_through_for_each_message_that_arrives(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db", with_=Counting)
    posts = [post(f"k{n}", f"room {n}") for n in range(300)]
    letters = [OutboxMessage(one.key, address(one.where), write_message(one)) for one in posts]
    await store.commit(Change(messages=tuple(letters)))
    office = Office(store)
    gates = office.hall.gates = {one.key: asyncio.Event() for one in posts}
    for n, one in enumerate(posts):
        gates[one.key].set()
        await office.hall.until(lambda so_far=n: len(office.hall.shown) > so_far)
        await store.sent(f"remote {one.key}")  # it is recorded
    assert store.reads < 60
    await office.stop()
    await store.close()


@pytest.mark.parametrize("rooms", [1_200, 1])
async def test_however_much_waits_for_a_platform_that_hangs_others_wait_for_nothing(office: Office, rooms: int) -> None:
    """More than is at hand at once, in as many places or in one."""
    await office.clock.asleep()
    slow = office.adapters["matrix"] = Hall()
    stuck = [OutgoingMessage(f"m{n}", Place("matrix", f"room {n % rooms}"), ("words",)) for n in range(1_200)]
    slow.gates |= {one.key: asyncio.Event() for one in stuck}
    await commit(office, *stuck)
    await slow.until(lambda: slow.busy > 0)
    for n in range(20):
        await commit(office, post(f"a{n}"), post(f"b{n}", "other"))
    await office.hall.until(lambda: len(office.hall.shown) == 40)
    assert office.hall.keys() == [f"a{n}" for n in range(20)]
    for gate in slow.gates.values():
        gate.set()
    await slow.until(lambda: len(slow.shown) == 1_200)


async def test_what_an_earlier_process_left_for_a_platform_that_hangs_keeps_nobody_waiting(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    left = [OutgoingMessage(f"m{n}", Place("matrix", f"room {n}"), ("words",)) for n in range(150)]
    for one in (*left, post("a"), post("b")):
        letter = OutboxMessage(one.key, address(one.where), write_message(one))
        await store.commit(Change(messages=(letter,)))
    office = Office(store)
    slow = office.adapters["matrix"] = Hall()
    slow.gates |= {one.key: asyncio.Event() for one in left}
    await office.hall.until(lambda: office.hall.keys() == ["a", "b"])
    assert slow.shown == []
    for gate in slow.gates.values():
        gate.set()
    await slow.until(lambda: len(slow.shown) == 150)
    await office.stop()
    await store.close()
