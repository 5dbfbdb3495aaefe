"""Matches on two phones by taps alone: a sealed setup, a pass, a throw, a callout, a draw; and those who read them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE, PHONE
from tests.browser.program import open_match, riposte, write
from tests.browser.test_the_board import begin, tap

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

AIMED = "W: S@X6 $@Z6 D@Y6 e@W5 / B: S@Y14 $@Z14 e@W12 / a: ^XY8 / to: W"
"""White's Dagger can be thrown in Veney."""


async def challenge(anna: Page, ben: Page, game: str, terms: dict[str, str]) -> None:
    """Make and take a challenge in the form; options of a list are chosen, others filled in."""
    await anna.get_by_role("button", name="New match").tap()
    form = anna.locator("#challenge")
    await form.get_by_role("radio", name=game).check()
    await expect(form.locator(".start svg.board")).to_be_visible()
    await form.get_by_text("Further terms").tap()
    for term, value in terms.items():
        field = form.get_by_label(term, exact=True)
        choose = await field.evaluate("field => field.tagName === 'SELECT'")
        await (field.select_option(value) if choose else field.fill(value))
    await form.get_by_role("button", name="Challenge", exact=True).tap()
    await ben.get_by_role("button", name="Accept", exact=True).tap()
    for page in (anna, ben):
        await open_match(page)
        await expect(page.locator("svg.board")).to_be_visible()


async def choose(page: Page, *picks: str) -> None:
    """Chips below the board, or places on it, one after the other as they come to be offered."""
    for count, pick in enumerate(picks, 1):
        chip = page.locator(f'.picks [data-pick="{pick}"]')
        place = page.locator(f'.place-cell.offered[data-site="{pick}"]')
        await expect(chip.or_(place)).to_be_visible()
        if await chip.count():
            await chip.tap()
        else:
            await tap(page, pick)
        await expect(page.locator("#table")).to_have_attribute("data-picked", str(count))


async def play(page: Page) -> None:
    await page.locator(".play").tap()


async def said(page: Page, step: str) -> None:
    await expect(page.locator(".steps output")).to_have_text(re.compile(rf"^{re.escape(step)}"))


async def test_veney_from_sealed_layouts_over_a_pass_and_a_callout_to_a_draw(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await challenge(
            anna, ben, "Veney", {"umpire": "friendly", "side": "white", "setup": "concealed", "first": "white"}
        )
        await choose(anna, "*C", "*$", "*S", "*B", "W5", "X6", "Y7", "Z8")
        await expect(anna.locator(".play")).to_have_text("Answer C$SB 5678")
        assert "C$SB" not in await ben.content()
        await play(anna)
        await choose(ben, "*B", "*S", "*$", "*C", "Z12", "Y11", "X10", "W9")
        await play(ben)
        await expect(anna.locator(".prompt")).to_be_visible()
        mover, other = (anna, ben) if await anna.locator('.picks [data-pick="pass"]').count() else (ben, anna)
        await choose(mover, "pass")
        await play(mover)
        for page in (anna, ben):
            await said(page, "3. --")
        own = other.locator(".place-cell.offered").first  # the Self may not go that far, wherever it stands
        await own.tap()
        await expect(other.locator(".place-cell.held")).to_have_count(1)
        home = await other.locator(".place-cell.held").get_attribute("data-site")
        assert home is not None
        await tap(other, "Y8" if "8" not in home else "Y9")
        await other.get_by_role("button", name="Go there").or_(other.locator(".play")).first.wait_for()
        if await other.get_by_role("button", name="Go there").is_visible():
            await other.get_by_role("button", name="Go there").tap()
        await play(other)
        await said(mover, "4.")
        await mover.locator("#table").get_by_role("button", name="Call it out").tap()
        await said(mover, "3. --")
        await mover.get_by_label("List of turns").tap()
        await mover.locator(".course .why").tap()
        await expect(mover.locator(".callout")).to_contain_text("is untenable")
        await mover.get_by_role("button", name="To the position now").tap()
        await other.get_by_label("More to do").tap()
        await other.get_by_role("button", name="Offer a draw").tap()
        await mover.locator("#table").get_by_role("button", name="Agree to a draw").tap()
        for page in (anna, ben):
            await expect(page.locator(".result")).to_contain_text("Draw")


async def test_a_dagger_is_thrown_hidden_from_and_guessed_at_by_taps(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, f'challenge @ben veney umpire=turn side=white throw=guess-side start="{AIMED}"')
        await choose(anna, "Y6", "throw", "Y14")
        await play(anna)
        await choose(ben, "Y9")
        await play(ben)
        await choose(anna, "white")
        await play(anna)
        await expect(ben.locator(".result").or_(ben.locator(".prompt"))).to_be_visible()


async def test_a_link_shows_a_match_to_strangers_who_can_only_read(
    enter: Enter, tmp_path: Path, browser: Browser
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await challenge(anna, ben, "Tokonoma", {"umpire": "friendly", "side": "white"})
        for page, ways, step in ((anna, ("e5", "d5"), "1. e5d5"), (ben, ("c1", "a2"), "2. c1a2")):
            await choose(page, *ways)
            await play(page)
            for each in (anna, ben):
                await said(each, step)
        await anna.locator("#table").get_by_role("button", name="Call it out").tap()
        await said(anna, "1. e5d5")
        await anna.get_by_label("More to do").tap()
        link = await anna.get_by_role("link", name="Open as a page of its own").get_attribute("href")
        assert link == f"{address}match/1"

        stranger = await (await browser.new_context(viewport=PHONE, has_touch=True)).new_page()
        stranger.set_default_timeout(PATIENCE)
        await stranger.goto(f"{link}#c1")
        await expect(stranger.locator(".callout")).to_contain_text("The Arm on c1 reaches c3, not a2.")
        await expect(stranger.locator(".callout")).to_contain_text("called out by Anna")
        await stranger.goto(f"{link}#0")
        await said(stranger, "Start")
        await stranger.get_by_role("button", name="One step on").tap()
        await said(stranger, "1. e5d5")
        assert stranger.url == link
        await expect(stranger.locator("#subtitle")).to_have_text("Anna – Ben · match 1")
        assert await stranger.locator(".place-cell.offered, .play, .picks button").count() == 0
        await stranger.goto(f"{address}match/2")
        await expect(stranger.locator("#subtitle")).to_have_text("There is no match 2 that everybody may read.")


async def test_a_step_of_a_lesson_is_answered_by_a_tap(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna = await enter(address, "Anna", phone=True)
        await write(anna, "learn tokonoma")
        await anna.get_by_role("button", name="c4c3", exact=True).tap()
        await expect(anna.get_by_text("Right.").last).to_be_visible()


@pytest.mark.parametrize("game", ["Tokonoma", "Chirality"])  # Ironclad and Tirachen know no pass; Veney's is above
async def test_a_turn_is_passed_by_taps(enter: Enter, tmp_path: Path, game: str) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await challenge(anna, ben, game, {"umpire": "friendly", "side": "red" if game == "Chirality" else "white"})
        for mover, step in ((anna, "1. pass"), (ben, "2. pass")):
            await choose(mover, "pass")
            await expect(mover.locator(".play")).to_have_text("Play pass")
            await play(mover)
            for page in (anna, ben):
                await said(page, step)
