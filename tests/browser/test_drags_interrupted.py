"""Whatever comes between while a piece is dragged puts it back, unless it does not concern its board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import DESKTOP
from tests.browser.dragged import HIDDEN, LOOSE, focused, held, lift
from tests.browser.program import riposte, write
from tests.browser.test_under_a_finger import begin

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


async def escape(page: Page) -> None:
    await page.keyboard.press("Escape")


async def right_button(page: Page) -> None:
    await page.mouse.down(button="right")
    await page.mouse.up(button="right")


async def turned(page: Page) -> None:
    before = await page.locator('[data-site="e5"]').bounding_box()
    await page.get_by_role("button", name="Turn the board", include_hidden=True).evaluate("button => button.click()")
    await page.wait_for_function(
        "left => document.querySelector('[data-site=\"e5\"]').getBoundingClientRect().x !== left",
        arg=before and before["x"],
    )


async def resized(page: Page) -> None:
    await page.set_viewport_size({"width": 1000, "height": 600})


async def hidden(page: Page) -> None:
    await page.evaluate(HIDDEN, True)
    await page.evaluate(HIDDEN, False)


async def capture_lost(page: Page) -> None:
    await page.evaluate("document.querySelector('svg.board').releasePointerCapture(1)")
    await page.mouse.move(1200, 400)


async def larger(page: Page) -> None:
    await page.keyboard.down("Control")
    await page.mouse.wheel(0, -100)
    await page.keyboard.up("Control")
    await expect(page.locator("svg.board.zoomed")).to_be_visible()


async def cancelled(page: Page) -> None:
    await page.evaluate("document.querySelector('svg.board').dispatchEvent(new PointerEvent('pointercancel'))")


INTERRUPTIONS = (escape, right_button, turned, turned, resized, hidden, capture_lost, cancelled, larger)


async def test_what_comes_between_puts_the_piece_back_at_once(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await anna.get_by_text("Settings").click()
        await anna.get_by_label("Turns are played").select_option("at once")
        await anna.locator('[data-site="c7"]').click()
        await expect(anna.locator(".place-cell.held")).to_have_count(1)
        for interrupt in INTERRUPTIONS:
            await lift(anna)
            await interrupt(anna)
            await anna.wait_for_function(f"() => !({LOOSE})()")
            await anna.mouse.up()
            assert await anna.evaluate(LOOSE) == 0, interrupt.__name__
            assert await focused(anna), interrupt.__name__
            assert await held(anna) == ["c7"], interrupt.__name__
            await anna.set_viewport_size(DESKTOP)
        await expect(anna.locator(".steps output")).to_have_text("Start")


async def test_what_is_told_during_a_drag_does_not_end_it_unless_the_board_is_another(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")

        async def offered() -> None:
            await write(ben, "draw")
            await expect(anna.locator("#table").get_by_role("button", name="Decline")).to_be_visible()

        async def darkened() -> None:
            await anna.emulate_media(color_scheme="dark")
            await expect(anna.locator("#table")).to_have_attribute("data-theme", "dark")

        async def typing() -> None:
            await anna.locator("#words").focus()

        for happen in (offered, darkened, typing):
            await lift(anna)
            await happen()
            assert await anna.evaluate(LOOSE) == 1
            await anna.mouse.up()
            await expect(anna.locator(".play")).to_have_text("Play e5d5")
            assert await focused(anna)
            await anna.locator('[data-site="d5"]').focus()
            await anna.keyboard.press("Escape")
            await anna.keyboard.press("Escape")
            await expect(anna.locator(".place-cell.held")).to_have_count(0)
        await lift(anna)
        await write(ben, "resign yes")
        await expect(anna.locator(".result")).to_be_visible()
        assert await anna.evaluate(LOOSE) == 0
        await anna.mouse.up()
        assert await focused(anna)


async def test_a_piece_goes_back_when_its_turn_is_called_out_or_played_elsewhere(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await write(anna, "c7a1")
        await expect(ben.locator(".steps output")).to_have_text("1. c7a1")
        await lift(ben, "e1", "e2")
        await write(ben, "call 1")  # typed by the same hand that drags, or on another device
        await expect(ben.locator(".steps output")).to_have_text("Start")
        assert await ben.evaluate(LOOSE) == 0
        await ben.mouse.up()
        await expect(ben.locator(".play")).to_have_count(0)
        await lift(anna)
        await write(anna, "c7c5")
        await expect(anna.locator(".steps output")).to_have_text("1. c7c5")
        assert await anna.evaluate(LOOSE) == 0
        await anna.mouse.up()
        assert await held(anna) == []
