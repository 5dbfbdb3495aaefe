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


def test_a_side_s_pieces_are_told_with_or_without_their_kind() -> None:
    assert look("tokonoma", "white blinds") == "c6: White Blind on a Flat. d6: White Blind on a Flat."
    assert look("tirachen", "red") == "e1: Red general."


def test_zones_of_one_sort_are_told_together() -> None:
    assert look("chirality", "gate").count("holds") == 5
    assert look("tirachen", "homeland").count("holds") == 2


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_zone_of_a_board_can_be_looked_at(key: str) -> None:
    game = GAMES[key]
    zones = game.board(game.setup({}, Dice(bytes(32)))).zones
    assert all("holds" in look(key, zone) for zone in zones)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_what_is_neither_place_nor_zone_nor_piece_is_refused(key: str) -> None:
    with pytest.raises(NotationError):
        look(key, "nowhere")


def test_a_stretch_of_the_board_is_told_in_its_order() -> None:
    assert look("tokonoma", "c5-c7") == "From c5 to c7: c5, c6, c7. c6: White Blind on a Flat. c7: White Arm on a Flat."
    assert look("tokonoma", "C3 to C5") == "From c3 to c5: c3, c4, c5. Nobody stands there."
    assert look("tirachen", "a4-c6") == "From a4 to c6: a4, b5, c6. Nobody stands there."
    assert look("ironclad", "A1..C1").startswith("From A1 to C1: A1, B1, C1. A1: White robot")


def test_a_star_is_known_by_its_short_name() -> None:
    assert look("chirality", "I2").startswith("`moat I2` holds")
    assert "`star I2` holds A14" in look("chirality", "I2")


def told(key: str, position: str, asked: str) -> str:
    game = GAMES[key]
    return " ".join(map(str, game.look(game.decode(position), asked, None)))


def test_the_free_engagement_s_owner_is_told_where_it_stands() -> None:
    field = "W: S@Y4 $@X4 e@Y7 / B: S@X13 $@Y13 C@Y9 e@W10 / a: {} / to: W"
    assert "is White's while" in told("veney", field.format("X8"), "X8")
    assert "is Black's while" in told("veney", field.format("X9"), "x9")
    assert "free engagement" not in told("veney", field.format("X9"), "X8")
    assert "nobody's" in told("veney", field.format("^XY8"), "^XY8")


def test_cover_and_those_in_range_are_told_of_a_robot() -> None:
    field = (
        "rW: A1=1 C4=2 D4=1 / rB: D6=2 A8=1 / sW: d6 e7 / sB: d7 / last: - / mode: full / owner: W / half: - / to: W"
    )
    assert told("ironclad", field, "D6").endswith("3 stones cover it. Robots in range of it: C4.")
    assert "It has no cover." in told("ironclad", field, "A8")
