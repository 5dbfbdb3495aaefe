"""How turns and positions of Chirality are read: forgivingly where the meaning is plain, with the remedy where not."""

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games.chirality import GAME
from tests.games.chirality.random_games import EXAMPLES, samples

POSITION = GAME.decode("P1: A44 A50 C9 / P2: B44 C44 / res: 3 2 / to: P1")


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("A50-A33", "A50-A33"),
        ("a50 a33", "A50-A33"),
        ("a50 to a33", "A50-A33"),
        ("A50→A33", "A50-A33"),
        ("A50 – a33.", "A50-A33"),
        ("A50−A33", "A50-A33"),
        ("A50‑A33", "A50-A33"),
        ("`A50-A33`", "A50-A33"),
        ("a50a33", "A50-A33"),
        ("A050 A33", "A50-A33"),
        ("move my Thin piece from A50 onto a33", "A50-A33"),
        ("*A45", "*A45"),
        ("* a45", "*A45"),
        ("+A45", "*A45"),
        ("Muster a45", "*A45"),
        ("muster a piece on A45!", "*A45"),
        ("remote muster at b45", "*B45"),
        ("put reserve on a51", "*A51"),
        ("remotely on B45", "*B45"),
        ("pass", "pass"),
        ("Pass.", "pass"),
        ("--", "pass"),
    ],
)
def test_what_people_type_is_read_as_they_mean_it(typed: str, canonical: str) -> None:
    assert GAME.write(GAME.read(typed, POSITION), POSITION) == canonical


@pytest.mark.parametrize(
    ("typed", "because", "column"),
    [
        ("", "A turn names the tiles that it is about.", None),
        ("muster", "A turn names the tiles that it is about.", None),
        ("A50-A99", "There is no tile A99 on this board.", 5),
        ("F1-A33", "There is no tile F1 on this board.", 1),
        ("A51-A34", "No piece stands on A51.", 1),
        ("B44-B50", "The piece on B44 is Blue's.", 1),
        ("A50-A50", "The piece is on A50 already.", 5),
        ("A50-A33-A31", "A turn is one action: a Muster names one tile, a Move two.", 9),
        ("*A45 *A51", "A turn is one action: a Muster names one tile, a Move two.", 7),
        ("A50xA33", "`xA` is no part of a turn.", 4),
        ("attack A33", "`attack` is no part of a turn.", 1),
        ("44-50", "`44` is no part of a turn.", 1),
    ],
)
def test_what_describes_no_turn_is_answered_with_the_fact_and_examples_that_work(
    typed: str, because: str, column: int | None
) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.read(typed, POSITION)
    assert (str(caught.value.because), caught.value.column) == (because, column)
    examples = str(caught.value.remedy).split("`")[1::2]
    assert examples
    assert all(GAME.read(text, POSITION) for text in examples)


def test_no_example_tells_whether_there_is_a_tenable_muster() -> None:
    remedies = set()
    for gate in ("A44 A45", "C1"):  # a Gate to Muster at, and none
        with pytest.raises(NotationError) as caught:
            GAME.read("x", GAME.decode(f"P1: A28 {gate} / P2: B44 C44 / res: 3 2 / to: P1"))
        remedies.add(str(caught.value.remedy))
    assert remedies == {"Write `A28-A21` to move a piece or `*A44` to Muster one."}


def test_an_example_is_a_turn_that_can_be_described_whatever_else_stands_on_the_board() -> None:
    assert GAME.example(GAME.setup({}, Dice(bytes(32)))) == "A50-A33"
    for position, _ in samples(EXAMPLES):
        example = GAME.example(position)
        assert GAME.write(GAME.read(example, position), position) == example
        own = tuple(men * (player == position.to) for player, men in enumerate(position.men))
        assert GAME.example(position._replace(men=own)) == example


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("P1: A44 A45 / P2: A50 / res: 0 0 / to: P1", "A44-A50"),
        ("P1: - / P2: A50 / res: 5 0 / to: P1", "*A44"),
        ("P1: A44 / P2: - / res: 15 16 / to: P2 / gates: - 3", "*C44"),
    ],
)
def test_an_example_moves_a_piece_or_musters_one_tenable_or_not(text: str, example: str) -> None:
    assert GAME.example(GAME.decode(text)) == example


def test_a_tile_alone_is_answered_with_what_it_may_mean_tenable_or_not() -> None:
    with pytest.raises(NotationError) as caught:
        GAME.read("A46", POSITION)
    assert caught.value.readings == ("A44-A46", "A50-A46", "*A46")
    assert not GAME.tenable(POSITION, GAME.read("A44-A46", POSITION))
    with pytest.raises(NotationError) as caught:
        GAME.read("c9", POSITION)
    assert "C9-C14" in caught.value.readings
    assert "C9-C7" in caught.value.readings


def test_a_tile_alone_places_the_first_piece_of_a_long_game() -> None:
    start = GAME.decode("P1: - / P2: - / res: 16 16 / to: P1 / gates: 1 3")
    assert GAME.write(GAME.read("a45", start), start) == "*A45"


# --- positions --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        "P1: A44 / P2: - / res: 8 8 / to: P1",
        "P1: A44 / P2: out / P3: C1 / res: 8 8 0 / to: P3 / quiet: 17",
        "P1: - / P2: D45 / res: 16 15 / to: P1 / gates: 2 -",
        "P1: A51 A52 A53 / P2: - / res: 8 8 / to: P1 / board: r2-265",
        "P1: out / P2: out / res: 0 0 / to: P1",
    ],
)
def test_a_position_text_comes_back_as_it_was(text: str) -> None:
    assert GAME.encode(GAME.decode(text)) == text


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("hello", "`hello` is no field of a position."),
        ("P1: A44 / res: 8 8 / to: P1", "The position has no `P2:`."),
        ("P1: A44 / P3: A45 / res: 8 8 / to: P1", "The position has no `P2:`."),
        ("P1: A44 / P2: A45 / to: P1", "The position has no `res:`."),
        (
            "P1: A44 / P2: A45 / res: 8 / to: P1",
            "`res:` and `gates:` have one number for each player, `quiet:` has one.",
        ),
        ("P1: A44 / P2: A45 / res: 8 x / to: P1", "`x` is not a number."),
        ("P1: A44 / P2: A44 / res: 8 8 / to: P1", "Two pieces stand on A44."),
        ("P1: A52 / P2: A44 / res: 8 8 / to: P1", "There is no tile A52 on this board."),
        ("P1: A44 / P2: A45 / res: 8 8 / to: P3", "`to:` names the player to act."),
        ("P1: out / P2: A45 / res: 8 8 / to: P1", "P1 is out and cannot be the one to act."),
        ("P1: A44 / P2: A45 / res: 8 8 / to: P1 / gates: 6 1", "The board has 5 Gates."),
        ("P1: A44 / P2: A45 / res: 8 8 / to: P1 / board: r3", "There is no board r3."),
        ("P1: A44 / P2: A45 / res: 8 8 / to: P1 / moon: 1", "`moon:` is no field of a position."),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_the_reason(text: str, because: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.decode(text)
    assert str(caught.value.because) == because
    assert caught.value.remedy
