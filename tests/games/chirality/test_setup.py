"""How games of Chirality begin, for two to five players, and how players leave them."""

import pytest

from engine.dice import Dice
from engine.game import RESIGNED, NotationError, Outcome, Penalty
from engine.games.chirality import GAME
from engine.games.chirality.board.rosette import bits
from engine.games.chirality.board.tiling import mirrored
from engine.games.chirality.setup import assigned

SEED = Dice(bytes(32))


def begin(**terms: str) -> str:
    return GAME.encode(GAME.setup(terms, Dice(bytes(32))))


# --- the start --------------------------------------------------------------------------------------------
def test_in_the_standard_game_each_player_fills_two_gates_on_opposite_sides() -> None:
    assert begin() == begin(setup="standard")
    assert begin() == (
        "P1: A44 A45 A50 A51 D44 D45 D50 D51 / P2: B44 B45 B50 B51 E44 E45 E50 E51 / res: 8 8 / to: P1 / quiet: 0"
    )


def test_in_the_other_reading_each_players_gates_are_on_one_side() -> None:
    assert begin(sides="together") == (
        "P1: A44 A45 A50 A51 B44 B45 B50 B51 / P2: D44 D45 D50 D51 E44 E45 E50 E51 / res: 8 8 / to: P1 / quiet: 0"
    )


def test_in_the_quick_game_each_player_holds_an_inner_garrison() -> None:
    assert begin(setup="quick") == (
        "P1: A14 A20 B10 B13 B19 / P2: D14 D20 E10 E13 E19 / res: 11 11 / to: P1 / quiet: 0"
    )


def test_in_the_long_game_each_player_has_one_gate_and_sixteen_in_hand() -> None:
    gates = assigned(2, 5, Dice(bytes(32)).roll(5) + 1)
    assert begin(setup="long") == f"P1: - / P2: - / res: 16 16 / to: P1 / quiet: 0 / gates: {gates[0]} {gates[1]}"


def test_more_than_two_players_play_the_long_game() -> None:
    assert begin(players="3").startswith("P1: - / P2: - / P3: - / res: 16 16 16 / to: P1")
    assert GAME.seats({"players": "4"}) == ("P1", "P2", "P3", "P4")


@pytest.mark.parametrize(("players", "gates"), [(2, (1, 3)), (3, (1, 3, 4)), (4, (1, 2, 4, 5)), (5, (1, 2, 3, 4, 5))])
def test_gates_are_shared_out_clockwise_as_evenly_as_they_allow(players: int, gates: tuple[int, ...]) -> None:
    assert assigned(players, 5, 1) == gates
    assert assigned(players, 5, 4) == tuple((gate + 2) % 5 + 1 for gate in gates)


@pytest.mark.parametrize(("players", "between"), [(2, 0), (3, 0), (4, 2), (5, 5)])
def test_before_a_match_of_three_or_four_is_said_how_close_they_begin(players: int, between: int) -> None:
    gates = assigned(players, 5, 1)
    beside = [sum(other % 5 == (gate + step) % 5 for other in gates for step in (-1, 1)) for gate in gates]
    assert beside.count(2) == between
    remark = str(GAME.remark({"players": str(players)}))
    assert ("two begin between close neighbours" in remark) == (players == 4)
    assert ("two begin side by side" in remark) == (players == 3) == (sorted(beside) == [0, 1, 1])
    assert ("all five begin between close neighbours" in remark) == (players == 5)
    assert (GAME.remark({"players": str(players)}) is None) == (players == 2)
    assert ("`board=275` nobody begins beside anybody" in remark) == (players > 2)
    assert GAME.remark({"players": str(players), "board": "275"}) is None
    assert GAME.remark({"players": str(players), "gates": "1,2,3,4,5"}) is None
    assert not GAME.remark({"players": str(players), "start": "P1: A44 / P2: B44 / P3: C44 / res: 0 0 0 / to: P1"})


def test_the_first_gate_is_drawn_by_lot() -> None:
    starts = {GAME.setup({"players": "5"}, Dice(bytes([seed] * 32))).gates for seed in range(40)}
    assert {gates[0] for gates in starts} == {1, 2, 3, 4, 5}


