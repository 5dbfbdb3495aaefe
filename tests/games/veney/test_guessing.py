"""Throws in Veney that are guessed: both sides choose in private, and what they chose decides."""

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games.veney import GAME
from engine.games.veney.position import Position
from engine.match.commands import Call, Reply
from tests.table import Table, begun

DICE = Dice(bytes(32))


def answered(position: Position, **texts: str) -> Position:
    for side, text in texts.items():
        ask = next(ask for ask in GAME.asks(position) if ask.side == side)
        position = GAME.answer(position, ask, text, DICE)
        assert GAME.decode(GAME.encode(position)) == position
    return position


def flying(black: str, how: str = "guess") -> Position:
    position = GAME.decode(f"W: S@W1 $@Z2 D@X2 / B: S@{black} / a: - / to: W / flags: throw={how}")
    return GAME.play(position, GAME.roll(position, GAME.read("throw", position), DICE))


@pytest.mark.parametrize(
    ("black", "right", "wrong"),
    [("X3", "2", "3"), ("X7", "2 odd", "2 even"), ("X10", "7", "8"), ("X14", "7 yz", "7 wx")],
)
def test_the_further_the_selves_are_the_more_is_guessed(black: str, right: str, wrong: str) -> None:
    hit = answered(flying(black), B="Y7", W=right)
    assert hit.dying is not None
    miss = answered(flying(black), W=wrong, B="Y7")
    assert miss.discard == ("D", "")
    assert GAME.to_act(miss) == "B"


def test_paper_hides_a_number() -> None:
    assert answered(flying("X10", "paper6"), B="4", W="4").dying is not None
    assert answered(flying("X10", "paper6"), B="4", W="5").dying is None
    for said in ("0", "7", "four"):
        with pytest.raises(NotationError):
            answered(flying("X10", "paper6"), B=said)


FLIGHT = "W: S@X6 D@Y6 e@W5 / B: S@Y14 $@Z14 e@W12 / dW: $ / a: ^XY8 / to: W"


def thrown(*answers: str) -> Table:
    table = begun("veney", start=FLIGHT, throw="guess", umpire="turn")
    table.play("DtY14~")
    for said in answers:
        who, _, text = said.partition(" ")
        table.done(Reply(who, text))
    return table


def test_who_was_hit_after_answering_may_still_call_the_throw_out() -> None:
    table = thrown("anna 11", "ben X11")
    assert table.now.position.dying is not None
    assert table.done(Call("ben")) == ("CallFailed",)


def test_a_wrong_call_by_who_has_to_answer_does_not_undo_the_throw() -> None:
    table = begun("veney", start=FLIGHT, throw="guess", umpire="turn", falsecall="turn")
    table.play("DtY14~")
    table.done(Reply("anna", "11"))
    assert table.done(Call("ben")) == ("CallFailed",)
    table.done(Reply("ben", "X11"))
    assert table.now.position.dying is not None

    table = begun("veney", start=FLIGHT.replace("$@Z14", "$@Z14 L@X16"), umpire="turn", falsecall="turn")
    table.play("DtY14~")
    assert table.to_act == "ben"
    assert table.done(Call("ben")) == ("CallFailed",)
    assert table.to_act == "ben"
    assert "ask=throw" in table.position


def test_the_only_blade_guessed_away_ends_the_match_at_once_whoever_answers_last() -> None:
    for answers in (("anna 12", "ben X11"), ("ben X11", "anna 12")):
        table = thrown(*answers)
        assert table.now.result is not None
        assert (table.now.result.rule, table.now.result.winners) == ("2.0.21:self-disarm", ("B",))


def test_any_number_of_papers_will_do() -> None:
    assert GAME.setup({"throw": "paper37"}, DICE).terms.throw == "paper37"
    for said in ("paper1", "paper100", "paper", "dice"):
        with pytest.raises(NotationError, match="throw"):
            GAME.setup({"throw": said}, DICE)


@pytest.mark.parametrize(("hidden", "side"), [("W8", "white"), ("Z9", "black")])
def test_the_side_alone_may_be_guessed_however_far_the_selves_are(hidden: str, side: str) -> None:
    for guess in ("white", "black"):
        end = answered(flying("X14", "guess-side"), B=hidden, W=guess)
        assert (end.dying is not None) == (guess == side)
