"""Ironclad's notation: capitals for squares, small letters for intersections, and words for those who mix them up."""

from typing import Any

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games import GAMES
from engine.games.ironclad.board import FULL
from tests.table import begun

IRONCLAD = GAMES["ironclad"]
PLAY = IRONCLAD.decode(
    "rW: C4=3 D5=1 / rB: C6=2 F8=1 / sW: c4 c6 d9 / sB: f3 / last: - / mode: full / owner: W / half: - / to: W"
)


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("C4-C5", "C4-C5"),
        ("C4 C5", "C4-C5"),
        ("robot c4 c5", "C4-C5"),
        ("move the robot on c4 to c5", "C4-C5"),
        ("D5-d6", "D5-D6"),
        ("xC6", "xC6"),
        ("xc6", "xC6"),
        ("fire on c6", "xC6"),
        ("shoot C6!", "xC6"),
        ("xC6(4)", "xC6(4)"),
        ("g5", "g5"),
        ("G5", "g5"),
        ("stone g5", "g5"),
        ("place a stone on G5", "g5"),
        ("d9-e9", "d9-e9"),
        ("slide D9 E9", "d9-e9"),
        ("stone d9 to e9", "d9-e9"),
        ("F3-f5", "f3-f5"),
        ("D9-E9", "d9-e9"),  # no such squares
        ("d5-d6", "D5-D6"),  # a phone's small letters, and no stone there
        ("take C6", "xC6"),
        ("hit c6", "xC6"),
    ],
)
def test_an_action_is_read_however_it_is_typed(typed: str, canonical: str) -> None:
    assert IRONCLAD.write(IRONCLAD.read(typed, PLAY), PLAY) == canonical


@pytest.mark.parametrize(
    ("typed", "readings"),
    [("C4-c5", {"C4-C5", "c4-c5"}), ("C6-C5", {"c6-c5"})],
)
def test_a_text_in_the_wrong_case_is_answered_with_what_it_can_mean(typed: str, readings: set[str]) -> None:
    with pytest.raises(NotationError) as error:
        IRONCLAD.read(typed, PLAY)
    assert set(error.value.readings) == readings


@pytest.mark.parametrize(
    ("typed", "because", "column"),
    [
        ("A4-A5", "No robot stands on A4.", 1),
        ("C6-C5", "The robot on C6 is Black's, and the turn is White's.", 1),
        ("C4-C4", "The robot stands on C4 already.", 4),
        ("robot c4", "That does not say where the robot on C4 goes.", None),
        ("robot g4 g5", "There is no square G4.", 7),
        ("xA1", "No robot stands on A1.", 2),
        ("xF8(3)", "F8 has no cover, so no die is thrown.", 4),
        ("xC6(7)", "One die shows 1 to 6.", 4),
        ("C4xC6", "Every robot in range fires on one square.", 1),
        ("d9(3)", "Only a shot throws a die.", 3),
        ("e5-e6", "No stone lies on e5.", 1),
        ("d9-d9", "The stone lies on d9 already.", 4),
        ("h5", "There is no place h5.", 1),
        ("d5 d6 d7", "That names more than two places.", 7),
        ("pass", "I can't read `pass` as part of a turn.", 1),
        ("", "That names no place.", None),
    ],
)
def test_a_text_that_describes_no_action_is_answered_with_the_fact(
    typed: str, because: str, column: int | None
) -> None:
    with pytest.raises(NotationError) as error:
        IRONCLAD.read(typed, PLAY)
    assert (str(error.value.because), error.value.column) == (because, column)
    assert error.value.remedy


@pytest.mark.parametrize("message", ["g5 / C4-C5", "g5; C4-C5", "stone g5 then robot c4 c5", "g5\nC4-C5"])
def test_one_message_may_hold_two_halves(message: str) -> None:
    first, second = IRONCLAD.split(message)
    assert IRONCLAD.write(IRONCLAD.read(first, PLAY), PLAY) == "g5"
    assert IRONCLAD.write(IRONCLAD.read(second, PLAY), PLAY) == "C4-C5"


