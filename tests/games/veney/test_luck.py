"""Luck in Veney: thrown Daggers, cast pieces, what is asked before and after, and what nobody else is told."""

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games.veney import GAME
from engine.games.veney.action import Turn
from engine.games.veney.position import Position
from engine.match.commands import Call, Play
from engine.match.events import Played
from engine.match.evolve import replay
from engine.match.record.read import read_record
from engine.match.record.write import record_of
from engine.reading.typed import understood
from tests.table import begun


class Loaded(Dice):
    """Dice that show what they are told."""

    def __init__(self, *faces: int):
        super().__init__(bytes(32))
        self.faces = list(faces)

    def roll(self, faces: int) -> int:
        return self.faces.pop(0)


WHITE, BLACK = 0, 1


def made(position: Position, text: str, *faces: int) -> tuple[Turn, Position]:
    """A turn with its luck, and the position it leads to; both come back from their texts."""
    turn = GAME.roll(position, GAME.read(text, position), Loaded(*faces))
    written = GAME.write(turn, position)
    assert GAME.read(written, position) == turn
    after = GAME.play(position, turn)
    assert GAME.decode(GAME.encode(after)) == after
    return turn, after


THROWER = "W: S@W1 $@W2 D@X4 / B: S@X13 $@Z13 / a: - / to: W / flags: asked=1"
LIT = "W: S@W1 $@Z2 D@X4 / B: S@X13 $@Z13 L@W9 / a: - / to: W / flags: asked=1"
OPEN = "W: S@X3 $@Y3 / B: S@X14 $@Z13 / rW: C D L / a: - / to: W"


def test_a_throw_takes_two_sticks_and_one_more_for_every_measure_between() -> None:
    for black, sticks in (("X3", 2), ("X8", 3), ("X12", 4), ("X13", 5)):
        position = GAME.decode(f"W: S@W1 $@W2 D@X2 / B: S@{black} / a: - / to: W")
        turn, _ = made(position, f"Dt{black}~", *[BLACK] * sticks)
        assert GAME.rolls(turn) == "B" * sticks


def test_all_sticks_of_the_own_colour_touch_the_self() -> None:
    turn, after = made(GAME.decode(THROWER), "throw", *[WHITE] * 5)
    assert GAME.rolls(turn) == "WWWWW"
    assert after.dying is not None
    assert GAME.outcome(after) is None
    assert GAME.to_act(after) == "B"
    assert GAME.time_limit(after) == 24 * 3600


def test_two_sticks_of_the_other_colour_lose_the_dagger() -> None:
    _, after = made(GAME.decode(THROWER), "DtX13~", WHITE, BLACK, WHITE, BLACK, WHITE)
    assert after.discard == ("D", "")
    assert GAME.to_act(after) == "B"


def test_a_miss_by_one_stick_asks_the_thrower_where_self_and_sword_go() -> None:
    _, after = made(GAME.decode(THROWER), "DtX13~", WHITE, BLACK, WHITE, WHITE, WHITE)
    assert GAME.to_act(after) == "W"
    assert "distraction" in str(GAME.duty(after))
    _, settled = made(after, "SX6 $Y7")
    assert settled.where(0) == GAME.decode("W: S@X6 / B: S@X13 / a: - / to: W").where(0)
    assert GAME.to_act(settled) == "B"
    assert GAME.to_act(GAME.play(after, GAME.read("--", after))) == "B"
    assert not GAME.tenable(after, GAME.read("SX9", after))


def test_squares_named_for_a_distraction_in_advance_count_only_if_there_is_one() -> None:
    before = GAME.decode(THROWER)
    for off, site in ((0, "S@W1"), (1, "S@X6"), (2, "S@W1")):
        sticks = [BLACK] * off + [WHITE] * (5 - off)
        turn, after = made(before, "DtX13~ SX6 $Y7", *sticks)
        assert GAME.tenable(before, turn), "luck breaks no rule"
        assert site in GAME.encode(after)
        _, asked = made(GAME.decode(LIT), "DtX13~ SX6 $Y7")
        _, allowed = made(asked, "allow", *sticks)
        assert site in GAME.encode(allowed)
        assert allowed.pending is None


