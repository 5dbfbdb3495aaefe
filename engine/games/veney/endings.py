"""What may end a turn of Veney: whether glare shines and Control fends after each of many turns, asked cheaply."""

from engine.game import Turn
from engine.games.veney.act import Act, acts_of, move
from engine.games.veney.course import walk
from engine.games.veney.field import Field
from engine.games.veney.piste import BETWEEN, BIT, MEASURE, NOT_IN_LINE, NUMBER, SQUARES, WAY
from engine.games.veney.rulebook import B, J, L


class Lamp:
    """Whether glare may end a turn; asked of the board again only where the turn touches the light."""

    def __init__(self, field: Field):
        self.field = field
        self.at = field.places(field.side, L)
        self.target = field.selves[1 - field.side]
        self.on = field.in_glare(1 - field.side)
        self.path = 0
        for at in self.at:
            if self.target >= 0 and WAY[at][self.target] != NOT_IN_LINE:
                self.path |= BETWEEN[at][self.target] | BIT[at]

    def shines(self, body: Turn) -> Act | None:
        """The glare that may follow, or None."""
        if self.target < 0:
            return None
        field = self.field
        if self._touches(body):
            field = after(field, body)
            on = field.in_glare(1 - field.side)
        else:
            on = self.on
        if not on:
            return None
        at = field.find(field.side, L)
        return move("L", SQUARES[at], "", "glare") if at >= 0 else None

    def _touches(self, body: Turn) -> bool:
        for act in body:
            if act.verb == "move":
                if act.piece == "L" or BIT[NUMBER[act.target]] & self.path or BIT[NUMBER[act.origin]] & self.path:
                    return True
                if act.piece in "ea" and self.path:
                    return True
            elif act.verb in ("place", "enter"):
                if act.piece == "L" or BIT[NUMBER[act.target]] & self.path:
                    return True
            elif self.path or (act.verb in ("retreat", "reset") and self.at):
                return True
        return False


class Control:
    """Whether Balance and Self have just come to share a measure with the opposing Jutsu."""

    def __init__(self, field: Field):
        self.field = field
        side = field.side
        self.jutsu = frozenset(field.places(1 - side, J))
        self.before = Field(field.position).together(side, B) if self.jutsu else 0

    def fends(self, body: Turn) -> Act | None:
        """The fend that may follow, or None."""
        if not self.jutsu or not body:
            return None
        if not any(act.piece in "SB" or act.other or act.verb in ("retreat", "reset") for act in acts_of(body)):
            return None
        if len(body) == 1 and body[0].verb == "move":
            at = MEASURE[NUMBER[body[0].target]]
            if at == self.before or not any(MEASURE[one] == at for one in self.jutsu):
                return None
        elif body[0].piece == "S" and body[0].verb == "move" and body[1].piece not in "SB":
            at = MEASURE[NUMBER[body[0].target]]
            if at == self.before or not any(MEASURE[one] == at for one in self.jutsu):
                return None
            if not any(MEASURE[one] == at for one in self.field.places(self.field.side, B)):
                return None
        board = after(self.field, body)
        measure = board.together(board.side, B)
        if (
            not measure
            or measure == self.before
            or not any(MEASURE[at] == measure for at in board.places(1 - board.side, J))
        ):
            return None
        return move("B", SQUARES[board.find(board.side, B)], "", "control")


def after(field: Field, body: Turn) -> Field:
    """The board after some actions."""
    board = field.copy()
    for _ in walk(board, acts_of(body)):
        pass
    return board
