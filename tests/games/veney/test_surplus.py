"""Surplus pieces after a reset, and setups made anew."""

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games.veney import GAME
from engine.games.veney.position import Position
from engine.match.commands import AlarmFired, Call
from engine.match.evolve import replay
from engine.match.record.read import read_record
from engine.match.record.write import record_of
from tests.games.veney.test_setup import begun
from tests.table import begun as begun_match


def test_nothing_is_reset_before_the_board_is_set_up() -> None:
    for setup in ("turns", "concealed"):
        assert GAME.reset(begun(setup=setup)) is None


CROWDED = "W: S@Y1 $@X4 C@W4 B@Z4 G@W2 L@X2 / B: S@Z16 $@Z13 / rW: e / rB: J / a: - / to: W / flags: anew=ask"
"""White retreats with two pieces more than its baseline holds."""


def retreated(start: str) -> Position:
    position = GAME.decode(start)
    return GAME.play(position, GAME.read("S==", position))


@pytest.mark.parametrize(
    ("said", "behind", "reserve"),
    [("-", "", "GL"), ("g", "G@W3", "L"), ("LG", "L@W3 G@X3", ""), ("g, l", "G@W3 L@X3", "")],
)
def test_whoever_has_surplus_pieces_after_a_reset_says_where_they_go(said: str, behind: str, reserve: str) -> None:
    position = retreated(CROWDED)
    assert GAME.decode(GAME.encode(position)) == position
    (ask,) = GAME.asks(position)
    assert (ask.side, ask.default) == ("W", "-")
    settled = GAME.answer(position, ask, said, Dice(bytes(32)))
    assert GAME.encode(settled).startswith(f"W: {behind} C@W4 $@X4 S@Y4 B@Z4 e@W5 / ".replace("W:  ", "W: "))
    assert settled.reserve == (reserve, "J")
    assert GAME.asks(settled) == ()
    assert GAME.to_act(settled) == "B"


@pytest.mark.parametrize("said", ["", "J", "GG", "behind", "C"])
def test_only_surplus_pieces_are_named(said: str) -> None:
    position = retreated(CROWDED)
    (ask,) = GAME.asks(position)
    with pytest.raises(NotationError):
        GAME.answer(position, ask, said, Dice(bytes(32)))


def test_without_surplus_nobody_is_asked_and_older_matches_never_ask() -> None:
    assert GAME.asks(retreated(CROWDED.replace(" L@X2", "").replace(" B@Z4", ""))) == ()
    older = retreated(CROWDED.removesuffix(" / flags: anew=ask"))
    assert (GAME.asks(older), older.reserve) == ((), ("GL", "J"))


def test_both_sides_are_asked_where_both_have_surplus() -> None:
    position = retreated(CROWDED.replace("$@Z13", "$@Z13 C@W9 B@X9 J@Y9 R@Z9").replace("rB: J", "rB: G"))
    assert [ask.side for ask in GAME.asks(position)] == ["W", "B"]
    for ask in GAME.asks(position):
        position = GAME.answer(position, ask, ask.default, Dice(bytes(32)))
    assert position.reserve == ("GL", "GJR")


def test_where_surplus_pieces_of_one_side_go_is_seen_when_the_other_has_said_so_too() -> None:
    position = retreated(CROWDED.replace("$@Z13", "$@Z13 C@W9 B@X9 J@Y9 R@Z9").replace("rB: J", "rB: G"))
    white, black = GAME.asks(position)
    for first, second in ((white, black), (black, white)):
        one = GAME.answer(position, first, "G" if first is white else "JR", Dice(bytes(32)))
        for viewer in (None, *GAME.sides):
            assert GAME.draw(one, viewer) == GAME.draw(position, viewer)
        assert GAME.asks(one) == (second,)
        assert GAME.decode(GAME.encode(one)) == one
        both = GAME.answer(one, second, "G" if second is white else "JR", Dice(bytes(32)))
        assert GAME.encode(both).startswith("W: G@W3 C@W4 $@X4 S@Y4 B@Z4 e@W5 / ")
        assert (both.reserve, both.owed) == (("L", "G"), ())


def test_who_does_not_say_in_time_has_them_in_reserve_and_loses_nothing() -> None:
    table = begun_match("veney", start=CROWDED.removesuffix(" / flags: anew=ask"), dyingtime="60", umpire="turn")
    table.play("S==")
    assert [ask.side for ask in GAME.asks(table.now.position)] == ["W"]
    table.says(AlarmFired("flag"), 61_000)
    assert table.now.status == "running"
    assert table.now.position.reserve == ("GL", "J")
    assert table.to_act == "ben"
    assert replay(table.events, check=True) == table.now
    record = record_of(table.events, {}, None)
    assert read_record(record.write()) == record


def test_a_retreat_may_be_called_out_while_surplus_pieces_wait() -> None:
    start = CROWDED.removesuffix(" / flags: anew=ask").replace("S@Z16", "S@Z8")
    table = begun_match("veney", start=start, umpire="turn")
    table.play("S==")
    assert table.done(Call("ben"))[0] == "CalledOut"
    assert GAME.asks(table.now.position) == ()


def test_own_layouts_are_sent_once_more_with_what_is_left() -> None:
    start = CROWDED.replace("anew=ask", "anew=concealed")
    position = retreated(start)
    assert GAME.decode(GAME.encode(position)) == position
    white, black = GAME.asks(position)
    assert GAME.draw(position, "W").figures == GAME.draw(position, None).figures == ()
    for ask in (white, black):
        GAME.answer(position, ask, ask.example, Dice(bytes(32)))
    with pytest.raises(NotationError, match="the Self among them"):
        GAME.answer(position, white, "C$BG 5---", Dice(bytes(32)))
    position = GAME.answer(position, white, "GS$L 8---", Dice(bytes(32)))
    position = GAME.answer(position, black, "-S-$ ----", Dice(bytes(32)))
    assert GAME.encode(position).startswith("W: G@W4 S@X4 $@Y4 L@Z4 e@W8 / B: $@W13 S@Y13 / ")
    (ask,) = GAME.asks(position)
    position = GAME.answer(position, ask, "B", Dice(bytes(32)))
    assert GAME.encode(position).startswith("W: B@W3 G@W4 ")
    assert position.reserve == ("C", "J")
    assert GAME.to_act(position) == "B", "whoever did not reset the board moves next"


def test_pieces_are_placed_in_turns_once_more_with_what_is_left() -> None:
    position = retreated(CROWDED.replace("anew=ask", "anew=turns"))
    assert (GAME.to_act(position), position.find(0, 9)) == ("B", -1)
    while position.pending is not None:
        assert GAME.decode(GAME.encode(position)) == position
        position = GAME.play(position, GAME.read(GAME.example(position), position))
    (ask,) = GAME.asks(position)
    position = GAME.answer(position, ask, ask.default, Dice(bytes(32)))
    assert min(position.selves) >= 0
    assert len(position.reserve[0]) == 2
    assert GAME.to_act(position) == "B"


def test_matches_that_begin_now_know_how_they_are_set_up_anew() -> None:
    told = {setup: begun(setup=setup).terms.anew for setup in ("standard", "concealed", "turns")}
    assert told == {"standard": "ask", "concealed": "concealed", "turns": "turns"}
