"""Pieces that are dragged while things go otherwise than planned: a drag is whole or nothing, and nothing is stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import DESKTOP
from tests.browser.program import open_match, riposte, write
from tests.browser.test_under_a_finger import begin, middle

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

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


async def test_another_piece_is_dragged_instead_of_the_one_that_is_picked(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await anna.locator('[data-site="c7"]').click()
        await expect(anna.locator(".place-cell.held")).to_have_count(1)
        await drag(anna, "e5", "d5")
        await expect(anna.locator(".play")).to_have_text("Play e5d5")


async def test_what_is_no_piece_of_ones_own_is_not_dragged_into_a_turn(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await ben.get_by_text("Settings").click()
        await anna.get_by_text("Settings").click()
        await anna.get_by_label("Turns are played").select_option("at once")
        await anna.locator('[data-site="c7"]').click()
        await expect(anna.locator(".place-cell.held")).to_have_count(1)
        await drag(anna, "c1", "c3")  # Ben's: a place to go to, and from there nothing leads on
        await drag(anna, "c4", "c3")  # nobody's
        await expect(anna.locator(".place-cell.held")).to_have_count(1)
        assert await held(anna) == ["c7"]
        await expect(anna.locator(".steps output")).to_have_text("Start")
        await drag(anna, "e5", "d5")
        await expect(ben.locator(".steps output")).to_have_text("1. e5d5")


async def test_a_button_let_go_beside_the_board_ends_the_drag(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await anna.mouse.move(**await middle(anna, "e5"))
        await anna.mouse.down()
        await anna.mouse.move(1200, 700)  # at one leap
        await anna.mouse.up()
        await anna.mouse.move(**await middle(anna, "b3"), steps=4)
        assert await anna.evaluate(LOOSE) == 0
        await carry(anna, "e5", "d5")
        assert await anna.evaluate(LOOSE) == 1
        await anna.mouse.move(1200, 700, steps=4)
        await anna.mouse.up()
        assert await anna.evaluate(LOOSE) == 0
        assert await held(anna) == []
        await anna.mouse.move(**await middle(anna, "e5"))
        await anna.mouse.down(button="right")
        await anna.mouse.move(**await middle(anna, "d5"), steps=4)
        assert await anna.evaluate(LOOSE) == 0
        await anna.mouse.up(button="right")
        await drag(anna, "e5", "d5")
        await expect(anna.locator(".play")).to_have_text("Play e5d5")


async def test_a_drag_ends_with_nothing_when_the_match_moves_on_under_it(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await anna.get_by_text("Settings").click()
        await anna.get_by_label("Turns are played").select_option("at once")
        await carry(anna, "e5", "d5")
        # Her other device plays meanwhile, and Ben answers: it is her turn again, on another board.
        await write(anna, "c7c5")
        await expect(ben.locator(".steps output")).to_have_text("1. c7c5")
        await write(ben, "c1c3")
        await expect(anna.locator(".steps output")).to_have_text("2. c1c3")
        await anna.mouse.up()
        assert await anna.evaluate(LOOSE) == 0
        await drag(anna, "c5", "b4")  # the first of hers that is sent
        await expect(ben.locator(".steps output")).to_have_text("3. c5b4")


async def test_a_drag_over_an_earlier_board_leaves_what_is_picked(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        for page, number, turn in ((anna, 1, "c7c5"), (ben, 2, "c1c3")):
            await write(page, turn)
            for each in (anna, ben):
                await expect(each.locator(".steps output")).to_have_text(f"{number}. {turn}")
        await anna.locator('[data-site="c5"]').click()
        await expect(anna.locator(".place-cell.held")).to_have_count(1)
        await carry(anna, "e5", "d5")
        await anna.mouse.wheel(0, -100)
        await expect(anna.locator(".steps output")).to_have_text("1. c7c5")
        await anna.mouse.up()
        await anna.get_by_role("button", name="To the position now").click()
        await expect(anna.locator(".place-cell.held")).to_have_count(1)
        assert await held(anna) == ["c5"]


async def test_a_second_finger_makes_a_pinch_of_a_drag_and_the_next_tap_is_one(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        await write(anna, "challenge @ben chirality umpire=friendly setup=quick side=red")
        await ben.get_by_role("button", name="Accept", exact=True).click()
        await open_match(anna)
        own = str(await anna.locator(".place-cell.offered").first.get_attribute("data-site"))
        fingers = await anna.context.new_cdp_session(anna)
        at = await middle(anna, own)

        async def touch(kind: str, *shifts: tuple[int, int]) -> None:
            points = [{"x": at["x"] + right, "y": at["y"] + down, "id": n} for n, (right, down) in enumerate(shifts)]
            await fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        await touch("touchStart", (0, 0))
        await touch("touchMove", (0, -30))
        assert await anna.evaluate(LOOSE) == 1
        await touch("touchStart", (0, -30), (40, -30))
        await touch("touchMove", (-30, -30), (70, -30))
        assert await anna.evaluate(LOOSE) == 0
        await touch("touchEnd")
        assert await held(anna) == []
        while await anna.get_by_role("button", name="Smaller").is_enabled():
            await anna.get_by_role("button", name="Smaller").tap()
        # Dragged beside the board, then made larger by the button: taps are heard.
        await touch("touchStart", (0, 0))
        await touch("touchMove", (0, -30))
        assert await anna.evaluate(LOOSE) == 1
        await touch("touchMove", (0, 0))
        await touch("touchEnd")
        await anna.get_by_role("button", name="Larger").tap()
        assert await anna.locator("svg.board.zoomed").is_visible()
        for _ in range(20):
            await anna.locator(f'[data-site="{own}"]').press("ArrowUp")
        walked = await anna.locator(".place-cell:focus").bounding_box()
        stage = await anna.locator("svg.board").bounding_box()
        assert walked
        assert stage
        assert stage["y"] - 1 <= walked["y"] <= stage["y"] + stage["height"] - walked["height"] + 1, (
            "what is walked to is seen"
        )
        at = await middle(anna, str(await anna.locator(".place-cell.offered").first.get_attribute("data-site")))
        await anna.touchscreen.tap(at["x"], at["y"])
        await expect(anna.locator(".place-cell.held")).to_have_count(1)


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
            await carry(page, start, end)
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