@pytest.mark.parametrize(
    ("start", "thrown", "broken", "heard"),
    [
        ("W: S@W9 D@X10 $@W2 / B: S@Z12 $@Z16", "DtZ12~ SW13", ("2.0.08:reposition-zone",), "CalledOut"),
        ("W: S@W1 D@X4 $@W2 / B: S@X14 $@Z16", "DtX14~ SW13", (), "CallFailed"),
    ],
)
def test_the_log_knows_of_a_throw_what_a_call_would_find(
    start: str, thrown: str, broken: tuple[str, ...], heard: str
) -> None:
    table = begun("veney", share=DISTRACTS, start=f"{start} / a: - / to: W")
    played = table.says(Play("anna", thrown))
    assert isinstance(played, tuple)
    assert isinstance(played[0], Played)
    assert played[0].broken == broken, "with these dice the first throw distracts and the second does not"
    assert table.done(Call("ben"))[0] == heard


DISTRACTS = "0"
"""A share with which the first throw distracts and the second does not."""


def test_squares_named_for_chaos_in_advance_count_only_where_the_cloak_has_not_fallen_before_them() -> None:
    before = GAME.decode(OPEN)
    for faces, site, asked in (
        ((0, 1, 0, 1), "S@W5", False),
        ((0, 1, 1, 1), "S@X3", True),
        ((1, 1, 0, 1), "S@X3", False),
    ):
        turn, after = made(before, "~C:W6 SW5", *faces)
        assert GAME.tenable(before, turn), "luck breaks no rule"
        assert site in GAME.encode(after)
        assert (after.pending is not None) is asked
    for text, faces in (("~C:X6 SW8", (0, 1, 0, 1)), ("~C:X6 SW9", (0, 1, 1, 1))):
        turn, _ = made(before, text, *faces)
        assert not GAME.tenable(before, turn), "no luck could have made it tenable"


def test_before_a_throw_in_the_glare_the_opponent_is_asked() -> None:
    before = GAME.decode(LIT)
    turn, asked = made(before, "SW2 DtX13~")
    assert GAME.tenable(before, turn)
    assert GAME.rolls(turn) == ""
    assert asked.cells == before.cells
    assert GAME.to_act(asked) == "B"
    prevented = GAME.play(asked, GAME.read("prevent", asked))
    assert prevented == before
    turn, thrown = made(asked, "allow", *[BLACK] * 5)
    assert GAME.rolls(turn) == "BBBBB"
    assert thrown.discard == ("D", "")
    assert thrown.find(0, 9) == 4, "the Self's half of the concert was played as well"
    assert GAME.to_act(thrown) == "B"


def test_a_throw_let_happen_in_the_glare_may_still_be_called_out_but_not_one_prevented() -> None:
    blocked = "W: S@W9 D@X10 $@W2 C@Y11 / B: S@Z12 $@Z16 L@W16 / a: - / to: W"
    for answer, heard in (("allow", "CalledOut"), ("prevent", "CallFailed")):
        table = begun("veney", start=blocked)
        table.play("DtZ12~", answer)
        assert table.done(Call("ben"))[0] == heard
    table.play("SW8")
    assert table.done(Call("ben"))[0] == "CallFailed", "what was prevented was never made"
    table = begun("veney", start=blocked)
    table.play("DtZ12~", "allow", "SW1", "SZ13")  # with a distraction, as it happens
    assert table.done(Call("ben"))[0] == "CallFailed", "who has made a turn of the own has let it stand"


def test_a_cast_piece_is_scattered_around_its_aim() -> None:
    for faces, square in (((0, 1, 0, 1), "X6"), ((0, 0, 0, 1), "Y6"), ((0, 1, 1, 1), "X5"), ((1, 1, 0, 0), "W7")):
        _, after = made(GAME.decode(OPEN), "cast lantern x6", *faces)
        assert f"fire=W:{square}" in GAME.encode(after)


