"""The turns that end hirakamae: one move, or any two."""

from collections.abc import Iterator

from engine.games.veney.action import Action, Turn
from engine.games.veney.board.squares import SQUARES
from engine.games.veney.generate.actions import actions_of, men_of
from engine.games.veney.generate.bodies import casts, concerts, entries, seconds, whole_turns, withdrawals
from engine.games.veney.judge.turn import judge
from engine.games.veney.pieces import KIND, L
from engine.games.veney.play.course import after
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import Position


def unstancing(position: Position, board: WorkingBoard, prefix: Turn) -> Iterator[Turn]:
    """The end of hirakamae on a board after the beginning of a turn: one move, or any two.

    Rare, so the judge does the sifting.
    """
    singles = [action for at, kind in men_of(board) for action in actions_of(board, kind, at)]
    whole = list(whole_turns(board))
    seen: dict[Turn, None] = {}
    for action in (*singles, *whole):
        seen[(action,)] = None
        if action.verb in ("place", "shift", "feign", "retreat", "reset"):
            continue
        then = after(board, (action,))
        for at, kind in men_of(then):
            for second in actions_of(then, kind, at):
                seen[(action, second)] = None
        for second in (*withdrawals(then), *(cast for letter in "LD" for cast in _later_casts(then, letter))):
            seen[(action, second)] = None
        for entry in entries(then):
            seen[(action, *entry)] = None
    for double in (*concerts(board), *_flung(board)):
        seen[double] = None
    for entry in entries(board):
        then = after(board, entry)
        for at, kind in men_of(then):
            for second in actions_of(then, kind, at):
                seen[(*entry, second)] = None
        for second in (*withdrawals(then), *(cast for letter in "LD" for cast in _later_casts(then, letter))):
            seen[(*entry, second)] = None
    yield from (turn for turn in seen if next(judge(position, prefix + turn), None) is None)


def _flung(board: WorkingBoard) -> Iterator[Turn]:
    """A Lantern's two moves over a stone or a fire square, which may end where two unlinked ones may not."""
    for at in board.places(board.side, L):
        for first in actions_of(board, L, at):
            yield from seconds(board, L, at, first)


def _later_casts(board: WorkingBoard, letter: str) -> Iterator[Action]:
    if letter in board.reserve[board.side]:
        yield from casts(board, letter, "")
    elif (at := board.find(board.side, KIND[letter])) >= 0:
        yield from casts(board, letter, SQUARES[at])
