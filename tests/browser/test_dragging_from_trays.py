"""Pieces that wait beside the board are dragged onto it, by mouse or finger: as if tapped, or as if never touched."""

from __future__ import annotations

import json
from asyncio import Queue, wait_for
from functools import partial
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from engine.games import GAMES
from tests.browser.dragged import HIDDEN, finger
from tests.browser.program import open_match, riposte, write
from tests.browser.screens import go
from tests.browser.test_under_a_finger import middle
from tests.render.test_golden import MIDGAMES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

BROUGHT: Mapping[str, tuple[str, str]] = {
    "chirality": ("muster", "A33"),
    "ironclad": ("place", "b4"),
    "tirachen": ("C", "a1"),
    "veney": ("*L", "Y9"),
}
"""The pick that a piece beside the board stands for, and a place for it: in Ironclad one that is taken."""


async def midgame(phone: Page, ben: Page, game: str, more: str = "") -> None:
    side = GAMES[game].names[GAMES[game].to_act(GAMES[game].decode(MIDGAMES[game]))].lower()
    await write(phone, f'challenge @ben {game} umpire=friendly start="{MIDGAMES[game]}" side={side} {more}')
    await ben.get_by_role("button", name="Accept", exact=True).click()
    await phone.locator(".opening").wait_for()
    await go(phone, "lounge/1")
    await expect(phone.locator(".prompt")).not_to_be_empty()


async def asked(page: Page) -> tuple[str, list[str], list[str]]:
    """What is asked, the buttons that answer, and the places that are picked."""
    return (
        await page.locator(".prompt").inner_text(),
        await page.locator(".picks button").all_inner_texts(),
        await page.locator(".place-cell.held").evaluate_all("places => places.map(place => place.dataset.site)"),
    )


async def grip(page: Page, key: str, within: str = ".picks") -> tuple[float, float]:
    part = page.locator(f'{within} [data-pick="{key}"] .sample')
    await part.scroll_into_view_if_needed()
    box = await part.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def spot(page: Page, site: str) -> tuple[float, float]:
    at = await middle(page, site)
    return at["x"], at["y"]


async def lift(page: Page, start: tuple[float, float], over: tuple[float, float]) -> None:
    await page.mouse.move(*start)
    await page.mouse.down()
    await page.mouse.move(*over, steps=5)
    await expect(page.locator(".carried .sample")).to_be_visible()


async def back(page: Page, before: tuple[str, list[str], list[str]]) -> None:
    """Take back what is picked, pick by pick."""
    while await page.get_by_role("button", name="Back", exact=True).count():
        now = await page.locator("#table").get_attribute("data-picked")
        await page.get_by_role("button", name="Back", exact=True).press("Enter")
        await expect(page.locator("#table")).not_to_have_attribute("data-picked", str(now))
    assert await asked(page) == before


@pytest.mark.parametrize("game", BROUGHT)
async def test_a_piece_beside_the_board_is_dragged_onto_it_as_if_it_were_tapped(
    enter: Enter, tmp_path: Path, game: str
) -> None:
    key, site = BROUGHT[game]
    async with riposte(tmp_path) as address:
        phone, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        await midgame(phone, ben, game)
        table = phone.locator("#table")
        before = await asked(phone)
        await phone.locator(f'.picks [data-pick="{key}"]').tap()
        await expect(table).to_have_attribute("data-picked", "1")
        await phone.locator(f'[data-site="{site}"]').press("Enter")
        await expect(table).to_have_attribute("data-picked", "2")
        tapped = await asked(phone)
        await back(phone, before)
        touch = await finger(phone)
        for within in (".picks", ".sides"):
            await lift(phone, await grip(phone, key, within), await spot(phone, site))
            await phone.mouse.up()
            await expect(table).to_have_attribute("data-picked", "2")
            assert await asked(phone) == tapped, f"by mouse from {within}"
            await back(phone, before)
            await touch("touchStart", await grip(phone, key, within))
            await touch("touchMove", await spot(phone, site))
            await expect(phone.locator(".carried")).to_have_count(1)
            await touch("touchEnd")
            await expect(table).to_have_attribute("data-picked", "2")
            assert await asked(phone) == tapped, f"by finger from {within}"
            await expect(phone.locator(".carried")).to_have_count(0)
            await back(phone, before)
        # Picked by a tap and then dragged, it goes there too.
        await phone.locator(f'.picks [data-pick="{key}"]').tap()
        await expect(table).to_have_attribute("data-picked", "1")
        await lift(phone, await grip(phone, key, ".sides"), await spot(phone, site))
        await phone.mouse.up()
        await expect(table).to_have_attribute("data-picked", "2")
        assert await asked(phone) == tapped


