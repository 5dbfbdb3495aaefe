"""The Donkey of 2.0.23: placed anywhere, it strays after every turn of its placer, and nobody may harm it."""

from typing import Final

from engine.dice import Dice
from engine.games.veney.action import Action
from engine.games.veney.board.reach import KING
from engine.games.veney.board.squares import BIT, FORWARD, LINE, NUMBER, SQUARES, STEP, square
from engine.games.veney.pieces import BLACK, FREE, E, N, S
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import SIDES

STICKS: Final = 5

_WAYS: Final = {1: (-1, 1), 2: (0, 1), 3: (1, 1), 4: (-1, -1), 5: (1, -1)}
"""Black sticks -> (to the right, forward) as the thrower sees it; with none it stays."""

OFF: Final = ""
"""Where a Donkey goes that leaves the board."""


def stray(board: WorkingBoard, dice: Dice) -> tuple[Action, ...]:
    """The Donkey's own move after its placer's turn, with the sticks where there was a choice."""
    if not board.position.terms.donkey:
        return ()
    side = board.side
    at = board.cells.find(N + BLACK * side)
    if at < 0:
        return ()
    ways_out = [to for to, _, _ in KING[at] if not board.cells[to]]
    if len(ways_out) == 1:
        return (Action("stray", "N", SQUARES[at], SQUARES[ways_out[0]]),)
    sticks = "".join(SIDES[dice.roll(2)] for _ in range(STICKS))
    black = sticks.count("B")
    end = SQUARES[at]
    if black:
        right, forward = _WAYS[black]
        end = _end(board, at, right * FORWARD[side], forward * FORWARD[side])
    return (Action("stray", "N", SQUARES[at], end, luck=sticks),)


def _end(board: WorkingBoard, at: int, across: int, up: int) -> str:
    """Where it ends in a direction; from a piece in its way it turns round, once."""
    for way in ((across, up), (-across, -up)):
        to = square(LINE[at] + way[0], STEP[at] + way[1])
        if to < 0:
            return OFF
        code = board.cells[to]
        if not code or code == FREE or code & 15 == E:
            return SQUARES[to]
        if code & 15 == S:
            behind = square(LINE[to] + way[0], STEP[to] + way[1])
            return SQUARES[to] if behind >= 0 and not board.cells[behind] else SQUARES[at]
    return SQUARES[at]


def strayed(board: WorkingBoard, action: Action, lifted: bool) -> None:
    """Carry a straying Donkey to where it went, with what stood there fended or pushed."""
    side, at = board.side, NUMBER[action.origin]
    if action.target == action.origin or not board.lift(side, N, at):
        return
    if action.target == OFF:
        shared, returns = board.position.terms.donkey.startswith("shared"), board.position.terms.donkey.endswith("+")
        for owner in (0, 1) if shared else (side,):
            (board.shelve if returns else board.scrap)(owner, N)
        return
    to = NUMBER[action.target]
    code = board.cells[to]
    if code:
        board.uncloak(to)
        board.clear(to)
        behind = square(2 * LINE[to] - LINE[at], 2 * STEP[to] - STEP[at])
        if code != FREE and code & 15 == S and behind >= 0 and not board.cells[behind]:
            board.put(code >> 4, S, behind)
        else:
            board.shelve(code >> 4 if code != FREE else 0, FREE if code == FREE else code & 15)
    board.put(side, N, to)


def placed(board: WorkingBoard) -> None:
    """A shared Donkey that one side has placed is in nobody's reserve any more."""
    if board.position.terms.donkey.startswith("shared"):
        board.draw(1 - board.side, N)


def in_the_way(board: WorkingBoard) -> int:
    """The squares of Donkeys, which nobody leaps over."""
    codes = (N, N + BLACK)
    return sum(BIT[at] for at, code in enumerate(board.cells) if code in codes) if board.position.terms.donkey else 0
