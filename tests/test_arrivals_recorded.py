"""That a message has arrived is recorded with the next change, or soon, and whoever asks is told of it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.messages.model import IncomingMessage, OutgoingMessage, Person, Picture, Place
from bot.runtime.outbox import OutboxRelay
from bot.service.service import Service
from storage import deferred
from storage.store import Change, Conflict, OutboxMessage, Outgoing, Store
from tests.stores import opened, unwritable
from tests.told import PATIENT

pytestmark = pytest.mark.usefixtures("each_database")


async def test_what_has_arrived_while_something_is_written_shares_the_next_transaction(tmp_path: Path) -> None:
    seen: list[str] = []
    store = await opened(tmp_path / "riposte.db", watch=seen.append)
    sent = await store.commit(Change(messages=tuple(OutboxMessage(f"{n}", "web/hall/", "{}") for n in range(50))))
    seen.clear()
    await asyncio.gather(*(store.delivered(one.number, "remote", 5) for one in sent))
    assert seen.count("COMMITTED") <= 3
    assert len(await store.sent("remote")) == 50
    await store.close()


async def test_one_that_cannot_be_recorded_costs_no_other(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    sent = await store.commit(Change(messages=tuple(OutboxMessage(f"{n}", "web/hall/", "{}") for n in range(3))))
    ids = ["a", object(), "c"]
    told = [store.delivered(one.number, id_, 5) for one, id_ in zip(sent, ids, strict=True)]  # type: ignore[arg-type]
    answers = await asyncio.gather(*told, return_exceptions=True)
    assert [isinstance(answer, Exception) for answer in answers] == [False, True, False]
    assert [len(await store.sent(id_)) for id_ in "ac"] == [1, 1]
    await store.close()


async def test_whoever_asks_what_has_arrived_is_told_of_what_is_still_to_be_written(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    (first,) = await store.commit(Change(messages=(OutboxMessage("a", "web/hall/", "{}"),)))
    arrived = asyncio.create_task(store.delivered(first.number, "remote", 5))
    await asyncio.sleep(0)
    assert await store.waiting(9) == []
    assert [one.key for one in await store.sent("remote")] == ["a"]
    await arrived
    await store.close()


async def test_closing_writes_what_could_have_waited(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    (first,) = await store.commit(Change(messages=(OutboxMessage("a", "web/hall/", "{}"),)))
    arrived = asyncio.create_task(store.delivered(first.number, "remote", 5))
    await asyncio.sleep(0)
    await store.close()
    await arrived
    store = await opened(tmp_path / "riposte.db")
    assert await store.waiting(9) == []
    await store.close()


async def test_what_has_arrived_can_be_asked_for_while_nothing_can_be_written(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    (first,) = await store.commit(Change(messages=(OutboxMessage("a", "web/hall/", "{}"),)))
    async with unwritable(store, tmp_path / "riposte.db"):
        arrived = asyncio.create_task(store.delivered(first.number, "remote", 5))
        await asyncio.sleep(0)
        assert [one.key for one in await store.unsent("")] == ["a"]
        with pytest.raises(OSError, match="nothing was changed"):
            await arrived
    await store.close()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for the next change waits however slow the machine is."""
    monkeypatch.setattr(deferred, "PATIENCE", 1_000.0)


@pytest.mark.usefixtures("patient")
async def test_what_has_arrived_goes_along_with_the_next_change(tmp_path: Path) -> None:
    seen: list[str] = []
    store = await opened(tmp_path / "riposte.db", watch=seen.append)
    sent = await store.commit(Change(messages=tuple(OutboxMessage(f"{n}", "web/hall/", "{}") for n in range(3))))
    seen.clear()
    arrived = [asyncio.create_task(store.delivered(one.number, "remote", 5, soon=False)) for one in sent]
    await asyncio.sleep(0)
    await store.commit(Change(settings=(("web:1", "theme", "dark"),)))
    await asyncio.gather(*arrived)
    assert seen.count("COMMITTED") == 1
    assert len(await store.sent("remote")) == 3
    await store.close()


async def test_what_has_arrived_is_recorded_though_nothing_else_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deferred, "PATIENCE", 0.01)
    store = await opened(tmp_path / "riposte.db")
    (first,) = await store.commit(Change(messages=(OutboxMessage("a", "web/hall/", "{}"),)))
    async with asyncio.timeout(PATIENT):
        await store.delivered(first.number, "remote", 5, soon=False)
    await store.close()


