"""Challenges in a channel: each has buttons for those whose answer it waits for, and for nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from tests.browser.program import open_match, riposte, write
from tests.browser.test_accessible import focused

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


async def stand(page: Page, *names: str) -> None:
    """These buttons can be seen in the talk, and no others."""
    await expect(page.locator("#log .choices button:visible")).to_have_text(list(names))


async def three(enter: Enter, address: str) -> tuple[Page, Page, Page]:
    anna, ben, clara = [await enter(address, name) for name in ("Anna", "Ben", "Clara")]
    return anna, ben, clara


async def test_only_who_is_challenged_can_answer_and_only_once(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben, clara = await three(enter, address)
        await write(anna, "challenge @ben tokonoma side=white")
        await stand(ben, "Accept", "Decline")
        await expect(clara.locator("#log .choices")).to_have_count(1)
        await stand(clara)
        await stand(anna, "Decline")
        await write(anna, "counter 1 time=5d")
        await expect(ben.locator("#log .choices")).to_have_count(2)
        await stand(ben, "Accept", "Decline")
        await expect(ben.locator("#log .choices").first).to_have_text("", use_inner_text=True)
        await ben.get_by_role("button", name="Accept", exact=True).press("Enter")
        await expect(ben.locator(".opening")).to_be_visible()
        for page in (anna, ben, clara):
            await stand(page)
            await focused(page)
        await ben.reload()
        await expect(ben.locator(".opening")).to_be_visible()
        await stand(ben)


async def test_an_open_challenge_is_taken_by_whoever_presses_first(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben, clara = await three(enter, address)
        await write(anna, "challenge chirality players=3")
        await stand(anna, "Decline")
        await stand(clara, "Accept")
        await ben.get_by_role("button", name="Accept", exact=True).press("Enter")
        await expect(ben.locator("#log .choices")).to_have_count(2)
        await stand(ben, "Decline")
        await focused(ben)
        await stand(clara, "Accept")
        await write(anna, "decline 1")
        await expect(clara.locator(".message.bot").last).to_contain_text("withdraws the challenge")
        for page in (anna, ben, clara):
            await stand(page)


async def test_a_rematch_is_offered_to_those_who_played_alone_and_once(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben, clara = await three(enter, address)
        await write(anna, "challenge @ben tokonoma side=white umpire=friendly")
        await ben.get_by_role("button", name="Accept", exact=True).press("Enter")
        for page in (anna, ben, clara):
            await open_match(page)
        for page, turn in ((anna, "e5d5"), (ben, "a1a2")):
            await write(page, turn)
            await expect(clara.locator(".steps output")).to_contain_text(turn)
        await write(anna, "resign yes")
        for page in (anna, ben, clara):
            await expect(page.locator(".result")).to_be_visible()
        await stand(anna, "Rematch")
        await stand(ben, "Rematch")
        await stand(clara)


async def test_who_asks_for_earlier_messages_by_keys_stays_in_the_talk(enter: Enter, address: str) -> None:
    anna = await enter(address, "Anna")
    for number in range(25):
        await write(anna, f"line {number}")
    await expect(anna.locator(".words").last).to_have_text("Anna said: line 24")
    await anna.reload()
    await anna.get_by_role("button", name="Earlier messages").press("Enter")
    await expect(anna.locator(".words")).to_have_count(50)
    await expect(anna.locator("#scroll")).to_be_focused()
