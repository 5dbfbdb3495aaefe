"""Whatever can be read of Veney can be judged, played, written, drawn and priced, and no piece is lost or made."""

import os
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice import Dice
from engine.game import NotationError, Outcome
from engine.games.veney import GAME
from engine.games.veney.action import Turn
from engine.games.veney.board.squares import SQUARES
from engine.games.veney.pieces import BLACK, FREE, S
from engine.games.veney.position import Position
from tests.games.veney.test_generation import scattered

EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "15"))

WHOLE = ("S==", "==", "LfJ~", "BfJ~", "$tC~", "DtC~", "aw", "a+", "a=", "--", "--h", "C~!", "throw", "feign", "sever")


def said(chosen: Random) -> str:
    """Something that looks like a part of a turn."""
    piece, one, two = chosen.choice("S$CBGDLJReaN"), chosen.choice(SQUARES), chosen.choice(SQUARES)
    if chosen.random() < 0.5:
        kind = chosen.choice(("", "", "t", "f", "tC", "f$", "tJ", "fB"))
        return piece + kind + one + chosen.choice(("", "", "~", "!"))
    forms = (
        f"{piece}*{one}",
        f"*{piece}",
        f"B{one}~${two}",
        f"C{one}~S{two}",
        f"~{chosen.choice('LCD')}:{one}",
        f"~C:{one} S{two} ${one}",
        f"Dt{one}~ S{two}",
        f"!$t{one}",
        f"{piece}{one}-{two}",
        chosen.choice(WHOLE),
    )
    return chosen.choice(forms)


def stirred(chosen: Random) -> Position:
    """A scattered position with rarer things in it."""
    position = scattered(chosen)
    side = position.to
    if chosen.random() < 0.1:
        cells = bytearray(position.cells)
        cells[cells.index(S + BLACK * side)] = 0
        position = replace(position, cells=bytes(cells), dying=(side, chosen.randrange(64)))
    return replace(
        position,
        stance=chosen.choice((-1, -1, 0, 1)),
        chaos=((chosen.randrange(2), chosen.randrange(64)),) if chosen.random() < 0.3 else (),
        shima=((chosen.randrange(2), chosen.randrange(64)),) if chosen.random() < 0.1 else (),
        roll=chosen.choice(("", "WWB", "WWW", "BB")),
        terms=replace(position.terms, asked=chosen.random() < 0.3),
    )


def tried(text: str, position: Position) -> Turn | NotationError:
    try:
        return GAME.read(text, position)
    except NotationError as error:
        return error


def pieces(position: Position) -> int:
    standing = sum(code not in (0, FREE) for code in position.cells) + position.caught.bit_count()
    return standing + sum(map(len, (*position.reserve, *position.discard)))


@settings(max_examples=EXAMPLES, deadline=None, derandomize="RIPOSTE_EXAMPLES" not in os.environ)
@given(st.integers(0, 10**9))
def test_anything_readable_can_be_carried_out(seed: int) -> None:
    chosen = Random(seed)
    before = stirred(chosen)
    for _ in range(40):
        text = " ".join(said(chosen) for _ in range(chosen.choice((1, 1, 2, 2, 3))))
        turn = tried(text, before)
        if isinstance(turn, NotationError):
            assert str(turn.because).endswith(".")
            assert str(turn.remedy).endswith(".")
            continue
        rulings = tuple(GAME.judge(before, turn))
        rolled = GAME.roll(before, turn, Dice(bytes(32)))
        for made in (turn, rolled):
            if text.count("Dt") + text.count("throw") < 2:  # a second throw reads differently once the first has fallen
                assert GAME.read(GAME.write(made, before), before) == made, text
            after = GAME.play(before, made)
            assert GAME.play(before, made) == after, text
            assert GAME.decode(GAME.encode(after)) == after, text
            assert pieces(after) == pieces(before), text
            GAME.draw_turn(before, made, "B")
        for penalty in GAME.penalties if rulings else ():
            follows = GAME.penalize(before, turn, rulings, penalty, Dice(bytes(32)))
            assert isinstance(follows, Outcome) or pieces(follows) == pieces(before), text


@settings(max_examples=EXAMPLES, deadline=None, derandomize="RIPOSTE_EXAMPLES" not in os.environ)
@given(st.integers(0, 10**9))
def test_a_text_known_by_its_spelling_means_what_it_means_when_it_is_taken_apart(seed: int) -> None:
    chosen = Random(seed)
    before = stirred(chosen)
    for _ in range(40):
        text = " ".join(said(chosen) for _ in range(chosen.choice((1, 1, 2, 2, 3))))
        at_once, apart = tried(text, before), tried(f" {text}", before)  # nobody stores a text with a space before it
        if isinstance(apart, NotationError):
            assert isinstance(at_once, NotationError), text
            assert (at_once.because, at_once.readings) == (apart.because, apart.readings), text
        else:
            assert at_once == apart, text
