"""The program as a host starts it, and what a person does in its web room."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from playwright.async_api import Locator, Page, TimeoutError  # noqa: A004

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@asynccontextmanager
async def riposte(data: Path, **settings: str) -> AsyncIterator[str]:
    """The program, started as a host starts it; gives the room's address."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run"),
        env=os.environ | {"RIPOSTE_DATA": str(data), "RIPOSTE_PORT": "0"} | settings,
        stdout=asyncio.subprocess.PIPE,
    )
    assert running.stdout is not None
    try:
        said = (await running.stdout.readline()).decode()
        address = re.search(r"http://\S+", said)
        assert address, said
        yield address[0]
    finally:
        running.terminate()
        await running.communicate()
    assert running.returncode == 0


async def write(page: Page, text: str) -> None:
    """Type a line and send it."""
    await page.locator("#words").fill(text)
    await page.locator("#words").press("Enter")


async def open_match(page: Page, number: int = 1) -> None:
    """Press the card of a match in the talk, and again where the talk moved on under the finger."""
    card, board = page.locator(f'.opening[href$="/{number}"]'), page.locator("#room.playing svg.board")
    press = card.tap if await page.evaluate("navigator.maxTouchPoints") else card.click
    await press()
    with suppress(TimeoutError):
        await board.wait_for(timeout=5000)
    if not await board.is_visible() and await card.is_visible():
        await press()
    await board.wait_for()


async def told(page: Page, pattern: str) -> str:
    """The first code in the bot's last message, once its words match and its picture is there.

    The page itself looks at every frame: `expect` looks again after 100, 250, 500 and then each 1000 ms.
    """
    found = await page.wait_for_function(TOLD, arg=pattern)
    return str(await found.json_value())


TOLD = """pattern => {
  const said = [...document.querySelectorAll(".message.bot")].at(-1);
  const words = said?.querySelector(".words");
  const painted = said?.querySelector(".picture img")?.naturalWidth;
  return painted && new RegExp(pattern).test(words?.textContent) ? words.querySelector("code").textContent : null;
}"""


def newest(page: Page) -> Locator:
    """The bot's last message."""
    return page.locator(".message.bot").last