def test_who_acts_first_is_agreed_or_drawn() -> None:
    assert " / to: P2" in begin(first="blue")
    firsts = {GAME.to_act(GAME.setup({"players": "5", "first": "drawn"}, Dice(bytes([n] * 32)))) for n in range(40)}
    assert firsts == {"P1", "P2", "P3", "P4", "P5"}


@pytest.mark.parametrize(("board", "actions"), [("265", 8), ("275", 8), ("445", 8), ("460", 16)])
def test_another_board_is_only_another_name(board: str, actions: int) -> None:
    start = GAME.setup({"board": board}, SEED)
    assert len(GAME.board(start).outlines) == int(board)
    text = GAME.encode(start)
    assert text.endswith(f"/ board: r2-{board}")
    assert GAME.decode(text) == GAME.decode(text.replace("r2-", "")) == start
    assert GAME.setup({"board": f"r2-{board}"}, SEED) == start  # as matches begun earlier have it
    assert GAME.perft(start, 1) == actions


@pytest.mark.parametrize("board", ["255", "265", "275", "445", "460"])
@pytest.mark.parametrize("terms", [{}, {"sides": "together"}, {"setup": "quick"}])
def test_two_players_begin_in_places_that_mirror_each_other(board: str, terms: dict[str, str]) -> None:
    start = GAME.setup({"board": board, **terms}, SEED)
    rhombs = {frozenset(rhomb): tile for tile, rhomb in enumerate(start.board.rhombs)}
    other = {tile: rhombs[frozenset(map(mirrored, rhomb))] for rhomb, tile in rhombs.items()}
    assert {other[tile] for tile in bits(start.men[0])} == {*bits(start.men[1])}
    assert len({*bits(start.men[0])}) == (5 if terms.get("setup") == "quick" else 8)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_on_ten_gates_nobody_begins_beside_anybody(players: int) -> None:
    for first in range(32):
        start = GAME.setup({"players": str(players), "board": "275"}, Dice(bytes([first] * 32)))
        gates = sorted(start.gates)
        assert len(set(gates)) == players
        assert all((other - gate) % 10 > 1 for gate, other in zip(gates, gates[1:] + gates[:1], strict=True))


@pytest.mark.parametrize(("players", "gates"), [(2, (1, 6)), (3, (1, 4, 8)), (4, (1, 4, 6, 8)), (5, (1, 3, 5, 7, 9))])
def test_ten_gates_are_shared_out_by_the_same_rule(players: int, gates: tuple[int, ...]) -> None:
    assert assigned(players, 10, 1) == gates


def test_players_begin_only_at_gates_that_were_agreed_on() -> None:
    for first in range(32):
        start = GAME.setup({"setup": "long", "gates": "2, 5"}, Dice(bytes([first] * 32)))
        assert sorted(start.gates) == [2, 5]
        start = GAME.setup({"players": "3", "board": "275", "gates": "1,2,5,8"}, Dice(bytes([first] * 32)))
        assert set(start.gates) < {1, 2, 5, 8}
    assert assigned(3, 10, 1, (1, 2, 5, 8)) == (1, 5, 8)
    assert assigned(2, 5, 2, (2, 5)) == (2, 5)


def test_a_gate_where_nobody_may_begin_is_still_a_gate() -> None:
    start = GAME.setup({"setup": "long", "gates": "1,3"}, SEED)
    away = GAME.decode("P1: B44 / P2: C44 / res: 3 3 / to: P1")
    assert start.gate() in (1, 3)
    assert GAME.tenable(away, GAME.read("*B45", away))


@pytest.mark.parametrize(
    ("terms", "because"),
    [
        ({"players": "6"}, "6 players need 6 Gates, and the board has 5."),
        ({"players": "1"}, "Chirality is for two players or more."),
        ({"players": "three"}, "Chirality is for two players or more."),
        ({"players": "3", "setup": "standard"}, "The standard game is for two players."),
        ({"players": "4", "setup": "quick"}, "The quick game is for two players."),
    ],
)
def test_terms_that_cannot_be_are_refused_with_the_reason(terms: dict[str, str], because: str) -> None:
    for ask in (GAME.seats, lambda terms: GAME.setup(terms, SEED)):
        with pytest.raises(NotationError) as caught:
            ask(terms)
        assert str(caught.value.because) == because
        assert caught.value.remedy


