"""Tirachen's notation: one canonical form, many ways to type it, and what is answered when nothing is meant."""

import pytest

from engine.game import NotationError
from engine.games import GAMES

TIRACHEN = GAMES["tirachen"]
PLAY = TIRACHEN.decode(
    "R: G@e1 P@b2 P@d2 C@a5 S@h4 / W: P@f5 G@e9 A@d7 / T: e5 - / pR: F P7 M8 / pW: F C P8 M8 / mob: RW / to: R"
)
START = TIRACHEN.decode("R: G@e1 / W: G@e9 / T: e5 - / pR: F C P9 M9 / pW: F C P9 M9 / mob: - / to: R")


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("P@d2", "P@d2"),
        ("p@D2", "P@d2"),
        ("place pike d2", "P@d2"),
        ("place a pike on d2", "P@d2"),
        ("Deploy the master of the hunt at f3.", "W@f3"),
        ("put a master of arms on f3", "S@f3"),
        ("a@f3", "A@f3"),
        ("bring fort to c1", "F@c1"),
        ("fort c1", "F@c1"),
        ("spells f2", "A@f2"),
        ("e1-e2", "Ge1-e2"),
        ("e1 e2", "Ge1-e2"),
        ("e1e2", "Ge1-e2"),
        ("Ge1–e2", "Ge1-e2"),
        ("general e1 to e2", "Ge1-e2"),
        ("move my general from e1 to e2", "Ge1-e2"),
        ("general e2", "Ge1-e2"),
        ("mobilize", "mobilize"),
        ("I am mobilising!", "mobilize"),
        ("I declare that I am mobilizing", "mobilize"),
        ("mobilizes", "mobilize"),
        ("deploying a spells master into f2", "A@f2"),
        ("Ge1→e2", "Ge1-e2"),
    ],
)
def test_a_first_turn_is_read_however_it_is_typed(typed: str, canonical: str) -> None:
    assert TIRACHEN.write(TIRACHEN.read(typed, START), START) == canonical


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("a5-e5", "Ca5xe5"),
        ("Ca5xe5", "Ca5xe5"),
        ("commander e5", "Ca5xe5"),
        ("commander a5 takes the traitor e5", "Ca5xe5"),
        ("a5 takes e5, remove", "Ca5xe5"),
        ("ca5xe5=t", "Ca5xe5=T"),
        ("a5 x e5 = T", "Ca5xe5=T"),
        ("a5 e5 turn", "Ca5xe5=T"),
        ("commander sacrifice e5", "Ca5xe5=T"),
        ("Ca5xe5=T e5-h8", "Ca5xe5=T e5-h8"),
        ("Ca5xe5=T h8", "Ca5xe5=T e5-h8"),
        ("ca5xe5=te5h8", "Ca5xe5=T e5-h8"),
        ("Ca5xe5 = traitor, Te5-h8", "Ca5xe5=T e5-h8"),
        ("a5xe5=T takes master of spells d7", "Ca5xe5=T e5xd7"),
        ("a5xe5 e5h8", "Ca5xe5=T e5-h8"),
        ("a5 takes e5 and turns it, then traitor e5 to h8", "Ca5xe5=T e5-h8"),
        ("a5xe5=T e5xd7", "Ca5xe5=T e5xd7"),
        ("a5xe5=T d2-d3", "Ca5xe5=T Pd2-d3"),
        ("Sh4-f4", "Sh4-f4"),
        ("pike b2 b3", "Pb2-b3"),
        ("a5xe5 with the commander", "Ca5xe5"),
        ("put on d1 a pike", "P@d1"),
        ("place d1 fort", "F@d1"),
        ("commander takes the traitor e5", "Ca5xe5"),
        ("master of arms takes pike f5", "Sh4xf5"),
        ("master takes spells d7", "Sh4xd7"),
        ("hunt master d1", "W@d1"),
        ("a5xe5 removes traitor", "Ca5xe5"),
    ],
)
def test_a_later_turn_is_read_however_it_is_typed(typed: str, canonical: str) -> None:
    assert TIRACHEN.write(TIRACHEN.read(typed, PLAY), PLAY) == canonical


