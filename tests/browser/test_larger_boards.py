"""A board that is made larger can neither be lost nor stay so, and taps on it mean what they hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from tests.browser.dragged import finger, held
from tests.browser.program import open_match, riposte, write
from tests.browser.test_under_a_finger import begin, middle
from tests.render.test_golden import MIDGAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

IN_SIGHT = """() => {
  const stage = document.querySelector("svg.board").getBoundingClientRect();
  return [...document.querySelectorAll(".place-cell")].filter((place) => {
    const { left, top, width, height } = place.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return x > stage.left && x < stage.right && y > stage.top && y < stage.bottom;
  }).map((place) => place.dataset.site);
}"""


async def wide(page: Page) -> float:
    return float(str(await page.locator("svg.board").get_attribute("viewBox")).split()[2])


async def test_a_large_board_is_never_lost_and_a_tap_hits_what_it_shows(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        await write(anna, f'challenge @ben chirality umpire=friendly start="{MIDGAMES["chirality"]}" side=red')
        await ben.get_by_role("button", name="Accept", exact=True).click()
        await open_match(anna)
        whole = await wide(anna)
        box = await anna.locator("svg.board").bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        touch = await finger(anna)
        for _ in range(6):
            await touch("touchStart", (x - 20, y), (x + 20, y))
            await touch("touchMove", (x - 150, y), (x + 150, y))
            await touch("touchEnd")
        assert await wide(anna) == pytest.approx(whole / 5)
        for right, down in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            for _ in range(15):
                await touch("touchStart", (x - 120 * right, y - 120 * down))
                await touch("touchMove", (x, y))
                await touch("touchMove", (x + 120 * right, y + 120 * down))
                await touch("touchEnd")
            assert await anna.evaluate(IN_SIGHT), f"pushed to {right}, {down}"
        # Of two fingers one is lifted: what goes on is a push, and no tap.
        size = await wide(anna)
        await touch("touchStart", (x - 20, y), (x + 20, y))
        await touch("touchMove", (x - 15, y), (x + 15, y))
        await touch("touchEnd", (x - 15, y))
        await touch("touchEnd")
        assert await wide(anna) > size
        assert await held(anna) == []
        await touch("touchStart", (x, y), (x, y))  # one upon the other
        await touch("touchMove", (x, y), (x + 1, y))
        await touch("touchMove", (x, y), (x, y))
        await touch("touchEnd")
        assert 0 < await wide(anna) <= whole
        for _ in range(6):
            await touch("touchStart", (x - 150, y), (x + 150, y))
            await touch("touchMove", (x - 20, y), (x + 20, y))
            await touch("touchEnd")
        assert await wide(anna) == whole
        own = str(await anna.locator(".place-cell.offered").first.get_attribute("data-site"))
        at = await middle(anna, own)
        await touch("touchStart", (at["x"] - 20, at["y"]), (at["x"] + 20, at["y"]))
        await touch("touchMove", (at["x"] - 50, at["y"]), (at["x"] + 50, at["y"]))
        await touch("touchEnd")
        assert own in await anna.evaluate(IN_SIGHT)
        at = await middle(anna, own)
        await touch("touchStart", (at["x"], at["y"]))
        await touch("touchEnd")
        await expect(anna.locator(".place-cell.held")).to_have_count(1)
        assert await held(anna) == [own]


async def test_a_small_board_that_was_made_larger_becomes_whole_again(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        smaller = anna.get_by_role("button", name="Smaller")
        whole = await wide(anna)
        await expect(smaller).to_have_count(0)
        for turned in (-100, -10_000):
            await anna.locator("svg.board").hover()
            await anna.keyboard.down("Control")
            await anna.mouse.wheel(0, turned)
            await anna.keyboard.up("Control")
            await expect(smaller).to_be_enabled()
            assert whole / 5 - 1 < await wide(anna) < whole
            assert await anna.evaluate("visualViewport.scale") == 1
        for _ in range(3):
            await smaller.press("Enter")
        assert await wide(anna) == whole
        await expect(smaller).to_have_count(0)
        assert await anna.evaluate("document.activeElement !== document.body")
