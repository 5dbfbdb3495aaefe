"""The Donkey of Veney: placed anywhere, it goes its own way, and nobody may harm it."""

import pytest

from engine.dice import Dice
from engine.game import NotationError
from engine.games.veney import GAME
from engine.games.veney.position import Position


class Sticks(Dice):
    """Sticks that show so many black ones."""

    def __init__(self, black: int):
        super().__init__(bytes(32))
        self.left = black

    def roll(self, faces: int) -> int:
        self.left -= 1
        return int(self.left >= 0)


def strayed(given: str, black: int, text: str = "--", term: str = "each") -> Position:
    before = GAME.decode(f"{given} / flags: donkey={term}")
    turn = GAME.roll(before, GAME.read(text, before), Sticks(black))
    assert GAME.tenable(before, turn)
    assert GAME.read(GAME.write(turn, before), before) == turn
    after = GAME.play(before, turn)
    assert GAME.decode(GAME.encode(after)) == after
    return after


def where(position: Position) -> str:
    text = GAME.encode(position)
    return text.partition("N@")[2].split(" ", 1)[0]


OPEN = "W: S@W1 $@W2 N@Y8 / B: S@Z16 $@Z13 / a: - / to: W"


@pytest.mark.parametrize(("black", "end"), [(0, "Y8"), (1, "X9"), (2, "Y9"), (3, "Z9"), (4, "X7"), (5, "Z7")])
def test_black_sticks_say_where_it_goes(black: int, end: str) -> None:
    assert where(strayed(OPEN, black)) == end


@pytest.mark.parametrize(("black", "end"), [(1, "Z7"), (2, "Y7"), (3, "X7"), (4, "Z9"), (5, "X9")])
def test_for_black_from_the_other_end(black: int, end: str) -> None:
    given = "W: S@W1 $@W2 / B: N@Y8 S@Z16 $@Z13 / a: - / to: B"
    assert where(strayed(given, black)) == end


def test_the_only_way_out_needs_no_sticks() -> None:
    given = "W: N@W1 S@X1 $@W2 / B: S@Z16 $@Z13 / a: - / to: W"
    assert where(strayed(given, 0)) == "X2"


def test_it_fends_engagements_of_either_side_and_the_free_one() -> None:
    after = strayed(OPEN.replace("N@Y8", "N@Y8 e@Y9"), 2)
    assert (where(after), after.reserve) == ("Y9", ("e", ""))
    after = strayed(OPEN.replace("a: -", "a: Y9"), 2)
    assert " / a: ^XY8 / " in GAME.encode(after)


def test_it_pushes_a_self_if_there_is_room() -> None:
    after = strayed("W: S@W1 $@W2 N@Y8 / B: S@Y9 $@Z13 / a: - / to: W", 2)
    assert (where(after), "S@Y10" in GAME.encode(after)) == ("Y9", True)
    after = strayed("W: S@W1 $@W2 N@Y8 / B: S@Y9 $@Y10 / a: - / to: W", 2)
    assert where(after) == "Y8"


def test_from_any_other_piece_it_turns_round() -> None:
    assert where(strayed("W: S@W1 $@W2 N@Y8 / B: S@Z16 $@Y9 / a: - / to: W", 2)) == "Y7"
    assert where(strayed("W: S@W1 $@Y7 N@Y8 / B: S@Z16 $@Y9 / a: - / to: W", 2)) == "Y8"


@pytest.mark.parametrize(("term", "reserve", "discard"), [("each", "", "N"), ("each+", "N", "")])
def test_off_the_board_it_is_gone_or_comes_back(term: str, reserve: str, discard: str) -> None:
    after = strayed("W: S@W1 $@W2 N@Y16 / B: S@Z14 $@Z13 / a: - / to: W", 2, term=term)
    assert after.reserve[0] == reserve
    assert after.discard[0] == discard


def test_it_is_placed_anywhere_and_a_shared_one_by_one_side() -> None:
    given = "W: S@W1 $@W2 / B: S@Z16 $@Z13 / rW: N / rB: N / a: - / to: W"
    after = strayed(given, 0, "N*Y8", "shared")
    assert where(after) == "Y8"
    assert after.reserve == ("", "")
    assert strayed(given, 0, "N*Y8").reserve == ("", "N")


