"""Whoever sleeps until a nudge wakes, and goes when told to, whatever comes at the same moment."""

import asyncio

import pytest

from bot.runtime.wake import wait


@pytest.mark.parametrize("ticks", range(5))
async def test_a_sleeper_that_is_told_to_go_in_the_moment_of_a_nudge_goes(ticks: int) -> None:
    event = asyncio.Event()

    async def sleep() -> None:
        while True:
            await wait(event, 60)
            event.clear()

    sleeper = asyncio.create_task(sleep())
    await _turns(3)
    event.set()
    await _turns(ticks)
    sleeper.cancel()
    await asyncio.wait([sleeper], timeout=5)
    assert sleeper.cancelled()


async def test_a_sleeper_wakes_when_its_time_has_come_or_at_once_if_it_was_nudged() -> None:
    event = asyncio.Event()
    await wait(event, 0)
    event.set()
    await wait(event, 60)


async def _turns(count: int) -> None:
    """Let the loop go round."""
    for _ in range(count):
        await asyncio.sleep(0)
