"""A real browser and an open room for tests that look at the page as people do."""

import asyncio
import io
import os
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import pytest_asyncio
from PIL import Image
from playwright.async_api import Browser, Page, ViewportSize, async_playwright, expect

from bot.adapters.web import WebRoom
from bot.messages.model import Button, IncomingMessage, OutgoingMessage, Person, Picture, Place
from engine.text import Code
from storage.store import Summary

NOON = 1_770_000_000_000
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PATIENCE = 20_000
"""Milliseconds; a busy machine is no failure."""
SHELL = "chromium-headless-shell"
"""Chromium without windows and menus of its own: tests take three quarters of the time."""
WHOLE = ("chromium", "chromium-browser", "google-chrome")
"""Where a test is about what only all of it has, or about its very pixels, it is marked `whole_browser`."""
PHONE: ViewportSize = {"width": 390, "height": 844}

expect.set_options(timeout=PATIENCE)

Enter: TypeAlias = Callable[..., Any]
Launch: TypeAlias = Callable[..., Awaitable[Browser]]


HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder run in one loop: a browser serves only those in whose loop it was started."""
    for item in items:
        if item.path.is_relative_to(HERE) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def launch() -> AsyncIterator[Launch]:
    """Gives the one Chromium of this process, started anew if it has died: starting takes longer than many a test.

    It is the system's; without one the test is skipped, or fails where nothing may be skipped.
    """
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    async with async_playwright() as playwright:
        started: dict[str, Browser] = {}

        async def at_hand(programs: Sequence[str] = (SHELL, *WHOLE)) -> Browser:
            path = next(filter(None, map(shutil.which, programs)), None)
            if path is None:
                (pytest.fail if os.environ.get("RIPOSTE_TEST_ALL") == "1" else pytest.skip)(
                    "no chromium on this machine"
                )
            if path not in started or not started[path].is_connected():
                started[path] = await playwright.chromium.launch(executable_path=path, args=arguments)
            return started[path]

        yield at_hand
        for one in started.values():
            await one.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(launch: Launch, request: pytest.FixtureRequest) -> AsyncIterator[Browser]:
    """A browser that knows nothing of earlier tests: each window's context is closed when its test is over."""
    found = await (launch(WHOLE) if request.node.get_closest_marker("whole_browser") else launch())
    yield found
    for context in found.contexts:
        await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def enter(browser: Browser) -> AsyncIterator[Enter]:
    """Takes a seat in a window of its own; whatever the page complains of fails the test."""
    complaints: list[str] = []

    async def open_page(address: str, name: str, *, phone: bool = False, label: str = "Your name") -> Page:
        context = await browser.new_context(viewport=PHONE if phone else DESKTOP, has_touch=phone)
        context.set_default_timeout(PATIENCE)
        page = await context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: _complain(line.type, line.text, complaints))
        await page.goto(address)
        await page.get_by_label(label).fill(name)
        await page.keyboard.press("Enter")
        await page.locator("#words").wait_for()
        return page

    yield open_page
    assert complaints == []


def _complain(kind: str, text: str, complaints: list[str]) -> None:
    # A room that closes and opens again is what some tests are about.
    if kind in ("error", "warning") and not re.search("ERR_CONNECTION_(REFUSED|RESET)", text):
        complaints.append(text)


class EchoBot:
    """Says back what it hears; `board` shows one, `whisper` whispers, `match` opens a thread."""

    def __init__(self) -> None:
        self.room: WebRoom
        self.heard: list[IncomingMessage] = []
        self.matches: dict[str, Summary] = {}

    async def receive(self, message: IncomingMessage) -> None:
        self.heard.append(message)
        answer = OutgoingMessage(f"to {message.id}", message.where, (message.who, " said: ", message.text))
        match message.text.split():
            case ["board"]:
                picture = Picture("tokonoma", "", None, alt="White: an arm on b3.")
                choices = (Button("Call it out", "call 12"), Button("Let it stand", "ok 12"))
                answer = OutgoingMessage(answer.key, message.where, ("The board.",), picture=picture, choices=choices)
            case ["whisper"]:
                answer = OutgoingMessage(answer.key, message.where, ("for your eyes only",), only=message.who)
            case ["match"]:
                players = ("web:anna", "web:ben")
                self.matches["12"] = Summary("12", "tokonoma", "running", players, ("web:ben",), (), 0, 0)
                answer = OutgoingMessage(answer.key, Place("web", "lounge", "12"), ("The match begins.",))
        made = io.BytesIO()
        Image.new("RGB", (600, 600), "peru").save(made, "PNG")
        await self.room.deliver(answer, made.getvalue() if answer.picture else None)

    async def summary(self, match: str) -> Summary | None:
        return self.matches.get(match)

    async def complete(self, who: Person, where: Place, text: str) -> Sequence[str]:
        known = ("challenge @Ben tokonoma", "challenge @Ben veney", "help")
        return [command for command in known if text and command.startswith(text)]

    @asynccontextmanager
    async def at_home(self, folder: Path, port: int = 0, **more: Any) -> AsyncIterator[str]:
        """The room is open; gives its address."""
        opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.room = WebRoom(
            folder / "room.db",
            clock=lambda: NOON,
            port=port,
            welcome=lambda _language: ("Type ", Code("help"), " to begin."),
            complete=self.complete,
            summary=self.summary,
            opened=opened.set_result,
            **more,
        )
        running = asyncio.create_task(self.room.run(self.receive))
        try:
            yield await opened
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


@pytest.fixture
def bot() -> EchoBot:
    return EchoBot()


@pytest_asyncio.fixture(loop_scope="session")
async def address(bot: EchoBot, tmp_path: Path) -> AsyncIterator[str]:
    """An open room with an echoing bot in it."""
    async with bot.at_home(tmp_path) as found:
        yield found