def test_two_halves_in_one_breath_are_answered_with_how_to_part_them() -> None:
    with pytest.raises(NotationError) as error:
        IRONCLAD.read("g5 and C4-C5", PLAY)
    assert "`d5 / C4-C5`" in str(error.value.remedy)


def test_a_player_cannot_write_the_roll_of_a_die() -> None:
    assert IRONCLAD.rolls(IRONCLAD.read("xC6(4)", PLAY)) == "4"
    assert IRONCLAD.rolls(IRONCLAD.read("xC6", PLAY)) == ""


def test_the_die_is_thrown_only_where_there_is_cover() -> None:
    covered, bare = IRONCLAD.read("xC6", PLAY), IRONCLAD.read("xF8", PLAY)
    dice = Dice(bytes(32))
    assert IRONCLAD.write(IRONCLAD.roll(PLAY, bare, dice), PLAY) == "xF8"
    assert dice.counter == 0
    faces = {IRONCLAD.rolls(IRONCLAD.roll(PLAY, covered, dice)) for _ in range(100)}
    assert faces == {"1", "2", "3", "4", "5", "6"}


@pytest.mark.parametrize(
    ("half", "note", "duty"),
    [
        (
            "robots",
            "Black plays the stones half for White.",
            "Play White's stones half first; then begin your own turn with robots or stones.",
        ),
        (
            "stones",
            "Black plays the robots half for White.",
            "Play White's robots half first; then begin your own turn with robots or stones.",
        ),
        ("", "White plays robots or stones.", "Choose robots or stones; Black plays the other half for you."),
    ],
)
def test_whose_half_is_due_is_said_in_plain_words(half: str, note: str, duty: str) -> None:
    position = PLAY._replace(half=half)
    assert IRONCLAD.to_act(position) == ("B" if half else "W")
    assert str(IRONCLAD.duty(position)) == duty
    assert note in map(str, IRONCLAD.draw(position, None).notes)


@pytest.mark.parametrize(
    ("changes", "example"),
    [
        ({"half": ""}, "d5"),
        ({"half": "robots"}, "d5"),
        ({"half": "stones"}, "C4-D5"),
        ({"half": "stones", "owner": 1}, "C6-B5"),
        ({"half": "stones", "squads": ((0, 0, 0), (0, 0, 0))}, "d5"),
        ({"stones": (FULL >> 31, FULL & ~(FULL >> 31))}, "a1-b1"),
    ],
)
def test_an_example_is_an_action_of_the_half_that_is_due_tenable_or_not(changes: dict[str, Any], example: str) -> None:
    position = PLAY._replace(**changes)
    assert IRONCLAD.example(position) == example
    assert IRONCLAD.write(IRONCLAD.read(example, position), position) == example


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("xC6", []),
        ("xC6(1)", ["The die shows 1 against a cover of 1: the shot is lost."]),
        ("xC6(2)", ["The die shows 2 against a cover of 1: the robot on C6 falls."]),
        ("g5", []),
    ],
)
def test_what_the_die_decided_is_said(typed: str, told: list[str]) -> None:
    turn = IRONCLAD.read(typed, PLAY)
    assert [str(said) for said in IRONCLAD.describe_luck(turn, PLAY, None)] == told
    throws = IRONCLAD.draw_turn(PLAY, turn, None).throws
    assert [(throw.faces, throw.label) for throw in throws] == [((typed[-2],), "against a cover of 1") for _ in told]


def test_a_look_says_what_stands_there_and_what_is_negated() -> None:
    said = {place: str(IRONCLAD.look(PLAY, place, None)[0]) for place in ("c4", "C4", "d4", "a1")}
    assert said == {
        "c4": "c4: White stone.",
        "C4": "C4: White robot of height 3.",
        "d4": "d4 is empty but negated, as a corner of a square with a robot.",
        "a1": "a1 is empty.",
    }


