"""Hands that decide who goes first."""

from dataclasses import replace

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games.veney import GAME
from engine.games.veney.position import Position
from tests.games.veney.test_setup import begun


def by_hands(**answers: str) -> Position:
    position = begun(first="hands")
    for side, text in answers.items():
        ask = next(ask for ask in GAME.asks(position) if ask.side == side)
        position = GAME.answer(position, ask, text, Dice(bytes(32)))
        assert GAME.decode(GAME.encode(position)) == position
    return position


@pytest.mark.parametrize("hidden", ["left", "right"])
@pytest.mark.parametrize("guessed", ["left", "right"])
def test_by_hands_black_goes_first_if_they_guess_where_white_hides(hidden: str, guessed: str) -> None:
    for answers in ({"W": hidden, "B": guessed}, {"B": guessed, "W": hidden}):
        settled = by_hands(**answers)
        assert GAME.to_act(settled) == ("B" if hidden == guessed else "W")
        assert not GAME.asks(settled)
        assert settled == replace(begun(first="white"), to=settled.to)


def test_hands_are_asked_of_both_at_once_and_neither_answer_changes_what_is_seen() -> None:
    closed = by_hands()
    assert [ask.side for ask in GAME.asks(closed)] == ["W", "B"]
    for viewer in ("W", "B", None):
        seen = {str(GAME.draw(by_hands(**{side: hand}), viewer)) for side in ("W", "B") for hand in ("left", "right")}
        assert seen == {str(GAME.draw(closed, viewer))}


def test_what_the_hands_held_is_told_with_the_second_answer() -> None:
    first, second = by_hands(), by_hands(W="left")
    assert GAME.reveal_text(first, GAME.asks(first)[0], "left") is None
    told = GAME.reveal_text(second, GAME.asks(second)[0], "Right hand")
    assert str(told) == "The free engagement was in the left hand, the guess was the right hand: White goes first."
    assert "Black goes first" in str(GAME.reveal_text(second, GAME.asks(second)[0], "left"))


@pytest.mark.parametrize("said", ["", "both", "l", "left right"])
def test_there_are_two_hands(said: str) -> None:
    with pytest.raises(NotationError):
        by_hands(W=said)


@pytest.mark.parametrize(
    "flags", ["owed=handsW:up owed=hands:?", "owed=handsW:left", "owed=handsB:right owed=handsW:left owed=hands:?"]
)
def test_a_position_holds_no_hands_that_nobody_waits_for(flags: str) -> None:
    with pytest.raises(NotationError):
        GAME.decode(f"W: S@Y6 $@X9 / B: S@Z12 $@W16 / a: - / to: W / flags: {flags}")


def test_hands_decide_over_own_layouts_too_once_they_stand() -> None:
    position = begun(setup="concealed", first="hands")
    for side in ("W", "B"):
        ask = next(ask for ask in GAME.asks(position) if ask.side == side)
        position = GAME.answer(position, ask, "C$SB 5678", Dice(bytes(32)))
    assert {ask.key for ask in GAME.asks(position)} == {"hands"}
    for side in ("W", "B"):
        ask = next(ask for ask in GAME.asks(position) if ask.side == side)
        position = GAME.answer(position, ask, "left", Dice(bytes(32)))
    assert GAME.to_act(position) == "B"
