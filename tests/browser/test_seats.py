"""In a real browser: a seat is the browser's that took it, and a link opens it on another device by one press."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Browser, expect

from tests.browser.conftest import PATIENCE, PHONE

if TYPE_CHECKING:
    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


async def test_another_browser_is_refused_until_a_link_lets_it_in(address: str, enter: Enter, browser: Browser) -> None:
    anna = await enter(address, "Anna")
    assert await anna.evaluate("document.cookie") == ""
    phone = await (await browser.new_context(viewport=PHONE, has_touch=True)).new_page()
    phone.set_default_timeout(PATIENCE)
    await phone.goto(address)
    await phone.get_by_label("Your name").fill("anna")
    await phone.get_by_role("button", name="Sit down").tap()
    await expect(phone.get_by_role("alert")).to_contain_text("Anna is the seat of another browser.")

    await anna.get_by_role("button", name="Another device").click()
    await expect(anna.get_by_label("Link", exact=True)).to_have_value(re.compile(r"/enter#[\w-]{43}$"))
    link = await anna.get_by_label("Link", exact=True).input_value()
    assert link.startswith(f"{address}enter#")
    for _ in range(2):  # looking at it spends nothing
        await phone.goto("about:blank")
        await phone.goto(link)
        await expect(phone.get_by_role("button", name="Sit down here")).to_be_visible()
    assert "#" not in phone.url
    await phone.goto("about:blank")
    await phone.goto(link)
    await phone.get_by_role("button", name="Sit down here").tap()
    await phone.locator("#words").wait_for()
    await phone.reload()
    await phone.locator("#words").wait_for()

    thief = await (await browser.new_context()).new_page()
    await thief.goto(link)
    await thief.get_by_role("button", name="Sit down here").click()
    await expect(thief.get_by_role("alert")).to_contain_text("it works once")
    await thief.get_by_role("link", name="Go to the room").click()
    await thief.get_by_label("Your name").fill("Anna")
    await thief.get_by_role("button", name="Sit down").click()
    await expect(thief.get_by_role("alert")).to_contain_text("seat of another browser")
    await anna.get_by_role("button", name="Close", exact=True).click()
    await expect(anna.locator("#device")).to_be_hidden()
