"""The web room as a program of its own: what the page weighs, how soon it answers, and what many tabs and rooms cost.

Processor time is the program's own, read from the system, so other programs on the machine change it little; the
times in the browser are by the clock. Without a Chromium there are no lines of it.
"""

import asyncio
import os
import re
import shutil
import sys
import tempfile
import uuid
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
from playwright.async_api import Page, async_playwright

from benchmarks.table import Row, seconds

TABS, ROOMS, PEOPLE = 200, 300, 200
POSTS = 60
WEIGHT, READY, ANSWERS = 150_000, 1.5, 0.1
PER_POST_TABS, PER_POST_ROOMS = 0.015, 0.005
JOIN_CPU, JOIN_BYTES = 1.0, 2_000_000
SLOWER = 4
TICK = os.sysconf("SC_CLK_TCK")
LAST = "last"
"""What the last message of a round says."""


def rows() -> Iterator[Row]:
    yield asyncio.run(_tabs())
    yield asyncio.run(_rooms())
    yield from asyncio.run(_join())
    if chromium := shutil.which("chromium") or shutil.which("google-chrome"):
        yield from asyncio.run(_browser(chromium))


def _row(what: str, took: float, most: float) -> Row:
    return Row(what, seconds(took), goal=f"≤ {seconds(most)}", met=took <= most)


@asynccontextmanager
async def _program() -> AsyncIterator[tuple[str, Process]]:
    """The program with nothing but the web room."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"RIPOSTE_DATA": str(Path(folder) / "data"), "RIPOSTE_PORT": "0", "RIPOSTE_PARTNER_CORES": "0"}
        running = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "run"),
            env=os.environ | settings,
            stdout=PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert running.stdout is not None
        address = re.search(r"http://\S+", (await running.stdout.readline()).decode())
        assert address is not None
        try:
            yield address[0], running
        finally:
            running.terminate()
            await running.communicate()


def _cpu(process: Process) -> float:
    """Seconds of processor time so far, all threads."""
    fields = Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


class _Tab:
    """A tab that takes what it is sent, and counts it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse):
        self.socket = socket
        self.bytes = 0
        self._news: asyncio.Queue[str] = asyncio.Queue()
        self._taking = asyncio.create_task(self._take())  # it answers to the room's pings as well

    async def _take(self) -> None:
        async for frame in self.socket:
            self._news.put_nowait(str(frame.data))

    async def say(self, text: str) -> None:
        say = {"do": "say", "id": str(uuid.uuid4()), "channel": "lounge", "thread": "", "text": text}
        await self.socket.send_json(say)

    async def until(self, kind: str, text: str = "") -> None:
        """Take everything up to a piece of news."""
        while True:
            news = await self._news.get()
            self.bytes += len(news.encode())
            if f'"is":"{kind}"' in news and text in news:
                return


async def _enter(session: aiohttp.ClientSession, address: str, name: str) -> _Tab:
    origin = {"Origin": address.rstrip("/")}
    async with session.post(f"{address}seat", json={"name": name}, headers=origin) as answer:
        assert "name" in await answer.json()
    tab = _Tab(await session.ws_connect(f"{address}socket", headers=origin))
    await tab.socket.send_json({"do": "enter", "name": name})
    await tab.until("entered")
    return tab


def _session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True), connector=aiohttp.TCPConnector(limit=0))


async def _posts(process: Process, speaker: _Tab, others: list[_Tab]) -> float:
    """Processor time for each message that all these tabs get."""

    async def round_of(posts: int) -> None:
        hearing = [asyncio.create_task(tab.until("message", LAST)) for tab in (speaker, *others)]
        for _ in range(posts - 1):
            await speaker.say("a few words between friends")
        await speaker.say(LAST)
        await asyncio.gather(*hearing)

    await round_of(10)
    taken = []
    for _ in range(3):
        before = _cpu(process)
        await round_of(POSTS)
        taken.append((_cpu(process) - before) / POSTS)
    return median(taken)


async def _tabs() -> Row:
    async with _program() as (address, process), _session() as session:
        speaker = await _enter(session, address, "Anna")
        others = [await _enter(session, address, f"Guest{number}") for number in range(TABS - 1)]
        each = await _posts(process, speaker, others)
    return _row(f"CPU of a post, {TABS} tabs", each, PER_POST_TABS)


