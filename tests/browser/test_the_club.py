"""A club in the web room as its people see it: a tournament from its announcement on, and what is kept of somebody."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.program import newest, riposte, write

if TYPE_CHECKING:
    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


async def test_an_organiser_announces_and_others_join_by_a_press(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await write(anna, "tournament round-robin tokonoma Autumn Cup seats=2 time=3d")
        for page in (ben, anna):
            await page.get_by_role("button", name="Join", exact=True).first.click()
        standings = ben.locator(".message.bot", has_text="Autumn Cup has begun")
        image = standings.locator(".picture img")
        await expect(image).to_have_attribute("alt", re.compile("Autumn Cup. Standings"))
        assert await image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 400
        for page in (ben, anna):
            await expect(page.locator('a[href="#lounge/1"]').first).to_be_visible()
        if folder := os.environ.get("RIPOSTE_LOOK"):
            await ben.screenshot(path=f"{folder}/tournament.png")
        await write(ben, "tournament 1")
        await expect(newest(ben)).to_contain_text("It is under way.")


async def test_what_is_kept_of_somebody_is_saved_from_the_page(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna = await enter(address, "Anna")
        await write(anna, "note 1 what I think")
        await write(anna, "zone Europe/Berlin")
        await write(anna, "privacy export")
        link = newest(anna).get_by_role("link", name="riposte-export.json")
        async with anna.expect_download() as waiting:
            await link.click()
        saved = await (await waiting.value).path()
        told = json.loads(Path(saved).read_text("utf-8"))
        assert told["accounts"][0]["account"] == "web:anna"
        assert "Europe/Berlin" in str(told)
