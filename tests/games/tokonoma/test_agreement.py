"""Tokonoma against a second, slow telling of its rules, on positions that no game may ever reach."""

import os
from collections import Counter
from typing import Literal, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Game, Move
from engine.games.tokonoma import GAME
from engine.games.tokonoma.position import Position, sites_of

EXAMPLES = int(os.environ.get("RIPOSTE_EXAMPLES", "40"))

Place: TypeAlias = tuple[int, int]
Stack: TypeAlias = tuple[Literal["W", "B"], str, bool]
"""Whose, the letter on top, and whether a Flat is under it."""

ROWS = {
    row: [(u, r) for u in range(-6, 7) if abs(u) + abs(r) <= 6 and u % 2 == r % 2]
    for r, row in enumerate("abcde", start=-2)
}
NAMES = {place: f"{row}{number}" for row, places in ROWS.items() for number, place in enumerate(places, start=1)}
PLACES = {name: place for place, name in NAMES.items()}

FOR_WHITE = {
    "F": {(-2, 0), (-1, -1), (-1, 1)},
    "A": {(-4, 0), (2, 0), (1, -1), (1, 1)},
    "B": {(-2, -2), (-2, 2), (4, 0), (1, -1), (1, 1)},
    "S": {(0, -2), (0, 2), (-3, -1), (-3, 1), (3, -1), (3, 1)},
}

stacks = st.one_of(
    st.none(),
    st.tuples(st.sampled_from("WB"), st.just("F"), st.just(False)),
    st.tuples(st.sampled_from("WB"), st.sampled_from("ABS"), st.booleans()),
)
boards = st.lists(stacks, min_size=29, max_size=29).map(
    lambda held: {name: stack for name, stack in zip(PLACES, held, strict=True) if stack is not None}
)
sides = st.sampled_from("WB")


def hits(stack: Stack, origin: str) -> set[str]:
    (u, r), (side, kind, _) = PLACES[origin], stack
    forward = 1 if side == "W" else -1
    ends = {(u + forward * du, r + dr) for du, dr in FOR_WHITE[kind]}
    return {NAMES[end] for end in ends if end in NAMES}


def allowed(board: dict[str, Stack], side: str) -> dict[tuple[str, str], dict[str, Stack]]:
    """Every move from where to where, and the board after it and after the attack."""
    after = {}
    for origin, stack in board.items():
        whose, kind, stacked = stack
        for target in hits(stack, origin) if whose == side else ():
            there = board.get(target)
            joins = there == (side, "F", False) and kind != "F"
            if there is None or joins:
                moved = {site: held for site, held in board.items() if site != origin}
                moved |= {origin: (whose, "F", False)} if stacked else {}
                moved[target] = (whose, kind, joins)
                after[origin, target] = attacked(moved, side)
    return after


def attacked(board: dict[str, Stack], side: str) -> dict[str, Stack]:
    struck = Counter(site for origin, stack in board.items() if stack[0] == side for site in hits(stack, origin))
    return {site: stack for site, stack in board.items() if stack[0] == side or struck[site] < 2}


def position(board: dict[str, Stack], side: str) -> Position:
    tiles = []
    for row in ROWS.values():
        text = ""
        for place in row:
            whose, kind, stacked = board.get(NAMES[place], ("", "1", False))
            text += (kind.lower() if whose == "B" else kind) + "+" * stacked
        tiles.append(text)
    return GAME.decode(f"{'/'.join(tiles)} {side.lower()}")


def is_won(board: dict[str, Stack]) -> bool:
    return board.get("c1") == ("W", "F", False) or board.get("c7") == ("B", "F", False)


@settings(max_examples=EXAMPLES, deadline=None)
@given(board=boards, side=sides)
def test_both_tellings_list_the_same_turns_and_reach_the_same_positions(board: dict[str, Stack], side: str) -> None:
    before, other = position(board, side), "B" if side == "W" else "W"
    expected = {} if is_won(board) else allowed(board, side)
    turns = {(turn[0].origin, turn[0].target): turn for turn in GAME.turns(before)}
    assert set(turns) == set(expected)
    for way, turn in turns.items():
        after = GAME.play(before, turn)
        assert (after.white, after.black, after.to_move) == GAME.identity(position(expected[way], other))


@settings(max_examples=EXAMPLES, deadline=None)
@given(board=boards, side=sides)
def test_the_judge_lets_pass_what_is_listed_and_nothing_else(board: dict[str, Stack], side: str) -> None:
    before = position(board, side)
    turns = set(GAME.turns(before))
    own, _ = before.armies()
    for kind, standing in zip("FABS", own, strict=True):
        for origin in sites_of(standing):
            for target in PLACES:
                turn = (Move("move", kind, origin, target),)
                assert (turn in turns) == GAME.tenable(before, turn), turn


@settings(max_examples=max(5, EXAMPLES // 10), deadline=None)
@given(board=boards, side=sides)
def test_both_counts_agree(board: dict[str, Stack], side: str) -> None:
    before = position(board, side)
    assert GAME.perft(before, 2) == Game.perft(GAME, before, 2)


@settings(max_examples=EXAMPLES, deadline=None)
@given(board=boards, side=sides)
def test_an_example_can_be_read_wherever_it_is_asked_for(board: dict[str, Stack], side: str) -> None:
    before = position(board, side)
    turn = GAME.read(GAME.example(before), before)
    assert bool(turn) is any(whose == side for whose, _, _ in board.values()), "a side without pieces can but pass"
