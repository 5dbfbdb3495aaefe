"""A whole match as two people play it: the program as it is started, two windows, a callout, an end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from tests.browser.program import newest, open_match, riposte, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

UNTIL_THE_HOUSE = "a1a2 c7c5 c2a2 d3d2 c2b2 d2c2 b2b3 c5c3 b3a3 c2c1"
"""White's Flat walks into Black's house; Black's pieces, to move first, step aside."""


async def play(mover: Page, other: Page, turn: str) -> None:
    await write(mover, turn)
    for page in (mover, other):
        await expect(newest(page).locator(".words")).to_contain_text(f"played {turn}")
        await expect(newest(page).locator(".picture img")).to_be_visible()


async def test_two_seats_play_tokonoma_to_its_end_with_one_turn_called_out_and_one_let_stand(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await write(anna, "challenge @ben tokonoma umpire=friendly side=white")
        await ben.get_by_role("button", name="Accept", exact=True).click()
        for page in (anna, ben):
            await open_match(page)
            await expect(page.locator("#title")).to_have_text("Tokonoma")
        await expect(anna.locator("#subtitle")).to_have_text("with Ben · your turn · match 1")

        await play(anna, ben, "e5d5")
        tenable = await newest(anna).locator(".words").inner_text()
        await play(ben, anna, "c1a2")
        untenable = await newest(anna).locator(".words").inner_text()
        assert shape(untenable) == shape(tenable)

        await newest(anna).get_by_role("button", name="Call it out").click()
        for page in (anna, ben):
            callout = page.locator(".message.bot", has_text="c1a2 is untenable")
            await expect(callout).to_contain_text("The Arm on c1 reaches c3, not a2.")
            image = callout.locator(".picture img")
            await expect(image).to_have_attribute("alt", re.compile("At fault: c1. Within reach: c3."))
            assert await image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 400
        await expect(ben.locator("#subtitle")).to_have_text("with Anna · your turn · match 1")

        await play(ben, anna, "c1c3")
        await play(anna, ben, "d5d3")  # a Flat that goes two tiles, and nobody minds
        windows = [ben, anna]
        *turns, last = UNTIL_THE_HOUSE.split()
        for turn in turns:
            await play(windows[0], windows[1], turn)
            windows.reverse()
        await write(anna, last)
        await expect(newest(ben)).to_contain_text("ok lets it stand")
        await write(ben, "ok")
        for page in (anna, ben):
            await expect(newest(page)).to_contain_text("Anna (White) wins: House capture")
            await expect(newest(page).locator(".picture img")).to_have_attribute("alt", re.compile("The game is over"))
            await expect(page.locator("#over .place")).to_contain_text("Tokonoma 1")
            await expect(page.locator("#subtitle")).to_contain_text("over")

    async with riposte(tmp_path) as address:
        clara = await enter(address, "Clara")
        await expect(newest(clara)).to_contain_text("Anna (White) wins: House capture")


def shape(said: str) -> str:
    """What is said about a turn, whoever made it and whatever it was."""
    return re.sub(r"Anna|Ben|White|Black|\d+|[a-e]\d[a-e]\d", "…", said.replace("e5d5", "…").replace("c1a2", "…"))
