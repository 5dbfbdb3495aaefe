"""Whatever comes between while a piece is dragged: it goes back, or where it was meant to go, and nothing is stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import DESKTOP
from tests.browser.program import open_match, riposte, write
from tests.browser.test_dragging import LOOSE, drag, held
from tests.browser.test_under_a_finger import begin, middle

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

HIDDEN = """hidden => {
  Object.defineProperty(document, "visibilityState", { value: hidden ? "hidden" : "visible", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


async def lift(page: Page, start: str = "e5", end: str = "d5") -> None:
    """A piece hangs over another place, and the button is down."""
    await page.mouse.move(**await middle(page, start))
    await page.mouse.down()
    over = await middle(page, end)
    await page.mouse.move(over["x"], over["y"], steps=4)
    assert await page.evaluate(LOOSE) == 1


async def focused(page: Page) -> bool:
    return bool(await page.evaluate("document.activeElement !== document.body"))


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


async def test_only_who_has_the_turn_drags_and_only_now(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben, clara = [await enter(address, name) for name in ("Anna", "Ben", "Clara")]
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await open_match(clara)
        for page, start, end in ((ben, "c1", "c3"), (clara, "c7", "c5"), (clara, "c1", "c3")):
            await page.mouse.move(**await middle(page, start))
            await page.mouse.down()
            over = await middle(page, end)
            await page.mouse.move(over["x"], over["y"], steps=4)
            assert await page.evaluate(LOOSE) == 0
            await page.mouse.up()
            assert await focused(page)
        await write(anna, "c7c5")
        await expect(anna.locator(".steps output")).to_have_text("1. c7c5")
        await write(ben, "c1c3")
        await expect(anna.locator(".steps output")).to_have_text("2. c1c3")
        await anna.get_by_role("button", name="One step back").click()
        await expect(anna.locator(".steps output")).to_have_text("1. c7c5")
        await drag(anna, "e5", "d5")
        assert await anna.evaluate(LOOSE) == 0
        await anna.get_by_role("button", name="To the position now").click()
        await expect(anna.locator(".prompt")).to_have_text("Which piece moves?")
        assert await held(anna) == []


async def test_what_is_about_to_be_played_can_be_dragged_on(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await drag(anna, "e5", "d5")
        await expect(anna.locator(".play")).to_have_text("Play e5d5")
        await drag(anna, "d5", "d4")
        await expect(anna.locator(".play")).to_have_text("Play e5d4")


async def finger(page: Page) -> Callable[..., Awaitable[Any]]:
    """Puts down, moves or lifts fingers: `touch("touchMove", (x, y), ...)`."""
    fingers = await page.context.new_cdp_session(page)

    async def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        await fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    return touch


async def test_a_finger_is_heard_again_at_once_after_any_drag(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        await write(anna, "challenge @ben tokonoma umpire=friendly side=white")
        await ben.get_by_role("button", name="Accept", exact=True).click()
        await open_match(anna)
        assert await focused(anna)
        await anna.go_back()
        await expect(anna.locator(".opening")).to_be_visible()
        assert await focused(anna)
        await open_match(anna)
        touch = await finger(anna)
        start, over = [(at["x"], at["y"]) for at in (await middle(anna, "e5"), await middle(anna, "d5"))]
        chip = await anna.get_by_role("button", name="Pass").bounding_box()
        assert chip
        for count, last in enumerate(((5.0, start[1]), (-200.0, start[1]), (chip["x"] + 5, chip["y"] + 5), start)):
            await touch("touchStart", start)
            await touch("touchMove", over)
            assert await anna.evaluate(LOOSE) == 1
            await touch("touchMove", last)
            await touch("touchEnd")
            assert await anna.evaluate(LOOSE) == 0
            assert await held(anna) == ["e5"] * (count % 2)
            await touch("touchStart", start)
            await touch("touchEnd")
            await expect(anna.locator(".place-cell.held")).to_have_count((count + 1) % 2)
        await touch("touchStart", start)
        await touch("touchMove", over)
        await touch("touchCancel")
        assert await anna.evaluate(LOOSE) == 0
        await touch("touchStart", start, (start[0] + 60, start[1]))
        await touch("touchEnd")
        assert await held(anna) == [], "two fingers do not tap"
        await touch("touchStart", start)
        await touch("touchMove", over)
        await touch("touchEnd")
        await expect(anna.locator(".play")).to_have_text("Play e5d5")


async def test_two_tabs_of_one_seat_and_a_socket_that_is_cut_while_a_piece_is_dragged(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        sockets = []
        await anna.route_web_socket("**", lambda socket: sockets.append((socket, socket.connect_to_server())))
        await anna.reload()
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        other = await anna.context.new_page()
        await other.goto(anna.url)
        await other.get_by_role("button", name="Anna").click()
        await expect(other.locator("svg.board")).to_be_visible()
        await lift(anna)
        count = len(sockets)
        await sockets[-1][0].close()
        await anna.mouse.up()
        await expect(anna.locator(".play")).to_have_text("Play e5d5")
        assert len(sockets) > count
        await expect(anna.locator(".place-cell:focus")).to_have_count(1)
        await anna.locator('[data-site="d5"]').focus()
        await anna.keyboard.press("Escape")
        await expect(anna.locator(".place-cell.held")).to_have_count(1)
        await lift(anna)
        await other.locator('[data-site="c7"]').click()
        await expect(other.locator(".place-cell.held")).to_have_count(1)
        await other.locator('[data-site="c5"]').click()
        await other.locator(".play").click()
        await expect(anna.locator(".steps output")).to_have_text("1. c7c5")
        assert await anna.evaluate(LOOSE) == 0
        await anna.mouse.up()
        assert await held(anna) == []
        await write(ben, "c1c3")
        await expect(anna.locator(".steps output")).to_have_text("2. c1c3")
        await drag(anna, "e5", "d5")
        await drag(other, "d6", "d5")
        await expect(other.locator(".play")).to_have_text("Play d6d5")
        await expect(anna.locator(".play")).to_have_text("Play e5d5")
        await other.locator(".play").click()
        for page in (anna, other, ben):
            await expect(page.locator(".steps output")).to_have_text("3. d6d5")
        await expect(anna.locator(".play")).to_have_count(0)
        assert await held(anna) == []