def test_a_piece_cast_at_the_edge_may_fall_outside() -> None:
    _, after = made(GAME.decode(OPEN), "~L:W8", 1, 1, 0, 1)
    assert not after.fire
    assert after.discard == ("L", "")


def test_a_cast_piece_may_fall_anywhere_by_agreement() -> None:
    _, after = made(GAME.decode(OPEN + " / flags: uniform=1"), "~L:W8", 1, 1, 0, 0)
    assert "fire=W:Z5" in GAME.encode(after)


def test_after_a_cast_cloak_its_caster_is_asked_where_self_and_blade_go() -> None:
    _, after = made(GAME.decode(OPEN), "~C:Y6", 0, 1, 0, 1)
    assert GAME.to_act(after) == "W"
    _, settled = made(after, "SW3 $X5")
    assert GAME.to_act(settled) == "B"
    assert not GAME.tenable(after, GAME.read("$X6", after))


@pytest.mark.parametrize("viewer", ["W", "B", None])
@pytest.mark.parametrize("piece", ["L", "C", "D"])
def test_where_a_cast_piece_fell_is_told_to_everybody_and_then_remembered(piece: str, viewer: str | None) -> None:
    before = GAME.decode(OPEN)
    late = []
    for aim in ("X6", "Y7"):
        turn, after = made(before, f"~{piece}:{aim}", 0, 1, 0, 1)
        assert GAME.show(turn, before, viewer) == f"~{piece}{aim}({aim}:WBWB)"
        (told,) = GAME.describe_luck(turn, before, viewer)
        assert str(told).endswith(f"fell on {aim}.")
        assert aim in {site for mark in GAME.draw_turn(before, turn, viewer).marks for site in mark.sites}
        late.append((GAME.draw(after, viewer), GAME.look(after, "X6", viewer), GAME.look(after, "Y7", viewer)))
    assert late[0] == late[1]


@pytest.mark.parametrize("piece", ["L", "C", "D"])
def test_cast_squares_stay_marked_where_that_was_agreed_on(piece: str) -> None:
    before = GAME.decode(OPEN + " / flags: castmark=1")
    for aim in ("X6", "Y7"):
        _, after = made(before, f"~{piece}:{aim}", 0, 1, 0, 1)
        for viewer in ("W", "B", None):
            diagram = GAME.draw(after, viewer)
            assert [mark.sites for mark in diagram.marks] == [(aim,)]
            assert any(aim in str(note) for note in diagram.notes)


def test_what_was_cast_is_read_as_it_was_written_by_any_version() -> None:
    position = GAME.decode(OPEN)
    for text in ("~LX7(X6:WBWW)", "~L:X6(WBWW)"):
        assert GAME.write(GAME.read(text, position), position) == "~LX7(X6:WBWW)"
    for text in ("~L-(X8:WBWW)", "~L:X8(WBWW)"):
        assert GAME.write(GAME.read(text, position), position) == "~L-(X8:WBWW)"
    assert GAME.write(GAME.read("~LX6", position), position) == "~LX6"
    with pytest.raises(NotationError):
        GAME.read("~LX6(X6:WBWW)", position)


FULL = "W: S@X3 $@Y3 e@W6 / B: S@X14 $@Z13 e@W10 / rW: C D L G / rB: C L / a: - / to: W"
"""No measure between the Selves is empty."""
CLOSE = "W: S@X6 $@Y6 / B: S@X9 $@Z13 / rW: C D L G / rB: C L / a: - / to: W"
"""There is no measure between the Selves."""


@pytest.mark.parametrize("start", [FULL, CLOSE])
@pytest.mark.parametrize("aim", ["", ":X7"])
def test_an_untenable_cast_is_carried_out_like_a_tenable_one(start: str, aim: str) -> None:
    position = GAME.decode(start)
    for piece, left in (("L", "fire=W:"), ("C", "chaos=W:"), ("D", "shima=W:")):
        turn, after = made(position, f"~{piece}{aim}", 0, 1, 0, 1)
        assert not GAME.tenable(position, turn)
        assert left in GAME.encode(after)
        assert "fell on" in str(GAME.describe_luck(turn, position, None)[0])
        assert (GAME.to_act(after), GAME.duty(after) is not None) == (("W", True) if piece == "C" else ("B", False))
        assert after.reserve == (("CDGL".replace(piece, ""), "CL") if piece != "D" else ("", ""))