def test_a_game_does_not_begin_with_robots_that_can_do_nothing() -> None:
    text = "rW: {} / rB: F8=1 / sW: d5 / sB: - / last: - / mode: full / owner: {} / half: {} / to: B"
    table = begun("ironclad", side="white", start=text.format("-", "W", "stones"))
    assert table.position == text.format("-", "B", "-")
    table = begun("ironclad", side="white", start=text.format("A1=1", "W", "stones"))
    assert table.position == text.format("A1=1", "W", "stones")


@pytest.mark.parametrize(("term", "said"), [("discourse", "full"), ("discourse", "discourse"), ("full", "discourse")])
def test_the_discourse_game_begins_from_a_position_by_term_or_by_text(term: str, said: str) -> None:
    text = "rW: A1=1 / rB: F8=1 / sW: d5 / sB: - / last: - / mode: {} / owner: W / half: - / to: W"
    assert begun("ironclad", side="white", start=text.format(said), mode=term).position == text.format("discourse")


@pytest.mark.parametrize(
    ("terms", "robots", "swap"),
    [
        ({}, "A1=1 / rB: F8=1", " / swap: later"),
        ({"swap": "off"}, "A1=1 / rB: F8=1", ""),
        ({"board": "open"}, "- / rB: -", " / swap: later"),
    ],
)
def test_swap_and_open_board_are_terms_of_the_discourse_game(terms: dict[str, str], robots: str, swap: str) -> None:
    text = "rW: {} / sW: - / sB: - / last: - / mode: discourse / owner: W / half: - / to: W{}"
    start = text.format("A1=1 / rB: F8=1", "")
    table = begun("ironclad", side="white", start=start, mode="discourse", **terms)
    assert table.position == text.format(robots, swap)


def test_a_position_with_stones_opens_a_swap_only_if_it_says_so() -> None:
    text = "rW: - / rB: - / sW: d5 / sB: - / last: - / mode: discourse / owner: B / half: - / to: B"
    assert begun("ironclad", start=text).position == text
    assert begun("ironclad", start=f"{text} / swap: now").position == f"{text} / swap: now"
    assert begun("ironclad", start=f"{text} / swap: now", swap="off").position == text


def test_a_lost_turn_takes_the_swap_with_it_only_if_it_was_the_second() -> None:
    text = "rW: - / rB: - / sW: {} / sB: - / last: - / mode: discourse / owner: {} / half: - / to: {}{}"
    first = IRONCLAD.decode(text.format("-", "W", "W", " / swap: later"))
    assert IRONCLAD.encode(IRONCLAD.pass_turn(first, Dice(bytes(32)))) == text.format("-", "B", "B", " / swap: later")
    second = IRONCLAD.decode(text.format("d5", "B", "B", " / swap: now"))
    assert IRONCLAD.encode(IRONCLAD.pass_turn(second, Dice(bytes(32)))) == text.format("d5", "W", "W", "")


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("mode: full / owner: W / half: - / to: W / swap: now", "Only the discourse game knows a swap."),
        ("mode: discourse / owner: W / half: - / to: W / swap: never", "That is no position of Ironclad."),
    ],
)
def test_a_position_that_cannot_know_a_swap_is_refused(text: str, because: str) -> None:
    with pytest.raises(NotationError) as caught:
        IRONCLAD.decode(f"rW: - / rB: - / sW: - / sB: - / last: - / {text}")
    assert str(caught.value.because) == because


def test_the_open_board_is_refused_for_the_full_game() -> None:
    with pytest.raises(NotationError) as caught:
        IRONCLAD.setup({"mode": "full", "board": "open"}, Dice(bytes(32)))
    assert str(caught.value.because) == "Without robots there is no full game."
