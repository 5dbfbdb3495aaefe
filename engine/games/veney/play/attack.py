"""What becomes of a piece that is attacked, and of the one that comes to its square."""

from engine.games.veney.board.squares import BIT, FORWARD, HALF, LINE, STEP
from engine.games.veney.pieces import (
    BLACK,
    BLADES,
    CAPTURE,
    DISARM,
    FEND,
    FREE,
    KINDS,
    MATRIX,
    NEGATE,
    NO,
    TAKE,
    TOUCH,
    B,
    E,
    J,
)
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import SIDES


def effect(board: WorkingBoard, side: int, kind: int, target: int) -> str:
    """What the chart says of this attack."""
    code = board.cells[target]
    if code == FREE:
        return MATRIX[kind]["a"]
    letter = KINDS[code & 15]
    if letter == "S" and kind != FREE and KINDS[kind] in board.position.terms.touch[side]:
        return TOUCH
    return MATRIX[kind].get(letter, NO)


def hit(board: WorkingBoard, kind: int, at: int, written: str = "") -> str:
    """The side to move attacks what stands on a square; returns what the chart said."""
    side = board.side
    code = board.cells[at]
    said = effect(board, side, kind, at)
    does = said if said != NO else (TAKE if written == "t" else FEND)
    if does == CAPTURE:
        return said
    if code == FREE:
        board.clear(at)
        board.shelve(0, FREE)
        return said
    owner, victim = code >> 4, code & 15
    board.uncloak(at)
    board.clear(at)
    if does == FEND:
        board.shelve(owner, victim)
    else:
        board.scrap(owner, victim)
    if does == DISARM and board.over is None and board.bladeless(owner) and victim in BLADES:
        board.over = ("disarm", SIDES[1 - owner])
    if does == NEGATE:
        board.spell = True
    if does == FEND and victim == B and kind in BLADES and HALF[side] & BIT[at]:
        _shadow_stab(board, owner)
    return said


def _shadow_stab(board: WorkingBoard, owner: int) -> None:
    if "shadow" in board.position.terms.off:
        return
    at = board.cells.find(J + BLACK * owner)
    if at >= 0:
        board.clear(at)
    elif not board.draw(owner, J):
        return
    board.scrap(owner, J)


def land(board: WorkingBoard, kind: int, at: int, written: str = "", origin: int = -1) -> None:
    """Bring a lifted piece down on a square, with all that happens to what stands there."""
    side = board.side
    code = board.cells[at]
    if not code:
        if board.passed:
            _en_passant(board, side, kind, at, origin)
    elif code == FREE:
        board.clear(at)
        board.shelve(0, FREE)
    elif code >> 4 == side:
        if board.caught & BIT[at]:
            board.uncloak(at)
            if origin >= 0 and not board.cells[origin]:
                board.put(side, kind, origin)
            else:
                board.shelve(side, kind)
            return
        board.clear(at)
        board.shelve(side, code & 15)
    else:
        said = hit(board, kind, at, written)
        if said == CAPTURE:
            if board.caught & BIT[at]:
                board.shelve(side, kind)
            board.caught |= BIT[at]
            return
        if said == NEGATE:
            board.scrap(side, kind)
            return
    board.put(side, kind, at)


def _en_passant(board: WorkingBoard, side: int, kind: int, at: int, origin: int) -> None:
    if kind in (E, FREE) and passes(board, side, origin, at):
        for crossed, pawn in board.passed:
            if crossed == at:
                board.clear(pawn)
                board.shelve(1 - side, E)
        board.passed = tuple(one for one in board.passed if one[0] != at)


def passes(board: WorkingBoard, side: int, origin: int, at: int) -> bool:
    """Whether an engagement from `origin` may fend en passant on this square."""
    return (
        any(crossed == at and board.cells[pawn] == E + BLACK * (1 - side) for crossed, pawn in board.passed)
        and origin >= 0
        and abs(LINE[at] - LINE[origin]) == 1
        and STEP[at] - STEP[origin] == FORWARD[side]
    )
