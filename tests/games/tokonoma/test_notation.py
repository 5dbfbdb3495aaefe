"""Tokonoma as text: turns as people type them, the short notation, and positions on one line."""

from random import Random

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games.tokonoma import GAME
from engine.games.tokonoma.position import START, Position

HOME = GAME.setup({}, Dice(bytes(32)))


def canonical(text: str, position: Position = HOME) -> str:
    return GAME.write(GAME.read(text, position), position)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "c7c5",
            "C7C5",
            " c7 c5 ",
            "c7-c5",
            "c7 - c5",
            "c7→c5",
            "c7->c5",
            "c7xc5",
            "c7 to c5",
            "from c7 to c5",
            "c7c5*#",
            "`c7c5`",
            "> c7c5",
            "C7 - C5.",
            "c7c5!",
        ),
        *(
            "Ac5",
            "ac5",
            "a c5",
            "A c7 c5",
            "Ac7c5",
            "Hc5",
            "hand c5",
            "Hand c7-c5",
            "arm c5",
            "ARM to c5",
            "arm from c7 to c5",
        ),
        *("c7—c5", "c7−c5", "c7, c5", "c7c5.", "c7c5!", "`c7c5`", "the arm on c7 to c5"),
    ],
)
def test_one_move_can_be_written_in_many_ways(text: str) -> None:
    assert canonical(text) == "c7c5"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Ba4", "c6a4"),
        ("ba4", "c6a4"),
        ("b6a4", "b6a4"),
        ("Fd5", "e5d5"),
        ("Flat e5 d5", "e5d5"),
        ("Fc7c6", "Fc7c6"),
        ("pass", "pass"),
        ("`Pass.`", "pass"),
        ("c7c7", "pass"),
        ("Sc1", "b6c1"),
    ],
)
def test_a_letter_names_the_piece_and_a_tile_the_place(text: str, meant: str) -> None:
    assert canonical(text) == meant


def test_the_one_piece_that_can_go_there_is_meant() -> None:
    assert canonical("Ac5") == "c7c5"
    assert canonical("Aa3") == "a5a3"


@pytest.mark.parametrize(
    ("text", "position", "readings"),
    [
        ("Aa1", START, ("a5a1", "c7a1")),  # neither can: still the writer's to say which
        ("Fc3", "4f/2F3/7/2F3/5 w", ("b3c3", "d3c3")),  # both can
        ("Fe1", "5/6/1A+1A+3/6/4f w", ("Fc2e1", "Fc4e1")),
    ],
)
def test_what_can_mean_several_moves_is_answered_with_each(text: str, position: str, readings: tuple[str, ...]) -> None:
    before = GAME.decode(position)
    with pytest.raises(NotationError) as caught:
        GAME.read(text, before)
    assert caught.value.readings == readings
    assert all(canonical(reading, before) == reading for reading in readings)
    assert f"`{readings[0]}`" in str(caught.value.remedy)


@pytest.mark.parametrize(
    ("text", "fact", "column"),
    [
        ("c8c5", "There is no tile c8.", 1),
        ("c7c0", "There is no tile c0.", 3),
        ("A f1", "There is no tile f1.", 3),
        ("c7", "That describes no move.", 3),
        ("", "That describes no move.", 1),
        ("c7c5 c3", "That describes no move.", 6),
        ("queen c5", "That describes no move.", 1),
        ("c4c5", "There is no piece on c4.", None),
        ("c1c3", "The piece on c1 is not yours.", None),
        ("Sc7c5", "The piece on c7 is no Star but the Arm.", None),
        ("Fb6b5b4", "That describes no move.", 6),
    ],
)
def test_what_is_no_move_is_answered_with_the_fact_and_an_example(text: str, fact: str, column: int | None) -> None:
    with pytest.raises(NotationError, match=fact) as caught:
        GAME.read(text, HOME)
    assert caught.value.column == column
    assert caught.value.remedy


def test_a_kind_that_has_died_out_cannot_go_anywhere() -> None:
    with pytest.raises(NotationError, match=r"There is no Star of yours to go to c5\."):
        GAME.read("Sc5", GAME.decode("4f/6/3A3/6/5 w"))


@pytest.mark.parametrize(
    ("position", "turn", "short"),
    [
        (START, "a5a3", "Aa3"),
        (START, "c6a4", "Ba4"),
        ("4f/2F3/7/2F3/5 w", "b3c3", "Fb3c3"),
        ("4f/2F3/2s4/3F2/5 w", "d4d3", "Fd3*"),
        ("4f/1fF3/3F3/1fF3/5 w", "c4c3", "Fc4c3**"),
        ("4f/6/1F5/6/5 w", "c2c1", "Fc1#"),
        ("5/2F3/2s4/3F2/5 w", "d4d3", "Fd3*#"),
    ],
)
def test_the_short_notation_says_no_more_than_is_needed(position: str, turn: str, short: str) -> None:
    before = GAME.decode(position)
    assert GAME.short(GAME.read(turn, before), before) == short


@pytest.mark.parametrize("seed", range(10))
def test_the_short_notation_is_read_back_through_a_whole_game(seed: int) -> None:
    position, chosen = HOME, Random(seed)
    while GAME.outcome(position) is None:
        turns = list(GAME.turns(position))
        assert [GAME.read(GAME.short(turn, position), position) for turn in turns] == turns
        position = GAME.play(position, chosen.choice(turns))


def test_the_notation_of_a_turn_that_may_be_called_out_does_not_depend_on_whether_it_is_tenable() -> None:
    shown = [GAME.show(GAME.read(text, HOME), HOME, None) for text in ("Ac5", "c7c4")]
    assert shown == ["c7c5", "c7c4"]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "That is no position of Tokonoma."),
        ("f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F", "That is no position of Tokonoma."),
        ("f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w q", "That is no position of Tokonoma."),
        ("f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w q12345", "That is no position of Tokonoma."),
        ("f3K+/b+4S+/a+b+3B+A+/s+4B+/a+3F w", "That is no position of Tokonoma."),
        ("F+4/6/7/6/5 w", "That is no position of Tokonoma."),
        ("f3A+/b+4S+/a+b+3B+A+/s+4B+ w", "The rows have 5-6-7-6 tiles, where the board has 5-6-7-6-5."),
        ("5/6/7/6/6 w", "The rows have 5-6-7-6-6 tiles, where the board has 5-6-7-6-5."),
    ],
)
def test_what_is_no_position_is_answered_with_one(text: str, fact: str) -> None:
    with pytest.raises(NotationError, match=fact) as caught:
        GAME.decode(text)
    assert START in str(caught.value.remedy)
