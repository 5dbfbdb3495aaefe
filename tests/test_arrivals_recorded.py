"""That a message has arrived is recorded soon, with others, and whoever asks is told of it."""

import asyncio
from pathlib import Path

import pytest

from storage.store import Change, OutboxMessage
from tests.stores import opened, unwritable

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
