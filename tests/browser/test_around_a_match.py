"""What lies around a match on the page: its challenge and start, which waits first, its clocks, links and settings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from engine.dice import Dice
from engine.games import GAMES
from tests.browser.program import open_match, riposte, write
from tests.browser.test_the_board import begin, pick, tap

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

TOKONOMA = GAMES["tokonoma"]
START = TOKONOMA.setup({}, Dice(bytes(32)))
LATER = TOKONOMA.encode(TOKONOMA.play(START, TOKONOMA.read("c7c5", START)))
HEARD = """
    window.badges = [];
    window.notes = 0;
    navigator.setAppBadge = async (due) => void window.badges.push(due);
    const begin = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { window.notes += 1; return begin.call(this); };
"""
"""Keeps what the page tells the system: the number on its badge, and the notes that it plays."""


async def form(page: Page, game: str) -> None:
    await page.get_by_role("button", name="New match").tap()
    await page.locator("#challenge").get_by_role("radio", name=game).check()
    await expect(page.locator("#challenge .start svg.board")).to_be_visible()


async def test_the_form_shows_the_start_that_is_given_and_says_what_is_wrong_with_one(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await form(anna, "Tokonoma")
        dialog = anna.locator("#challenge")
        usual = await dialog.locator(".start svg.board").inner_html()
        await dialog.get_by_text("Further terms").tap()
        begun = dialog.get_by_label("start", exact=True)
        await begun.fill("nowhere")
        await expect(dialog.get_by_role("alert")).to_contain_text("no position of Tokonoma")
        await expect(dialog.get_by_role("button", name="Challenge", exact=True)).to_be_disabled()
        await begun.fill(LATER)
        await expect(dialog.get_by_role("alert")).to_have_count(0)
        assert await dialog.locator(".start svg.board").inner_html() != usual
        await dialog.get_by_role("button", name="Challenge", exact=True).tap()
        await expect(ben.locator(".message.bot .picture img").last).to_be_visible()
        await ben.get_by_role("button", name="Accept", exact=True).tap()
        await open_match(ben)
        await expect(ben.locator('[data-site="c5"]')).to_have_attribute("aria-label", re.compile("Arm"))


async def test_the_form_shows_the_board_that_is_agreed_on(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna = await enter(address, "Anna", phone=True)
        await form(anna, "Chirality")
        dialog = anna.locator("#challenge")
        tiles = dialog.locator(".start svg.board .place-cell")
        few = await tiles.count()
        await dialog.get_by_text("Further terms").tap()
        await dialog.get_by_label("board", exact=True).select_option("275")
        await expect(tiles).not_to_have_count(few)
        assert await tiles.count() == 275


async def test_the_open_form_lists_who_sits_down_meanwhile_and_keeps_what_was_chosen(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna = await enter(address, "Anna", phone=True)
        await form(anna, "Tokonoma")
        against = anna.locator("#challenge").get_by_label("Against")
        await expect(against.locator("option")).to_have_text(["Riposte", "whoever accepts first"])
        await enter(address, "Ben", phone=True)
        await expect(against.locator("option")).to_have_text(["Ben", "Riposte", "whoever accepts first"])
        await expect(against).to_have_value("")
        await expect(anna.locator("#challenge").get_by_role("radio", name="Tokonoma")).to_be_checked()


@pytest.mark.parametrize("against", ["Ben", "whoever accepts first"])
async def test_a_challenge_is_made_and_taken_without_a_character_typed(
    enter: Enter, tmp_path: Path, against: str
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await expect(anna.locator("#users")).to_contain_text("Ben")
        await form(anna, "Tokonoma")
        dialog = anna.locator("#challenge")
        await dialog.get_by_label("Against").select_option(against)
        await dialog.get_by_label("umpire", exact=True).select_option("friendly")
        await dialog.get_by_label("side", exact=True).select_option("white")
        await dialog.get_by_role("button", name="Challenge", exact=True).tap()
        await ben.get_by_role("button", name="Accept", exact=True).tap()
        await open_match(anna)
        await expect(anna.locator(".sides")).to_contain_text("Ben")
        await expect(anna.locator(".prompt")).to_have_text("Which piece moves?")


async def test_the_match_whose_time_runs_out_first_waits_first_and_its_clock_runs(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben", phone=True)
        for number, time in enumerate(("7d", "1h", "3d"), 1):
            await write(anna, f"challenge @ben tokonoma umpire=friendly side=white time={time}")
            await expect(ben.locator(".message .choices")).to_have_count(number)
            await write(ben, f"accept {number}")
        waiting = anna.locator("#mine a")
        await expect(waiting).to_have_count(3)
        numbers = [(await entry.locator(".note").inner_text()).strip() for entry in await waiting.all()]
        assert numbers == ["2", "3", "1"]
        await anna.locator("#next").click()
        await expect(waiting.first).to_have_attribute("aria-current", "page")
        clock = anna.locator(".side.acts .clock.runs")
        await expect(clock).to_have_text(re.compile(r"^(1:00:00|59:\d\d)$"))
        before = await clock.inner_text()
        await expect(clock).not_to_have_text(before)
        await expect(anna.locator(".side:not(.acts) .clock")).not_to_have_class(re.compile("runs"))
        await pick_by_mouse(anna, "c7", "c5")
        await anna.locator("#next").click()
        await expect(anna.locator('#mine a[aria-current="page"]')).to_contain_text("3")


async def pick_by_mouse(page: Page, *sites: str) -> None:
    for site in sites:
        await page.locator(f'[data-site="{site}"]').click()
    await page.locator(".play").click()
    await expect(page.locator(".steps output")).to_contain_text("".join(sites))


async def test_a_link_leads_to_the_step_that_it_names(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await write(anna, "e5d5")
        await expect(ben.locator(".steps output")).to_have_text("1. e5d5")
        await write(ben, "a1a2")
        await expect(anna.locator(".steps output")).to_have_text("2. a1a2")
        await anna.get_by_role("button", name="One step back").tap()
        await expect(anna.locator(".steps output")).to_have_text("1. e5d5")
        await anna.reload()
        await expect(anna.locator(".steps output")).to_have_text("1. e5d5")
        await anna.get_by_label("More to do").tap()
        link = await anna.get_by_role("link", name="Open as a page of its own").get_attribute("href")
        assert link is not None
        stranger = await anna.context.browser.new_page()
        await stranger.goto(link)
        await expect(stranger.locator(".steps output")).to_have_text("1. e5d5")
        await expect(stranger.locator('[data-site="d5"]')).to_have_attribute("aria-label", re.compile("White"))
        await stranger.context.close()


@pytest.mark.parametrize(
    ("setting", "time", "plays"),
    [
        ("when confirmed", "1h", False),
        ("at once in quick matches", "1h", True),
        ("at once in quick matches", "3d", False),
        ("at once", "3d", True),
    ],
)
async def test_a_turn_is_confirmed_as_its_player_has_set(
    enter: Enter, tmp_path: Path, setting: str, time: str, *, plays: bool
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, f"challenge @ben tokonoma umpire=friendly side=white time={time}")
        await anna.locator("#side-open").tap()
        await anna.get_by_text("Settings").tap()
        await anna.get_by_label("Turns are played").select_option(setting)
        await anna.locator("#side-close").tap()
        await tap(anna, "e5")
        await tap(anna, "d5")
        said = anna.locator(".steps output")
        if plays:
            await expect(said).to_have_text("1. e5d5")
        else:
            await expect(anna.locator(".play")).to_have_text("Play e5d5")
            await expect(said).to_have_text("Start")
            await anna.locator(".play").tap()
            await expect(said).to_have_text("1. e5d5")


async def test_title_badge_and_sound_tell_of_turns_that_are_due(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await ben.add_init_script(HEARD)
        await ben.reload()
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await expect(ben).to_have_title(re.compile(r"^Tokonoma"))
        await pick(anna, "e5", "d5")
        await anna.locator(".play").tap()
        await expect(ben).to_have_title(re.compile(r"^\(1\) Tokonoma"))
        assert (await ben.evaluate("window.badges"))[-1] == 1
        assert await ben.evaluate("window.notes") == 0
        await ben.locator("#side-open").tap()
        await ben.get_by_text("Settings").tap()
        for label, title, badge in (
            ("Count my turns in the title", "Tokonoma · Riposte", 1),
            ("Count my turns on the app's icon", "Tokonoma · Riposte", 0),
        ):
            await ben.get_by_label(label).uncheck()
            await expect(ben).to_have_title(title)
            assert (await ben.evaluate("window.badges"))[-1] == badge
        await ben.reload()
        await expect(ben).to_have_title("Tokonoma · Riposte")
        assert set(await ben.evaluate("window.badges")) == {0}, "what was chosen is kept"
        await ben.locator("#side-open").tap()
        await ben.get_by_text("Settings").tap()
        await ben.get_by_label("Count my turns in the title").check()
        await expect(ben).to_have_title("(1) Tokonoma · Riposte")
        assert set(await ben.evaluate("window.badges")) == {0}, "each has its own switch"
        await ben.get_by_label("Count my turns on the app's icon").check()
        assert (await ben.evaluate("window.badges"))[-1] == 1
        await ben.get_by_label("Sound when it is my turn").check()
        tried = await ben.evaluate("window.notes")
        assert tried > 0, "so that one hears what one has chosen"
        await ben.locator("#side-close").tap()
        await pick(ben, "a1", "a2")
        await ben.locator(".play").tap()
        await expect(ben).to_have_title(re.compile(r"^Tokonoma"))
        assert (await ben.evaluate("window.badges"))[-1] == 0
        await tap(anna, "c7")
        await tap(anna, "c5")
        await anna.locator(".play").tap()
        await expect(ben).to_have_title(re.compile(r"^\(1\) Tokonoma"))
        assert await ben.evaluate("window.notes") == 2 * tried
