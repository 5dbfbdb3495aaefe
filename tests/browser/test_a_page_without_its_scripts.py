"""A page whose scripts do not come says so, and can be tried again."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.browser.conftest import PATIENCE

pytestmark = pytest.mark.browser


async def test_scripts_that_do_not_come_are_asked_for_once_more_and_then_it_is_said(
    browser: Browser, address: str
) -> None:
    page = await (await browser.new_context()).new_page()
    page.set_default_timeout(PATIENCE)
    opened: list[str] = []
    page.on("request", lambda request: opened.append(request.url) if request.is_navigation_request() else None)
    await page.route("**/room.js", lambda route: route.abort())
    await page.goto(f"{address}?seat=Anna")
    await expect(page.get_by_role("alert")).to_have_text("The room cannot be reached now; try again.")
    assert len(opened) == 2
    await page.get_by_role("button", name="Sit down").click()
    await expect(page.get_by_role("alert")).to_have_text("The room cannot be reached now; try again.")
    assert len(opened) == 3
    await page.unroute("**/room.js")
    await page.get_by_role("button", name="Sit down").click()
    await expect(page.locator("#words")).to_be_visible()
    await expect(page.locator("#me")).to_contain_text("Anna")
