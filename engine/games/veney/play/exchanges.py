"""Carries out what displaces other pieces: cavazione, opposition, deflection, shift and feign."""

from engine.games.veney.action import Action
from engine.games.veney.board.squares import BETWEEN, BIT, NOT_IN_LINE, NUMBER, RAYS, WAY
from engine.games.veney.pieces import ARMAMENTS, BLACK, FREE, KIND, C, G, S
from engine.games.veney.play.attack import land
from engine.games.veney.play.working_board import WorkingBoard


def cavazione(board: WorkingBoard, action: Action, lifted: bool) -> None:
    """Trade the places of two blades; where there is none to trade with, push instead."""
    kind, origin, at = KIND[action.piece], NUMBER[action.origin], NUMBER[action.target]
    code = board.cells[at]
    if code in (0, FREE) or code >> 4 == board.side:
        opposition(board, action, lifted)
        return
    cloak = board.caught & BIT[at]
    board.clear(at)
    board.caught &= ~BIT[at]
    if not lifted:
        board.clear(origin)
        if board.caught & BIT[origin]:
            board.caught = board.caught & ~BIT[origin] | BIT[at]
    board.put(board.side, kind, at)
    settle(board, code, origin, bool(cloak))


def settle(board: WorkingBoard, code: int, at: int, cloak: bool) -> None:
    """Set a displaced piece down, its Cloak with it; into reserve if something stands there."""
    if board.cells[at]:
        board.shelve(code >> 4, code & 15)
        if cloak:
            board.shelve(1 - (code >> 4), C)
        return
    board.put(code >> 4, code & 15, at)
    if cloak:
        board.caught |= BIT[at]


def opposition(board: WorkingBoard, action: Action, lifted: bool) -> None:
    """Push an opposing blade along."""
    kind, origin, at = KIND[action.piece], NUMBER[action.origin], NUMBER[action.target]
    blade = board.pushed(board.side, origin, at)
    if not lifted and not board.lift(board.side, kind, origin):
        return
    if blade < 0 or BETWEEN[origin][blade] & BIT[at]:
        land(board, kind, at, action.effect, origin)
        return
    code, cloak = board.cells[blade], bool(board.caught & BIT[blade])
    board.caught &= ~BIT[blade]
    board.clear(blade)
    land(board, kind, at, action.effect, origin)
    open_squares = [to for to in RAYS[at][WAY[origin][at]] if not board.cells[to]]
    settle(board, code, open_squares[0] if open_squares else origin, cloak)


def deflect(board: WorkingBoard, action: Action, lifted: bool) -> None:
    """Push an opposing armament away with the Guard, and take its square."""
    origin, at = NUMBER[action.origin], NUMBER[action.target]
    if not lifted and not board.lift(board.side, G, origin):
        return
    code, way = board.cells[at], WAY[origin][at]
    if code and code >> 4 == 1 - board.side and code & 15 in ARMAMENTS and way != NOT_IN_LINE:
        end = board.deflected_to(board.side, at, way)
        if end != at:
            cloak = bool(board.caught & BIT[at])
            board.caught &= ~BIT[at]
            board.clear(at)
            settle(board, code, end, cloak)
    land(board, G, at, action.effect, origin)


def shift(board: WorkingBoard, action: Action, lifted: bool) -> None:
    """Trade the places of Balance and blade."""
    _swap(board, NUMBER[action.origin], NUMBER[action.target])


def feign(board: WorkingBoard, action: Action, lifted: bool) -> None:
    """Trade the places of Cloak and Self."""
    origin, at = NUMBER[action.origin], NUMBER[action.target]
    if board.cells[at] != S + BLACK * board.side:
        return
    if board.caught & BIT[origin] and board.cells[origin] >> 4 != board.side:
        board.lift(board.side, C, origin)
        board.clear(at)
        board.put(board.side, C, at)
        land(board, S, origin)
        return
    _swap(board, origin, at)


def _swap(board: WorkingBoard, one: int, two: int) -> None:
    first, second = board.cells[one], board.cells[two]
    cloaks = board.caught & (BIT[one] | BIT[two])
    board.caught &= ~cloaks
    board.clear(one)
    board.clear(two)
    if first:
        settle(board, first, two, bool(cloaks & BIT[one]))
    if second:
        settle(board, second, one, bool(cloaks & BIT[two]))
