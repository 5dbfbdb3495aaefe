"""What the newer commands show, as assistive programs find it, on a phone and at 200 %; and the pages of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Browser, expect

from engine.games import GAMES
from tests.browser.conftest import PATIENCE
from tests.browser.program import riposte, write
from tests.browser.test_accessible import focused, sound

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = [pytest.mark.browser, pytest.mark.whole_browser]

ASKED = (
    *("help", "learn tokonoma", "solve tokonoma", "daily", "tournament", "analyse tokonoma", "privacy", "profile"),
    *("open", "terms tokonoma", "ladder tokonoma", "tournament swiss tokonoma Cup seats=8 time=3d"),
)
LOOSE = """() => {
  const said = [...document.querySelectorAll(".message .words p")];
  const out = (box, around) => box.right > around.right + 1 || box.left < around.left - 1;
  return said.flatMap(line => [...line.querySelectorAll("code:has(.put), .closed")]
    .filter(part => out(part.getBoundingClientRect(), line.getBoundingClientRect()) || part.getClientRects().length > 1)
    .map(part => part.textContent));
}"""
"""What stands out of its paragraph, or is torn from its full stop."""


async def test_whatever_is_asked_for_is_shown_without_a_violation(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna = await enter(address, "Anna", phone=True)
        for asked in ASKED:
            before = await anna.locator(".message.bot").count()
            await write(anna, asked)
            await expect(anna.locator(".message.bot").nth(before)).to_be_visible()
            await focused(anna)
        for width, height in ((390, 844), (320, 568)):  # the second is also what 200 % leaves of 640 pixels
            await anna.set_viewport_size({"width": width, "height": height})
            await sound(anna)
            assert await anna.evaluate(LOOSE) == []


async def test_the_pages_of_the_rules_have_no_violation(browser: Browser, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        page = await (await browser.new_context(viewport={"width": 320, "height": 568})).new_page()
        page.set_default_timeout(PATIENCE)
        complaints: list[str] = []
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
        for game in GAMES:
            await page.goto(f"{address}rules/{game}")
            assert complaints == []
            await sound(page)
            complaints.clear()  # axe tries styles that the page's policy forbids
