"""Carries out single actions on a working board: every describable one can be done, tenable or not."""

from collections.abc import Callable
from typing import Final

from engine.games.veney.action import Action
from engine.games.veney.board.points import START_POINT, meta
from engine.games.veney.board.squares import NUMBER
from engine.games.veney.pieces import BLACK, FREE, KIND, NEGATE, PIECE, D, J, N, S
from engine.games.veney.play import donkey
from engine.games.veney.play.attack import hit, land
from engine.games.veney.play.devices import cast, reposition, throw, trap
from engine.games.veney.play.exchanges import cavazione, deflect, feign, opposition, shift
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import ABSENT, SIDES, SOMEWHERE


def apply(board: WorkingBoard, action: Action, lifted: bool = False) -> None:
    """Do one action as written. `lifted`: its piece is in the hand already (concert)."""
    APPLY[action.verb](board, action, lifted)


def _move(board: WorkingBoard, action: Action, lifted: bool) -> None:
    kind, origin, at = PIECE[action.piece], NUMBER[action.origin], NUMBER[action.target]
    if lifted or board.lift(board.side, kind, origin):
        land(board, kind, at, action.effect, origin)


def _enter(board: WorkingBoard, action: Action, lifted: bool) -> None:
    if board.point >= 0:
        at = NUMBER[action.target]
        code = board.cells[at]
        if code:
            board.uncloak(at)
            board.clear(at)
            board.shelve(code >> 4, code & 15)
        board.put(board.side, FREE, at)


def _place(board: WorkingBoard, action: Action, lifted: bool) -> None:
    at, kind = NUMBER[action.target], KIND[action.piece]
    if not board.cells[at] and board.draw(board.side, kind):
        board.put(board.side, kind, at)
        if kind == N:
            donkey.placed(board)


def _reclaim(board: WorkingBoard, action: Action, lifted: bool) -> None:
    at = NUMBER[action.target]
    if not board.cells[at] and board.reclaim(board.side, D):
        board.put(board.side, D, at)
        if not board.former:
            # It lies there no more, and what is lost on the board later is lost; Shima stays.
            lying = (board.side, board.selves[board.side])
            board.shima = tuple(cast for cast in board.shima if cast != lying) or (SOMEWHERE,)


def _withdraw(board: WorkingBoard, action: Action, lifted: bool) -> None:
    at, kind = NUMBER[action.origin], PIECE[action.piece]
    if not board.lift(board.side, kind, at):
        return
    board.shelve(board.side, kind)
    if ((kind == S and not board.former) or (kind == D and board.bladeless(board.side))) and board.over is None:
        board.over = ("resignation", SIDES[1 - board.side])


def _sever(board: WorkingBoard, action: Action, lifted: bool) -> None:
    board.uncloak(NUMBER[action.origin], discard=True)


def _strike(board: WorkingBoard, action: Action, lifted: bool) -> None:
    at, kind = NUMBER[action.target], PIECE[action.piece]
    code = board.cells[at]
    enemy = code == FREE or (code and code >> 4 != board.side)
    if enemy and hit(board, kind, at, action.effect) == NEGATE:
        board.lift(board.side, J, NUMBER[action.origin])
        board.scrap(board.side, J)
    jutsu = board.cells.find(J + BLACK * board.side)
    if jutsu >= 0:
        board.clear(jutsu)
        board.shelve(board.side, J)


def _nothing(board: WorkingBoard, action: Action, lifted: bool) -> None:
    """`play` lays the board out anew."""


def _fend_jutsu(board: WorkingBoard, action: Action, lifted: bool) -> None:
    at = board.cells.find(J + BLACK * (1 - board.side))
    if at >= 0:
        board.clear(at)
        board.shelve(1 - board.side, J)


def _meta(board: WorkingBoard, action: Action, lifted: bool) -> None:
    if board.point >= 0 and (to := meta(board.point, action.plan)) >= 0:
        board.point = to


def _return(board: WorkingBoard, action: Action, lifted: bool) -> None:
    if board.point != ABSENT:
        if board.free >= 0:
            board.clear(board.free)
        board.point = START_POINT
        board.returns += 1


APPLY: Final[dict[str, Callable[[WorkingBoard, Action, bool], None]]] = {
    "stray": donkey.strayed,
    "move": _move,
    "enter": _enter,
    "place": _place,
    "reclaim": _reclaim,
    "withdraw": _withdraw,
    "cavazione": cavazione,
    "opposition": opposition,
    "deflect": deflect,
    "shift": shift,
    "feign": feign,
    "sever": _sever,
    "throw": throw,
    "reposition": reposition,
    "strike": _strike,
    "cast": cast,
    "trap": trap,
    "retreat": _nothing,
    "control": _fend_jutsu,
    "meta": _meta,
    "return": _return,
    "reset": _nothing,
    "stance": _nothing,
    "intend": _nothing,
    "announce": _nothing,
    "allow": _nothing,
    "prevent": _nothing,
    "glare": _fend_jutsu,
}
"""How each kind of action is carried out; see `carry_out`."""
