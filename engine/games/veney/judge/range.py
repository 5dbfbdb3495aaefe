"""Where each piece of Veney may go on a given board: shape, obstacles and range."""

from functools import cache
from typing import Final

from engine.games.veney.board.reach import (
    ADVANCE,
    ANYWHERE,
    BITE,
    BLINK,
    DRAGON,
    KING,
    KNIGHT,
    LUNGE,
    QUEEN,
    SHADOW,
    SWING,
    Reach,
)
from engine.games.veney.board.squares import AHEAD, BIT, EVERYWHERE, MEASURE, MEASURES, NEAR, STEPS, WARD
from engine.games.veney.judge.fault import ALONE, Setting
from engine.games.veney.pieces import BLACK, FREE, SWORD, B, C, D, E, G, J, L, N, R, S
from engine.games.veney.play.donkey import in_the_way
from engine.games.veney.play.working_board import WorkingBoard

_SHAPES: Final[dict[int, tuple[Reach, ...]]] = {
    SWORD: QUEEN,
    D: QUEEN,
    G: DRAGON,
    L: SWING,
    C: KNIGHT,
    B: SHADOW,
    J: BLINK,
    R: ANYWHERE,
    N: KING,
    FREE: KING,
}

_PAWNS: Final = tuple(tuple(tuple(sorted(ADVANCE[side][at] + BITE[side][at])) for at in range(64)) for side in (0, 1))

_EDGE: Final = ((0, 8, 12, 16, 16), (0, 1, 1, 5, 9))
"""_EDGE[side][measure of the Self]: the foremost step within a Sword's plain range."""


def shape(side: int, kind: int, at: int) -> Reach:
    """Where a piece could go if the board were empty and it knew no range."""
    if kind == S:
        return LUNGE[side][at]
    if kind == E:
        return _PAWNS[side][at]
    return _SHAPES[kind][at]


@cache
def spread(side: int, kind: int, at: int) -> int:
    """The same as a set of squares."""
    return sum(bit for _, bit, _ in shape(side, kind, at))


def blockers(board: WorkingBoard, side: int, kind: int, at: int, setting: Setting = ALONE) -> int:
    """What this piece cannot pass over."""
    if kind in (B, J):
        return in_the_way(board)
    taken = board.taken
    if kind == SWORD:
        own = board.men(side) & ~board.caught
        if board.selves[side] >= 0:
            own &= ~BIT[board.selves[side]]
        if N + BLACK * side in board.cells:
            own &= ~board.mask(side, N)
        taken &= ~own
    if kind in (SWORD, D) and board.free >= 0 and board.holds(side, board.free):
        taken &= ~BIT[board.free]
    if kind == L and _leaps(board, side, at, setting):
        # We read: momentum carries a flail over the measure next to the one it starts in, and over no other.
        ahead = 1 if MEASURE[board.selves[side]] > MEASURE[at] else -1
        taken &= ~MEASURES[MEASURE[at] + ahead]
    return taken & ~setting.ghost


def flailing(board: WorkingBoard, side: int, at: int) -> bool:
    """Whether a Lantern on this square is out of its Self's measure."""
    return board.selves[side] >= 0 and MEASURE[at] != MEASURE[board.selves[side]]


def _leaps(board: WorkingBoard, side: int, at: int, setting: Setting) -> bool:
    return flailing(board, side, at) and not (setting.flailing and setting.stone >= 0)


def zone(board: WorkingBoard, side: int, kind: int, at: int, setting: Setting = ALONE) -> int:
    """The squares within this piece's range."""
    if kind == J:
        barred = controlled(board, side)
        return EVERYWHERE if MEASURE[at] == barred else EVERYWHERE & ~MEASURES[barred]
    self_at = board.selves[side]
    if self_at < 0:
        return EVERYWHERE
    measure = MEASURE[self_at]
    if kind == SWORD:
        reach = NEAR[measure]
        further = board.mask(side, E) & AHEAD[side][_EDGE[side][measure]]
        while further:
            step = (further.bit_length() + 3) // 4
            reach |= STEPS[step]
            further &= ~STEPS[step]
        return reach
    if kind == D:
        return NEAR[measure]
    if kind == G:
        return WARD[measure]
    if kind == R:
        other = board.selves[1 - side]
        return NEAR[measure] & ~(MEASURES[MEASURE[other]] if other >= 0 else 0)
    if kind == L:
        return _lantern_zone(at, measure, setting)
    return EVERYWHERE


def _lantern_zone(at: int, measure: int, setting: Setting) -> int:
    if setting.flailing and setting.stone >= 0:
        return MEASURES[MEASURE[setting.stone]]
    if MEASURE[at] == measure:
        return MEASURES[measure]
    beyond = measure + (1 if measure > MEASURE[at] else -1)
    reach = MEASURES[measure] | MEASURES[beyond]
    return reach & ~MEASURES[MEASURE[setting.started]] if setting.started >= 0 else reach


def controlled(board: WorkingBoard, side: int) -> int:
    """The measure that a side's Jutsu may not enter, 0 for none."""
    return board.together(1 - side, B)
