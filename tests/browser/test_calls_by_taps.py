"""In every game, by taps alone: an untenable turn is played and called out; a draw is offered and agreed on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from engine.games import GAMES
from tests.browser.program import riposte
from tests.browser.test_the_board import begin, tap_all
from tests.render.test_golden import MIDGAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


def untenable(game_key: str) -> tuple[str, ...]:
    """Picks of a turn that can be described and breaks a rule: the first that the board's order leads to."""
    game = GAMES[game_key]
    position = game.decode(MIDGAMES[game_key])
    ways = [()]
    for way in ways:
        menu = game.menu(position, way)
        if menu.complete and len(way) > 1 and any(game.judge(position, game.read(menu.text, position))):
            return way
        if len(way) < 4:
            ways += [(*way, pick) for pick in (*menu.sites, *(choice.key for choice in menu.choices))]
    raise AssertionError("every turn is tenable")


@pytest.mark.parametrize("game", MIDGAMES)
async def test_an_untenable_turn_is_called_out_and_a_draw_agreed_on(enter: Enter, tmp_path: Path, game: str) -> None:
    played, position, way = GAMES[game], GAMES[game].decode(MIDGAMES[game]), untenable(game)
    side = played.names[played.to_act(position)].lower()
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, f'challenge @ben {game} umpire=friendly start="{MIDGAMES[game]}" side={side}')
        await tap_all(anna, played, position, way)
        await anna.locator(".play").tap()
        await expect(ben.locator(".steps output")).to_have_text(re.compile(r"^\d"))
        await ben.locator("#table").get_by_role("button", name="Call it out").tap()
        for page in (anna, ben):
            await expect(page.locator(".steps output")).to_have_text("Start")
            await page.get_by_label("List of turns").tap()
            await page.locator(".course button.why").tap()
            await expect(page.locator(".callout")).to_contain_text("is untenable")
            await page.get_by_role("button", name="To the position now").tap()
        await anna.get_by_label("More to do").tap()
        await anna.get_by_role("button", name="Offer a draw").tap()
        await ben.locator("#table").get_by_role("button", name="Agree to a draw").tap()
        for page in (anna, ben):
            await expect(page.locator(".result")).to_contain_text("Draw")
