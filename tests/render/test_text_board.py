"""The board in plain characters says the same as the picture."""

from dataclasses import replace

import pytest

from bot.messages.catalogue import language
from engine.board import Board
from engine.diagram import Diagram, Figure, Mark, Tray
from engine.dice import Dice
from engine.games import GAMES
from engine.text import Term, Text
from render.text_board import board


def start(key: str, viewer: str | None) -> str:
    game = GAMES[key]
    return board(game.draw(game.setup({"first": "white"}, Dice(bytes(32))), viewer))


def test_veney_is_a_piste_seen_from_the_own_end() -> None:
    white, black = start("veney", "W").splitlines(), start("veney", "B").splitlines()
    assert white[3].split() == ["13", "BB", "BS", "B$", "BC"]
    assert white[13].split() == ["4", "WC", "W$", "WS", "WB"]
    assert white[17].split() == ["W", "X", "Y", "Z"]
    assert black[0].split() == ["Z", "Y", "X", "W"]
    assert black[-3:] == ["White, reserve: D G L J R", "Black, reserve: D G L J R", "White to move."]


@pytest.mark.parametrize("key", [key for key in GAMES if key != "chirality"])
def test_every_piece_of_a_grid_is_there(key: str) -> None:
    game = GAMES[key]
    drawn = game.draw(game.setup({}, Dice(bytes(32))), None)
    words = board(drawn).split()
    for figure in drawn.figures:
        cell = figure.side + figure.kind + "+" * len(figure.under)
        alike = [f for f in drawn.figures if f.side + f.kind + "+" * len(f.under) == cell]
        assert words.count(cell) >= len(alike)


def test_how_high_a_stack_is_can_be_counted() -> None:
    assert start("ironclad", "W").splitlines()[16].split() == ["WR", "WR+", "WR++", "WR++", "WR+", "WR", "1"]


def test_words_beside_the_board_are_in_the_readers_language_and_notation_is_not() -> None:
    points = Board("pair", {"a": ((0.0, 0.0),), "b": ((1.0, 0.0),)}, edges={})
    white, trays = (
        {"W": Term("White")},
        (Tray("W", Term("reserve"), (("K", Term("King"), 1), ("Q", Term("Queen"), 2))),),
    )
    piece = Figure("a", "W", "o", Term("piece"))
    drawn = Diagram(Term("Pair"), points, white, {"W": "white"}, {}, (piece,), "W", trays, notes=(Text("A note."),))
    signs = "First comes the side: W White; then the piece: K King, Q Queen, o piece."
    assert board(drawn).splitlines()[2:] == [signs, "White, reserve: K Q2", "A note.", "White to move."]
    assert board(drawn, lambda words: f"[{words}]").splitlines() == [
        "a Wo b",
        "",
        f"[{signs}]",
        "[White, reserve: K Q2]",
        "[A note.]",
        "[White to move.]",
    ]


def test_empty_places_show_their_names_where_places_are_to() -> None:
    assert start("tokonoma", "W").splitlines()[5].split() == ["d3", "b3"]
    assert start("tokonoma", "W").splitlines()[0].split() == ["c1", "BA+"]
    game = GAMES["tirachen"]
    drawn = game.draw(game.setup({}, Dice(bytes(32))), "R")
    assert "· · · · · · · · ·" in " ".join(board(drawn).split())
    assert "a2 b2 c2 d2 e2 f2 g2 h2 i2" in " ".join(
        board(replace(drawn, labels=frozenset(drawn.board.outlines))).split()
    )


def test_points_without_tiles_are_seen_when_they_are_empty() -> None:
    points = Board("pair", {"a": ((0.0, 0.0),), "b": ((1.0, 0.0),)}, edges={})
    drawn = Diagram(
        Term("Pair"),
        points,
        {"W": Term("White")},
        {"W": "white"},
        {},
        (Figure("a", "W", "o", Term("piece")),),
        to_act="W",
    )
    assert board(drawn).splitlines()[0].split() == ["a", "Wo", "b"]


def test_zones_have_their_names_in_the_reader_s_language() -> None:
    game = GAMES["chirality"]
    lines = board(game.draw(game.setup({}, Dice(bytes(32))), None), language("de").say).splitlines()
    assert any(line.startswith("Tor 1: A44 P1 Thick") for line in lines)
    assert "Thron: A1, B1, C1, D1, E1" in lines