@pytest.mark.usefixtures("patient")
async def test_a_change_that_comes_too_late_loses_nothing_that_went_along(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    (first,) = await store.commit(Change(heard="web:1", messages=(OutboxMessage("a", "web/hall/", "{}"),)))
    arrived = asyncio.create_task(store.delivered(first.number, "remote", 5, soon=False))
    await asyncio.sleep(0)
    with pytest.raises(Conflict):
        await store.commit(Change(heard="web:1"))
    assert not arrived.done()
    assert [one.key for one in await store.sent("remote")] == ["a"]
    await arrived
    await store.close()


@pytest.mark.usefixtures("patient")
async def test_a_change_whose_caller_is_gone_loses_nothing_that_went_along(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    (first,) = await store.commit(Change(messages=(OutboxMessage("a", "web/hall/", "{}"),)))
    arrived = asyncio.create_task(store.delivered(first.number, "remote", 5, soon=False))
    await asyncio.sleep(0)
    writing = asyncio.create_task(store.commit(Change(heard="web:1")))
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    assert [one.key for one in await store.sent("remote")] == ["a"]
    await arrived
    assert await store.known("web:1")
    await store.close()


@pytest.mark.usefixtures("patient")
async def test_one_that_cannot_be_recorded_costs_no_change(tmp_path: Path) -> None:
    store = await opened(tmp_path / "riposte.db")
    (first,) = await store.commit(Change(messages=(OutboxMessage("a", "web/hall/", "{}"),)))
    arrived = asyncio.create_task(store.delivered(first.number, object(), 5, soon=False))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    await store.commit(Change(heard="web:1"))
    assert await store.known("web:1")
    await store.flush()
    assert isinstance((await asyncio.gather(arrived, return_exceptions=True))[0], Exception)
    await store.close()


# --- a turn alone -----------------------------------------------------------------------------------------
class Wall:
    """A platform that remembers what hangs there."""

    platform = "web"

    def __init__(self) -> None:
        self.keys: list[str] = []
        self._news = asyncio.Event()

    async def deliver(self, post: OutgoingMessage, image: bytes | None) -> str:
        self.keys.append(post.key)
        self._news.set()
        return f"remote {post.key}"

    async def until(self, posts: int) -> None:
        async with asyncio.timeout(PATIENT):
            while len(self.keys) < posts:
                self._news.clear()
                await self._news.wait()


async def _unpainted(picture: Picture) -> None:
    """Nobody looks at it."""


@asynccontextmanager
async def _played(store: Store) -> AsyncIterator[tuple[Wall, Service, Callable[[str, str], IncomingMessage]]]:
    """A match of Tokonoma that has begun; its posts hang at a wall."""
    wall, relays = Wall(), list[OutboxRelay]()

    def committed(change: Change, waiting: Sequence[Outgoing]) -> None:
        relays[0].committed(change, waiting)

    service = Service(store, now=lambda: 1, seed=lambda: bytes(32), committed=committed)
    relay = OutboxRelay(store, {"web": wall}, _unpainted, lambda: 1, contact=service.contact)
    relays.append(relay)
    running = asyncio.create_task(relay.run())
    said = 0

    def message(name: str, text: str, thread: str = "1") -> IncomingMessage:
        nonlocal said
        said += 1
        return IncomingMessage(f"web:{said}", Person("web", name, name), Place("web", "hall", thread), text, 1)

    await service.receive(message("anna", "challenge @ben tokonoma", ""))
    await service.receive(message("ben", "accept 1", ""))
    try:
        yield wall, service, message
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.usefixtures("patient")
async def test_a_turn_is_one_commit_from_the_words_to_the_record_of_its_arrival(tmp_path: Path) -> None:
    seen: list[str] = []
    store = await opened(tmp_path / "riposte.db", watch=seen.append)
    async with _played(store) as (wall, service, message):
        for turn in range(4):
            match = await service.repository.match("1")
            assert match is not None
            player = match.seats[match.game.to_act(match.position)].partition(":")[2]
            text = match.game.write(next(iter(match.game.turns(match.position))), match.position)
            posts = len(wall.keys)
            await service.receive(message(player, text))
            await wall.until(posts + 1)
            for _ in range(9):  # the outbox hears of it
                await asyncio.sleep(0)
            if turn == 0:
                seen.clear()
        assert seen.count("COMMITTED") == 3
        assert len(await store.sent(f"remote {wall.keys[-1]}")) == 1
        assert not await store.on_the_way(wall.keys)
    await store.close()
