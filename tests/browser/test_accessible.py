"""Every screen as assistive programs find it, the focus that is never lost, and how much the page weighs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE
from tests.browser.program import open_match, riposte, write
from tests.browser.screens import colours
from tests.browser.test_the_board import tap

if TYPE_CHECKING:
    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
"""axe-core 4.10.3 by Deque Systems, as published (MPL-2.0)."""
VIOLATIONS = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
    .map(found => `${found.id}: ${found.nodes.map(node => node.target).join(", ")}`)"""
HEAVIEST = 150_000
"""Bytes that the first load may send."""


THEMES = {"light": ("", "light"), "dark": ("", "dark"), "colour-blind": ("colour-blind", "light")}
"""What is chosen for the boards, and what the page's colours follow."""


async def sound(page: Page) -> None:
    """Nothing that a program can find is wrong with what is shown, in any theme; nothing is wider than the window."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE)
    for theme, (board, scheme) in THEMES.items():
        await colours(page, board, scheme)
        if await page.locator(".playing #table[data-theme]").count():
            await page.locator(f'#table[data-theme="{theme}"]').wait_for(state="attached")
        assert await page.evaluate(VIOLATIONS) == [], theme
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await colours(page, "")


async def test_no_screen_has_a_violation_in_any_theme_wide_or_narrow(
    enter: Enter, tmp_path: Path, browser: Browser
) -> None:
    async with riposte(tmp_path) as address:
        fresh = await (await browser.new_context()).new_page()
        fresh.set_default_timeout(PATIENCE)
        await fresh.goto(address)
        await fresh.get_by_label("Your name").wait_for()
        await sound(fresh)
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben", phone=True)
        await sound(anna)
        await anna.get_by_role("button", name="New match").click()
        await expect(anna.locator("#challenge .start svg.board")).to_be_visible()
        await anna.get_by_text("Further terms").click()
        await sound(anna)
        await anna.keyboard.press("Escape")
        await anna.locator("#words").fill("challenge @ben ")
        await expect(anna.locator("#completions li").first).to_be_visible()
        await sound(anna)
        await write(anna, "challenge @ben tokonoma umpire=friendly side=white time=3d callfor=reason")
        await ben.get_by_role("button", name="Channels and matches").tap()
        await sound(ben)
        await ben.keyboard.press("Escape")
        await ben.get_by_role("button", name="Accept", exact=True).tap()
        for page in (anna, ben):
            await open_match(page)
            await expect(page.locator("svg.board")).to_be_visible()
        await write(anna, "e5d5")
        await expect(ben.locator(".steps output")).to_have_text("1. e5d5")
        await tap(ben, "c1")
        await expect(ben.locator(".place-cell.held")).to_have_count(1)
        for width, height in ((390, 844), (320, 568)):  # the second is also what 200 % leaves of 640 pixels
            await ben.set_viewport_size({"width": width, "height": height})
            await sound(ben)
        await tap(ben, "a2")
        await ben.locator(".play").tap()
        await expect(anna.locator(".steps output")).to_have_text("2. c1a2")
        await anna.locator("#table").get_by_role("button", name="Call it out").click()
        await anna.get_by_label("A place", exact=True).select_option("c1")
        await sound(anna)
        await anna.get_by_role("button", name="Call it out: c1").click()
        await expect(anna.locator(".course .why")).to_have_count(1)
        await ben.set_viewport_size({"width": 390, "height": 844})
        await ben.get_by_label("List of turns").tap()
        await sound(ben)
        await ben.get_by_label("Close the turns").tap()
        await ben.get_by_label("More to do").tap()
        await ben.locator(".note summary").tap()
        await ben.get_by_label("Your note on this match").fill("Watch the left side")
        await sound(ben)
        await ben.get_by_role("button", name="Keep the note").tap()
        await expect(ben.locator(".note summary")).to_have_text("Your note")
        await ben.get_by_label("More to do").tap()
        await ben.get_by_label("List of turns").tap()
        await ben.locator(".course .why").tap()
        await expect(ben.locator(".callout")).to_be_visible()
        await sound(ben)
        await ben.locator(".enlarge").last.tap()
        await sound(ben)
        await ben.go_back()
        await expect(ben.locator("#enlarged")).to_be_hidden()
        await expect(ben.locator(".callout")).to_be_visible()
        await write(ben, "resign yes")
        await expect(anna.locator(".result")).to_be_visible()
        await sound(anna)
        await fresh.goto(f"{address}match/1")
        await expect(fresh.locator("svg.board")).to_be_visible()
        await sound(fresh)
        await fresh.goto(f"{address}enter#nothing")
        await sound(fresh)


async def test_the_focus_never_falls_to_the_body(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await write(anna, "challenge @ben tokonoma umpire=friendly side=white")
        await ben.get_by_role("button", name="Accept", exact=True).press("Enter")
        await expect(ben.locator(".opening")).to_be_visible()
        await expect(ben.locator("body:focus")).to_have_count(0)
        for page in (anna, ben):
            await page.locator(".opening").press("Enter")
            await expect(page.locator("svg.board")).to_be_visible()
        await anna.locator('[data-site="e5"]').click()
        await anna.locator('[data-site="d5"]').click()
        await expect(anna.locator(".play")).to_be_enabled()
        await anna.locator(".play").press("Enter")
        await expect(anna.locator(".steps output")).to_have_text("1. e5d5")
        await focused(anna)
        await anna.get_by_role("button", name="One step back").press("Enter")
        await expect(anna.locator(".steps output")).to_have_text("Start")
        await focused(anna)
        await anna.get_by_role("button", name="To the position now").press("Enter")
        await expect(anna.locator(".steps output")).to_have_text("1. e5d5")
        await focused(anna)
        await ben.locator("#table").get_by_role("button", name="Call it out").press("Enter")
        await expect(ben.locator(".message.bot").last).to_contain_text("breaks no rule")
        await focused(ben)
        await ben.get_by_label("List of turns").press("Enter")
        await ben.get_by_label("Close the turns").press("Enter")
        await expect(ben.get_by_label("List of turns")).to_be_focused()


async def focused(page: Page) -> None:
    """Something holds the focus, so that whoever hears the page knows where they are."""
    assert await page.evaluate("document.activeElement !== document.body")


async def test_the_first_load_is_light_and_comes_compressed(address: str, browser: Browser) -> None:
    page = await (await browser.new_context()).new_page()
    heard: dict[str, str] = {}
    page.on("response", lambda answer: heard.update({answer.url: answer.headers.get("content-encoding", "")}))
    await page.goto(address, wait_until="networkidle")  # its modules come after the page
    await page.get_by_label("Your name").wait_for()
    sizes = "performance.getEntries().filter(each => 'encodedBodySize' in each).map(each => each.encodedBodySize)"
    sent = sum(await page.evaluate(sizes))
    print(f"the first load sends {sent:,} bytes")
    assert 20_000 < sent < HEAVIEST
    plain = [url for url, encoding in heard.items() if re.search(r"\.(js|css)$", url) and encoding != "gzip"]
    assert plain == []
