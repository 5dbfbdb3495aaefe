"""What can be pressed tells the truth, and nothing moves or vanishes under a finger that is about to press it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from tests.browser.program import open_match, riposte, write
from tests.browser.screens import FAULTS, go
from tests.render.test_golden import MIDGAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


async def begin(anna: Page, ben: Page, challenge: str) -> None:
    await write(anna, challenge)
    await ben.get_by_role("button", name="Accept", exact=True).click()
    for page in (anna, ben):
        await page.locator(".opening").click()
        await page.locator("svg.board").wait_for()


async def test_the_talk_offers_what_the_board_offers_and_nobody_their_own_turn(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben, clara = [await enter(address, name) for name in ("Anna", "Ben", "Clara")]
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await clara.locator(".opening").click()
        await write(anna, "e5d5")
        for page in (anna, ben, clara):
            await expect(page.locator(".steps output")).to_have_text("1. e5d5")
            await expect(page.locator(".message.bot .choices").last).to_be_attached()
        call = ben.locator("#log").get_by_role("button", name="Call it out")
        await expect(call).to_be_visible()
        for page in (anna, clara):
            await expect(page.locator("#log").get_by_role("button", name="Call it out")).to_have_count(0)
        await write(ben, "draw")
        await expect(anna.locator("#log").get_by_role("button", name="Accept")).to_be_visible()
        await expect(ben.locator("#log").get_by_role("button", name="Accept")).to_have_count(0)
        # Pressed, it goes with what it answered; the focus stays in the talk.
        await anna.locator("#log").get_by_role("button", name="Decline").press("Enter")
        await expect(anna.locator("#log").get_by_role("button", name="Decline")).to_have_count(0)
        assert await anna.evaluate("document.activeElement !== document.body")
        await write(ben, "c1c3")
        await expect(anna.locator("#log").get_by_role("button", name="Call it out")).to_have_count(1)
        await expect(call).to_have_count(0)


async def test_a_match_is_opened_though_the_turn_passes_on_while_the_finger_is_down(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await ben.go_back()
        card = ben.locator(".opening")
        await card.hover()
        await ben.mouse.down()
        await write(anna, "e5d5")
        await expect(card).to_contain_text("your turn")
        await ben.mouse.up()
        await expect(ben.locator("#title")).to_have_text("Tokonoma")


@pytest.mark.parametrize(("game", "side"), [("tirachen", "red"), ("ironclad", "white")])
async def test_the_board_stays_where_it_is_while_a_turn_is_composed_and_all_choices_are_seen(
    enter: Enter, tmp_path: Path, game: str, side: str
) -> None:
    async with riposte(tmp_path) as address:
        phone, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        await begin(phone, ben, f'challenge @ben {game} umpire=friendly start="{MIDGAMES[game]}" side={side}')
        await expect(phone.locator(".picks button")).not_to_have_count(0)
        stood = await phone.locator("svg.board").bounding_box()
        row = phone.locator(".picks")
        assert await row.evaluate("row => row.scrollWidth <= row.clientWidth")
        for button in await row.get_by_role("button").all():
            box = await button.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
            assert min(box["width"], box["height"]) >= 44
        await row.get_by_role("button").first.click()
        await expect(row.get_by_role("button", name="Back")).to_be_visible()
        assert await phone.locator("svg.board").bounding_box() == stood


async def test_a_string_has_the_colour_of_its_stones(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, f'challenge @ben ironclad umpire=friendly start="{MIDGAMES["ironclad"]}"')
        strings = """colour => [getComputedStyle(document.querySelector(`.string.${colour}:not(.casing)`)).stroke,
            getComputedStyle(document.querySelector(`.piece.${colour} .body`)).fill]"""
        for colour in ("white", "black"):
            string, stone = await anna.evaluate(strings, colour)
            assert string == stone


async def test_the_lines_beside_each_fort_have_their_own_slope(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, f'challenge @ben tirachen umpire=friendly start="{MIDGAMES["tirachen"]}"')
        for slope in ("45", "-45"):
            await expect(anna.locator(f'.hatched[fill="url(#hatch{slope})"]')).to_have_count(8)


TAKING = "P1: A34 A44 A47 A51 B6 D1 D2 D12 D28 / P2: A2 A17 B13 B27 B44 B45 E23 E36 / res: 2 4 / to: P2"


async def test_where_pieces_cover_their_tiles_marks_and_names_lie_as_in_the_pictures(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await begin(anna, ben, f'challenge @ben chirality umpire=friendly start="{TAKING}" side=blue')
        await write(anna, "A2-B3")
        await expect(ben.locator(".arrow")).to_have_count(1)
        middles = "marks => marks.map((mark) => [mark.cx, mark.cy].map((axis) => axis?.baseVal.value))"
        stands = "piece => [piece.transform.baseVal[0].matrix.e, piece.transform.baseVal[0].matrix.f]"
        moved = await ben.locator(":not(.casing) > .mark.moved").evaluate_all(middles)
        piece = await ben.locator('[data-standing="B3"]').evaluate(stands)
        assert moved == [pytest.approx(piece, abs=0.1)]
        await expect(ben.locator(":not(.casing) > .mark.left")).to_have_count(1)
        for site in ("B3", "A44"):
            await expect(ben.locator(f'[data-standing="{site}"] .word')).to_have_text(site)
        above = """arrow => [...document.querySelectorAll('.names text')].filter((name) => name.textContent === 'B6'
            && arrow.compareDocumentPosition(name) & Node.DOCUMENT_POSITION_FOLLOWING).length"""
        assert await ben.locator(".arrow").evaluate(above) == 1


SMALL = {"with its keyboard up": (390, 470), "narrow": (320, 568), "lying on its side": (667, 375)}


async def test_nothing_is_cut_or_covered_on_small_phones_and_the_board_has_its_share(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        phone, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        for number, (game, start) in enumerate(MIDGAMES.items(), 1):
            await write(phone, f'challenge @ben {game} umpire=friendly start="{start}"')
            await expect(ben.locator("#log .choices")).to_have_count(number)
            await write(ben, f"accept {number}")
            await expect(phone.locator(".opening")).to_have_count(number)
            await go(phone, f"lounge/{number}")
            await expect(phone.locator("#subtitle")).not_to_be_empty()
            for how, (width, height) in SMALL.items():
                await phone.set_viewport_size({"width": width, "height": height})
                await expect(phone.locator("#table")).to_have_attribute(
                    "data-tall", str(game == "veney" or width > height).lower()
                )
                assert await phone.evaluate(FAULTS) == [], f"{game}, a phone {how}"
                board = await phone.locator("svg.board").bounding_box()
                assert board
                assert board["height"] > 0.35 * height, f"{game}, a phone {how}"
            await phone.set_viewport_size({"width": 390, "height": 844})
            await go(phone, "lounge", ".opening")


async def middle(page: Page, site: str) -> dict[str, float]:
    box = await page.locator(f'[data-site="{site}"]').bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


async def test_a_piece_is_dragged_by_mouse_and_by_finger(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben", phone=True)
        await write(anna, "challenge @ben tokonoma umpire=friendly side=white")
        await ben.get_by_role("button", name="Accept", exact=True).tap()
        for page in (anna, ben):
            await open_match(page)
        start, end = await middle(anna, "e5"), await middle(anna, "d5")
        await anna.mouse.move(**start)
        await anna.mouse.down()
        await anna.mouse.move(**end, steps=5)
        assert await anna.locator('[data-standing="e5"]').evaluate("piece => piece.style.translate") != ""
        await anna.mouse.up()
        await expect(anna.locator(".play")).to_have_text("Play e5d5")
        assert await anna.locator('[data-standing="d5"]').evaluate("piece => piece.style.translate") == ""
        await anna.locator('[data-site="d5"]').click()  # a click is one again: it takes the place back
        await expect(anna.locator(".play")).to_have_count(0)
        await anna.locator('[data-site="d5"]').click()
        await anna.locator(".play").click()
        await expect(ben.locator(".steps output")).to_have_text("1. e5d5")
        await expect(ben.locator(".prompt")).to_be_visible()
        finger = await ben.context.new_cdp_session(ben)
        start, end = await middle(ben, "c1"), await middle(ben, "a2")  # untenable, and offered like any other
        for kind, points in (("touchStart", [start]), ("touchMove", [end]), ("touchEnd", [])):
            await finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        await expect(ben.locator(".play")).to_have_text("Play c1a2")


async def test_a_large_board_is_pinched_and_pushed_and_the_wheel_steps_through_the_match(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        await write(anna, "challenge @ben chirality umpire=friendly setup=quick side=red")
        await ben.get_by_role("button", name="Accept", exact=True).click()
        for page in (anna, ben):
            await open_match(page)

        async def seen() -> list[float]:
            return [float(part) for part in str(await anna.locator("svg.board").get_attribute("viewBox")).split()]

        whole = await seen()
        at = await middle(anna, "A1")
        fingers = await anna.context.new_cdp_session(anna)

        async def touch(kind: str, *shifts: tuple[int, int]) -> None:
            points = [{"x": at["x"] + right, "y": at["y"] + down, "id": n} for n, (right, down) in enumerate(shifts)]
            await fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        await touch("touchStart", (-20, 0), (20, 0))
        await touch("touchMove", (-60, 0), (60, 0))
        await touch("touchEnd")
        near = await seen()
        assert near[2] < whole[2] / 2
        await touch("touchStart", (0, 0))
        await touch("touchMove", (-30, 0))
        await touch("touchMove", (-60, 0))
        await touch("touchEnd")
        pushed = await seen()
        assert pushed[2] == near[2]
        assert pushed[0] > near[0]
        await anna.get_by_role("button", name="Smaller").click()
        assert (await seen())[2] > near[2]

        turn = await anna.locator(".opening, .message code").last.text_content()
        assert turn
        await write(anna, turn)
        said = ben.locator(".steps output")
        await expect(said).to_have_text(f"1. {turn}")
        await ben.locator("svg.board").hover()
        await ben.mouse.wheel(0, -100)
        await expect(said).to_have_text("Start")
        await ben.mouse.wheel(0, 100)
        await expect(said).to_have_text(f"1. {turn}")
