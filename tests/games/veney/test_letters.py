"""The lines of Veney called A to D: what is written and seen has these letters, and is read back the same."""

import re
from dataclasses import replace
from random import Random

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games.veney import GAME
from engine.games.veney.position import Position
from engine.text import Text
from render.alt_text import describe
from tests.games.veney.test_anything import said, stirred

DICE = Dice(bytes(32))
OLD = re.compile(r"[WXYZ]\d|\^[WXYZ-]{2}\d")


def lettered(given: str) -> Position:
    return GAME.decode(f"{given} / flags: abcd=1")


@pytest.mark.parametrize("seed", range(3))
def test_everything_that_is_written_in_these_letters_is_read_back(seed: int) -> None:
    chosen, position = Random(seed), GAME.setup({"lines": "abcd"}, DICE)
    for _ in range(25):
        turns = list(GAME.turns(position))
        for turn in chosen.sample(turns, min(20, len(turns))):
            said = GAME.write(turn, position)
            assert not OLD.search(said)
            assert GAME.read(said, position) == turn, said
        turn = GAME.roll(position, chosen.choice(turns), DICE)
        drawn = GAME.draw_turn(position, turn, "W")
        assert not OLD.search(" ".join(map(str, describe(drawn))))
        assert {figure.site for figure in drawn.figures} <= set(GAME.board(position).outlines)
        assert all(set(mark.left) <= set(mark.sites) for mark in drawn.marks)
        position = GAME.play(position, turn)
        assert GAME.decode(GAME.encode(position)) == position
        if GAME.outcome(position) is not None or GAME.asks(position):
            break


@pytest.mark.parametrize(
    ("said", "meant"),
    [("DB7", "DX7"), ("BfB6", "BfX6"), ("sword b4 b7", "$X7"), ("eBfC6", "eXfY6"), ("CA3", "CW3"), ("ab9", "aX9")],
)
def test_a_digit_makes_a_letter_a_square(said: str, meant: str) -> None:
    given = "W: S@Y4 $@X4 D@X5 B@W5 C@X1 e@Z5 e@X5 / B: S@Z16 e@X6 e@Y6 / a: X8 / to: W".replace("D@X5", "D@W7")
    assert GAME.read(said, lettered(given)) == GAME.read(meant, GAME.decode(given))


def test_what_is_ruled_and_refused_has_these_letters_too() -> None:
    position = lettered("W: S@Y4 $@X4 / B: S@Z16 / a: - / to: W")
    (ruling, *_) = GAME.judge(position, GAME.read("$B13", position))
    assert "B13" in str(ruling.because)
    assert {site for mark in ruling.marks for site in mark.sites} <= set(GAME.board(position).outlines)
    with pytest.raises(NotationError) as refused:
        GAME.read("$C4", position)
    assert "C4" in str(refused.value.because)


@pytest.mark.parametrize("seed", range(5))
def test_no_sentence_about_any_turn_speaks_of_w_to_z(seed: int) -> None:
    chosen = Random(seed)
    plain = stirred(chosen)
    position = replace(plain, terms=replace(plain.terms, abcd=True))
    told: list[Text | None] = [GAME.duty(position)]
    written = [GAME.example(position)]
    for _ in range(60):
        text = said(chosen).translate(str.maketrans("WXYZ", "ABCD"))
        try:
            turn = GAME.read(text, position)
        except NotationError as error:
            told += [error.because, error.remedy]
            written += error.readings
            continue
        rolled = GAME.roll(position, turn, DICE)
        told += [ruling.because for ruling in GAME.examine(position, turn).rulings]
        told += GAME.describe_luck(rolled, position, position.mover)
        told += GAME.draw_turn(position, rolled, position.mover).notes
        told.append(GAME.duty(GAME.play(position, rolled)))
    written += [str(one) for one in told if one is not None]
    assert [one for one in written if OLD.search(one)] == []
