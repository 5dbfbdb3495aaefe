"""Every screen, in three themes, on a phone and a desk: nothing is cut or covered, and it looks as it was found good.

`RIPOSTE_WRITE=1 pytest tests/browser/test_screens.py` keeps what it looks like now: look at it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops, ImageFilter
from playwright.async_api import Browser, Page, expect

from tests.browser.program import riposte, told, write
from tests.browser.screens import FINE, GOLDEN, MOST, Screens, colours, go, matches, shifted, unlike
from tests.render.test_golden import MIDGAMES

if TYPE_CHECKING:
    from pathlib import Path

PLACES = {key: f"lounge/{number}" for number, key in enumerate(MIDGAMES, 1)}
THEMES = {"light": ("", "light"), "dark": ("", "dark"), "colour-blind": ("colour-blind", "light")}


@pytest.mark.browser
@pytest.mark.whole_browser
async def test_every_screen_is_as_it_was_found_good(browser: Browser, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        screens = Screens(browser, address, renew=os.environ.get("RIPOSTE_WRITE") == "1")
        phone, desk = await screens.seat("Anna", phone=True), await screens.seat("Ben")
        await matches(phone, desk)
        await boards(screens, phone, desk)
        await around(screens, phone, desk)
        screens.close()
    assert screens.wrong == []


async def boards(screens: Screens, phone: Page, desk: Page) -> None:
    for theme, (board, scheme) in THEMES.items():
        seen, where = (desk, "desk") if theme == "dark" else (phone, "phone")
        await colours(seen, board, scheme)
        for key, place in PLACES.items():
            await go(seen, place)
            await expect(seen.locator("#title")).to_have_text(key.title())
            await seen.locator(f'#table[data-theme="{theme}"]').wait_for()
            await expect(seen.locator(".steps output")).not_to_be_empty()
            await screens.look(seen, f"{where}-{theme}-{key}")
        await go(seen, f"{PLACES['tokonoma']}/c0", ".callout")
        await screens.look(seen, f"{where}-{theme}-callout")
    await colours(phone, "")
    await colours(desk, "")
    await go(phone, PLACES["veney"])
    await phone.locator(".place-cell.offered:not(.open)").first.click()
    await phone.locator(".picks .back").wait_for()
    await screens.look(phone, "phone-composing")
    await phone.locator(".picks .back").click()
    await go(desk, f"{PLACES['ironclad']}/0")
    await desk.locator(".steps .turns").click()
    await screens.look(desk, "desk-turns")


async def around(screens: Screens, phone: Page, desk: Page) -> None:
    for page, where in ((phone, "phone"), (desk, "desk")):
        await go(page, "lounge", ".opening")
        await page.locator("#challenge-open").click()
        await page.locator("#challenge svg.board").wait_for()
        await screens.look(page, f"{where}-challenge")
        await page.keyboard.press("Escape")
        await write(page, "learn tokonoma")
        await told(page, "learn stop")
        await screens.look(page, f"{where}-lesson")
    await colours(phone, "", "dark")
    await screens.look(phone, "phone-dark-lesson")
    await phone.locator("#challenge-open").click()
    await phone.locator("#challenge svg.board").wait_for()
    await screens.look(phone, "phone-dark-challenge")
    await phone.keyboard.press("Escape")
    await colours(phone, "")
    await write(phone, "profile")
    await expect(phone.locator(".message.bot").last).to_contain_text("has finished no match")
    await screens.look(phone, "phone-profile")
    await write(phone, "tournament swiss tokonoma Cup seats=8 time=3d")
    await phone.get_by_role("button", name="Join", exact=True).wait_for()
    await screens.look(phone, "phone-tournament")
    await phone.locator("#side-open").click()
    await screens.look(phone, "phone-list")
    for name, path, small, first in (
        ("phone-entry", "", True, "#entry-name:focus"),
        ("desk-rules", "rules/veney", False, "h1"),
        ("phone-match", f"match/{list(PLACES).index('tokonoma') + 1}", True, "svg.board"),
    ):
        page = await screens.page(path, phone=small)
        await page.locator(first).wait_for()
        await screens.look(page, name)


@pytest.fixture(scope="module")
def kept() -> Image.Image:
    with Image.open(GOLDEN / "phone-light-tirachen.webp") as image:
        return image.convert("RGB")


def test_another_shading_is_no_difference(kept: Image.Image) -> None:
    assert unlike(kept, kept.filter(ImageFilter.GaussianBlur(0.7))) <= MOST


def test_a_board_that_has_slipped_is_noticed(kept: Image.Image) -> None:
    assert unlike(kept, ImageChops.offset(kept, 0, 12)) > MOST


def test_a_bar_that_is_gone_is_noticed(kept: Image.Image) -> None:
    gone = kept.copy()
    gone.paste(kept.getpixel((2, kept.height - 2)), (0, kept.height - 70, kept.width, kept.height))  # type: ignore[arg-type]
    assert unlike(kept, gone) > MOST


def test_a_part_that_has_moved_or_is_gone_is_named() -> None:
    parts = [("p title", [10, 10, 90, 20]), ("button play", [10, 700, 90, 44])]
    assert shifted(parts, parts) is None
    assert shifted([(name, [x + FINE, y, w, h]) for name, (x, y, w, h) in parts], parts) is None
    assert shifted([parts[0], ("button play", [10, 712, 90, 44])], parts) == (
        "button play is at [10, 712, 90, 44], was at [10, 700, 90, 44]"
    )
    assert shifted(parts[:1], parts) == "other parts: ['button play']"
