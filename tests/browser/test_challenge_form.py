"""The form of a challenge: for two and for more, by finger and by keys, and what it says of terms that do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.program import open_match, riposte, write
from tests.browser.test_accessible import sound
from tests.browser.test_around_a_match import form

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

RIPOSTE, ANYBODY = "Riposte", "whoever accepts first"


async def options(field: Locator) -> list[str]:
    return await field.locator("option").all_text_contents()


async def three(enter: Enter, address: str) -> tuple[Page, Page, Page]:
    anna, ben, carl = [await enter(address, name, phone=True) for name in ("Anna", "Ben", "Carl")]
    await expect(anna.locator("#users")).to_contain_text("Carl")
    return anna, ben, carl


async def test_several_are_challenged_without_a_character_typed(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben, carl = await three(enter, address)
        await form(anna, "Chirality")
        dialog = anna.locator("#challenge")
        await expect(dialog.get_by_label("Against", exact=True)).to_have_value("Ben")
        assert await options(dialog.get_by_label("players", exact=True)) == ["2", "3", "4", "5"]
        await dialog.get_by_label("players", exact=True).select_option("3")
        first, second = dialog.get_by_label("Opponent 1"), dialog.get_by_label("Opponent 2")
        await expect(first).to_have_value("Ben")
        await expect(second).to_have_value("")
        assert await options(second) == ["Carl", RIPOSTE, ANYBODY], "nobody is named twice"
        await second.select_option("Carl")
        assert await options(first) == ["Ben", RIPOSTE, ANYBODY]
        await sound(anna)
        await dialog.get_by_role("button", name="Challenge", exact=True).tap()
        for page in (ben, carl):
            await page.get_by_role("button", name="Accept", exact=True).last.tap()
            await expect(page.locator("#log .pressed")).to_have_count(1)
        for page in (anna, ben, carl):
            await open_match(page)
            for name in ("Anna", "Ben", "Carl"):
                await expect(page.locator(".sides")).to_contain_text(name)


async def test_by_keys_alone_one_is_named_and_the_other_seat_left_free(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben, carl = await three(enter, address)
        await anna.get_by_role("button", name="New match").press("Enter")
        dialog = anna.locator("#challenge")
        await expect(dialog.locator(".start svg.board")).to_be_visible()
        await dialog.get_by_role("radio", name="Tokonoma").focus()
        for _ in range(3):
            await anna.keyboard.press("ArrowUp")
        await expect(dialog.get_by_role("radio", name="Chirality")).to_be_checked()
        await expect(dialog.get_by_label("players", exact=True)).to_be_visible()
        await anna.keyboard.press("Tab")
        await expect(dialog.get_by_label("players", exact=True)).to_be_focused()
        await anna.keyboard.press("3")
        await expect(dialog.get_by_label("Opponent 2")).to_be_visible()
        await expect(dialog.get_by_label("players", exact=True)).to_be_focused()
        await anna.keyboard.press("Tab")
        await expect(dialog.get_by_label("Opponent 1")).to_be_focused()
        await anna.keyboard.press("C")
        await expect(dialog.get_by_label("Opponent 1")).to_have_value("Carl")
        await anna.keyboard.press("Tab")
        await expect(dialog.get_by_label("Opponent 2")).to_be_focused()
        assert await options(dialog.get_by_label("Opponent 2")) == ["Ben", RIPOSTE, ANYBODY]
        await dialog.get_by_role("button", name="Challenge", exact=True).press("Enter")
        await expect(dialog).to_be_hidden()
        assert await anna.evaluate("document.activeElement !== document.body")
        await expect(carl.get_by_text("challenges Carl").first).to_be_visible()
        for page in (ben, carl):
            await page.get_by_role("button", name="Accept", exact=True).last.press("Enter")
            await expect(page.locator("#log .pressed")).to_have_count(1)
        await open_match(anna)


async def test_who_is_named_stays_so_while_the_number_of_players_changes(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, _ben, _carl = await three(enter, address)
        await form(anna, "Chirality")
        dialog = anna.locator("#challenge")
        players, second = dialog.get_by_label("players", exact=True), dialog.get_by_label("Opponent 2")
        await players.select_option("4")
        await second.select_option("Carl")
        await players.select_option("2")
        await expect(second).to_have_count(0)
        await expect(dialog.get_by_label("Against", exact=True)).to_have_value("Ben")
        await dialog.get_by_label("Against", exact=True).select_option("Carl")
        await players.select_option("3")
        await expect(dialog.get_by_label("Opponent 1")).to_have_value("Carl")
        await expect(second).to_have_value("")
        await dialog.get_by_role("radio", name="Tokonoma").check()
        await expect(dialog.get_by_label("Against", exact=True)).to_have_value("Carl")


async def test_the_field_that_does_not_fit_says_why_and_is_led_to(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben, _carl = await three(enter, address)
        await form(anna, "Chirality")
        dialog = anna.locator("#challenge")
        setup, players = dialog.get_by_label("setup", exact=True), dialog.get_by_label("players", exact=True)
        challenge = dialog.get_by_role("button", name="Challenge", exact=True)
        await players.select_option("3")
        await dialog.get_by_label("Opponent 2").select_option("Carl")
        await dialog.get_by_text("Further terms").tap()
        await setup.select_option("quick")
        alert = dialog.get_by_role("alert")
        await expect(alert).to_contain_text("The quick game is for two players.")
        await expect(setup).to_have_attribute("aria-invalid", "true")
        described = str(await setup.get_attribute("aria-describedby")).split()
        assert await alert.get_attribute("id") in described
        await expect(dialog.get_by_label("Opponent 2")).to_have_value("Carl")
        await expect(challenge).to_be_disabled()
        await sound(anna)
        await dialog.get_by_text("Further terms").tap()
        await expect(setup).to_be_hidden()
        await challenge.press("Enter")
        await expect(setup).to_be_focused()
        await players.select_option("2")
        await expect(alert).to_have_count(0)
        await expect(challenge).to_be_enabled()
        await expect(ben.locator(".message")).to_have_count(0)


async def test_what_was_changed_last_is_looked_at_before_it_is_sent_and_sent_once(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben, _carl = await three(enter, address)
        await form(anna, "Tokonoma")
        dialog = anna.locator("#challenge")
        await dialog.get_by_text("Further terms").tap()
        start = dialog.get_by_label("start", exact=True)
        press = "form => { form.requestSubmit(); form.requestSubmit(); }"
        await start.fill("nowhere")
        await dialog.locator("form").evaluate(press)
        await expect(start).to_be_focused()
        await expect(dialog.get_by_role("alert")).to_contain_text("no position of Tokonoma")
        await start.fill("")
        await dialog.locator("form").evaluate(press)
        await expect(dialog).to_be_hidden()
        await expect(ben.get_by_role("button", name="Accept", exact=True)).to_have_count(1)
        await expect(anna.locator(".message.mine")).to_have_count(1)


async def test_a_challenge_that_was_refused_is_in_the_form_again_and_one_that_was_made_is_not(
    enter: Enter, tmp_path: Path
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben, _carl = await three(enter, address)
        await write(ben, "block @anna")
        await expect(ben.locator(".message.bot").last).to_be_visible()
        await form(anna, "Ironclad")
        dialog = anna.locator("#challenge")
        against, time = dialog.get_by_label("Against", exact=True), dialog.get_by_label("time", exact=True)
        rated = dialog.get_by_label("rated", exact=True)
        await against.select_option("Ben")
        await time.select_option("12h")
        await dialog.get_by_text("Further terms").tap()
        await rated.select_option("no")
        await dialog.get_by_role("button", name="Challenge", exact=True).tap()
        await expect(dialog).to_be_hidden()
        await expect(anna.locator(".message.bot").last).to_be_visible()
        await anna.get_by_role("button", name="New match").tap()
        await expect(dialog.get_by_role("radio", name="Ironclad")).to_be_checked()
        for field, value in ((against, "Ben"), (time, "12h"), (rated, "no")):
            await expect(field).to_have_value(value)
        await expect(rated).to_be_visible()
        await against.select_option("Carl")
        await dialog.get_by_role("button", name="Challenge", exact=True).tap()
        await expect(anna.locator("#log .choices")).to_have_count(1)
        await anna.get_by_role("button", name="New match").tap()
        await expect(dialog.get_by_role("radio", name="Ironclad")).not_to_be_checked()
        await expect(rated).to_have_value("yes")


async def test_riposte_is_challenged_in_the_form_where_it_plays(enter: Enter, tmp_path: Path) -> None:
    for cores, named in (("0", [ANYBODY]), ("1", [RIPOSTE, ANYBODY])):
        async with riposte(tmp_path / cores, RIPOSTE_PARTNER_CORES=cores) as address:
            anna = await enter(address, "Anna", phone=True)
            await form(anna, "Tokonoma")
            dialog = anna.locator("#challenge")
            assert await options(dialog.get_by_label("Against", exact=True)) == named
            if RIPOSTE not in named:
                continue
            await dialog.get_by_label("Against", exact=True).select_option(RIPOSTE)
            await dialog.get_by_label("side", exact=True).select_option("white")
            await dialog.get_by_role("button", name="Challenge", exact=True).tap()
            await open_match(anna)
            await expect(anna.locator(".sides")).to_contain_text("Riposte")
            await expect(anna.locator(".prompt")).to_have_text("Which piece moves?")
