"""A game that is won looks won: the places that decided it are marked."""

import pytest

from engine.games import GAMES
from tests.render.test_golden import MIDGAMES
from tests.whole_matches import TIRACHEN, VENEY

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


DECISIVE = {
    "tirachen": (TIRACHEN, {"d1"}),  # the general stood there
    "veney": (VENEY, {"X12"}),  # the last blade stood there
}


@pytest.mark.parametrize("key", DECISIVE)
def test_the_place_of_what_was_taken_last_is_marked_where_that_decided_the_game(key: str) -> None:
    one, sites = DECISIVE[key]
    game = GAMES[key]
    position = one.position()
    for number, text in enumerate(one.turns, 1):
        turn = game.read(text, position)
        drawn = game.draw_turn(position, turn, None)
        won = {site for mark in drawn.marks if mark.kind == "won" for site in mark.sites}
        assert won == (sites if number == len(one.turns) else set())
        position = game.play(position, turn)


def test_a_throne_that_is_held_is_called_by_its_name() -> None:
    drawn = GAMES["chirality"].draw(GAMES["chirality"].decode(WON["chirality"][0]), None)
    assert str(drawn.notes[0]) == "Red holds the Throne."
