"""Plays a whole turn as it was written, and passes the turn on."""

from dataclasses import replace
from typing import Final

from engine.games.veney.action import Action, Turn
from engine.games.veney.board.squares import BIT, NUMBER
from engine.games.veney.pieces import BLACK, KIND, TECHNICAL, C
from engine.games.veney.play.aftermath import finished
from engine.games.veney.play.apply import apply
from engine.games.veney.play.course import walk
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import Position

TRAP: Final = Action("trap", "C")


def sprung(position: Position, kind: type[WorkingBoard] = WorkingBoard) -> WorkingBoard:
    """The board with a chaos trap sprung: back to the moment the piece entered, and that piece gone.

    What lasts from turn to turn is not forgotten by that.
    """
    base = position
    if position.sprung is not None:
        base = replace(
            position.sprung,
            to=position.to,
            passed=position.passed,
            lock=position.lock,
            intents=position.intents,
            trail=position.trail,
            stance=position.stance,
            terms=position.terms,
        )
    board = kind(base, position.to)
    apply(board, TRAP)
    return board


def opened(position: Position, turn: Turn, kind: type[WorkingBoard] = WorkingBoard) -> tuple[WorkingBoard, Turn]:
    """The board on which a turn begins, and the actions that follow; a trap is sprung already."""
    if turn and turn[0].verb == "trap":
        return sprung(position, kind), turn[1:]
    return kind(position), turn


def play(position: Position, turn: Turn, kind: type[WorkingBoard] = WorkingBoard) -> Position:
    """The position after a turn; whatever was written is carried out, on a board of this kind."""
    if position.pending is not None:
        return _settle(position, turn, kind)
    board, actions = opened(position, turn, kind)
    ambush = Ambush(position, board)
    for _, action, _ in walk(board, actions):
        ambush.see(action)
    return finished(position, board, turn, ambush.entered())


class Ambush:
    """Watches a turn for a technical piece that enters the other side's chaos."""

    __slots__ = ("_before", "_board", "_last", "_position", "_traps")

    def __init__(self, position: Position, board: WorkingBoard):
        self._position, self._board = position, board
        self._traps = tuple(at for owner, at in position.chaos if owner != board.side)
        self._last: Action | None = None
        self._before: Position | None = None

    def see(self, action: Action) -> None:
        """Look at the board before an action is carried out."""
        if self._traps:
            self._before = self._before or self._entering()
            self._last = action

    def entered(self) -> Position | None:
        """The board as it was when the piece entered, once everything is carried out."""
        return self._before or self._entering() if self._traps else None

    def _entering(self) -> Position | None:
        action, board = self._last, self._board
        if action is None or not action.target or NUMBER[action.target] not in self._traps:
            return None
        at, kind = NUMBER[action.target], KIND.get(action.piece, 0)
        on_it = board.cells[at] == kind + BLACK * board.side or (kind == C and bool(board.caught & BIT[at]))
        return _frozen(self._position, board, at) if kind in TECHNICAL and on_it else None


def _frozen(position: Position, board: WorkingBoard, entered: int) -> Position:
    """The board alone, as a position: what a chaos trap goes back to. The terms are those of the game anyway.

    Of several traps of a side the one that was entered comes first.
    """
    return Position(
        bytes(board.cells),
        position.to,
        board.caught,
        board.point,
        board.reserves(),
        board.discards(),
        fire=board.fire,
        chaos=tuple(sorted(board.chaos, key=lambda cast: cast[0] != board.side and cast[1] != entered)),
        shima=board.shima,
    )


def _settle(position: Position, turn: Turn, kind: type[WorkingBoard]) -> Position:
    """The follow-up of a throw or a cast: Self and blade are put elsewhere, and the turn passes on."""
    board = kind(position)
    for action in turn:
        apply(board, action)
    return replace(
        position,
        cells=bytes(board.cells),
        caught=board.caught,
        reserve=board.reserves(),
        to=1 - position.to,
        pending=None,
    )
