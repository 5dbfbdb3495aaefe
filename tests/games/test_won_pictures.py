"""A game that is won looks won: the places that decided it are marked."""

import pytest

from engine.games import GAMES
from tests.render.test_golden import MIDGAMES

WON = {
    "tokonoma": ("f4/6/F6/6/4F b", {"c1"}),
    "ironclad": (
        "rW: A1=1 / rB: F8=1 / sW: a5 b5 c5 d5 e5 f5 g5 / sB: - / last: - / mode: full / owner: B / half: - / to: B",
        {"a5", "b5", "c5", "d5", "e5", "f5", "g5"},
    ),
    "tirachen": ("R: G@a1 P@d9 P@e9 P@f9 / W: G@i5 / T: e5 - / pR: - / pW: - / mob: RW / to: W", {"d9", "e9", "f9"}),
    "veney": ("W: e@W6 $@Z8 / B: $@X5 e@Y11 S@Z12 / dW: S / a: - / to: B / flags: dying=W@X5 over=touch:B", {"X5"}),
    "chirality": ("P1: A1 B1 C1 D1 E1 / P2: A44 / res: 0 0 / to: P2", {"A1", "B1", "C1", "D1", "E1"}),
}


@pytest.mark.parametrize("key", WON)
def test_the_places_that_decided_a_game_are_marked(key: str) -> None:
    text, sites = WON[key]
    game = GAMES[key]
    position = game.decode(text)
    assert game.outcome(position, 1) is not None
    drawn = game.draw(position, None)
    assert {site for mark in drawn.marks if mark.kind == "won" for site in mark.sites} == sites
    assert "won" not in {mark.kind for mark in game.draw(game.decode(MIDGAMES[key]), None).marks}
