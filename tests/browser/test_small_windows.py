"""Small phones, phones that lie on their side or have their keyboard up, and large print: everything can be reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import Page, ViewportSize, expect

from engine.games import GAMES
from tests.browser.conftest import PHONE
from tests.browser.program import riposte, write
from tests.browser.screens import FAULTS, TURNS, go
from tests.browser.test_the_board import begin, tap_all
from tests.render.test_golden import MIDGAMES
from tests.whole_matches import whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.browser.conftest import Enter
    from tests.whole_matches import WholeMatch

pytestmark = pytest.mark.browser

SMALL: Mapping[str, ViewportSize] = {
    "narrow": {"width": 320, "height": 568},
    "lying on its side": {"width": 667, "height": 375},
    "at 200 %": {"width": 640, "height": 400},
    "with its keyboard up": {"width": 390, "height": 470},
}


async def midgame(phone: Page, ben: Page, game: str) -> None:
    """A match in its middle, with a turn by the phone."""
    side = GAMES[game].names[GAMES[game].to_act(GAMES[game].decode(MIDGAMES[game]))].lower()
    await write(phone, f'challenge @ben {game} umpire=friendly start="{MIDGAMES[game]}" side={side}')
    await ben.get_by_role("button", name="Accept", exact=True).click()
    await phone.locator(".opening").wait_for()
    await go(phone, "lounge/1")
    await write(phone, TURNS[game])
    await expect(phone.locator(".steps output")).to_contain_text(TURNS[game])


async def high(page: Page) -> float:
    box = await page.locator("svg.board").bounding_box()
    assert box is not None
    return box["height"]


@pytest.mark.parametrize("game", ["veney", "chirality"])
async def test_steps_menu_and_talk_are_reached_in_every_small_window(enter: Enter, tmp_path: Path, game: str) -> None:
    async with riposte(tmp_path) as address:
        phone, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        await midgame(phone, ben, game)
        said, talk = phone.locator(".steps output"), phone.get_by_role("button", name="Talk")
        for how, window in SMALL.items():
            await phone.set_viewport_size(window)
            await phone.locator("#title").focus()
            assert await phone.evaluate(FAULTS) == [], how
            assert await high(phone) > 0.35 * window["height"], how
            await phone.get_by_role("button", name="To the start").tap()
            await expect(said).to_have_text("Start")
            await phone.get_by_role("button", name="To the position now").tap()
            await expect(said).to_contain_text(TURNS[game])
            await phone.get_by_label("More to do").tap()
            for button in await phone.locator(".further > div > :is(a, button)").all():
                await button.scroll_into_view_if_needed()
                assert await button.evaluate(SEEN), f"{how}: {await button.text_content()}"
            await phone.get_by_label("More to do").tap()
            await phone.get_by_role("button", name="List of turns").tap()
            await expect(phone.locator(".course.open li")).to_be_visible()
            await phone.get_by_role("button", name="Close the turns").tap()
            await talk.tap()
            await expect(phone.locator(".message.bot").last).to_be_in_viewport()
            await expect(phone.locator("svg.board")).to_be_hidden()
            await phone.locator("#words").tap()
            await expect(phone.locator(".message.bot").last).to_be_in_viewport()
            await talk.tap()
            await expect(phone.locator("svg.board")).to_be_visible()
        await phone.set_viewport_size(PHONE)
        await expect(talk).to_be_hidden()
        await expect(phone.locator("#scroll")).to_be_visible()


SEEN = """part => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
    && part.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}"""


@pytest.mark.parametrize("one", whole(), ids=lambda one: one.game)
async def test_with_the_keyboard_up_a_turn_is_played_as_soon_as_it_is_composed(
    enter: Enter, tmp_path: Path, one: WholeMatch
) -> None:
    game: Any = GAMES[one.game]
    position = one.position()
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, f"challenge @ben {one.asked()} umpire=friendly")
        seats = dict(zip(game.seats(one.terms), (anna, ben), strict=False))
        for page in (anna, ben):
            await page.set_viewport_size(SMALL["with its keyboard up"])
        for number, turn in enumerate(one.turns[:3], 1):
            mover = seats[game.to_act(position)]
            await tap_all(mover, game, position, game.picks(game.read(turn, position), position))
            play = mover.locator(".play")
            await expect(play).to_be_enabled()
            assert await play.evaluate(SEEN), turn
            await play.tap()
            for page in (anna, ben):
                await expect(page.locator(".steps output")).to_contain_text(f"{number}.")
            played = (await mover.locator(".steps output").inner_text()).partition(" ")[2]
            position = game.play(position, game.read(played, position))


@pytest.mark.parametrize("game", ["veney", "chirality"])
async def test_the_board_has_the_room_of_the_steps_only_while_something_is_typed(
    enter: Enter, tmp_path: Path, game: str
) -> None:
    async with riposte(tmp_path) as address:
        phone, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        await midgame(phone, ben, game)
        for window in SMALL.values():
            await phone.set_viewport_size(window)
            await phone.locator("#title").focus()
            await expect(phone.locator(".steps")).to_be_visible()
            before = await high(phone)
            await phone.locator("#words").tap()
            await expect(phone.locator(".steps")).to_be_hidden()
            assert await high(phone) >= before
            assert await phone.evaluate(FAULTS) == []
            await phone.locator("#title").focus()
            await expect(phone.locator(".steps")).to_be_visible()


async def test_what_somebody_says_is_told_while_the_talk_is_out_of_sight(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        phone, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben")
        await midgame(phone, ben, "tokonoma")
        await phone.set_viewport_size(SMALL["narrow"])
        await go(ben, "lounge/1")
        dot = phone.locator("#talk .dot")
        await expect(dot).to_be_hidden()
        await write(ben, "Well played!")
        await expect(dot).to_be_visible()
        await phone.get_by_role("button", name="Talk").tap()
        await expect(phone.get_by_text("Well played!")).to_be_in_viewport()
        await expect(dot).to_be_hidden()
        await write(ben, "Another one?")
        await expect(phone.get_by_text("Another one?")).to_be_in_viewport()
        await expect(dot).to_be_hidden()
        await go(phone, "lounge", ".opening")
        await go(phone, "lounge/1")
        await expect(phone.locator("svg.board")).to_be_visible()