@pytest.mark.parametrize(("term", "reserve"), [("each", ("N", "")), ("shared", ("N", "N"))])
def test_a_reset_takes_it_off_the_board(term: str, reserve: tuple[str, str]) -> None:
    position = GAME.decode(f"W: S@X1 $@X3 N@X8 / B: S@X14 $@Z14 / a: X9 / to: W / flags: donkey={term}")
    after = GAME.play(position, GAME.read("S==", position))
    assert "N@" not in GAME.encode(after)
    assert after.reserve == reserve


def test_nobody_leaps_attacks_or_withdraws_it() -> None:
    position = GAME.decode("W: S@X1 $@X2 B@X7 J@Y7 N@Y8 / B: S@Z16 / a: - / to: W / flags: donkey=each")
    for text, rule in (("BZ9", "2.0.07:leap"), ("JY9", "2.0.11:leap"), ("*N", "2.0.13:cannot-withdraw")):
        assert rule in {ruling.rule.ref for ruling in GAME.judge(position, GAME.read(text, position))}
    theirs = GAME.decode("W: S@X1 $@Y5 / B: N@Y8 S@Z16 / a: - / to: W / flags: donkey=each")
    assert not GAME.tenable(theirs, GAME.read("$fY8", theirs))
    with pytest.raises(NotationError):
        GAME.read("NY9", position)


def made(position: Position, text: str, black: int) -> Position:
    turn = GAME.roll(position, GAME.read(text, position), Sticks(black))
    assert GAME.read(GAME.write(turn, position), position) == turn
    return GAME.play(position, turn)


def test_its_way_is_not_read_as_a_part_of_what_was_announced() -> None:
    assert where(strayed(OPEN, 2, "!$Y1")) == "Y9"


def test_it_may_take_part_in_a_game_that_is_set_up_in_turns() -> None:
    position = GAME.setup({"setup": "turns", "donkey": "each", "first": "white"}, Dice(bytes(32)))
    site = "X4" if GAME.to_act(position) == "W" else "X13"
    assert GAME.encode(made(position, f"S*{site}", 5)).count("S@") == 1


THROW = "W: S@W9 D@X10 $@W2 N@Y3 / B: S@Z12 $@Z16{} / a: - / to: W / flags: asked=1 donkey=each"


def test_it_strays_with_a_throw_and_not_again_with_the_distraction() -> None:
    position = made(GAME.decode(THROW.format("")), "DtZ12~", 1)
    assert where(position) == "Y3", "no black stick is left for it"
    position = made(position, "SW1", 5)
    assert GAME.to_act(position) == "B"
    assert where(position) == "Y3"


def test_it_strays_with_a_throw_that_was_let_happen_and_its_sticks_are_its_own() -> None:
    asked = made(GAME.decode(THROW.format(" L@W16")), "DtZ12~", 5)
    assert where(asked) == "Y3"
    thrown = made(asked, "allow", 4)
    assert thrown.discard == ("D", ""), "two black sticks miss"
    assert where(thrown) == "Y4", "and two of its own lead forward"
    for typed in ("prevent N~Y4", "allow N~"):
        with pytest.raises(NotationError):
            GAME.read(typed, asked)


def test_neither_shima_nor_a_penalty_harms_it() -> None:
    given = "W: S@X4 $@X3 / B: S@Z13 $@Z14 / rW: D L N / rB: C N / a: - / to: W / flags: donkey=each"
    after = GAME.play(GAME.decode(given), GAME.read("~D:X6", GAME.decode(given)))
    assert (after.reserve, after.discard) == (("N", "N"), ("DL", "C"))
    before = GAME.decode(given)
    turn = GAME.read("SX5 N*Y8", before)
    called = GAME.penalize(before, turn, tuple(GAME.judge(before, turn)), "piece-absolute", Dice(bytes(32)))
    assert isinstance(called, Position)
    assert called.reserve == before.reserve
