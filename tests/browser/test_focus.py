"""The focus never falls to the body: whatever goes away, something near it has the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from tests.browser.program import riposte, write
from tests.browser.screens import go
from tests.browser.test_the_board import begin

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

HELD = "document.activeElement !== document.body && document.activeElement.checkVisibility()"


async def near(page: Page, around: str) -> None:
    """What has the focus can be seen, and lies there."""
    await page.wait_for_function(f"around => {HELD} && document.activeElement.closest(around) !== null", arg=around)


async def lost(page: Page) -> bool:
    """Whether nothing has the focus once the page has drawn itself."""
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    await page.evaluate("() => new Promise((done) => setTimeout(done, 50))")
    return not await page.evaluate(HELD)


async def two(enter: Enter, address: str) -> tuple[Page, Page]:
    return await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)


async def test_a_dialog_that_closes_gives_the_focus_back(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna = await enter(address, "Anna", phone=True)
        await write(anna, "learn tokonoma")
        await anna.locator(".enlarge").wait_for()
        for close in ("Escape", "Close the form"):
            await anna.locator("#challenge-open").press("Enter")
            await expect(anna.locator("#challenge .start svg.board")).to_be_visible()
            await (anna.keyboard.press(close) if close == "Escape" else anna.get_by_label(close).press("Enter"))
            await expect(anna.locator("#challenge-open")).to_be_focused()
        for close in ("Escape", "Close"):
            await anna.locator("#side-open").press("Enter")
            await expect(anna.locator("#side-close")).to_be_focused()
            await anna.locator("#device-open").press("Enter")
            await expect(anna.locator("#device-link")).to_be_focused()
            device = anna.locator("#device").get_by_role("button", name="Close")
            await (anna.keyboard.press(close) if close == "Escape" else device.press("Enter"))
            await expect(anna.locator("#device-open")).to_be_focused()
            await anna.keyboard.press("Escape")
            await expect(anna.locator("#side-open")).to_be_focused()
        picture = anna.locator(".enlarge").last
        for close in ("Escape", "back", "Close the picture"):
            await picture.press("Enter")
            await expect(anna.locator("#enlarged img")).to_be_visible()
            match close:
                case "Escape":
                    await anna.keyboard.press(close)
                case "back":
                    await anna.go_back()
                case _:
                    await anna.get_by_label(close).press("Enter")
            await expect(picture).to_be_focused()


async def test_what_is_asked_first_has_the_focus_and_gives_it_back(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await two(enter, address)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white callfor=reason")
        await write(anna, "e5d5")
        call = ben.locator("#table").get_by_role("button", name="Call it out")
        await call.press("Enter")
        await expect(ben.get_by_label("A piece", exact=True)).to_be_focused()
        await ben.locator(".reasons").get_by_role("button", name="Back").press("Enter")
        await expect(call).to_be_focused()
        await ben.get_by_label("More to do").press("Enter")
        await ben.get_by_role("button", name="Resign…").press("Enter")
        await expect(ben.get_by_role("button", name="Play on")).to_be_focused()
        await ben.get_by_role("button", name="Play on").press("Enter")
        await expect(ben.get_by_role("button", name="Resign…")).to_be_focused()
        await ben.locator(".note summary").press("Enter")
        await ben.get_by_label("Your note on this match").fill("left")
        await ben.get_by_role("button", name="Keep the note").press("Enter")
        await expect(ben.locator(".note summary")).to_have_text("Your note")
        await near(ben, ".further")
        await ben.get_by_role("button", name="Turn the board").press("Enter")
        await near(ben, ".further")


@pytest.mark.parametrize("where", [".place-cell.offered", ".picks button", ".steps .turns", ".further summary"])
async def test_a_match_that_ends_leaves_the_focus_at_its_board(enter: Enter, tmp_path: Path, where: str) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await two(enter, address)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await anna.locator(where).first.focus()
        await write(ben, "resign 1 yes")
        await expect(anna.locator(".result")).to_be_visible()
        assert not await lost(anna)
        await near(anna, "#table")


async def test_an_entry_that_leaves_its_list_leaves_the_focus_in_the_lists(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await two(enter, address)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await go(anna, "lounge", ".opening")
        await anna.locator("#side-open").tap()
        await anna.locator("#mine a").focus()
        await write(ben, "resign 1 yes")
        await expect(anna.locator("#mine a")).to_have_count(0)
        assert not await lost(anna)
        await near(anna, "#lists")


async def test_what_leads_on_and_goes_leaves_the_focus_near(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await two(enter, address)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await go(anna, "lounge", ".opening")
        await anna.locator("#next").focus()
        await write(ben, "resign 1 yes")
        await expect(anna.locator("#next")).to_be_hidden()
        assert not await lost(anna)
        await near(anna, "#head")
        for number in range(12):
            await write(anna, f"help {number}")
        await expect(anna.locator(".message.bot").last).to_contain_text("no command 11")  # no answer is on its way
        await anna.locator("#scroll").evaluate("scroll => { scroll.scrollTop = 0; }")
        await write(ben, "!help")
        await go(ben, "lounge", ".opening")
        await write(ben, "hello @anna")
        await expect(anna.locator("#newest")).to_be_visible()
        await anna.locator("#newest").press("Enter")
        await expect(anna.locator("#newest")).to_be_hidden()
        assert not await lost(anna)


async def test_whoever_is_connected_again_finds_the_focus_in_the_talk(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna = await enter(address, "Anna")
        sockets = []
        await anna.route_web_socket("**", lambda socket: sockets.append((socket, socket.connect_to_server())))
        await anna.reload()
        await write(anna, "help")
        await anna.locator(".put").first.focus()
        await sockets[-1][0].close()
        await expect(anna.locator("#connection")).not_to_be_empty()
        await expect(anna.locator("#connection")).to_be_empty()
        assert not await lost(anna)
