"""Takes the README's pictures of the web room: plays the beginning of a match in a real browser. Run from the root."""

import asyncio
import os
import re
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, Page, async_playwright

HERE = Path(__file__).parent
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
SEEN = {
    "callout": ("Anna", {"viewport": DESKTOP, "color_scheme": "light"}),
    "dark": ("Ben", {"viewport": DESKTOP, "color_scheme": "dark"}),
    "phone": ("Ben", {"viewport": PHONE, "color_scheme": "light"}),
}
TALK = [
    ("Anna", "e5d5"),
    ("Ben", "c1c3"),
    ("Anna", "c7c5"),
    ("Ben", "d1e3"),
    ("Anna", "Are you sure about that Star?"),
    ("Ben", "Quite sure"),
    ("Anna", "call"),
]


async def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        running = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "run"),
            env=os.environ | {"RIPOSTE_DATA": data, "RIPOSTE_PORT": "0"},
            stdout=asyncio.subprocess.PIPE,
        )
        address = re.findall(r"http://\S+", (await running.stdout.readline()).decode())[0]
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
                await play(browser, address)
                for name, (seat, look) in SEEN.items():
                    await take(await enter(browser, address, seat, **look), address, name)
        finally:
            running.terminate()
            await running.communicate()


async def play(browser: Browser, address: str) -> None:
    seats = {name: await enter(browser, address, name) for name in ("Anna", "Ben")}
    await say(seats["Anna"], "challenge @ben tokonoma umpire=friendly side=white")
    await seats["Ben"].get_by_role("button", name="Accept").click()
    for page in seats.values():
        await page.locator(".opening").click()
    for name, text in TALK:
        seen = await seats[name].locator(".message:not(.pending)").count()
        await say(seats[name], text)
        more = 2 if re.fullmatch(r"(\w\d){2}|call", text) else 1
        await seats[name].locator(".message:not(.pending)").nth(seen + more - 1).wait_for()


async def take(page: Page, address: str, name: str) -> None:
    await page.goto(f"{address}#lounge/1")
    await page.locator(".picture img").last.wait_for()
    await page.evaluate("Promise.all([...document.querySelectorAll('.picture img')].map(image => image.decode()))")
    # The message with the callout whole, as far as the window reaches.
    await page.locator(".message", has_text="untenable").last.evaluate("message => message.scrollIntoView()")
    await page.evaluate("document.activeElement.blur()")
    await page.screenshot(path=HERE / f"{name}.png")
    with Image.open(HERE / f"{name}.png") as image:
        image.convert("RGB").quantize(255).save(HERE / f"{name}.png", optimize=True)


async def enter(browser: Browser, address: str, name: str, **look: object) -> Page:
    page = await (await browser.new_context(**look)).new_page()
    await page.goto(address)
    await page.get_by_label("Your name").fill(name)
    await page.keyboard.press("Enter")
    await page.locator("#words").wait_for()
    return page


async def say(page: Page, text: str) -> None:
    await page.locator("#words").fill(text)
    await page.locator("#words").press("Enter")


asyncio.run(main())