@pytest.mark.parametrize(
    ("terms", "because"),
    [
        (
            {"setup": "long", "sides": "together"},
            "Only in the standard game has each player two Gates, on opposite sides or together.",
        ),
        (
            {"setup": "quick", "sides": "together"},
            "Only in the standard game has each player two Gates, on opposite sides or together.",
        ),
        (
            {"players": "3", "sides": "together"},
            "Only in the standard game has each player two Gates, on opposite sides or together.",
        ),
        ({"gates": "1,2"}, "Only in the long game is each player given a Gate."),
        ({"setup": "long", "gates": "1,6"}, "The board has the Gates 1 to 5."),
        ({"setup": "long", "gates": "north"}, "The board has the Gates 1 to 5."),
        ({"players": "3", "gates": "1,2"}, "2 Gates are too few."),
        ({"setup": "long", "gates": "3,3"}, "1 Gate is too few."),
    ],
)
def test_terms_that_do_not_fit_each_other_are_refused_with_the_reason(terms: dict[str, str], because: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.setup(terms, SEED)
    assert str(caught.value.because) == because
    assert caught.value.remedy


def test_whoever_has_to_place_a_first_piece_is_told_where() -> None:
    position = GAME.decode("P1: A50 / P2: - / res: 15 16 / to: P2 / gates: - 3")
    assert str(GAME.duty(position)) == "Blue places the first piece on Gate 3: C44, C45, C50 or C51."
    assert GAME.duty(GAME.setup({}, SEED)) is None


# --- penalties --------------------------------------------------------------------------------------------
BEFORE = "P1: A3 A44 / P2: C44 / res: 2 0 / to: P1 / quiet: 9"


@pytest.mark.parametrize(
    ("turn", "penalty", "after"),
    [
        ("A3-A8", "friendly", BEFORE),
        ("A3-A8", "turn", "P1: A3 A44 / P2: C44 / res: 2 0 / to: P2 / quiet: 9"),
        ("A3-A8", "piece", "P1: A44 / P2: C44 / res: 2 0 / to: P2 / quiet: 9"),
        ("*C45", "piece", "P1: A3 A44 / P2: C44 / res: 1 0 / to: P2 / quiet: 9"),
        ("pass", "piece", "P1: A3 A44 / P2: C44 / res: 2 0 / to: P2 / quiet: 9"),
    ],
)
def test_a_penalty_begins_from_the_position_before_the_turn(turn: str, penalty: Penalty, after: str) -> None:
    before = GAME.decode(BEFORE)
    said = GAME.read(turn, before)
    follows = GAME.penalize(before, said, tuple(GAME.judge(before, said)), penalty, SEED)
    assert not isinstance(follows, Outcome)
    assert GAME.encode(follows) == after


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("P1: A3 / P2: C44 / P3: D44 / res: 0 0 0 / to: P1", "Red is out, and the others play on."),
        ("P1: A3 / P2: C44 / res: 0 0 / to: P1", "None"),
    ],
)
def test_what_sudden_death_costs_is_said_where_the_others_play_on(text: str, said: str) -> None:
    before = GAME.decode(text)
    turn = GAME.read("A3-A8", before)
    rulings = tuple(GAME.judge(before, turn))
    after = GAME.penalize(before, turn, rulings, "sudden", SEED)
    assert str(GAME.penalty_text(before, turn, rulings, "sudden", after)) == said


def test_a_penalty_that_finds_no_piece_says_so() -> None:
    before = GAME.decode(BEFORE)
    rulings = tuple(GAME.judge(before, ()))
    after = GAME.penalize(before, (), rulings, "piece", SEED)
    said = GAME.penalty_text(before, (), rulings, "piece", after)
    assert str(said) == "The turn is taken back and lost; no piece goes with it."


