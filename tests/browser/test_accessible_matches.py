"""The boards of all games, and what comes up beside them, as assistive programs find them, in every theme."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import Page, expect

from engine.games import GAMES
from tests.browser.conftest import DESKTOP
from tests.browser.program import riposte, write
from tests.browser.screens import TURNS, go
from tests.browser.test_accessible import sound
from tests.browser.test_by_taps import choose
from tests.browser.test_the_board import begin, pick
from tests.render.test_golden import MIDGAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


async def two(enter: Enter, address: str) -> tuple[Page, Page]:
    return await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)


@pytest.mark.parametrize("game", MIDGAMES)
async def test_a_board_has_no_violation_while_a_turn_is_composed_played_and_looked_at(
    enter: Enter, tmp_path: Path, game: str
) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await two(enter, address)
        side = GAMES[game].names[GAMES[game].to_act(GAMES[game].decode(MIDGAMES[game]))].lower()
        await begin(anna, ben, f'challenge @ben {game} umpire=friendly start="{MIDGAMES[game]}" side={side}')
        await sound(anna)
        offered = anna.locator(".place-cell.offered:not(.open)").or_(anna.locator(".picks [data-pick]"))
        await offered.first.press("Enter")
        await expect(anna.locator(".picks .back")).to_be_visible()
        await sound(anna)
        await anna.locator(".picks .back").tap()
        await write(anna, TURNS[game])
        await expect(ben.locator(".steps output")).to_contain_text(TURNS[game])
        await ben.set_viewport_size(DESKTOP)
        await sound(ben)
        await ben.get_by_role("button", name="One step back").tap()
        await expect(ben.locator(".steps output")).to_have_text("Start")
        await sound(ben)


async def test_what_comes_up_beside_a_board_has_no_violation(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await two(enter, address)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await anna.locator('[data-site="c7"]').tap()
        await expect(anna.locator(".place-cell.held")).to_have_count(1)
        await anna.locator('[data-site="b6"]').tap()
        await expect(anna.get_by_role("button", name="Choose this one")).to_be_visible()
        await sound(anna)
        await anna.get_by_role("button", name="Go there").tap()
        await expect(anna.locator(".play")).to_be_enabled()
        await sound(anna)
        await ben.get_by_label("More to do").tap()
        await sound(ben)
        await ben.get_by_role("button", name="Prepare an answer").tap()
        await expect(ben.locator(".prompt")).to_be_visible()
        await pick(ben, "c7", "c5")
        await ben.locator(".play").tap()
        await expect(ben.locator(".prompt code")).to_be_visible()
        await sound(ben)
        await anna.get_by_label("More to do").tap()
        await anna.get_by_role("button", name="Resign…").tap()
        await sound(anna)
        await anna.get_by_role("button", name="Resign", exact=True).tap()
        for page in (anna, ben):
            await expect(page.locator(".result")).to_be_visible()
            await sound(page)


async def test_a_setup_that_is_given_in_private_has_no_violation(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await two(enter, address)
        await begin(anna, ben, "challenge @ben veney umpire=friendly side=white setup=concealed")
        await choose(anna, "*C", "*$", "*S")
        await sound(anna)
        await anna.set_viewport_size({"width": 320, "height": 568})
        await sound(anna)


async def test_what_the_list_offers_and_what_is_refused_has_no_violation(enter: Enter, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    async with riposte(tmp_path, RIPOSTE_PORT=port) as address:
        anna, ben = await two(enter, address)
        await begin(anna, ben, "challenge @ben tokonoma umpire=friendly side=white")
        await write(ben, "resign 1 yes")
        await go(anna, "lounge", ".opening")
        await anna.locator("#side-open").tap()
        for summary in ("Settings", "Finished matches"):
            await anna.get_by_text(summary).tap()
        await sound(anna)
        await anna.locator("#device-open").tap()
        await expect(anna.locator("#device-link")).to_be_visible()
        await sound(anna)
        await anna.keyboard.press("Escape")
        await expect(anna.locator("#device")).to_be_hidden()
        await anna.keyboard.press("Escape")
        await anna.get_by_role("button", name="Only to Riposte").tap()
        await write(anna, "help")
        await expect(anna.locator(".message.whisper.bot")).to_be_visible()
        await anna.locator("#words").fill("x" * 8001)
        await anna.locator("#words").press("Enter")
        await expect(anna.locator("#refusal")).to_contain_text("8,001 characters")
        await sound(anna)
        await anna.locator("#words").fill("")
        stranger = await anna.context.new_page()
        await stranger.goto(f"{address}match/9")
        await expect(stranger.locator("#subtitle")).to_contain_text("no match 9")
        await sound(stranger)
        await stranger.goto(f"{address}?")
        await stranger.get_by_label("Your name").fill("Riposte")
        await stranger.keyboard.press("Enter")
        await expect(stranger.locator("#entry-refusal")).not_to_be_empty()
        await sound(stranger)
    await expect(anna.locator("#connection")).not_to_be_empty()
    await write(anna, "on its way")
    await expect(anna.locator(".pending")).to_be_visible()
    await sound(anna)