async def _rooms() -> Row:
    async with _program() as (address, process), _session() as session:
        speaker = await _enter(session, address, "Anna")
        for number in range(ROOMS):
            await speaker.socket.send_json({"do": "create", "channel": f"room-{number}"})
            await speaker.until("created")
        other = await _enter(session, address, "Ben")
        each = await _posts(process, speaker, [other])
    return _row(f"CPU of a post, {ROOMS} rooms", each, PER_POST_ROOMS)


async def _join() -> list[Row]:
    """So many people come within a moment; all they are sent until they can talk counts."""
    async with _program() as (address, process), _session() as session:
        before = _cpu(process)
        tabs = await asyncio.gather(*(_enter(session, address, f"Guest{number}") for number in range(PEOPLE)))
        hearing = [asyncio.create_task(tab.until("message", LAST)) for tab in tabs]
        await tabs[0].say(LAST)
        await asyncio.gather(*hearing)
        took, sent = _cpu(process) - before, sum(tab.bytes for tab in tabs)
    return [
        _row(f"CPU of a join of {PEOPLE}", took, JOIN_CPU),
        Row(f"sent at a join of {PEOPLE}", f"{sent / 1000:.0f} kB", goal="≤ 2 MB", met=sent <= JOIN_BYTES),
    ]


async def _browser(chromium: str) -> list[Row]:
    async with _program() as (address, _), async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        weights, ready = [], []
        for _ in range(5):
            context = await started.new_context()
            weight, took = await _load(await context.new_page(), address)
            weights.append(weight)
            ready.append(took)
            await context.close()  # a slowed page burns the time that it does not use, beside all others
        answers = await _previews(started, address)
        await started.close()
    weight, took, answer = max(weights), median(ready), median(answers)
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    busy = f" (load {load:.1f} per core)" if load > 1 else ""
    return [
        Row("first load, compressed", f"{weight / 1000:.0f} kB", goal=f"≤ {WEIGHT // 1000} kB", met=weight <= WEIGHT),
        _row(f"page usable, CPU /{SLOWER}{busy}", took, READY),
        _row(f"tap to preview{busy}", answer, ANSWERS),
    ]


USABLE = """addEventListener("focusin", ({ target, timeStamp }) => {
  if (target.id === "entry-name") window.usable ??= timeStamp;
})"""
"""Noted by the page itself: what asks it from outside is slowed down as well."""


async def _load(page: Page, address: str) -> tuple[int, float]:
    """The bytes of a first load, and the seconds until a name can be typed, on a slow processor."""
    cdp = await page.context.new_cdp_session(page)
    sizes: list[int] = []
    cdp.on("Network.loadingFinished", lambda news: sizes.append(int(news["encodedDataLength"])))
    await cdp.send("Network.enable")
    await cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await page.add_init_script(USABLE)
    await page.goto(address)
    await page.wait_for_load_state("networkidle")
    await page.locator("#entry-name:focus").wait_for()
    return sum(sizes), float(await page.evaluate("usable")) / 1000


TAP = """site => new Promise((done) => {
  const table = document.getElementById("table"), from = performance.now();
  const seen = new MutationObserver(() => {
    if (table.dataset.picked === "0") return;
    seen.disconnect();
    requestAnimationFrame(() => done((performance.now() - from) / 1000));
  });
  seen.observe(table, { attributes: true });
  document.querySelector(`[data-site="${site}"] > *`).dispatchEvent(new MouseEvent("click", { bubbles: true }));
})"""


async def _previews(started: Any, address: str) -> list[float]:
    """Seconds from a tap on a piece to the board that shows it picked."""
    pages = []
    for name in ("Anna", "Ben"):
        page = await (await started.new_context()).new_page()
        await page.goto(address)
        await page.get_by_label("Your name").fill(name)
        await page.keyboard.press("Enter")
        await page.locator("#words").wait_for()
        pages.append(page)
    anna, ben = pages
    await anna.locator("#words").fill("challenge @ben tokonoma side=white")
    await anna.keyboard.press("Enter")
    await ben.get_by_role("button", name="Accept", exact=True).click()
    await anna.locator(".opening").click()
    await anna.locator("svg.board").wait_for()
    taken = []
    for _ in range(15):
        taken.append(float(await anna.evaluate(TAP, "c7")))
        await anna.locator(".picks .back").click()
        await anna.wait_for_function("() => document.getElementById('table').dataset.picked === '0'")
    return taken