@pytest.mark.parametrize(
    ("typed", "readings"),
    [
        ("pike d3", {"Pb2-d3", "Pd2-d3", "P@d3"}),
        ("master of arms d1", {"Sh4-d1", "S@d1"}),
        ("place master d1", {"S@d1", "A@d1", "W@d1"}),
        ("place d1", {"F@d1", "P@d1", "S@d1", "A@d1", "W@d1"}),
        ("pike takes pike f5", {"Pb2xf5", "Pd2xf5"}),
        ("pike takes f5", {"Pb2xf5", "Pd2xf5"}),
        ("a5xe5T", {"Ca5xe5", "Ca5xe5=T"}),
        ("commander takes e5, the traitor", {"Ca5xe5", "Ca5xe5=T"}),
    ],
)
def test_an_ambiguous_text_is_answered_with_all_it_can_mean(typed: str, readings: set[str]) -> None:
    with pytest.raises(NotationError) as error:
        TIRACHEN.read(typed, PLAY)
    assert set(error.value.readings) == readings


@pytest.mark.parametrize(
    ("typed", "because", "column"),
    [
        ("Ce1-e2", "Red's general stands on e1, not a commander.", 1),
        ("a5 takes pike e5", "The traitor on e5 is nobody's, not a pike.", 10),
        ("commander takes pike e5", "The traitor on e5 is nobody's, not a pike.", 17),
        ("Ca5xe5=T Ce5-h8", "The traitor on e5 is nobody's, not a commander.", 10),
        ("Ca5xe5=T Cd2-d3", "Red's pike stands on d2, not a commander.", 10),
        ("Ca5xe5=T e5 x Pd7", "White's master of spells stands on d7, not a pike.", 15),
        ("Ca5xe5=T pike d7", "White's master of spells stands on d7, not a pike.", 10),
        ("Ca5xe5=C", 'I can\'t read "=" as a turn.', 7),
        ("e1-e2 pike", "No pike stands on e1 or e2.", 7),
        ("fort takes pike f5", "Red has no fort on the board.", None),
        ("place d1 commander", "Red has no commander left to bring.", None),
        ("d7-d6", "White's master of spells stands on d7.", 1),
        ("c3-c4", "Nothing stands on c3.", 1),
        ("e5-e8", "The traitor on e5 is nobody's.", 1),
        ("e1-j2", "There is no square j2.", 4),
        ("e1-e10", "There is no square e10.", 4),
        ("Ge10-e2", "There is no square e10.", 2),
        ("Gj2-e2", "There is no square j2.", 2),
        ("e1-e1", "The piece stands on e1 already.", 4),
        ("C@d2", "Red has no commander left to bring.", None),
        ("h4xf5=T", "The traitor does not stand on f5.", None),
        ("e1-e2 d2-d3", "One turn is one action.", 7),
        ("e1-e2 e2-e3", "One turn is one action.", 7),
        ("a5xe5=T a5-a6", "The captor on a5 has been given up.", 9),
        ("mobilize d2", "Mobilizing is the whole turn.", 10),
        ("e1-e2 and mobilize", "Mobilizing is the whole turn.", 11),
        ("P@d1, mobilize", "Mobilizing is the whole turn.", 7),
        ("P@d1=T", "A piece that is brought takes nothing.", 5),
        ("place pike takes d1", "A piece that is brought takes nothing.", 12),
        ("fort takes c1", "Red has no fort on the board.", None),
        ("z" * 150, "I can't read \"" + "z" * 40 + '" as a turn.', 1),
        ("a" + "1" * 150, f"There is no square a{'1' * 39}.", 1),
        ("d3", "d3 says where, but not what.", 1),
        ("hello", 'I can\'t read "hello" as a turn.', 1),
        ("", "That says nothing.", None),
    ],
)
def test_a_text_that_describes_no_turn_is_answered_with_the_fact(typed: str, because: str, column: int | None) -> None:
    with pytest.raises(NotationError) as error:
        TIRACHEN.read(typed, PLAY)
    assert (str(error.value.because), error.value.column) == (because, column)
    assert error.value.remedy


def test_the_first_turns_that_a_remedy_shows_can_be_made_at_the_start() -> None:
    with pytest.raises(NotationError) as error:
        TIRACHEN.read("nonsense", START)
    bring, move, *_, mobilize = str(error.value.remedy).split("`")[1::2]
    assert all(TIRACHEN.tenable(START, TIRACHEN.read(text, START)) for text in (bring, move, mobilize))


def test_whoever_moves_what_is_not_theirs_is_shown_a_move_of_their_own() -> None:
    with pytest.raises(NotationError) as error:
        TIRACHEN.read("d7-d6", PLAY)
    assert str(error.value.remedy) == "Move one of Red's pieces, as in `Ge1-d1`."
    assert TIRACHEN.read("Ge1-d1", PLAY)
