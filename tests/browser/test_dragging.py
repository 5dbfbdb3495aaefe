"""Pieces that are dragged while things go otherwise than planned: a drag is whole or nothing, and nothing is stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from tests.browser.dragged import LOOSE, carry, drag, finger, focused, held, lift
from tests.browser.program import open_match, riposte, write
from tests.browser.test_under_a_finger import begin, middle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


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
