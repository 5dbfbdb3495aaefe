"""The beginning of a game of Veney: arrays, layouts of one's own, armies, and who goes first."""

from dataclasses import replace

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games.veney import GAME
from engine.games.veney.play.reset import BASELINE
from engine.games.veney.position import Position

ARRAY = (
    "W: C@W4 $@X4 S@Y4 B@Z4 e@W5 e@X5 e@Y5 e@Z5 / B: e@W12 e@X12 e@Y12 e@Z12 B@W13 S@X13 $@Y13 C@Z13"
    " / rW: D G L J R / rB: D G L J R / a: ^XY8 / to: W"
)


def begun(**options: str) -> Position:
    return GAME.setup(options, Dice(bytes(32)))


def test_the_standard_array_is_cloak_sword_self_balance_from_each_players_left() -> None:
    assert GAME.encode(begun(first="white")).startswith(ARRAY)


def test_whoever_is_named_goes_first_and_lots_decide_otherwise() -> None:
    assert GAME.to_act(begun(first="black")) == "B"
    starters = {GAME.to_act(GAME.setup({}, Dice(bytes([seed] * 32)))) for seed in range(8)}
    assert starters == {"W", "B"}


def test_a_concealed_layout_stays_sealed_until_both_are_there() -> None:
    position = begun(setup="concealed")
    white, black = GAME.asks(position)
    one = GAME.answer(position, white, "$CSB 8555", Dice(bytes(32)))
    other = GAME.answer(position, white, "BSC$ 5678", Dice(bytes(32)))
    assert [ask.side for ask in GAME.asks(one)] == ["B"]
    for viewer in ("B", None):
        assert GAME.draw(one, viewer) == GAME.draw(other, viewer)
    both = GAME.answer(one, black, black.example, Dice(bytes(32)))
    assert GAME.asks(both) == ()
    assert GAME.encode(both).startswith("W: $@W4 C@X4 S@Y4 B@Z4 e@X5 e@Y5 e@Z5 e@W8 / B: ")
    assert GAME.to_act(both) == "B", "by initiative: 6 against 3"
    assert GAME.decode(GAME.encode(both)) == both


def test_the_lot_for_equal_layouts_is_drawn_once_both_are_there() -> None:
    start = begun(setup="concealed")
    assert {GAME.encode(GAME.setup({"setup": "concealed"}, Dice(bytes([seed] * 32)))) for seed in range(8)} == {
        GAME.encode(start)
    }, "nothing of it is known before"
    white, black = GAME.asks(start)
    one = GAME.answer(start, white, "$CSB 5555", Dice(bytes(32)))
    both = [GAME.answer(one, black, "C$SB 5555", Dice(bytes([seed] * 32))) for seed in range(8)]
    assert {GAME.to_act(position) for position in both} == {"W", "B"}


def test_the_lot_for_equal_setups_in_turns_is_drawn_with_the_last_piece() -> None:
    ends = set()
    for seed in range(8):
        position, dice = begun(setup="turns"), Dice(bytes([seed] * 32))
        while position.pending is not None:
            text = GAME.example(position)
            text = text[:3] + "12" if text.startswith("e") and GAME.to_act(position) == "B" else text
            turn = GAME.roll(position, GAME.read(text, position), dice)
            written = GAME.write(turn, position)
            assert GAME.read(written, position) == turn
            before, position = position, GAME.play(position, turn)
        ends.add((GAME.rolls(turn), GAME.to_act(position)))
        (told,) = GAME.describe_luck(turn, before, None)
        assert str(told) == f"The lot decides: {GAME.names[GAME.to_act(position)]} begins."
    assert ends == {("W", "W"), ("B", "B")}


def test_a_lot_that_an_older_version_drew_in_advance_still_counts() -> None:
    for lot in ("W", "B"):
        owed = f"owed=first:initiative,{lot} owed=setW:S$CBeeee owed=setB:S$CBeeee owed=style:concealed"
        position = GAME.decode(f"W: / B: / a: ^XY8 / to: W / flags: {owed}")
        for ask in GAME.asks(position):
            position = GAME.answer(position, ask, "C$SB 5555", Dice(bytes(32)))
        assert GAME.to_act(position) == lot


