"""What may end a turn of Veney: whether glare shines and Control fends after each of many turns, asked cheaply."""

from engine.games.veney.action import Action, Turn, move
from engine.games.veney.board.squares import BETWEEN, BIT, MEASURE, NOT_IN_LINE, NUMBER, SQUARES, WAY
from engine.games.veney.pieces import B, J, L
from engine.games.veney.play.course import after
from engine.games.veney.play.working_board import WorkingBoard


class Lamp:
    """Whether glare may end a turn; asked of the board again only where the turn touches the light."""

    def __init__(self, board: WorkingBoard):
        self.board = board
        self.at = board.places(board.side, L)
        self.target = board.selves[1 - board.side]
        self.on = board.in_glare(1 - board.side)
        self.path = 0
        for at in self.at:
            if self.target >= 0 and WAY[at][self.target] != NOT_IN_LINE:
                self.path |= BETWEEN[at][self.target] | BIT[at]

    def shines(self, body: Turn) -> Action | None:
        """The glare that may follow, or None."""
        if self.target < 0:
            return None
        board = self.board
        if self._touches(body):
            board = after(board, body)
            on = board.in_glare(1 - board.side)
        else:
            on = self.on
        if not on:
            return None
        at = board.find(board.side, L)
        return move("L", SQUARES[at], "", "glare") if at >= 0 else None

    def _touches(self, body: Turn) -> bool:
        for action in body:
            if action.verb == "move":
                if (
                    action.piece == "L"
                    or BIT[NUMBER[action.target]] & self.path
                    or BIT[NUMBER[action.origin]] & self.path
                ):
                    return True
                if action.piece in "ea" and self.path:
                    return True
            elif action.verb in ("place", "enter"):
                if action.piece == "L" or BIT[NUMBER[action.target]] & self.path:
                    return True
            elif self.path or (action.verb in ("retreat", "reset") and self.at):
                return True
        return False


class Control:
    """Whether Balance and Self have just come to share a measure with the opposing Jutsu."""

    def __init__(self, board: WorkingBoard):
        self.board = board
        side = board.side
        self.jutsu = frozenset(board.places(1 - side, J))
        self.before = WorkingBoard(board.position).together(side, B) if self.jutsu else 0

    def fends(self, body: Turn) -> Action | None:
        """The fend that may follow, or None."""
        if not self.jutsu or not body:
            return None
        if not any(action.piece in "SB" or action.other or action.verb in ("retreat", "reset") for action in body):
            return None
        if len(body) == 1 and body[0].verb == "move":
            at = MEASURE[NUMBER[body[0].target]]
            if at == self.before or not any(MEASURE[one] == at for one in self.jutsu):
                return None
        elif body[0].piece == "S" and body[0].verb == "move" and body[1].piece not in "SB":
            at = MEASURE[NUMBER[body[0].target]]
            if at == self.before or not any(MEASURE[one] == at for one in self.jutsu):
                return None
            if not any(MEASURE[one] == at for one in self.board.places(self.board.side, B)):
                return None
        then = after(self.board, body)
        measure = then.together(then.side, B)
        if (
            not measure
            or measure == self.before
            or not any(MEASURE[at] == measure for at in then.places(1 - then.side, J))
        ):
            return None
        return move("B", SQUARES[then.find(then.side, B)], "", "control")
