"""Drags pieces in a browser, by mouse and by finger, and tells what is held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.async_api import Page

from tests.browser.test_under_a_finger import middle

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

LOOSE = "() => [...document.querySelectorAll('[data-standing]')].filter((piece) => piece.style.translate).length"


async def drag(page: Page, start: str, end: str) -> None:
    await carry(page, start, end)
    await page.mouse.up()


async def carry(page: Page, start: str, end: str) -> None:
    """The button is down over a place, and goes to another."""
    at, over = await middle(page, start), await middle(page, end)
    await page.mouse.move(at["x"], at["y"])
    await page.mouse.down()
    await page.mouse.move(over["x"], over["y"], steps=4)


async def held(page: Page) -> list[str | None]:
    return [await place.get_attribute("data-site") for place in await page.locator(".place-cell.held").all()]


HIDDEN = """hidden => {
  Object.defineProperty(document, "visibilityState", { value: hidden ? "hidden" : "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


async def lift(page: Page, start: str = "e5", end: str = "d5") -> None:
    """A piece hangs over another place, and the button is down."""
    await carry(page, start, end)
    assert await page.evaluate(LOOSE) == 1


async def focused(page: Page) -> bool:
    return bool(await page.evaluate("document.activeElement !== document.body"))


async def finger(page: Page) -> Callable[..., Awaitable[Any]]:
    """Puts down, moves or lifts fingers: `touch("touchMove", (x, y), ...)`."""
    fingers = await page.context.new_cdp_session(page)

    async def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        await fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    return touch
