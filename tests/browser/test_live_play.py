"""Matches played live on the page against clocks of seconds: they run down, gain time, run out, and are claimed.

Seconds pass when the test says so, for the room as for its pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Locator, Page, expect

from tests.api.room import Room, open_room
from tests.browser.program import newest, open_match, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


class Live:
    """Anna and Ben at their pages, and the time there."""

    def __init__(self, room: Room, anna: Page, ben: Page):
        self.room, self.anna, self.ben = room, anna, ben

    async def passes(self, seconds: int) -> None:
        """So much time goes by."""
        self.room.clock.at += 1000 * seconds
        for page in (self.anna, self.ben):
            await page.clock.set_fixed_time(self.room.clock.at / 1000)
        self.room.look_again()

    async def begin(self, terms: str, number: int = 1) -> None:
        await write(self.anna, f"challenge @ben tokonoma side=white umpire=turn {terms}")
        await self.ben.get_by_role("button", name="Accept", exact=True).last.click()
        for page in (self.anna, self.ben):
            await open_match(page, number)

    async def plays(self, page: Page, turn: str) -> None:
        """Somebody makes a turn, a second later."""
        await self.passes(1)
        await write(page, turn)
        for both in (self.anna, self.ben):
            await expect(both.locator(".steps output")).to_contain_text(turn)

    async def shows(self, anna: str, ben: str, runs: str) -> None:
        """What is left of each on both pages, and whose time runs."""
        for page in (self.anna, self.ben):
            for name, left in (("Anna", anna), ("Ben", ben)):
                await expect(clock(page, name)).to_have_text(left)
            await expect(clock(page, runs)).to_have_class("clock runs short")
            await expect(page.locator(".clock.runs")).to_have_count(1)


def clock(page: Page, name: str) -> Locator:
    return page.locator(".side", has_text=name).locator(".clock")


async def sit(room: Room, enter: Enter) -> Live:
    address = room.url.removesuffix("api/v1")
    live = Live(room, await enter(address, "Anna"), await enter(address, "Ben"))
    await live.passes(0)
    return live


async def test_a_clock_of_seconds_runs_gains_time_with_each_turn_and_ends_the_match(
    enter: Enter, tmp_path: Path
) -> None:
    async with open_room(tmp_path) as room:
        live = await sit(room, enter)
        await live.begin("time=30s+10s")
        await live.shows("0:30", "0:30", runs="Anna")
        await live.passes(6)
        await live.shows("0:24", "0:30", runs="Anna")
        await live.plays(live.anna, "c7c5")
        await live.shows("0:33", "0:30", runs="Ben")
        await live.passes(19)
        await live.plays(live.ben, "c1c3")
        await live.shows("0:33", "0:20", runs="Anna")
        await live.anna.reload()
        await live.anna.locator("svg.board").wait_for()
        await live.shows("0:33", "0:20", runs="Anna")
        await live.passes(32)
        await live.shows("0:01", "0:20", runs="Anna")
        await live.passes(1)
        await live.shows("0:00", "0:20", runs="Anna")
        await live.passes(3)  # a turn may still have been on its way
        for page in (live.anna, live.ben):
            await expect(page.locator(".result")).to_contain_text("Ben (Black) wins")
            await expect(page.locator(".clock")).to_have_count(0)
            await expect(newest(page)).to_contain_text("out of time")


async def test_where_a_flag_is_to_be_claimed_play_goes_on_until_somebody_does(enter: Enter, tmp_path: Path) -> None:
    async with open_room(tmp_path) as room:
        live = await sit(room, enter)
        await live.begin("time=20s+5s timeout=claim")
        claims = [page.get_by_role("button", name="Claim the match") for page in (live.anna, live.ben)]
        await live.passes(23)
        await expect(newest(live.ben)).to_contain_text("the time is over")
        await live.shows("0:00", "0:20", runs="Anna")
        await expect(claims[1].first).to_be_visible()
        await expect(claims[0].first).not_to_be_visible()
        await live.plays(live.anna, "c7c5")
        await live.shows("0:05", "0:20", runs="Ben")
        await expect(live.ben.locator(".picks").get_by_role("button", name="Claim the match")).to_have_count(0)
        await live.passes(23)
        await live.anna.locator(".picks").get_by_role("button", name="Claim the match").click()
        for page in (live.anna, live.ben):
            await expect(page.locator(".result")).to_contain_text("Anna (White) wins")
