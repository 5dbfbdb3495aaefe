"""What becomes of messages in flight when the relay stops."""

import asyncio
from pathlib import Path

import pytest

from tests.stores import opened
from tests.test_outbox import Office, commit, post

pytestmark = pytest.mark.usefixtures("each_database")


async def test_stopping_begins_no_other_delivery(tmp_path: Path) -> None:
    office = Office(await opened(tmp_path / "riposte.db"))
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
