"""The board that stays: matches played by taps alone on a phone, by keyboard alone, and stepped through."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import DESKTOP
from tests.browser.program import newest, open_match, riposte, write
from tests.whole_matches import TOKONOMA

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


async def begin(anna: Page, ben: Page, challenge: str) -> None:
    await write(anna, challenge)
    await ben.get_by_role("button", name="Accept", exact=True).tap()
    for page in (anna, ben):
        await open_match(page)
        await expect(page.locator("svg.board")).to_be_visible()


async def tap(page: Page, site: str) -> None:
    await page.locator(f'[data-site="{site}"]').tap()


async def pick(page: Page, *sites: str) -> None:
    """Tap places; where an own piece stands on the last one, go there."""
    for site in sites:
        await tap(page, site)
    if own := page.get_by_role("button", name="Go there"):
        await expect(own.or_(page.locator(".play"))).to_be_visible()
        if await own.is_visible():
            await own.tap()


async def test_two_phones_play_tokonoma_by_taps_alone(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        windows = [anna, ben]
        for number, turn in enumerate(TOKONOMA.turns, 1):
            await pick(windows[0], turn[:2], turn[2:])
            await expect(windows[0].locator(".play")).to_have_text(f"Play {turn}")
            await windows[0].locator(".play").tap()
            for page in windows:
                await expect(page.locator(".steps output")).to_have_text(f"{number}. {turn}")
            windows.reverse()
        await expect(newest(ben)).to_contain_text("ok lets it stand")


async def tap_all(page: Page, game: Any, position: Any, way: tuple[str, ...]) -> None:
    """Pick after pick, as the menus offer them."""
    for number, pick in enumerate(way):
        before = game.menu(position, way[:number])
        await expect(page.locator(".place-cell.held")).to_have_count(
            len({site for site in way[:number] if site in game.board(position).outlines})
        )
        if pick in before.sites:
            await tap(page, pick)
            own = page.get_by_role("button", name="Go there")
            after = game.menu(position, way[: number + 1])
            if number == 1 and {way[0], pick} <= set(game.menu(position, ()).sites):
                await own.tap()
            await expect(page.locator(".prompt")).to_have_text(asking(after.prompt))
        else:
            await page.locator(f'.picks [data-pick="{pick}"]').tap()
            await expect(page.locator(".prompt")).to_have_text(asking(game.menu(position, way[: number + 1]).prompt))


def asking(prompt: Any) -> re.Pattern[str]:
    """A question, behind which those who hear the page are told what could be played already.

    While a line is played out, it stands behind what a line is, or what it holds so far.
    """
    return re.compile(rf"^((Play what others play|if ).+ )?{re.escape(str(prompt))}( Play .+)?\s*$")


async def test_an_answer_is_prepared_by_playing_it_out(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=turn side=white")
        await ben.get_by_label("More to do").tap()
        await ben.get_by_role("button", name="Prepare an answer").tap()
        for turn in ("c7c5", "e1e3"):
            await pick(ben, turn[:2], turn[2:])
            await expect(ben.locator(".play")).to_have_text(f"Add {turn}")
            await ben.locator(".play").tap()
        await expect(ben.locator(".prompt code")).to_have_text("if c7c5 then e1e3")
        await ben.get_by_role("button", name="Keep this line").tap()
        await expect(newest(ben)).to_contain_text("Kept, for you alone")
        await expect(ben.locator(".prompt")).to_have_count(0)
        assert "e1e3" not in await anna.content()
        await pick(anna, "c7", "c5")
        await anna.locator(".play").tap()
        for page in (anna, ben):
            await expect(page.locator(".steps output")).to_have_text("2. e1e3")


async def test_a_match_is_played_by_keyboard_alone(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await write(anna, "challenge @ben tokonoma umpire=friendly side=white")
        await ben.get_by_role("button", name="Accept", exact=True).press("Enter")
        await anna.locator(".opening").press("Enter")
        board = anna.locator("svg.board")
        await expect(board).to_be_visible()
        await anna.locator('.place-cell[tabindex="0"]').focus()
        await walk(anna, "e5")
        await anna.keyboard.press("Enter")
        await expect(anna.locator('[data-site="e5"]')).to_have_attribute("aria-pressed", "true")
        await walk(anna, "d5")
        await anna.keyboard.press("Enter")
        await expect(anna.locator(".play")).to_have_text("Play e5d5")
        await anna.keyboard.press("Escape")
        await expect(anna.locator(".play")).to_have_count(0)
        await anna.keyboard.press("Enter")
        await expect(anna.locator(".play")).to_be_enabled()
        await anna.locator(".play").press("Enter")
        await expect(anna.locator(".steps output")).to_have_text("1. e5d5")
        await ben.locator(".opening").press("Enter")
        await ben.locator("#table").get_by_role("button", name="Call it out").press("Enter")
        await expect(anna.locator(".course .why")).to_have_text("called out in vain by Ben")
        await ben.get_by_label("More to do").press("Enter")
        await ben.get_by_role("button", name="Resign…").press("Enter")
        await ben.get_by_role("button", name="Resign", exact=True).press("Enter")
        await expect(anna.locator(".result")).to_have_text("Anna (White) wins by resignation.")


async def walk(page: Page, site: str) -> None:
    """From place to place by the arrow keys, by the one that leads towards it: none twice from the same place."""
    target = await page.locator(f'[data-site="{site}"]').bounding_box()
    assert target is not None
    tried: set[tuple[str | None, str]] = set()
    for _ in range(60):
        focused = page.locator(".place-cell:focus")
        here = await focused.get_attribute("data-site")
        if here == site:
            return
        box = await focused.bounding_box()
        assert box is not None
        across, down = middle_of(target)[0] - middle_of(box)[0], middle_of(target)[1] - middle_of(box)[1]
        leads = {"ArrowRight": across, "ArrowLeft": -across, "ArrowDown": down, "ArrowUp": -down}
        arrow = max((one for one in leads if (here, one) not in tried), key=leads.__getitem__)
        tried.add((here, arrow))
        await page.keyboard.press(arrow)
    raise AssertionError(f"no way to {site}")


def middle_of(box: Any) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def test_what_is_half_composed_outlives_a_reload_and_is_dropped_when_the_match_moves_on(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await pick(anna, "e5", "d5")
        await anna.reload()
        await expect(anna.locator(".play")).to_have_text("Play e5d5")
        await write(anna, "c7c5")
        await expect(anna.locator(".steps output")).to_have_text("1. c7c5")
        await expect(anna.locator(".play")).to_have_count(0)
        await expect(anna.locator(".place-cell.held")).to_have_count(0)
        await write(ben, "a1a2")
        await expect(anna.locator(".prompt")).to_have_text("Which piece moves?")


async def test_only_a_referee_who_refuses_at_once_offers_what_leads_on_alone(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=refuse side=white")
        await tap(anna, "c7")
        await expect(anna.locator(".place-cell.leads")).to_have_count(1)
        await expect(anna.locator(".place-cell.leads")).to_have_attribute("data-site", "c5")
        await expect(anna.locator(".place-cell.offered")).to_have_count(1)
        await anna.locator('[data-site="a1"]').tap(force=True)
        await expect(anna.locator(".place-cell.held")).to_have_attribute("data-site", "c7")
        await pick(anna, "c5")
        await expect(anna.locator(".play")).to_have_text("Play c7c5")


async def test_a_call_and_a_draw_are_made_and_answered_by_taps(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await pick(anna, "c7", "a1")
        await anna.locator(".play").tap()
        await ben.locator("#table").get_by_role("button", name="Call it out").tap()
        await expect(anna.locator(".message.bot", has_text="c7a1 is untenable")).to_be_visible()
        await pick(anna, "e5", "d5")
        await anna.locator(".play").tap()
        await expect(anna.locator(".steps output")).to_have_text("1. e5d5")
        await anna.get_by_label("More to do").tap()
        await anna.get_by_role("button", name="Offer a draw").tap()
        await ben.locator("#table").get_by_role("button", name="Agree to a draw").tap()
        await expect(anna.locator("#subtitle")).to_contain_text("over")
        await expect(anna.locator(".prompt")).to_have_count(0)
        await anna.locator("#table").get_by_role("button", name="Rematch, sides swapped").tap()
        await expect(anna.locator("#title")).to_have_text("# lounge")
        await ben.go_back()
        await expect(ben.locator(".message.bot", has_text="Black for the challenger")).to_be_visible()


async def test_giving_up_is_asked_twice(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await anna.get_by_label("More to do").tap()
        await anna.get_by_role("button", name="Resign…").tap()
        await anna.get_by_role("button", name="Play on").tap()
        await anna.get_by_role("button", name="Resign…").tap()
        await anna.get_by_role("button", name="Resign", exact=True).tap()
        await expect(ben.locator("#subtitle")).to_contain_text("over")


async def test_a_match_is_stepped_through(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await write(anna, "e5d5")
        await expect(ben.locator(".steps output")).to_have_text("1. e5d5")
        await write(ben, "a1a2")
        said = anna.locator(".steps output")
        await expect(said).to_have_text("2. a1a2")
        await tap(anna, "c7")
        await anna.get_by_role("button", name="One step back").tap()
        await expect(said).to_have_text("1. e5d5")
        await expect(anna.locator(".prompt")).to_have_count(0)
        await expect(anna.locator('[data-site="a1"]')).to_have_attribute("aria-label", "a1: Black, Flat.")
        await anna.get_by_role("button", name="To the start").tap()
        await expect(said).to_have_text("Start")
        await anna.get_by_role("button", name="To the position now").tap()
        await expect(anna.locator('[data-site="c7"]')).to_have_attribute("aria-pressed", "true")
        await anna.set_viewport_size(DESKTOP)
        bar = anna.get_by_role("slider", name="Step")
        for step, turn in enumerate(("Start", "1. e5d5", "2. a1a2")):
            await bar.fill(str(step))
            await expect(said).to_have_text(turn)
            await expect(bar).to_have_attribute("aria-valuetext", turn)


@pytest.mark.parametrize("size", [(390, 844), (390, 470), (320, 568), (1280, 800)])
async def test_the_board_is_never_taller_than_the_window(enter: Enter, tmp_path: Path, size: tuple[int, int]) -> None:
    width, height = size
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await anna.set_viewport_size({"width": width, "height": height})
        for number, key in enumerate(("tokonoma", "veney"), 1):
            await write(anna, f"challenge @ben {key} umpire=friendly side=white")
            await expect(ben.locator(".message .choices")).to_have_count(number)
            await write(ben, f"accept {number}")
            await open_match(anna, number)
            for part in ("svg.board", "#words"):
                box = await anna.locator(part).bounding_box()
                assert box is not None
                assert box["y"] >= 0
                assert box["y"] + box["height"] <= height
                assert box["x"] + box["width"] <= width
            assert (await anna.locator("svg.board").bounding_box() or {})["height"] > height * 0.3
            await anna.go_back()


async def test_the_boards_colours_are_the_viewers_own(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben", phone=True)
        await write(anna, "challenge @ben tokonoma")
        await ben.get_by_role("button", name="Accept", exact=True).tap()
        await open_match(anna)
        table = anna.locator("#table")
        await expect(table).to_have_attribute("data-theme", "light")
        await anna.get_by_text("Settings").click()
        await anna.get_by_label("Board colours").select_option("without red and green")
        await expect(table).to_have_attribute("data-theme", "colour-blind")
        picture = anna.locator(".picture img").last
        await expect(picture).to_have_attribute("src", re.compile("theme=colour-blind$"))
        await anna.reload()
        await expect(table).to_have_attribute("data-theme", "colour-blind")
        await expect(picture).to_have_attribute("src", re.compile("theme=colour-blind$"))
        await expect(picture).to_have_js_property("complete", value=True)
        assert await picture.evaluate("image => image.naturalWidth") > 0


async def test_a_tap_is_answered_at_once(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        asked: list[str] = []
        anna.on("request", lambda request: asked.append(request.url))
        await pick(anna, "e5", "d5")
        await expect(anna.locator(".play")).to_be_enabled()
        assert asked == []  # all of it goes through the socket that is open already
