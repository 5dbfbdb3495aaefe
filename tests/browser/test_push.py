"""The switch that has a browser told when a match waits, and what it shows then; no push service is asked."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Browser, expect

from tests.adapters.push_service import Subscribed
from tests.browser.conftest import PATIENCE
from tests.browser.program import riposte, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.browser, pytest.mark.whole_browser]

PUBLIC = "https://play.example.org"
SUBSCRIBED = """endpoint => {
  let known = null;
  const made = { ...JSON.parse(endpoint), unsubscribe: async () => ((known = null), true) };
  made.toJSON = () => ({ endpoint: made.endpoint, keys: made.keys });
  PushManager.prototype.subscribe = async function ({ applicationServerKey }) {
    window.asked = applicationServerKey;
    return (known = made);
  };
  PushManager.prototype.getSubscription = async () => known;
}"""
"""In place of a push service, which this machine does not reach."""
SHOWN = """async patience => {
  const worker = await navigator.serviceWorker.ready;
  for (const until = Date.now() + patience; Date.now() < until; await new Promise(next => setTimeout(next, 50))) {
    const [one] = await worker.getNotifications();
    if (one) return [one.title, one.body, one.tag];
  }
  return null;
}"""
"""Asks again in the page: to `wait_for_function` a promise is an answer, whatever it holds."""


async def test_a_browser_is_told_by_its_own_switch_and_opens_the_match(browser: Browser, tmp_path: Path) -> None:
    device = Subscribed("https://fcm.googleapis.com/fcm/send/x").device
    kept = {"endpoint": device.endpoint, "keys": {"p256dh": device.p256dh, "auth": device.auth}}
    async with riposte(tmp_path, RIPOSTE_PUBLIC_URL=PUBLIC) as address:
        context = await browser.new_context()
        context.set_default_timeout(PATIENCE)
        await context.grant_permissions(["notifications"], origin=address.rstrip("/"))
        await context.add_init_script(f"({SUBSCRIBED})({json.dumps(json.dumps(kept))})")
        page = await context.new_page()
        await page.goto(address)
        await page.get_by_label("Your name").fill("Anna")
        await page.keyboard.press("Enter")
        await page.locator("#settings summary").click()
        switch = page.get_by_label("Tell this browser when a match waits for me")
        await switch.check()
        assert len(await page.evaluate("asked")) == 87
        await write(page, "challenge tokonoma")
        await page.locator(".message.bot").first.wait_for()
        await expect(switch).to_be_checked()
        await expect(page.locator("#push-refusal")).to_be_empty()

        cdp = await context.new_cdp_session(page)
        found: list[str] = []
        cdp.on("ServiceWorker.workerRegistrationUpdated", lambda news: found.extend(registered(news)))
        await cdp.send("ServiceWorker.enable")
        await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        data = json.dumps({"match": "1", "told": "Tokonoma, match 1, waits for you."})
        sent = {"origin": address.rstrip("/"), "registrationId": found[0], "data": data}
        shown = None
        while shown is None:  # Chromium loses a notice that is asked for in the moment in which it is to be shown
            await cdp.send("ServiceWorker.deliverPushMessage", sent)
            shown = await page.evaluate(SHOWN, 2000)
        assert shown == ["Riposte", "Tokonoma, match 1, waits for you.", "match 1"]
        await switch.uncheck()
        await expect(switch).not_to_be_checked()
        manifest = await page.evaluate("fetch('/app.webmanifest').then(answer => answer.json())")
        assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")


def registered(news: dict[str, list[dict[str, str]]]) -> list[str]:
    """The ids of the workers that are registered."""
    return [one["registrationId"] for one in news["registrations"]]


async def test_a_room_of_this_machine_alone_offers_no_such_switch(browser: Browser, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        page = await browser.new_page()
        await page.goto(address)
        await page.get_by_label("Your name").fill("Anna")
        await page.keyboard.press("Enter")
        await page.locator("#settings summary").click()
        await expect(page.locator("#sound")).to_be_visible()
        await expect(page.locator("#push")).to_be_hidden()


async def test_chromium_finds_that_it_can_be_installed_and_starts_it_at_its_room(
    browser: Browser, tmp_path: Path
) -> None:
    program = str(shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome"))
    async with riposte(tmp_path / "data") as address:
        # Windows of a test are private ones, in which nothing can be installed.
        own = await browser.browser_type.launch_persistent_context(
            tmp_path / "profile", executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        page = own.pages[0]
        await page.goto(address)
        await page.get_by_label("Your name").fill("Anna")
        await page.keyboard.press("Enter")
        await page.locator("#words").wait_for()
        cdp = await own.new_cdp_session(page)
        assert (await cdp.send("Page.getInstallabilityErrors"))["installabilityErrors"] == []
        found = await cdp.send("Page.getAppManifest")
        assert found["errors"] == []
        assert found["url"] == f"{address}app.webmanifest"
        assert (await cdp.send("Page.getAppId"))["appId"] == address
        await own.close()
