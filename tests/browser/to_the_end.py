"""Plays a match to its end in two browsers, however turns are composed and buttons pressed there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playwright.async_api import expect

from engine.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playwright.async_api import Locator, Page

    from tests.whole_matches import WholeMatch


async def to_its_end(
    one: WholeMatch,
    players: tuple[Page, Page],
    compose: Callable[[Page, Any, Any, tuple[str, ...]], Awaitable[Any]],
    press: Callable[[Page, Locator], Awaitable[Any]],
) -> None:
    """Anna and Ben make the turns of a match, which is won by one of them, and each sees every turn and the end."""
    game: Any = GAMES[one.game]
    position = one.position()
    seats = dict(zip(game.seats(one.terms), players, strict=False))
    for number, turn in enumerate(one.turns, 1):
        mover = seats[game.to_act(position)]
        await compose(mover, game, position, game.picks(game.read(turn, position), position))
        await press(mover, mover.locator(".play"))
        for page in players:
            await expect(page.locator(".steps output")).to_have_text(re.compile(rf"^{number}\."))
        played = (await mover.locator(".steps output").inner_text()).partition(" ")[2]
        position = game.play(position, game.read(played, position))
    end = game.outcome(position)
    assert end is not None
    (winner,) = (seats[side] for side in end.winners)
    loser = next(page for page in players if page is not winner)
    await press(loser, loser.locator('#table button[title^="ok "]'))  # an end waits for whoever could call it out
    for page in players:
        await expect(page.locator(".result")).to_contain_text(f"{'Anna' if winner is players[0] else 'Ben'} (")