def test_a_rosette_is_told_zone_by_zone() -> None:
    lines = start("chirality", None).splitlines()
    assert "Gate 1: A44 P1 Thick, A45 P1 Thick, A50 P1 Thin, A51 P1 Thin" in lines
    assert "Throne: A1, B1, C1, D1, E1" in lines
    assert "The sides: P1 Red, P2 Blue." in lines
    assert "Red, reserve: 8" in lines


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_place_is_named_by_its_cell_or_around_the_board(key: str) -> None:
    game = GAMES[key]
    drawn = game.draw(game.setup({}, Dice(bytes(32))), None)
    words = set(board(drawn).replace(",", "").split())
    zoned = frozenset[str]().union(*drawn.board.zones.values())
    for place in zoned if key == "chirality" else drawn.board.outlines:
        name = place.removeprefix("^")
        around = {name[0], name[1:]} <= words
        assert name in words or around or len(place) > 3


@pytest.mark.parametrize("key", ["ironclad", "tirachen"])
def test_columns_do_not_drift(key: str) -> None:
    """Whatever stands below a letter at the edge begins where the letter does."""
    lines = start(key, None).split("\n\n")[0].splitlines()
    headed = [line for line in lines if line.strip() and not any(sign.isdigit() for sign in line)]
    (starts,) = {frozenset(starts_of(line)) for line in headed if line.split()[0] == "a"}
    for line in (one for one in lines if one[:1].isdigit()):
        assert frozenset(starts_of(line)) - {0} == starts


def starts_of(line: str) -> list[int]:
    return [at for at, sign in enumerate(line) if sign != " " and (at == 0 or line[at - 1] == " ")]


def test_pieces_that_wait_beside_the_board_are_explained_too() -> None:
    assert "M masters, P pikes" in start("tirachen", None)


def test_a_legend_says_what_every_sign_stands_for() -> None:
    assert (
        "First comes the side: W White, B Black; then the piece: "
        "A+ Arm on a Flat, B+ Blind on a Flat, F Flat, S+ Star on a Flat."
    ) in start("tokonoma", "W")
    assert "R++ robot of height 3" in start("ironclad", "W")
    assert "$ Sword" in start("veney", "W")


def test_the_empty_crossings_of_a_board_with_squares_are_seen_too() -> None:
    lines = [line.split() for line in start("ironclad", "W").splitlines()]
    assert ["5", *"·······"] in lines, "seven crossings"
    assert [*"······", "5"] in lines, "six squares"


@pytest.mark.parametrize("key", GAMES)
def test_what_is_within_reach_has_a_star(key: str) -> None:
    game = GAMES[key]
    diagram = game.draw(game.setup({}, Dice(bytes(32))), None)
    plain = board(diagram)
    named = tuple(site for site in diagram.board.outlines if site.isalnum())
    sites = named[20:23] or named[-3:]
    starred = board(replace(diagram, marks=(Mark("reach", sites),)))
    assert plain.count("*") == 0
    assert starred.count("*") == len(sites) + 1
    assert f"* Within reach: {', '.join(sites)}." in starred


def test_where_a_turn_took_place_and_what_fell_is_said_below_the_board() -> None:
    game = GAMES["tokonoma"]
    position = game.decode("f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w")
    lines = board(game.draw_turn(position, game.read("c7c5", position), None)).splitlines()
    assert "Last move: c7, c5." in lines
    drawn = game.draw(position, None).marked((Mark("culprit", ("c7",)), Mark("blocker", ("c6",))))
    assert {"At fault: c7.", "In the way: c6."} <= set(board(drawn).splitlines())
    taken = game.draw(position, None).marked((Mark("taken", ("c4", "c2"), "B", "F", Term("Flat")),))
    assert "Black Flat on c4 has left the board, attacked from c2." in board(taken).splitlines()


def test_who_is_beside_a_fort_is_said_below_the_board() -> None:
    game = GAMES["tirachen"]
    position = game.setup({}, Dice(bytes(32)))
    for text in ("F@a2", "F@h9"):
        position = game.play(position, game.read(text, position))
    assert any(line.startswith("Red, beside the fort: ") for line in board(game.draw(position, None)).splitlines())