@pytest.mark.parametrize("layout", ["", "$CSB", "$CSS 5555", "$CSB 4555", "$CSBD 5555", "$CSB 555-", "$CSB 9555"])
def test_a_layout_outside_the_limits_is_refused(layout: str) -> None:
    position = begun(setup="concealed")
    with pytest.raises(NotationError):
        GAME.answer(position, GAME.asks(position)[0], layout, Dice(bytes(32)))


def test_in_turns_each_side_places_a_piece_until_all_stand() -> None:
    position = begun(setup="turns", first="white")
    placed = 0
    while position.pending is not None:
        before = GAME.to_act(position)
        turn = next(GAME.turns(position))
        assert GAME.read(GAME.write(turn, position), position) == turn
        position = GAME.play(position, turn)
        placed += 1
        assert position.pending is None or GAME.to_act(position) != before
    assert placed == 16
    assert GAME.to_act(position) == "W"
    assert {at for at in BASELINE[0] if position.cells[at]} == set(BASELINE[0])


def test_in_turns_a_piece_keeps_to_the_limits() -> None:
    position = begun(setup="turns")
    with pytest.raises(NotationError):
        GAME.read("S*Y5", position)
    with pytest.raises(NotationError):
        GAME.read("G*Y4", position)


def test_in_an_older_match_a_reset_brings_back_an_own_layout() -> None:
    position = begun(setup="concealed", first="white")
    position = replace(position, terms=replace(position.terms, anew=""))
    for ask, text in zip(GAME.asks(position), ("$CSB 8555", "C$SB 5555"), strict=True):
        position = GAME.answer(position, ask, text, Dice(bytes(32)))
    start = position.cells
    for text in ("SY3", "--", "SY2", "SY14" if position.cells[57] else "--", "SY1", "eW11", "S=="):
        position = GAME.play(position, GAME.read(text, position))
    assert position.cells == start
    assert position.retreated == (1, 0)


def test_a_board_of_own_layouts_can_be_read_again_with_a_trap_to_be_sprung() -> None:
    layouts = "home=C@W4,$@X4,S@Y4,B@Z4;C@Z13,S@Y13,$@X13,B@W13"
    before = GAME.decode(f"W: S@Y5 $@X6 / B: S@X14 B@W8 $@Z14 / a: - / to: B / flags: chaos=W:Y6 {layouts}")
    entered = GAME.play(before, GAME.read("BY6", before))
    assert GAME.decode(GAME.encode(entered)) == entered
    assert GAME.tenable(entered, GAME.read("C~!", entered))


def test_surplus_pieces_fill_gaps_and_the_rest_goes_to_reserve() -> None:
    position = GAME.decode("W: S@Y1 $@X4 G@Z4 D@W2 L@X2 / B: S@Z16 $@Z13 / rW: e C B / a: - / to: W")
    after = GAME.play(position, GAME.read("S==", position))
    assert GAME.encode(after).startswith("W: D@W4 $@X4 S@Y4 G@Z4 e@W5 / B: S@X13 $@Y13 / rW: C B L")


def test_a_reset_frees_captured_blades() -> None:
    position = GAME.decode("W: S@Y1 $@X4 C@Z13 / B: S@Z16 $@Z13 / a: - / to: W / flags: passes=1 noJ=W")
    after = GAME.play(position, GAME.read("S==", position))
    assert GAME.encode(after) == "W: C@W4 $@X4 S@Y4 / B: S@X13 $@Y13 / a: - / to: B / flags: retW=1"


def test_armies_may_differ() -> None:
    assassin = begun(whiteset="assassin", blackset="-J-L", ruin="off")
    assert assassin.reserve == ("DDDD", "DG")
    assert assassin.find(0, 10) < 0
    assert assassin.terms.cap == (2, 0)
    with pytest.raises(NotationError):
        begun(whiteset="everything")


def test_an_assassin_has_two_daggers_on_the_board_at_most() -> None:
    position = GAME.decode("W: S@Y4 D@X4 D@Z4 / B: S@Z16 / rW: D D / a: - / to: W / flags: cap=2,0")
    assert [ruling.rule.ref for ruling in GAME.judge(position, GAME.read("D*Y5", position))] == ["2.0.23:dagger-limit"]


def test_an_illusionists_cloak_touches_the_self() -> None:
    position = GAME.decode("W: S@Y4 C@X7 / B: S@Y9 $@Z13 / a: - / to: W / flags: touch=CLJ,")
    turn = GAME.read("CtY9", position)
    assert GAME.tenable(position, turn)
    assert GAME.play(position, turn).dying is not None


