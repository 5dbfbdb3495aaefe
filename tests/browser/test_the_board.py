"""The board that stays: matches played by taps alone on a phone, by keyboard alone, and stepped through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from tests.browser.program import newest, riposte, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

UNTIL_THE_HOUSE = "e5d5 c1c3 d5d3 a1a2 c7c5 c2a2 d3d2 c2b2 d2c2 b2b3 c5c3 b3a3 c2c1"
"""White's Flat walks into Black's house; Black's pieces step aside."""


async def begin(anna: Page, ben: Page, challenge: str) -> None:
    await write(anna, challenge)
    await ben.get_by_role("button", name="Accept").tap()
    for page in (anna, ben):
        await page.locator(".opening").tap()
        await expect(page.locator("svg.board")).to_be_visible()


async def tap(page: Page, site: str) -> None:
    await page.locator(f'[data-site="{site}"]').tap()


async def pick(page: Page, *sites: str) -> None:
    """Tap places; where an own piece stands on the last one, go there."""
    for site in sites:
        await tap(page, site)
    if own := page.get_by_role("button", name="Go there"):
        await expect(own.or_(page.locator(".play"))).to_be_visible()
        if await own.is_visible():
            await own.tap()


async def test_two_phones_play_tokonoma_by_taps_alone(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        windows = [anna, ben]
        for number, turn in enumerate(UNTIL_THE_HOUSE.split(), 1):
            await pick(windows[0], turn[:2], turn[2:])
            await expect(windows[0].locator(".play")).to_have_text(f"Play {turn}")
            await windows[0].locator(".play").tap()
            for page in windows:
                await expect(page.locator(".steps output")).to_have_text(f"{number}. {turn}")
            windows.reverse()
        await expect(newest(ben)).to_contain_text("ok lets it stand")