def test_who_loses_the_last_piece_to_a_penalty_is_out() -> None:
    before = GAME.decode("P1: A3 / P2: C44 / res: 0 0 / to: P1")
    said = GAME.read("A3-A8", before)
    follows = GAME.penalize(before, said, tuple(GAME.judge(before, said)), "piece", SEED)
    assert not isinstance(follows, Outcome)
    assert GAME.encode(follows) == "P1: out / P2: C44 / res: 0 0 / to: P2"


def test_who_goes_out_by_a_penalty_begins_the_count_of_quiet_turns_anew() -> None:
    before = GAME.decode("P1: A3 / P2: C44 / P3: D44 / res: 0 0 0 / to: P1 / quiet: 150")
    said = GAME.read("A3-A8", before)
    follows = GAME.penalize(before, said, tuple(GAME.judge(before, said)), "piece", SEED)
    assert not isinstance(follows, Outcome)
    assert GAME.encode(follows) == "P1: out / P2: C44 / P3: D44 / res: 0 0 0 / to: P2 / quiet: 0"
    assert GAME.outcome(follows) is None


# --- a position of one's own ------------------------------------------------------------------------------
def test_of_three_players_one_without_an_action_is_out_before_the_game_begins() -> None:
    position = GAME.decode("P1: - / P2: A44 / P3: D44 / res: 5 0 0 / to: P1")
    assert GAME.outcome(position) is None
    assert GAME.encode(GAME.under(position, {})) == "P1: out / P2: A44 / P3: D44 / res: 5 0 0 / to: P2 / quiet: 0"


def test_a_position_to_begin_from_counts_its_quiet_turns_whether_or_not_it_tells_how_many_there_were() -> None:
    for told, counted in (("", 0), (" / quiet: 7", 7)):
        position = GAME.under(GAME.decode(f"P1: A44 / P2: C44 / res: 0 0 / to: P1{told}"), {})
        after = GAME.play(position, GAME.read("A44-A50", position))
        assert GAME.encode(after).endswith(f"to: P2 / quiet: {counted + 1}")


def test_a_position_is_over_where_only_one_of_three_players_has_an_action() -> None:
    end = GAME.outcome(GAME.decode("P1: - / P2: - / P3: D44 / res: 5 5 0 / to: P1"))
    assert end is not None
    assert end.winners == {"P3"}


# --- going ------------------------------------------------------------------------------------------------
THREE = GAME.decode("P1: A44 / P2: B44 / P3: C44 / res: 3 3 3 / to: P2 / quiet: 7")


def test_of_three_players_one_who_gives_up_leaves_the_board_and_the_others_play_on() -> None:
    after = GAME.leave(THREE, "P2")
    assert after is not None
    assert GAME.encode(after) == "P1: A44 / P2: out / P3: C44 / res: 3 3 3 / to: P3 / quiet: 0"
    assert GAME.playing(after) == ("P1", "P3")


def test_the_turn_stays_where_it_is_when_somebody_else_goes() -> None:
    after = GAME.leave(THREE, "P1")
    assert after is not None
    assert GAME.to_act(after) == "P2"


def test_of_two_players_one_who_gives_up_loses() -> None:
    after = GAME.leave(THREE, "P3")
    assert after is not None
    assert GAME.leave(after, "P1") is None
    assert GAME.forfeit(after, "P1", RESIGNED) == Outcome(RESIGNED, frozenset({"P2"}))


def test_who_goes_while_first_pieces_are_placed_leaves_the_gate_empty() -> None:
    start = GAME.decode("P1: A44 / P2: - / P3: - / res: 15 16 16 / to: P2 / gates: - 3 4")
    after = GAME.leave(start, "P2")
    assert after is not None
    assert GAME.encode(after) == "P1: A44 / P2: out / P3: - / res: 15 16 16 / to: P3 / gates: - - 4"


def test_the_gates_are_forgotten_when_the_only_one_who_still_had_to_place_a_piece_goes() -> None:
    start = GAME.decode("P1: A44 / P2: C44 / P3: - / res: 15 15 16 / to: P1 / gates: - - 4")
    after = GAME.leave(start, "P3")
    assert after is not None
    assert GAME.encode(after) == "P1: A44 / P2: C44 / P3: out / res: 15 15 16 / to: P1"
    assert GAME.decode(GAME.encode(after)) == after
