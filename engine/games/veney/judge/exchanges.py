"""What is wrong with a move that displaces other pieces, or severs a Cloak."""

from collections.abc import Iterator
from typing import Final

from engine.games.veney.action import Action
from engine.games.veney.board.reach import adjacent
from engine.games.veney.board.squares import BETWEEN, BIT, HALF, NOT_IN_LINE, NUMBER, RAYS, SQUARES, WAY, squares
from engine.games.veney.judge.fault import Fault, Setting, area, dead, mark, name
from engine.games.veney.judge.movement import movement_faults, range_faults
from engine.games.veney.judge.range import zone
from engine.games.veney.judge.taking import is_armament, landing_faults, pin_faults
from engine.games.veney.pieces import KIND, SWORD, D, G
from engine.games.veney.play.working_board import WorkingBoard
from engine.text import Text

_CAVAZIONE_SIDE: Final = Text("The blades are not both on the opponent's side.")
_OPPOSITION_SIDE: Final = Text("The blades are not both on their own side.")


def _blade_special(board: WorkingBoard, action: Action) -> Iterator[Fault]:
    """What cavazione and opposition have in common: no pinned blades, a Dagger only against a Dagger."""
    side, kind, origin, target = board.side, KIND[action.piece], NUMBER[action.origin], NUMBER[action.target]
    yield from pin_faults(board, side, kind, origin)
    blade = board.pushed(side, origin, target)
    if blade < 0:
        return
    if board.pinned(blade):
        yield Fault(
            "2.0.06:captured", Text("The blade on {square} is captured.", square=SQUARES[blade]), mark("blocker", blade)
        )
    if kind == D and board.cells[blade] & 15 == SWORD:
        yield Fault(
            "2.0.08:dagger-vs-sword", Text("A Sword stands on {square}.", square=SQUARES[blade]), mark("blocker", blade)
        )


def cavazione_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with a cavazione."""
    side, origin, target = board.side, NUMBER[action.origin], NUMBER[action.target]
    yield from range_faults(board, side, KIND[action.piece], origin, target, setting)
    both = BIT[origin] | BIT[target]
    if setting.ghost & BIT[origin]:
        # We read: the partners may enter each other's squares, but this one goes to the opposing blade.
        yield Fault(
            "2.0.01:own-piece",
            Text("The Self ends on {origin}, where the other blade goes.", origin=action.origin),
            mark("blocker", origin),
        )
    if both & ~HALF[1 - side]:
        yield Fault("2.0.03:cavazione-side", _CAVAZIONE_SIDE, area("zone", HALF[1 - side]))
        if both & ~HALF[side]:
            yield Fault("2.0.03:opposition-side", _OPPOSITION_SIDE, area("zone", HALF[side]))
    yield from _blade_special(board, action)


def opposition_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with an opposition."""
    side, kind, origin, target = board.side, KIND[action.piece], NUMBER[action.origin], NUMBER[action.target]
    own = HALF[side]
    yield from range_faults(board, side, kind, origin, target, setting)
    blade = board.pushed(side, origin, target)
    if blade < 0:
        yield Fault(
            "2.0.03:opposition-none",
            Text("No opposing blade is in line beyond {origin}.", origin=action.origin),
            mark("culprit", target),
        )
    else:
        yield from _push_faults(board, origin, blade, target, setting)
        if (BIT[origin] | BIT[blade]) & ~own:
            yield Fault("2.0.03:opposition-side", _OPPOSITION_SIDE, area("zone", own))
    if not BIT[target] & own:
        yield Fault(
            "2.0.03:opposition-centre",
            Text("{square} is beyond the centre line.", square=action.target),
            area("zone", own),
        )
    yield from _blade_special(board, action)


def _push_faults(board: WorkingBoard, origin: int, blade: int, target: int, setting: Setting) -> Iterator[Fault]:
    if BETWEEN[origin][blade] & BIT[target]:
        yield Fault(
            "2.0.03:opposition-short",
            Text("The opposing blade stands further on, on {square}.", square=SQUARES[blade]),
            mark("blocker", blade),
        )
        return
    way = WAY[origin][target]
    beyond = RAYS[target][way]
    if not beyond:
        yield Fault(
            "2.0.03:opposition-blocked",
            Text("The board ends behind {square}.", square=SQUARES[target]),
            mark("blocker", target),
        )
        return
    between = BETWEEN[origin][blade] & board.taken & ~setting.ghost
    pushed = (BETWEEN[blade][target] | BIT[target] | BIT[beyond[0]]) & ~BIT[blade] & (board.taken | setting.ghost)
    if between:
        at = squares(between)[0]
        yield Fault(
            "2.0.03:opposition-none",
            Text("A piece on {square} stands between the blades.", square=SQUARES[at]),
            area("blocker", between),
        )
    if between or pushed:
        at = squares(between or pushed)[0]
        yield Fault(
            "2.0.03:opposition-blocked",
            Text("A piece on {square} is in the way.", square=SQUARES[at]),
            area("blocker", between | pushed),
        )


def deflection_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with a deflection."""
    side, origin, target = board.side, NUMBER[action.origin], NUMBER[action.target]
    yield from movement_faults(board, side, G, origin, target, setting)
    code = board.cells[target]
    if not is_armament(code) or code >> 4 == side:
        yield Fault(
            "2.0.09:deflect-none",
            Text("There is no opposing armament on {square}.", square=action.target),
            mark("culprit", target),
        )
        yield from landing_faults(board, side, G, origin, target)
        return
    if board.pinned(target):
        yield Fault(
            "2.0.06:captured", Text("The blade on {square} is captured.", square=action.target), mark("blocker", target)
        )
    way = WAY[origin][target]
    if way != NOT_IN_LINE and board.deflected_to(side, target, way) == target:
        behind = RAYS[target][way]
        yield Fault(
            "2.0.09:deflect-blocked",
            Text("Behind {square} there is no open square.", square=action.target),
            mark("blocker", behind[0] if behind else target),
        )


def shift_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with a shift."""
    side, origin, target, kind = board.side, NUMBER[action.origin], NUMBER[action.target], KIND[action.other]
    yield from pin_faults(board, side, kind, target)
    if board.selves[side] >= 0 and not zone(board, side, kind, target) & BIT[origin]:
        yield Fault(
            "2.0.07:shift-range",
            Text("{origin} is outside the {piece}'s range.", origin=action.origin, piece=name(kind)),
            area("zone", zone(board, side, kind, target)),
        )


def feign_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with a feign."""
    side, origin, target = board.side, NUMBER[action.origin], NUMBER[action.target]
    if board.is_dead(side):
        yield dead(board)
    if not adjacent(origin, target):
        yield Fault(
            "2.0.06:not-adjacent",
            Text("{origin} and {square} do not touch.", origin=action.origin, square=action.target),
            mark("culprit", origin, target),
        )
    if board.pinned(origin):
        yield Fault(
            "2.0.06:capturing",
            Text("The Cloak on {origin} holds a blade.", origin=action.origin),
            mark("culprit", origin),
        )


def severing_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with severing a Cloak."""
    at = NUMBER[action.origin]
    if not board.pinned(at) or board.cells[at] >> 4 != board.side:
        yield Fault(
            "2.0.06:not-captured",
            Text("No Cloak holds the blade on {origin}.", origin=action.origin),
            mark("culprit", at),
        )
    elif board.position.lock == at:
        yield Fault(
            "2.0.06:too-soon",
            Text("The blade on {origin} was captured just now.", origin=action.origin),
            mark("culprit", at),
        )
