"""What is wrong with a plain move, an entry, a meta-move, a retreat or a reset."""

from collections.abc import Iterator
from typing import Final

from engine.games.veney.action import Action
from engine.games.veney.board.points import TOUCHED, meta
from engine.games.veney.board.squares import BIT, HALF, NUMBER, SQUARES, STEP
from engine.games.veney.judge.fault import Fault, Setting, area, dead, mark
from engine.games.veney.judge.movement import movement_faults
from engine.games.veney.judge.taking import landing_faults, pin_faults
from engine.games.veney.pieces import BLADES, FREE, PIECE, C, S
from engine.games.veney.play.aftermath import footsteps
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import ABSENT
from engine.text import Text

_ABSENT: Final = Text("This game has no free engagement.")
_RETREAT_STEP: Final = Text("The Self is not on the last step behind it.")
_NO_RETREAT: Final = Text("Under Shima nobody retreats.")
_NO_RESET: Final = Text("Under Shima there is no reset.")
_NO_IMPASSE: Final = Text("The free engagement was not returned twice in a row.")
_RECAPTURE: Final = Text("The Cloak came off a blade in this turn.")
_NO_REPETITION: Final = Text("The free engagement has not gone to and fro between two squares.")
_EDGE: Final = Text("There is no point beyond the edge of the grid.")


def move_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with moving a piece to a square."""
    side, kind, origin, target = board.side, PIECE[action.piece], NUMBER[action.origin], NUMBER[action.target]
    if kind == S and board.is_dead(side):
        yield dead(board)
    if board.caught:
        yield from pin_faults(board, side, kind, origin)
    if kind == C and _comes_off_a_blade(board, setting, origin):
        code = board.cells[target]
        if code and code != FREE and code >> 4 != side and code & 15 in BLADES:
            yield Fault("2.0.06:recapture", _RECAPTURE, mark("culprit", target))
    yield from movement_faults(board, side, kind, origin, target, setting)
    if setting.ghost & BIT[target]:
        yield Fault(
            "2.0.01:own-piece",
            Text("The Self itself ends on {square}.", square=SQUARES[target]),
            mark("blocker", target),
        )
        return
    if board.cells[target]:
        yield from landing_faults(board, side, kind, origin, target)


def _comes_off_a_blade(board: WorkingBoard, setting: Setting, origin: int) -> bool:
    """Whether this side's Cloak leaves a blade now, or has left one in this turn."""
    if board.caught & BIT[origin] and board.cells[origin] >> 4 != board.side:
        return True
    position, started = board.position, setting.started
    return started >= 0 and bool(position.caught & BIT[started]) and position.cells[started] >> 4 != board.side


def entry_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with bringing the free engagement into play."""
    target = NUMBER[action.target]
    if board.point == ABSENT:
        yield Fault("2.0.05:absent", _ABSENT)
        return
    if board.point < 0 or not TOUCHED[board.point] & BIT[target]:
        reach = TOUCHED[board.point] if board.point >= 0 else 0
        yield Fault(
            "2.0.05:entry",
            Text("The point of the free engagement does not touch {square}.", square=action.target),
            area("reach", reach),
        )
    if board.cells[target]:
        yield Fault(
            "2.0.05:entry-occupied", Text("{square} is not open.", square=action.target), mark("blocker", target)
        )


def meta_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with a meta-move."""
    if board.point == ABSENT:
        yield Fault("2.0.05:absent", _ABSENT)
    elif board.point < 0:
        yield Fault(
            "2.0.05:in-play",
            Text("The free engagement is in play on {square}.", square=SQUARES[board.free]),
            mark("culprit", board.free),
        )
    elif meta(board.point, action.plan) < 0:
        yield Fault("2.0.05:edge", _EDGE)


def return_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with returning the free engagement."""
    trail = footsteps(board.position.trail, board.free)
    if board.point == ABSENT:
        yield Fault("2.0.05:absent", _ABSENT)
    elif not (len(trail) >= 4 and trail[-4] == trail[-2] != trail[-3] == trail[-1] == board.free):
        yield Fault(
            "2.0.05:no-repetition",
            _NO_REPETITION,
            mark("culprit", board.free),
        )


def retreat_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with a retreat."""
    side = board.side
    at, other = board.selves[side], board.selves[1 - side]
    if at < 0 or STEP[at] != (16 if side else 1):
        yield Fault("2.0.02:retreat-step", _RETREAT_STEP, mark("culprit", at))
    if other >= 0 and HALF[side] & BIT[other]:
        yield Fault(
            "2.0.02:retreat-barred",
            Text("The opposing Self on {square} is on this side of the board.", square=SQUARES[other]),
            mark("blocker", other),
        )
    if board.shima:
        yield Fault("2.0.18:shima", _NO_RETREAT)
    if board.is_dead(side):
        yield dead(board)


def reset_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with declaring an impasse."""
    if board.shima:
        yield Fault("2.0.18:shima", _NO_RESET)
    if board.returns < 2:
        yield Fault("2.0.20:no-impasse", _NO_IMPASSE)