async def escape(page: Page) -> None:
    await page.keyboard.press("Escape")


async def right_button(page: Page) -> None:
    await page.mouse.down(button="right")
    await page.mouse.up(button="right")


async def hidden(page: Page) -> None:
    await page.evaluate(HIDDEN, True)
    await page.evaluate(HIDDEN, False)


async def resized(page: Page) -> None:
    await page.set_viewport_size({"width": 1000, "height": 700})


async def beside(page: Page) -> None:
    await page.mouse.move(1270, 790, steps=3)


async def home(page: Page) -> None:
    await page.mouse.move(*await grip(page, "C"), steps=3)


async def turned(page: Page) -> None:
    await page.get_by_role("button", name="Turn the board", include_hidden=True).evaluate("button => button.click()")
    await expect(page.locator(".carried")).to_have_count(0)


INTERRUPTIONS: tuple[Callable[[Page], Awaitable[None]], ...] = (
    escape,
    right_button,
    hidden,
    beside,
    home,
    turned,
    turned,
    resized,
)


async def test_a_drag_from_a_tray_that_is_interrupted_or_ends_elsewhere_changes_nothing(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await midgame(anna, ben, "tirachen")
        await anna.get_by_text("Settings").click()
        await anna.get_by_label("Turns are played").select_option("at once")
        before = await asked(anna)
        for interrupt in INTERRUPTIONS:
            await lift(anna, await grip(anna, "C"), await spot(anna, "a1"))
            await interrupt(anna)
            await anna.mouse.up()
            await expect(anna.locator(".carried")).to_have_count(0)
            assert await asked(anna) == before, interrupt.__name__
        # Whoever has the turn on another device moves on under it.
        await lift(anna, await grip(anna, "C"), await spot(anna, "a1"))
        await write(anna, "C@h2")
        await expect(anna.locator(".steps output")).to_have_text("1. C@h2")
        await expect(anna.locator(".carried")).to_have_count(0)
        await anna.mouse.up()
        await expect(anna.locator(".place-cell.held")).to_have_count(0)


async def test_what_does_not_fit_leaves_what_was_picked(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        boards: Queue[str] = Queue()
        anna.on("websocket", lambda socket: socket.on("framereceived", partial(told, boards)))
        await anna.reload()
        await midgame(anna, ben, "veney")
        for count in (0, 1):
            if count:
                await anna.locator('[data-site="W12"]').click()
            await expect(anna.locator("#table")).to_have_attribute("data-picked", str(count))
            before = await asked(anna)
            while not boards.empty():
                boards.get_nowait()
            await lift(anna, await grip(anna, "*e", ".sides"), await spot(anna, "X11"))  # her Self stands there
            await anna.mouse.up()
            for _ in ("the drop", "as it was"):
                await wait_for(boards.get(), 20)
            await expect(anna.locator("#table")).to_have_attribute("data-picked", str(count))
            assert await asked(anna) == before


def told(boards: Queue[str], frame: str) -> None:
    if json.loads(frame)["is"] == "board":
        boards.put_nowait(frame)


async def test_a_sealed_layout_is_dragged_together(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        await write(anna, "challenge @ben veney umpire=friendly side=white setup=concealed first=white")
        await ben.get_by_role("button", name="Accept", exact=True).click()
        await open_match(anna)
        before = await asked(anna)
        await lift(anna, await grip(anna, "*C"), await spot(anna, "Y8"))  # it is asked what stands on W4
        await anna.mouse.up()
        for picked, (key, site) in enumerate((("*C", "W4"), ("*$", "X4"), ("*S", "Y4"), ("*B", "Z4")), 1):
            await lift(anna, await grip(anna, key), await spot(anna, site))
            await anna.mouse.up()
            await expect(anna.locator("#table")).to_have_attribute("data-picked", str(picked))
            await expect(anna.locator(f'[data-standing="{site}"]')).to_have_count(1)
        await back(anna, before)


async def test_nobody_drags_what_is_the_others(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await midgame(anna, ben, "tirachen")
        await open_match(ben)
        await expect(ben.locator(".sides .sample").first).to_be_visible()
        await expect(ben.locator(".sides [data-pick]")).to_have_count(0)
        white = anna.locator(".sides .side", has_text="Ben")
        await expect(white.locator(".sample").first).to_be_visible()
        await expect(white.locator("[data-pick]")).to_have_count(0)
