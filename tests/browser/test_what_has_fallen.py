"""What each side has lost stands beside the board on the page, at each step of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import Page, expect

from engine.games import GAMES
from engine.place_text import fallen, tray_text
from tests.browser.program import riposte, write
from tests.browser.test_the_board import begin
from tests.render.test_golden import MIDGAMES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

TAKING = {
    "tokonoma": "f3A+/b+3BS+/fb+2aB+A+/s+3F1/a+3F w q1",
    "chirality": "P1: A4 A37 A44 A47 D1 D12 D21 E1 / P2: A3 A29 B19 B30 B44 B45 E23 E33 / res: 3 4 / to: P2",
    "tirachen": MIDGAMES["tirachen"],
}
"""Positions in which something can be taken; in Ironclad that hangs on a lot, and Veney's discards are trays."""


def beside(game: Any, first: Any, now: Any) -> set[str]:
    """How all that lies beside the board is read aloud."""
    drawn = game.draw(now, None)
    return {str(tray_text(drawn.names[tray.side], tray)) for tray in (*drawn.trays, *fallen(game, first, now))}


async def told(page: Page) -> set[str]:
    return {str(await one.get_attribute("aria-label")) for one in await page.locator(".side > .tray").all()}


@pytest.mark.parametrize("key", TAKING)
async def test_what_falls_is_seen_beside_the_board_from_then_on(enter: Enter, tmp_path: Path, key: str) -> None:
    game: Any = GAMES[key]
    first = game.decode(TAKING[key])
    side = game.names[game.to_act(first)].lower()
    lines = ((turn, game.play(first, turn)) for turn in game.turns(first))
    turn, after = next(
        line for line in lines if "fallen" in str(beside(game, first, line[1]) - beside(game, first, first))
    )
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, f'challenge @ben {key} umpire=friendly side={side} start="{game.encode(first)}"')
        assert await told(ben) == beside(game, first, first)
        text = game.write(turn, first)
        await write(anna, text)
        await expect(ben.locator(".steps output")).to_have_text(f"1. {text}")
        assert await told(ben) == beside(game, first, after)
        await expect(ben.locator(".side > .tray small", has_text="fallen").first).to_be_visible()
        await ben.get_by_role("button", name="One step back").tap()
        await expect(ben.locator(".steps output")).to_have_text("Start")
        assert await told(ben) == beside(game, first, first)