@pytest.mark.parametrize(
    ("given", "turn"),
    [
        ("W: S@Y8 D@Y10 / B: S@Z12 $@Y11 B@W12 / a: - / to: B", "$tDY10"),
        ("W: S@Y8 D@Z10 / B: S@Z12 $@Y16 / a: - / to: W / flags: roll=BBB", "DtZ12~"),
        ("W: S@Y8 D@Z10 / B: S@Z12 $@Y16 / a: - / to: W / flags: roll=WWB", "DtZ12~"),
        ("W: S@Y8 D@Z5 / B: S@Z12 $@Y16 / a: - / to: W", "*DZ5"),
        ("W: S@Y8 D@Z5 / B: S@Z16 $@Y16 / a: - / to: W", "~D:Y10"),
    ],
)
def test_an_illusionist_does_not_live_by_its_only_blade(given: str, turn: str) -> None:
    illusion = " touch=CLJ," if "flags" in given else " / flags: touch=CLJ,"
    for flag, goes_on in (("", False), (illusion, True)):
        position = GAME.decode(given + flag)
        made = GAME.read(turn, position)
        assert GAME.tenable(position, made)
        assert (GAME.outcome(GAME.play(position, made)) is None) == goes_on


def test_nor_does_an_illusionist_lose_by_losing_it_as_a_penalty() -> None:
    position = GAME.decode("W: S@Y4 D@X4 / B: S@Z16 $@Y16 / a: - / to: W / flags: touch=CLJ,")
    turn = GAME.read("DX12", position)
    rulings = tuple(GAME.judge(position, turn))
    for penalty in ("piece-lenient", "piece-absolute"):
        after = GAME.penalize(position, turn, rulings, penalty, Dice(bytes(32)))
        assert isinstance(after, Position)
        assert after.discard == ("D", "")


@pytest.mark.parametrize("words", ["-$-D", "full -$ -D", "illusionist-D", "assassin-D-D-D-D"])
def test_a_set_without_a_blade_is_refused(words: str) -> None:
    for side in ("whiteset", "blackset"):
        with pytest.raises(NotationError, match="without a blade"):
            begun(**{side: words})


def test_a_set_with_one_blade_is_played() -> None:
    for words in ("-$", "-D", "assassin-D-D-D"):
        assert begun(whiteset=words).find(0, 9) >= 0


def test_terms_that_say_nothing_are_refused() -> None:
    for options in ({"retreats": "many"}, {"devices": "-magic"}, {"whiteset": "+S"}):
        with pytest.raises(NotationError):
            begun(**options)


def test_terms_may_rule_a_delayed_reset_out_and_sudden_death_does() -> None:
    assert GAME.reset(begun()) is not None
    for terms in ({"delayed_reset": "off"}, {"umpire": "sudden"}):
        position = begun(**terms)
        assert GAME.reset(position) is None
        assert GAME.decode(GAME.encode(position)) == position


@pytest.mark.parametrize(
    "busy",
    [
        "W: S@W9 D@X10 $@W2 / B: S@Z12 L@W16 / a: - / to: W / flags: ask=throw,W,0,DtZ12~",
        "W: S@W9 $@W2 / B: S@Z12 / a: - / to: W / flags: ask=distraction,W,0,",
        "W: S@Y6 $@X9 / B: $@W16 / dB: S / a: - / to: B / flags: dying=B@X9",
        "W: S@Y6 $@X9 / B: S@Z12 $@W16 / a: - / to: B / flags: owed=hug:? hug=1",
    ],
)
def test_nothing_is_reset_while_something_else_is_awaited(busy: str) -> None:
    assert GAME.reset(GAME.decode(busy)) is None


def test_a_formal_game_may_have_a_token_for_the_free_engagement() -> None:
    assert begun(formality="formal", freetoken="grey pebble") == begun(formality="formal")


@pytest.mark.parametrize("token", ["a; b", "x" * 41, "two\nlines", "*bold*"])
def test_it_has_a_plain_name(token: str) -> None:
    with pytest.raises(NotationError):
        begun(formality="formal", freetoken=token)


def test_a_casual_game_has_none() -> None:
    with pytest.raises(NotationError, match="formal"):
        begun(freetoken="grey pebble")
