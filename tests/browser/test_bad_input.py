"""What goes wrong at the board that stays: two devices at once, a line that is cut, text that would be markup."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Browser, expect

from bot.commands.people.privacy import CONFIRM
from tests.adapters.linked_room import linked_room
from tests.browser.program import open_match, riposte, write
from tests.browser.test_the_board import begin, pick, tap

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

DROPPED = "The match has changed meanwhile: what no longer fits was dropped."
HOSTILE = '</text><svg/onload="document.title=1"><b>'


async def test_a_turn_made_on_one_device_drops_what_is_half_composed_on_the_other(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        other = await anna.context.new_page()
        await other.goto(anna.url)
        await other.get_by_role("button", name="Anna").tap()
        await expect(other.locator("svg.board")).to_be_visible()
        await pick(anna, "c7", "c5")
        await pick(other, "e5", "d5")
        await other.locator(".play").tap()
        for page in (anna, other, ben):
            await expect(page.locator(".steps output")).to_have_text("1. e5d5")
        for page in (anna, other):
            await expect(page.locator(".play")).to_have_count(0)
            await expect(page.locator(".place-cell.held")).to_have_count(0)
        await expect(anna.locator(".notes")).to_contain_text(DROPPED)
        await expect(anna.locator("#place")).to_have_text(DROPPED)
        await expect(other.locator("#place")).to_have_text("")
        assert DROPPED not in await other.locator("#table").inner_text()
        await pick(ben, "a1", "a2")
        await ben.locator(".play").tap()
        await expect(anna.locator(".prompt")).to_have_text("Which piece moves?")
        await expect(anna.locator(".notes")).to_contain_text(DROPPED)
        await tap(anna, "c7")
        await expect(anna.locator(".place-cell.held")).to_have_count(1)
        assert DROPPED not in await anna.locator("#table").inner_text()


async def test_a_line_that_is_cut_while_composing_costs_neither_the_picks_nor_a_second_turn(
    enter: Enter, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    async with riposte(tmp_path, RIPOSTE_PORT=port) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await pick(anna, "e5", "d5")
    await expect(anna.locator("#connection")).not_to_have_text("")
    await expect(anna.locator(".place-cell.held")).to_have_count(2)
    async with riposte(tmp_path, RIPOSTE_PORT=port):
        await expect(anna.locator("#connection")).to_have_text("")
        await expect(anna.locator(".play")).to_have_text("Play e5d5")
        await anna.locator(".play").tap()
        for page in (anna, ben):
            await expect(page.locator(".steps output")).to_have_text("1. e5d5")


async def test_text_that_would_be_markup_is_shown_as_it_is(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await write(anna, "challenge tokonoma umpire=friendly side=white")
        await ben.get_by_role("button", name="Accept", exact=True).tap()
        await open_match(ben)
        await expect(ben.locator("svg.board")).to_be_visible()
        await write(ben, f"say {HOSTILE}")
        await expect(ben.locator(".message .words").last).to_contain_text("onload")
        await ben.get_by_label("More to do").tap()
        await ben.locator(".note summary").tap()
        await ben.get_by_label("Your note on this match").fill(HOSTILE)
        await ben.get_by_role("button", name="Keep the note").tap()
        await ben.reload()
        await ben.locator("svg.board").wait_for()
        assert await ben.locator("[onload]").count() == 0
        assert await ben.title() != "1"


async def test_a_player_s_name_that_would_be_markup_is_a_name_wherever_it_stands(
    enter: Enter, tmp_path: Path, browser: Browser
) -> None:
    async with linked_room(tmp_path) as room:
        anna = await enter(room.page.address, "Anna", phone=True)
        await write(anna, "challenge tokonoma umpire=friendly side=white")
        await expect(anna.locator(".message.bot")).to_have_count(1)
        await room.say(HOSTILE, "accept 1")
        await open_match(anna)
        await expect(anna.locator(".sides")).to_contain_text(HOSTILE)
        await pick(anna, "c7", "c4")
        await anna.locator(".play").tap()
        await expect(anna.locator(".steps output")).to_have_text("1. c7c4")
        await room.say(HOSTILE, "call 1")
        await anna.get_by_label("List of turns").tap()
        await expect(anna.locator(".course .why")).to_have_text(f"called out by {HOSTILE}")
        await anna.locator(".course .why").tap()
        await expect(anna.locator(".callout")).to_contain_text(HOSTILE)
        stranger = await (await browser.new_context()).new_page()
        await stranger.goto(f"{room.page.address}match/1#c0")
        await expect(stranger.locator(".callout")).to_contain_text(HOSTILE)
        await expect(stranger.locator("#subtitle")).to_have_text(f"Anna – {HOSTILE} · match 1")
        for page in (anna, stranger):
            assert await page.locator("[onload]").count() == 0
            assert await page.title() != "1"


async def test_who_is_erased_is_told_so_and_the_browser_keeps_nothing_of_them(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        for page in (anna, ben):  # the pictures with her name on them go: a 404 would be a complaint
            await page.context.route("**/picture/*", lambda route: route.fulfill(content_type="image/png", body=b""))
        other = await anna.context.new_page()
        await other.goto(anna.url)
        await other.get_by_role("button", name="Anna").tap()
        await expect(other.locator("svg.board")).to_be_visible()
        await pick(anna, "c7", "c5")
        await write(other, CONFIRM)
        for page in (anna, other):
            await expect(page.get_by_role("alert").first).to_contain_text("This seat has ended: nothing is kept of it.")
            await expect(page.get_by_label("Your name")).to_be_focused()
        kept = await anna.evaluate("JSON.stringify([localStorage, sessionStorage])")
        assert "Anna" not in kept
        assert "anna" not in kept
        await expect(ben.locator(".result")).to_have_text("Ben (Black) wins by resignation.")
        await expect(ben.locator(".sides")).to_contain_text("former player")
        await anna.get_by_label("Your name").fill("Anna")
        await anna.keyboard.press("Enter")
        await expect(anna.locator("#words")).to_be_visible()
        await expect(anna.locator("#mine a")).to_have_count(0)
        await expect(anna.locator("#over a")).to_contain_text("former player – Ben")


async def test_picks_for_a_match_that_has_ended_meanwhile_are_dropped(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await pick(anna, "c7", "c5")
        match = anna.url
        await anna.goto("about:blank")
        await write(ben, "resign 1 yes")
        await expect(ben.locator(".result")).to_be_visible()
        await anna.goto(match)
        await expect(anna.locator(".result")).to_have_text("Anna (White) wins by resignation.")
        await expect(anna.locator(".notes")).to_contain_text(DROPPED)
        assert await anna.locator(".place-cell:is(.held, .offered), .play, .prompt").count() == 0
        await anna.locator('[data-site="c7"]').tap(force=True)
        assert await anna.locator(".place-cell:is(.held, .offered), .play, .prompt").count() == 0


async def test_a_draft_that_is_none_is_dropped(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await pick(anna, "c7", "c5")
        await expect(anna.locator(".play")).to_be_visible()
        for draft in ("{", '{"picks": 5}', '{"picks": [7, {}], "due": []}', '{"picks": ["<b>", "zz9"], "due": 1}', "7"):
            await anna.evaluate(
                "draft => Object.keys(localStorage).filter((key) => key.startsWith('riposte.draft.'))"
                ".forEach((key) => localStorage.setItem(key, draft))",
                draft,
            )
            await anna.reload()
            await expect(anna.locator(".prompt"), draft).to_have_text("Which piece moves?")
            await expect(anna.locator("#connection")).to_have_text("")
            if "zz9" in draft:
                await expect(anna.locator(".notes")).to_contain_text(DROPPED)
            await pick(anna, "c7", "c5")
            await expect(anna.locator(".play")).to_have_text("Play c7c5")


@pytest.mark.parametrize(
    "forged",
    [
        *("#%", "#%E0%A4%A", "#lounge/%", "#lounge/1/%", "#lounge/1/c99", "#lounge/1/-5", "#lounge/1/constructor"),
        *("#lounge/99999", "#~/1", "#../../secret", "#" + "9" * 3000, "?match=%3Cb%3E", "?match=1%00"),
        '#<img src=x onerror="document.title=1">',
    ],
)
async def test_a_forged_address_opens_the_page_all_the_same(enter: Enter, tmp_path: Path, forged: str) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await anna.goto("about:blank")
        await anna.goto(f"{address}{forged}")
        if await anna.get_by_role("button", name="Anna").count():
            await anna.get_by_role("button", name="Anna").tap()
        await expect(anna.locator("#title")).to_have_text(re.compile("lounge|Tokonoma"))
        await expect(anna.locator("#connection")).to_have_text("")
        assert await anna.locator("[onerror]").count() == 0
        await write(anna, "c7c5" if await anna.locator("svg.board").count() else "move 1 c7c5")
        await expect(ben.locator(".steps output")).to_have_text("1. c7c5")


async def test_a_forged_seat_in_the_address_is_refused_with_a_reason(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna = await enter(address, "Anna", phone=True)
        await anna.evaluate("sessionStorage.clear()")
        await anna.goto(f"{address}?seat=%3Cb%3E")
        await expect(anna.locator("#entry-refusal")).not_to_have_text("")
        await expect(anna.get_by_label("Your name")).to_be_visible()
        await anna.get_by_label("Your name").fill("Anna")
        await anna.keyboard.press("Enter")
        await expect(anna.locator("#words")).to_be_visible()


@pytest.mark.parametrize("forged", ["1#%", "1#c99", "1#-5", "1#constructor", "1%00", "%", "0", "../1", "<b>"])
async def test_a_forged_link_to_a_match_shows_it_or_says_that_there_is_none(
    enter: Enter, tmp_path: Path, browser: Browser, forged: str
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        stranger = await (await browser.new_context()).new_page()
        wrong: list[str] = []
        stranger.on("pageerror", lambda error: wrong.append(str(error)))
        answer = await stranger.goto(f"{address}match/{forged}")
        assert answer is not None
        if forged.startswith("1#"):
            await expect(stranger.locator("#subtitle")).to_have_text("Anna – Ben · match 1")
            await expect(stranger.locator(".steps output")).to_have_text("Start")
        elif answer.status == 200:
            await expect(stranger.locator("#subtitle, #entry-title").first).not_to_have_text("")
        else:
            assert answer.status in (400, 404)
        assert wrong == []