@pytest.mark.parametrize(("piece", "name"), [("L", "Lantern"), ("C", "Cloak"), ("D", "Dagger")])
def test_a_cast_that_the_terms_switch_off_is_objected_to_in_those_words(piece: str, name: str) -> None:
    start = f"W: S@X3 $@Y3 / B: S@X14 / rW: {piece} / a: - / to: W / flags: off=cast-{name.lower()}"
    position = GAME.decode(start)
    (ruling,) = GAME.judge(position, GAME.read(f"~{piece}:Y6", position))
    assert str(ruling.because) == f"Casting the {name} is switched off in this match."


def test_from_an_untenable_fire_square_a_piece_goes_on() -> None:
    _, after = made(GAME.decode(FULL.replace("$@Y3", "$@Y3 B@W8")), "~L:X7", 0, 1, 0, 1)
    answered = GAME.play(after, GAME.read("SX15", after))
    assert GAME.tenable(answered, GAME.read("BX7 BZ9", answered))


def test_other_dice_decide_a_throw_by_agreement() -> None:
    position = GAME.decode(THROWER.replace("asked=1", "throw=d6"))
    turn, after = made(position, "throw", 0)
    assert GAME.rolls(turn) == "+1"
    assert after.dying is not None
    turn, after = made(position, "throw", 3)
    assert GAME.rolls(turn) == "-4"
    assert after.discard == ("D", "")


def test_what_chaos_asked_for_belongs_to_the_cast_and_falls_with_it() -> None:
    for umpire, due in (("friendly", "W"), ("turn", "B"), ("piece-lenient", "B")):
        table = begun("veney", start=OPEN, umpire=umpire)
        table.play("~C:X6", "SX9")
        before = table.now.plies[0].before
        assert table.done(Call("ben"))[0] == "CalledOut"
        position = table.now.position
        assert (position.cells, position.reserve, position.chaos) == (before.cells, before.reserve, ())
        assert GAME.to_act(position) == due
        assert [ply.kind for ply in table.now.plies] == ([] if umpire == "friendly" else ["penalty"])
        assert replay(table.events, check=True) == table.now
        record = record_of(table.events, {}, None)
        assert read_record(record.write()) == record


def test_a_distraction_belongs_to_its_throw_as_well() -> None:
    start = "W: S@W9 D@X10 $@W2 / B: S@Z12 $@Z16 / a: - / to: W"
    table = begun("veney", share=DISTRACTS, start=start, umpire="friendly")
    table.play("DtZ12~", "SW13")
    assert table.done(Call("ben"))[0] == "CalledOut"
    assert GAME.encode(table.now.position).startswith("W: $@W2 S@W9 D@X10 ")
    assert GAME.to_act(table.now.position) == "W"


# --- asked once more, before the sticks fall --------------------------------------------------------------
@pytest.mark.parametrize(
    ("white", "turn", "warned"),
    [
        ("S@Y4 D@X4", "~D:X7", True),
        ("S@Y4 $@X4 D@W4", "~D:X7", False),  # the Sword is left
        ("S@X6 $@Z6 D@Y6", "throw", False),
    ],
)
def test_only_who_casts_the_only_blade_is_asked_before_the_sticks_fall(white: str, turn: str, warned: bool) -> None:
    position = GAME.decode(f"W: {white} e@W5 / B: S@Y14 $@Z14 e@W12 / a: ^XY8 / to: W")
    said = GAME.caution(position, understood(GAME, turn, position), None)
    assert (str(said) == "That is your only blade, so casting it loses the game.") is warned
    assert (said is not None) is warned
