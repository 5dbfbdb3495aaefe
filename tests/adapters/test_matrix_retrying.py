"""How long it takes until a homeserver that was away is tried again: at most fifteen seconds, however long it was."""

import asyncio
from collections.abc import Iterator

import pytest

from bot.adapters.matrix.retrying import patiently, written
from bot.messages.model import Retry


class Hurried(asyncio.SelectorEventLoop):
    """A loop whose time is told: where nothing is to do, it is the next hour at which something is."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def call_at(self, when, callback, *args, context=None):  # type: ignore[no-untyped-def]  # as asyncio has it
        self.now = max(self.now, when)
        return super().call_at(when, callback, *args, context=context)


@pytest.fixture
def hurried() -> Iterator[Hurried]:
    loop = Hurried()
    yield loop
    loop.close()


class Away:
    """A homeserver, or a disk, that takes nothing for some tries."""

    def __init__(self, loop: Hurried, trouble: Exception, tries: int) -> None:
        self._loop = loop
        self._trouble = trouble
        self._tries = tries
        self.asked: list[float] = []

    async def __call__(self) -> None:
        self.asked.append(self._loop.time())
        if len(self.asked) <= self._tries:
            raise self._trouble

    @property
    def pauses(self) -> list[int]:
        return [round(b - a) for a, b in zip(self.asked, self.asked[1:], strict=False)]


def test_a_homeserver_that_was_away_for_a_day_is_tried_within_fifteen_seconds(hurried: Hurried) -> None:
    away = Away(hurried, Retry(0.5), 86_400 // 15)
    hurried.run_until_complete(patiently(away))
    assert away.pauses[:4] == [1, 2, 5, 15]
    assert max(away.pauses) == 15
    assert sum(away.pauses) > 86_000


def test_a_disk_that_was_full_for_a_day_is_tried_within_fifteen_seconds(hurried: Hurried) -> None:
    away = Away(hurried, OSError(28, "No space left on device"), 86_400 // 15)
    hurried.run_until_complete(written(away))
    assert max(away.pauses) == 15


def test_a_homeserver_that_names_a_time_is_given_it(hurried: Hurried) -> None:
    away = Away(hurried, Retry(40), 3)
    hurried.run_until_complete(patiently(away))
    assert away.pauses == [40, 40, 40]
