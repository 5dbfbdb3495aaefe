"""What a rightly called half of Ironclad costs, and whom."""

import pytest

from engine.dice import Dice
from engine.game import Penalty
from engine.games import GAMES
from engine.games.ironclad.position import Position

IRONCLAD = GAMES["ironclad"]


def position(owner: str, half: str, rest: str = "") -> Position:
    to = owner if half == "-" else "WB".replace(owner, "")
    stones = "sW: d5 / sB: c7 / last: c7"
    text = f"rW: A1=1 C4=2 / rB: F8=1 / {stones} / mode: full / owner: {owner} / half: {half} / to: {to}{rest}"
    decoded = IRONCLAD.decode(text)
    assert isinstance(decoded, Position)
    return decoded


def after(before: Position, text: str, penalty: Penalty) -> Position:
    turn = IRONCLAD.read(text, before)
    rulings = tuple(IRONCLAD.judge(before, turn))
    assert rulings
    price = IRONCLAD.penalize(before, turn, rulings, penalty, Dice(bytes(32)))
    assert isinstance(price, Position)
    return price


def test_an_owner_who_loses_the_turn_loses_both_halves() -> None:
    assert after(position("W", "-"), "C4-C6", "turn") == position("B", "-")


def test_an_opponent_who_misplays_the_other_half_loses_that_half() -> None:
    assert after(position("W", "stones"), "C4-C6", "turn") == position("B", "-")


@pytest.mark.parametrize(
    ("before", "text", "gone"),
    [
        (position("W", "-"), "C4-C6", "C4"),
        (position("W", "-"), "d5-e5", "d5"),
        (position("W", "-"), "c7-b7", ""),
        (position("W", "stones"), "C4-C6", ""),
        (position("B", "robots"), "d5-e5", "d5"),
        (position("W", "-"), "c4", ""),
        (position("W", "-"), "xF8", ""),
    ],
)
def test_only_a_piece_of_the_offenders_own_is_lost(before: Position, text: str, gone: str) -> None:
    kept = {figure.site for figure in IRONCLAD.draw(after(before, text, "piece"), None).figures if figure.side}
    had = {figure.site for figure in IRONCLAD.draw(before, None).figures if figure.side}
    assert had - kept == ({gone} if gone else set())


@pytest.mark.parametrize(
    ("before", "text", "penalty", "said"),
    [
        (position("W", "stones"), "C4-C6", "turn", "The half is taken back and lost; White's turn is over."),
        (position("W", "stones"), "C4-C6", "piece", "The half is taken back and lost; White's turn is over."),
        (
            position("B", "robots"),
            "d5-e5",
            "piece",
            "The half is taken back and lost, the piece with it; Black's turn is over.",
        ),
        (position("W", "-"), "C4-C6", "turn", "None"),
        (position("W", "-"), "c4", "piece", "The turn is taken back and lost; no piece goes with it."),
    ],
)
def test_what_a_half_misplayed_for_the_owner_costs_is_said(
    before: Position, text: str, penalty: Penalty, said: str
) -> None:
    turn = IRONCLAD.read(text, before)
    rulings = tuple(IRONCLAD.judge(before, turn))
    follows = IRONCLAD.penalize(before, turn, rulings, penalty, Dice(bytes(32)))
    assert str(IRONCLAD.penalty_text(before, turn, rulings, penalty, follows)) == said
