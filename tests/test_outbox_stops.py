"""What becomes of messages in flight when the relay stops."""

import asyncio
from pathlib import Path

import pytest

from storage.sqlite.store import SqliteStore
from tests.test_outbox import Office, commit, post


async def test_stopping_begins_no_other_delivery(tmp_path: Path) -> None:
    office = Office(await SqliteStore.open(tmp_path / "riposte.db"))
    await office.clock.asleep()
    office.hall.gates["a"] = asyncio.Event()
    await commit(office, post("a"))
    await commit(office, post("b"))
    await office.hall.until(lambda: office.hall.asked == ["a"])
    office.task.cancel()
    await asyncio.sleep(0)
    office.hall.gates["a"].set()
    await asyncio.gather(office.task, return_exceptions=True)
    assert office.hall.asked == ["a"]
    await office.store.close()


class Landing(SqliteStore):
    """A store that writes as long as anything is in flight."""

    office: Office

    async def flush(self) -> None:
        if hasattr(self, "office"):
            self.office.hall.gates["a"].set()
            while self.office.relay._tasks:
                await asyncio.sleep(0)
        await super().flush()


async def test_the_last_message_may_arrive_while_what_could_wait_is_written(tmp_path: Path) -> None:
    store = await Landing.open(tmp_path / "riposte.db")
    office = Office(store)
    await office.clock.asleep()
    office.hall.gates["a"] = asyncio.Event()
    await commit(office, post("a"))
    await office.hall.until(lambda: office.hall.asked == ["a"])
    store.office = office
    office.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await office.task
    assert office.hall.keys() == ["a"]
    await store.close()
