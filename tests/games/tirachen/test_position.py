"""Tirachen's position text: what it leaves open, and what is answered when it says something impossible."""

import pytest

from engine.game import NotationError
from engine.games import GAMES

TIRACHEN = GAMES["tirachen"]
TEXT = "R: P@a1 G@e1 / W: G@e9 F@d9 / T: e5 - / pR: F P8 M9 / pW: C P9 / mob: W / to: R"


def test_pieces_may_stand_in_any_order_and_come_back_by_rank_and_file() -> None:
    shuffled = TEXT.replace("P@a1 G@e1", "G@e1 P@a1").replace("F P8 M9", "M9 F P8")
    assert TIRACHEN.encode(TIRACHEN.decode(shuffled)) == TEXT.replace("G@e9 F@d9", "F@d9 G@e9")


def test_no_quiet_turns_may_be_written_and_are_left_out() -> None:
    assert TIRACHEN.decode(f"{TEXT} / quiet: 0") == TIRACHEN.decode(TEXT)


@pytest.mark.parametrize(
    ("written", "instead", "because"),
    [
        ("pW: C", "pW: F C", "A side has one fort only."),
        ("F@d9", "F@d9 F@c9", "A side has one fort only."),
        ("P@a1", "G@a1", "A side has one general only."),
        ("P@a1", "T@a1", "There is no piece `T@a1`."),
        ("P@a1", "p@a1", "There is no piece `p@a1`."),
        ("P@a1", "P@a1 S@a1", "Two pieces stand on a1."),
        ("e5 -", "e9 -", "Two pieces stand on e9."),
        ("P@a1", "Q" * 2_000, f"There is no piece `{'Q' * 40}`."),
        ("M9", "M10", "`M10` is not in a pool."),
        ("M9", "M" * 2_000, f"`{'M' * 40}` is not in a pool."),
        ("to: R", "to: B", "That is no position of Tirachen."),
    ],
)
def test_an_impossible_position_is_answered_with_the_fact(written: str, instead: str, because: str) -> None:
    with pytest.raises(NotationError) as error:
        TIRACHEN.decode(TEXT.replace(written, instead))
    assert str(error.value.because) == because
    assert error.value.remedy


@pytest.mark.parametrize(("quiet", "note"), [(80, "20 quiet turns until a draw."), (99, "1 quiet turn until a draw.")])
def test_the_last_quiet_turns_are_counted_in_the_picture(quiet: int, note: str) -> None:
    assert note in map(str, TIRACHEN.draw(TIRACHEN.decode(f"{TEXT} / quiet: {quiet}"), None).notes)
