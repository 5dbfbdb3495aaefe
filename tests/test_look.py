"""`look` names what the rules need of a place, and takes zones and pieces as well."""

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games import GAMES


def look(key: str, asked: str) -> str:
    game = GAMES[key]
    return " ".join(map(str, game.look(game.setup({}, Dice(bytes(32))), asked, None)))


@pytest.mark.parametrize("key", GAMES)
def test_every_place_of_every_board_can_be_looked_at(key: str) -> None:
    game = GAMES[key]
    for place in game.board(game.setup({}, Dice(bytes(32)))).outlines:
        assert look(key, place)


def test_a_place_is_told_with_its_tone_its_zone_and_its_neighbours() -> None:
    assert (
        look("tokonoma", "c7")
        == "c7: White Arm on a Flat. It is of the middle tone. It lies in `White's house`. Neighbours: b6, c6, d6."
    )
    assert "It lies in `homeland red`" in look("tirachen", "e1")
    assert "Across a corner: " in look("tirachen", "e1")
    assert "It lies in `measure 1`" in look("veney", "W1")


def test_a_zone_is_told_with_its_places_and_who_stands_there() -> None:
    assert look("tirachen", "Homeland Red") == "`homeland red` holds d1, e1 and f1. e1: Red general."
    assert look("chirality", "throne") == "`throne` holds A1, B1, C1, D1 and E1. Nobody stands there."
    assert look("chirality", "gate 1").startswith("`gate 1` holds A44, A45, A50 and A51. A44: Red")


def test_a_kind_of_piece_is_told_wherever_it_stands() -> None:
    assert look("tokonoma", "blinds") == (
        "c6: White Blind on a Flat. d6: White Blind on a Flat. b1: Black Blind on a Flat. c2: Black Blind on a Flat."
    )


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_zone_of_a_board_can_be_looked_at(key: str) -> None:
    game = GAMES[key]
    zones = game.board(game.setup({}, Dice(bytes(32)))).zones
    assert all("holds" in look(key, zone) for zone in zones)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_what_is_neither_place_nor_zone_nor_piece_is_refused(key: str) -> None:
    with pytest.raises(NotationError):
        look(key, "nowhere")
