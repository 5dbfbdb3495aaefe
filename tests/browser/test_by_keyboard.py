"""All five games by keyboard alone to their ends, from a few turns before: Tab, arrows, Enter, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from engine.games import GAMES
from tests.browser.program import riposte, write
from tests.browser.test_the_board import asking, walk
from tests.browser.to_the_end import to_its_end
from tests.whole_matches import WholeMatch, short

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Locator, Page

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

LAST = 4
"""Turns that are played."""
TABS = 80
"""Things on the page that can have the focus, and some more."""


def ending(one: WholeMatch) -> WholeMatch:
    """The last turns of a match, from where it stands before them."""
    game: Any = GAMES[one.game]
    position = one.position()
    for turn in one.turns[:-LAST]:
        position = game.play(position, game.read(turn, position))
    return WholeMatch(one.game, {}, one.turns[-LAST:], game.encode(position))


async def reach(page: Page, target: Locator) -> None:
    """Press Tab until something has the focus."""
    await expect(target).to_be_visible()
    for _ in range(TABS):
        if await target.evaluate("it => it === document.activeElement"):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {target}")


async def press(page: Page, target: Locator) -> None:
    await expect(target).to_be_enabled()
    await reach(page, target)
    await page.keyboard.press("Enter")


async def compose(page: Page, game: Any, position: Any, way: tuple[str, ...]) -> None:
    """Pick after pick: places by the arrows, choices by Tab."""
    for number, pick in enumerate(way, 1):
        before, after = game.menu(position, way[: number - 1]), game.menu(position, way[:number])
        if pick in before.sites:
            await reach(page, page.locator('.place-cell[tabindex="0"]'))
            await walk(page, pick)
            await page.keyboard.press("Enter")
            if number == 2 and {way[0], pick} <= set(game.menu(position, ()).sites):
                await press(page, page.get_by_role("button", name="Go there"))
        else:
            await press(page, page.locator(f'.picks [data-pick="{pick}"]'))
        await expect(page.locator(".prompt")).to_have_text(asking(after.prompt))


@pytest.mark.parametrize("one", [ending(one) for one in short()], ids=lambda one: one.game)
async def test_two_play_it_to_its_end_by_keyboard_alone(enter: Enter, tmp_path: Path, one: WholeMatch) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await write(anna, f"challenge @ben {one.asked()} umpire=friendly")
        await press(ben, ben.get_by_role("button", name="Accept", exact=True))
        for page in (anna, ben):
            await press(page, page.locator(".opening"))
            await expect(page.locator("svg.board")).to_be_visible()
        await to_its_end(one, (anna, ben), compose, press)


async def test_arrow_keys_beside_the_board_step_through_the_match(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await write(anna, "challenge @ben tokonoma umpire=friendly side=white")
        await press(ben, ben.get_by_role("button", name="Accept", exact=True))
        for page in (anna, ben):
            await press(page, page.locator(".opening"))
        for page, turn, said in ((anna, "e5d5", "1. e5d5"), (ben, "a1a2", "2. a1a2")):
            await write(page, turn)
            for each in (anna, ben):
                await expect(each.locator(".steps output")).to_have_text(said)
        said = anna.locator(".steps output")
        await reach(anna, anna.get_by_label("List of turns"))
        for key, step in (
            *(("ArrowLeft", "1. e5d5"), ("ArrowLeft", "Start"), ("ArrowLeft", "Start")),
            *(("ArrowRight", "1. e5d5"), ("ArrowRight", "2. a1a2"), ("ArrowRight", "2. a1a2")),
        ):
            await anna.keyboard.press(key)
            await expect(said).to_have_text(step)
        await reach(anna, anna.locator('.place-cell[tabindex="0"]'))
        await anna.keyboard.press("ArrowLeft")
        await expect(said).to_have_text("2. a1a2")  # on the board they lead from place to place
        await reach(anna, anna.get_by_role("slider", name="Step"))
        await anna.keyboard.press("ArrowLeft")
        await expect(said).to_have_text("1. e5d5")
        await anna.locator("#words").focus()
        await anna.keyboard.press("ArrowLeft")
        await expect(said).to_have_text("1. e5d5")
