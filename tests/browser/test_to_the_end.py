"""Four games on two phones, played by taps alone to their ends; the fifth is in `test_the_board`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from engine.dice import Dice
from engine.games import GAMES
from tests.browser.program import riposte, write
from tests.browser.test_the_board import UNTIL_THE_HOUSE, begin, tap_all, walk
from tests.browser.test_whole_games import last_turns

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

# Short games, found by random turns that take a win where there is one.
DISARMED = """az SZ3 $X2; az G*Y14; a+ SX5 $X3; a+ SY13 $X12; a- R*Y11; a+ $Z12 $X12; aw SX3 $X6; a+ SX12 $Z14; az eW6;
 aw SY13; aw SX7 $X12; az SZ14 $t$X12"""
GENERAL_TAKEN = "mobilize; mobilize; F@a2; F@h9; Ge1-d1; C@f9; C@f1; Cf9-i6; Cf1-a6; Ci6xd1"
JOINED = """c6; C1-C2; g4; A8-B7; F1-E2; g3; D8-D7; f4; b5; E2-F1; e3; E8-D8; a3; C2-D2; D8-E8; c4; g5; F1-F2;
 F8-F7; a4; B1-C1; c3; F7-F6; e4; D2-E2; d3; C8-D8; b4; d6; E1-D2; d4"""
CHIRALITY = "chirality"


@pytest.mark.parametrize(
    ("key", "terms", "turns"),
    [
        ("veney", {"first": "white"}, DISARMED),
        ("tirachen", {}, GENERAL_TAKEN),
        ("ironclad", {}, JOINED),
        (CHIRALITY, {}, ""),
    ],
)
async def test_two_phones_play_it_to_its_end_by_taps_alone(
    enter: Enter, tmp_path: Path, key: str, terms: dict[str, str], turns: str
) -> None:
    game: Any = GAMES[key]
    position, book = game.setup(terms, Dice(bytes(32))), iter(re.split(r";\s*", turns))
    settled = terms | {"side": game.names[game.sides[0]].lower()}
    if key == CHIRALITY:
        start, book = last_turns()
        position, settled["start"] = game.decode(start), f'"{start}"'
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna", phone=True), await enter(address, "Ben", phone=True)
        asked = " ".join(f"{name}={value}" for name, value in settled.items())
        await begin(anna, ben, f"challenge @ben {key} umpire=friendly {asked}")
        seats = dict(zip(game.seats(terms), (anna, ben), strict=False))
        for number, turn in enumerate(book, 1):
            mover = seats[game.to_act(position)]
            await tap_all(mover, game, position, game.picks(game.read(turn, position), position))
            await mover.locator(".play").tap()
            for page in seats.values():
                await expect(page.locator(".steps output")).to_have_text(re.compile(rf"^{number}\."))
            played = (await mover.locator(".steps output").inner_text()).partition(" ")[2]
            position = game.play(position, game.read(played, position))
        end = game.outcome(position)
        assert end is not None
        (winner,) = (seats[side] for side in end.winners)
        loser = next(page for page in seats.values() if page is not winner)
        await loser.locator('#table button[title^="ok "]').tap()  # an end waits for whoever could call it out
        for page in seats.values():
            await expect(page.locator(".result")).to_contain_text(f"{'Anna' if winner is anna else 'Ben'} (")


async def test_a_whole_game_is_played_by_keyboard_alone(enter: Enter, tmp_path: Path) -> None:
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        await write(anna, "challenge @ben tokonoma umpire=friendly side=white")
        await ben.get_by_role("button", name="Accept", exact=True).press("Enter")
        windows = [anna, ben]
        for page in windows:
            await page.locator(".opening").press("Enter")
            await expect(page.locator("svg.board")).to_be_visible()
        for number, turn in enumerate(UNTIL_THE_HOUSE.split(), 1):
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
