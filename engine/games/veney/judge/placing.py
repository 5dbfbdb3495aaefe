"""What is wrong with placing, reclaiming or withdrawing a piece."""

from collections.abc import Iterator
from typing import Final

from engine.games.veney.action import Action
from engine.games.veney.board.reach import NEXT
from engine.games.veney.board.squares import BIT, HALF, MEASURE, MEASURES, NUMBER, SQUARES
from engine.games.veney.judge.fault import Fault, Setting, area, mark, name
from engine.games.veney.judge.movement import control_bars, range_faults
from engine.games.veney.judge.range import controlled
from engine.games.veney.judge.taking import pin_faults
from engine.games.veney.pieces import FREE, KIND, PIECE, SWORD, D, J, L, N, R, S
from engine.games.veney.play.working_board import WorkingBoard
from engine.text import Text, plural

_GLARE_BARS_PLACEMENT: Final = Text("The Self stands in the glare.")
_GLARE_COOLDOWN: Final = Text("Glare has fended the Jutsu just now.")
_NOT_ENTERED: Final = Text("The Self has not entered the square of the cast Dagger in this turn.")


def placing_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with placing a piece from the reserve."""
    side, kind, target = board.side, KIND[action.piece], NUMBER[action.target]
    self_at = board.selves[side]
    measure = MEASURE[target]
    if kind == J:
        yield from _jutsu_placement(board, side, measure)
    if kind != N and board.together(1 - side, J) == measure:
        yield Fault(
            "2.0.11:presence",
            Text("The opposing Jutsu and Self share measure {measure}.", measure=measure),
            area("zone", MEASURES[measure]),
        )
    if action.piece not in board.reserve[side] or kind in (SWORD, S):
        yield Fault("2.0.13:not-in-reserve", Text("The {piece} is not in reserve to be placed.", piece=name(kind)))
    if board.cells[target]:
        yield Fault("2.0.13:occupied", Text("{square} is not empty.", square=action.target), mark("blocker", target))
    cap = board.position.terms.cap[side]
    if kind == D and cap and len(board.places(side, D)) >= cap:
        yield Fault(
            "2.0.23:dagger-limit",
            plural("{count} Dagger is on the board already.", "{count} Daggers are on the board already.", cap),
        )
    if self_at < 0 or kind == N:
        return
    if kind == R:
        yield from range_faults(board, side, R, target, target)
    elif not NEXT[self_at] & BIT[target]:
        yield Fault(
            "2.0.13:not-adjacent",
            Text("{square} is not next to the Self on {own}.", square=action.target, own=SQUARES[self_at]),
            area("reach", NEXT[self_at] & ~board.taken),
        )
    if kind == L and MEASURE[self_at] != measure:
        yield Fault(
            "2.0.13:range",
            Text("{square} is outside the Self's measure.", square=action.target),
            area("zone", MEASURES[MEASURE[self_at]]),
        )


def _jutsu_placement(board: WorkingBoard, side: int, measure: int) -> Iterator[Fault]:
    if controlled(board, side) == measure:
        yield control_bars(measure)
    if board.in_glare(side):
        yield Fault("2.0.10:glare-bars-placement", _GLARE_BARS_PLACEMENT, mark("blocker", board.find(1 - side, L)))
    if board.position.dazzled == side:
        yield Fault("2.0.10:glare-cooldown", _GLARE_COOLDOWN)


def withdrawal_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with withdrawing a piece."""
    side, kind = board.side, PIECE[action.piece]
    at = NUMBER.get(action.origin, -1)
    if at < 0 or at not in board.places(side, kind):
        yield Fault("2.0.13:not-on-board", Text("No {piece} stands there.", piece=name(kind)))
        return
    yield from pin_faults(board, side, kind, at)
    if kind in (S, SWORD, FREE, N):
        yield Fault(
            "2.0.13:cannot-withdraw", Text("The {piece} is never withdrawn.", piece=name(kind)), mark("culprit", at)
        )
    if not HALF[side] & BIT[at]:
        yield Fault(
            "2.0.13:far-side",
            Text("{origin} is on the opponent's side.", origin=action.origin),
            area("zone", HALF[side]),
        )


def reclaim_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with reclaiming a cast Dagger."""
    side, target = board.side, NUMBER[action.target]
    at = board.selves[side]
    if (side, at) not in board.shima or at == board.position.where(side):
        yield Fault("2.0.13:not-in-reserve", _NOT_ENTERED)
    if board.cells[target]:
        yield Fault("2.0.13:occupied", Text("{square} is not empty.", square=action.target), mark("blocker", target))
    if board.selves[side] >= 0 and not NEXT[board.selves[side]] & BIT[target]:
        yield Fault("2.0.13:not-adjacent", Text("{square} is not next to the Self.", square=action.target))
