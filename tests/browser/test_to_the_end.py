"""Four games on two phones, played by taps alone to their ends; the fifth is in `test_the_board`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from engine.games import GAMES
from tests.browser.program import open_match, riposte, write
from tests.browser.test_the_board import begin, tap_all, walk
from tests.browser.to_the_end import to_its_end
from tests.whole_matches import TOKONOMA, whole

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Page

    from tests.browser.conftest import Enter
    from tests.whole_matches import WholeMatch

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("one", whole()[1:], ids=lambda one: one.game)
async def test_two_phones_play_it_to_its_end_by_taps_alone(enter: Enter, tmp_path: Path, one: WholeMatch) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        await begin(anna, ben, f"challenge @ben {one.asked()} umpire=friendly")
        await to_its_end(one, (anna, ben), tap_all, lambda _, target: target.tap())


THREE = "P1: A2 B1 C1 D1 E1 / P2: B44 B50 / P3: C44 C50 / res: 2 2 2 / to: P2 / quiet: 0"
"""Red has but to step onto the Throne."""


async def three_seated(enter: Enter, address: str) -> dict[str, Page]:
    """The phones of three who play Chirality from there, by their names, with the match open."""
    seats = {name: await enter(address, name, phone=True) for name in ("Anna", "Ben", "Carl")}
    anna, ben, carl = seats.values()
    await write(anna, f'challenge @ben @carl chirality players=3 umpire=turn side=red start="{THREE}"')
    for page in (ben, carl):
        await page.get_by_role("button", name="Accept", exact=True).tap()
    for page in seats.values():
        await open_match(page)
    return seats


async def test_three_phones_play_chirality_to_its_end_by_taps_alone(enter: Enter, tmp_path: Path) -> None:
    game: Any = GAMES["chirality"]
    position = game.decode(THREE)
    async with riposte(tmp_path) as address:
        seats = await three_seated(enter, address)
        anna, ben, carl = seats.values()
        for number, turn in enumerate(("B50-B46", "C50-C46", "A2-A1"), 1):
            acting = await anna.locator("#table .side.acts").inner_text()
            mover = next(page for name, page in seats.items() if name in acting)
            await tap_all(mover, game, position, game.picks(game.read(turn, position), position))
            await mover.locator(".play").tap()
            for page in seats.values():
                await expect(page.locator(".steps output")).to_have_text(f"{number}. {turn}")
            position = game.play(position, game.read(turn, position))
        for page in (ben, carl):
            await page.locator('#table button[title^="ok "]').tap()  # an end waits for whoever could call it out
        for page in seats.values():
            await expect(page.locator(".result")).to_contain_text("Anna (Red) wins")


async def test_a_line_of_three_is_prepared_by_playing_everybody_s_turns_out(enter: Enter, tmp_path: Path) -> None:
    game: Any = GAMES["chirality"]
    position, turns = game.decode(THREE), ("B50-B46", "C50-C46", "A2-A1")
    async with riposte(tmp_path) as address:
        seats = await three_seated(enter, address)
        anna, ben, carl = seats.values()
        await anna.get_by_label("More to do").tap()
        await anna.get_by_role("button", name="Prepare an answer").tap()
        stood = position
        for turn in turns:
            await tap_all(anna, game, stood, game.picks(game.read(turn, stood), stood))
            await expect(anna.locator(".play")).to_have_text(f"Add {turn}")
            await anna.locator(".play").tap()
            stood = game.play(stood, game.read(turn, stood))
        await expect(anna.locator(".prompt code")).to_have_text(f"if {' then '.join(turns)}")
        await anna.get_by_role("button", name="Keep this line").tap()
        await expect(anna.locator(".prompt")).to_have_count(0)
        for page in (ben, carl):
            assert "A2-A1" not in await page.content(), "nobody else is shown it"
        for number, turn in enumerate(turns[:2], 1):
            acting = await ben.locator("#table .side.acts").inner_text()
            mover = next(page for name, page in seats.items() if name in acting)
            await tap_all(mover, game, position, game.picks(game.read(turn, position), position))
            await mover.locator(".play").tap()
            position = game.play(position, game.read(turn, position))
            last = f"{number}. {turn}" if number == 1 else "3. A2-A1"
            for page in seats.values():
                await expect(page.locator(".steps output")).to_have_text(last)


async def test_a_whole_game_is_played_by_keyboard_alone(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await write(anna, "challenge @ben tokonoma umpire=friendly side=white")
        await ben.get_by_role("button", name="Accept", exact=True).press("Enter")
        windows = [anna, ben]
        for page in windows:
            await page.locator(".opening").press("Enter")
            await expect(page.locator("svg.board")).to_be_visible()
        for number, turn in enumerate(TOKONOMA.turns, 1):
            mover = windows[0]
            await mover.locator('.place-cell[tabindex="0"]').focus()
            await walk(mover, turn[:2])
            await mover.keyboard.press("Enter")
            await expect(mover.locator(".place-cell.held")).to_have_count(1)
            await walk(mover, turn[2:])
            await mover.keyboard.press("Enter")
            own = mover.get_by_role("button", name="Go there")
            await expect(own.or_(mover.locator(".play"))).to_be_visible()
            if await own.is_visible():
                await own.press("Enter")
            await expect(mover.locator(".play")).to_be_enabled()
            await mover.locator(".play").press("Enter")
            for page in windows:
                await expect(page.locator(".steps output")).to_have_text(f"{number}. {turn}")
            windows.reverse()
        await windows[0].locator('#table button[title^="ok "]').press("Enter")
        for page in windows:
            await expect(page.locator(".result")).to_contain_text("Anna (White) wins")
