"""The larger games, played by two seats in the browser to their real ends."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import Page, expect

from engine.dice import Dice
from engine.games import GAMES
from tests.browser.program import newest, open_match, riposte, told, write
from tests.whole_matches import LAST, chirality

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import AnyGame
    from tests.browser.conftest import Enter

pytestmark = pytest.mark.browser


class Mirror:
    """The game as a player at the screen sees it: it follows what the bot says was played."""

    def __init__(self, key: str, terms: dict[str, str], turns: Iterator[str] | None, seed: int):
        self.game: AnyGame = GAMES[key]
        self.position: Any = self.game.setup(terms, Dice(bytes(32)))
        self._turns = turns
        self._chosen = Random(seed)

    def next(self) -> str:
        """The next turn to write: from a book, else one that wins, else any tenable one."""
        if self._turns is not None:
            return next(self._turns)
        game, position = self.game, self.position
        turns = list(game.turns(position))
        self._chosen.shuffle(turns)
        me = frozenset((game.to_act(position),))
        wins = (t for t in turns[:150] if (end := game.outcome(game.play(position, t))) and end.winners == me)
        return game.write(next(wins, turns[0]), position)

    def follow(self, played: str) -> None:
        """The bot has said what was played, dice included."""
        self.position = self.game.play(self.position, self.game.read(played, self.position))


@pytest.mark.parametrize(
    ("key", "terms", "seed"),
    # Of those tried these seeds lead to short games.
    [("chirality", {"side": "red"}, 0), ("tirachen", {"side": "red"}, 1013), ("ironclad", {"side": "white"}, 1976)],
)
async def test_two_seats_play_it_to_its_end(
    key: str, terms: dict[str, str], seed: int, enter: Enter, tmp_path: Path
) -> None:
    mirror = Mirror(key, {}, None, seed)
    if key == "chirality":
        end_of_it = chirality(LAST)
        mirror = Mirror(key, {}, iter(end_of_it.turns), seed)
        mirror.position = end_of_it.position()
        terms = {**terms, "start": f'"{end_of_it.start}"'}
    async with riposte(tmp_path) as address:
        anna, ben = await enter(address, "Anna"), await enter(address, "Ben")
        chosen = " ".join(f"{name}={value}" for name, value in terms.items())
        await write(anna, f"challenge @ben {key} {chosen}")
        await ben.get_by_role("button", name="Accept", exact=True).click()
        for page in (anna, ben):
            await open_match(page)
            await expect(page.locator("#title")).to_have_text(GAMES[key].name)
        windows = dict(zip(mirror.game.seats({}), (anna, ben), strict=False))
        number = 0
        while mirror.game.outcome(mirror.position) is None:
            number += 1
            mover = windows[mirror.game.to_act(mirror.position)]
            await write(mover, mirror.next())
            mirror.follow(await played(anna, number))
        await played(ben, number)
        end = mirror.game.outcome(mirror.position)
        assert end is not None
        for page in (anna, ben):
            await expect(newest(page)).to_contain_text(end.rule.title)
            picture = newest(page).locator(".picture img")
            await expect(picture).to_have_attribute("alt", re.compile("The game is over"))
            assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 400


async def played(page: Page, number: int) -> str:
    """The notation of a turn, once the bot has told it with its picture."""
    return await told(page, rf"Turn {number} .* played ")
