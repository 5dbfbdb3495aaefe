"""A host's own games on the page: those of the guide, challenged, played, called out, looked back at and ended."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from engine.dice import Dice
from tests.browser.program import open_match, riposte, write
from tests.sixth_game.daisy import GAME as DAISY
from tests.sixth_game.pond import DISTANCE
from tests.sixth_game.pond import GAME as POND

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser

GUIDE = Path(__file__).parent.parent / "sixth_game"
NAMES = ("Anna", "Ben", "Carl")


@pytest.mark.parametrize(
    ("game", "terms", "wrong"),
    [
        (DAISY, {"umpire": "turn"}, lambda position: "p2 p5"),
        (POND, {"players": "3", "umpire": "friendly"}, lambda position: position.frogs[position.to_move]),
    ],
)
async def test_it_is_played_on_the_page_to_its_end(
    enter: Enter, tmp_path: Path, game: Any, terms: dict[str, str], wrong: Any
) -> None:
    sides = game.seats(terms)
    async with riposte(tmp_path, RIPOSTE_GAMES=str(GUIDE)) as address:
        pages = [await enter(address, name) for name in NAMES[: len(sides)]]
        await challenged(pages, game, terms)
        for page in pages:
            await open_match(page)
            await expect(page.locator("#title")).to_have_text(game.name)
        position = game.setup(terms, Dice(bytes(32)))
        await called_out(await mover(pages), pages, wrong(position))
        number = 0
        if (await pages[0].locator(".steps output").inner_text()).startswith("1."):  # the call has cost the turn
            number, position = 1, game.pass_turn(position, Dice(bytes(32)))
        while game.outcome(position) is None:
            number += 1
            winner = await mover(pages)
            await write(winner, game.write(best(game, position), position))
            position = game.play(position, game.read(await played(pages, number), position))
        losers = [page for page in pages if page is not winner]
        for page in losers:  # an end waits for whoever could call it out
            await page.locator('#table button[title^="ok "]').click()
        for page in pages:
            await expect(page.locator(".result")).to_contain_text(f"{NAMES[pages.index(winner)]} (")
        await looked_back(losers[0], number)


async def challenged(pages: list[Page], game: Any, terms: dict[str, str]) -> None:
    """By the form, in which the game has its picture, its sentence and its terms."""
    anna = pages[0]
    for name in NAMES[1 : len(pages)]:
        await expect(anna.locator("#users")).to_contain_text(name)
    await anna.get_by_role("button", name="New match").click()
    dialog = anna.locator("#challenge")
    await dialog.get_by_role("radio", name=game.name).check()
    await expect(dialog.locator(".start svg.board .place-cell").first).to_be_visible()
    for term, value in terms.items():
        await dialog.get_by_label(term, exact=True).select_option(value)
    if len(pages) > 2:
        await dialog.get_by_label("Opponent 1").select_option("Ben")
        await dialog.get_by_label("Opponent 2").select_option("Carl")
    await dialog.get_by_role("button", name="Challenge", exact=True).click()
    for page in pages[1:]:
        await page.get_by_role("button", name="Accept", exact=True).last.click()


async def mover(pages: list[Page]) -> Page:
    """Whoever is to act, as everybody's page shows it."""
    (acts,) = {name for page in pages for name in NAMES if name in await page.locator(".side.acts").inner_text()}
    return pages[NAMES.index(acts)]


def best(game: Any, position: Any) -> Any:
    """A tenable turn that wins or comes nearest to a fly."""

    def worth(turn: Any) -> tuple[bool, int]:
        near = [DISTANCE[turn[0].target][fly] for fly in getattr(position, "flies", ())]
        return game.outcome(game.play(position, turn)) is not None, -min(near, default=0)

    return max(game.turns(position), key=worth)


async def called_out(mover: Page, pages: list[Page], text: str) -> None:
    """An untenable turn stands until somebody calls it out; then each can look at what was wrong."""
    await write(mover, text)
    other = next(page for page in pages if page is not mover)
    await expect(other.locator(".steps output")).to_have_text(re.compile(r"^1\."))
    await other.locator("#table").get_by_role("button", name="Call it out").click()
    for page in pages:
        await page.get_by_label("List of turns").click()
        await page.locator(".course button.why").click()
        await expect(page.locator(".callout")).to_contain_text("is untenable")
        await page.get_by_role("button", name="To the position now").click()
        await expect(page.locator(".callout")).to_have_count(0)


async def played(pages: list[Page], number: int) -> str:
    """The turn that all see as the last."""
    for page in pages:
        await expect(page.locator(".steps output")).to_have_text(re.compile(rf"^{number}\."))
    return (await pages[0].locator(".steps output").inner_text()).partition(" ")[2]


async def looked_back(page: Page, last: int) -> None:
    """Step by step to the start."""
    for number in range(last - 1, 0, -1):
        await page.get_by_role("button", name="One step back").click()
        await expect(page.locator(".steps output")).to_have_text(re.compile(rf"^{number}\.|^Start"))
    await expect(page.locator("svg.board .place-cell").first).to_be_visible()
