"""What a correct call costs: the whole turn taken back, the turn skipped, the offending piece lost."""

from dataclasses import replace

from engine.game import Outcome, Penalty, Ruling
from engine.games.veney.action import Action, Turn
from engine.games.veney.board.squares import NUMBER
from engine.games.veney.pieces import BLADES, FREE, KIND, KINDS, NAMES, C, J, S
from engine.games.veney.play.apply import apply
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import IN_PLAY, SIDES, Position
from engine.games.veney.rules import ENDINGS
from engine.text import Text

PENALTIES: tuple[Penalty, ...] = ("friendly", "time", "turn", "piece-lenient", "piece-absolute", "sudden")


def passed_on(position: Position) -> Position:
    """The turn passed on: no pass; what lasted for this one turn is gone."""
    side = position.to
    if position.dying is not None and position.dying[0] == side:
        return replace(position, to=1 - side, over=("touch", SIDES[1 - side]))
    intents = (None, position.intents[1]) if side == 0 else (position.intents[0], None)
    return replace(
        position,
        to=1 - side,
        passes=0,
        passed=(),
        lock=-1,
        intents=intents,
        dazzled=-1,
        roll="",
        sprung=None,
        pending=None,
    )


def penalize(
    position: Position, turn: Turn, rulings: tuple[Ruling[Action], ...], penalty: Penalty
) -> Position | Outcome:
    """The position after a correct call on a turn from this position; an Outcome where that ends the game."""
    side = position.to
    if penalty in ("friendly", "time"):
        return position
    if penalty == "sudden":
        return _lost(side)
    if penalty == "turn":
        return passed_on(position)
    first = _first_broken(turn, rulings)
    if {ruling.rule.ref for ruling in first} == {"2.0.07:control"}:
        return _fended(position)
    offender = culprit(position, turn, first[0].move)
    if offender is None:
        return passed_on(position)
    kind, at = offender
    board = WorkingBoard(position)
    disarmed = kind in BLADES and at >= 0 and board.lift(side, kind, at) and board.bladeless(side)
    if kind == S or disarmed:
        return _lost(side) if penalty == "piece-absolute" else passed_on(position)
    return passed_on(discarded(position, kind, at))


def penalty_text(
    position: Position, turn: Turn, rulings: tuple[Ruling[Action], ...], penalty: Penalty, after: Position | Outcome
) -> Text | None:
    """What a piece penalty takes, in a sentence; None for the other penalties."""
    if not penalty.startswith("piece"):
        return None
    first = _first_broken(turn, rulings)
    if {ruling.rule.ref for ruling in first} == {"2.0.07:control"}:
        return Text("The turn is taken back and lost, and the Jutsu is fended.")
    offender = culprit(position, turn, first[0].move)
    if offender is None:
        return Text("The turn is taken back and lost.")
    piece = NAMES["a" if offender[0] == FREE else KINDS[offender[0]]]
    if isinstance(after, Outcome):
        return Text("The {piece} is lost, and the game with it.", piece=piece)
    if offender[0] == FREE:
        return Text("The turn is taken back and lost, and the free engagement goes back to its start.")
    if after.discard != position.discard:
        return Text("The turn is taken back and lost, and the {piece} is discarded.", piece=piece)
    if offender[0] == S or offender[0] in BLADES:
        return Text(
            "The turn is taken back and lost, but the {piece} stays: losing it would end the game.", piece=piece
        )
    return Text("The turn is taken back and lost.")


def _first_broken(turn: Turn, rulings: tuple[Ruling[Action], ...]) -> tuple[Ruling[Action], ...]:
    """The rulings on the first part of a turn that breaks a rule; a rule that the turn breaks as a whole goes first."""

    def part(ruling: Ruling[Action]) -> int:
        return next((at for at, action in enumerate(turn) if action == ruling.move), -1)

    first = min(map(part, rulings))
    return tuple(ruling for ruling in rulings if part(ruling) == first)


def without(position: Position, move: Action) -> Position:
    """The position without the piece that broke the rule."""
    offender = culprit(position, (move,), move)
    return position if offender is None else discarded(position, *offender)


def culprit(position: Position, turn: Turn, move: Action) -> tuple[int, int] | None:
    """The piece that broke the rule as (kind, its square before the turn or -1); None if no piece did."""
    # We read: a Donkey may not be harmed, by a penalty either.
    if move.piece in ("", "N") or move.verb in ("intend", "stance", "trap"):
        return None
    kind = FREE if move.piece == "a" else KIND[move.piece]
    if move.verb == "reposition":
        return kind, WorkingBoard(position).find(position.to, kind)
    if kind == FREE or not move.origin:
        return kind, -1
    origin = move.origin
    index = next((at for at, action in enumerate(turn) if action is move), len(turn))
    for action in reversed(turn[:index]):
        if action.target == origin and action.piece == move.piece:
            origin = action.origin
    return kind, NUMBER[origin] if origin else -1


def discarded(position: Position, kind: int, at: int) -> Position:
    """The position without the offender; the free engagement merely goes back to its start."""
    board = WorkingBoard(position)
    if kind == FREE:
        if board.point == IN_PLAY or board.point >= 0:
            apply(board, Action("return", "a"))
    elif at < 0:
        if board.draw(position.to, kind):
            board.scrap(position.to, kind)
    else:
        if kind != C:
            board.uncloak(at)
        if board.lift(position.to, kind, at):
            board.scrap(position.to, kind)
    return board_of(position, board)


def _fended(position: Position) -> Position:
    """A Jutsu that entered under Control is fended, not lost."""
    board = WorkingBoard(position)
    at = board.find(position.to, J)
    if at >= 0:
        board.clear(at)
        board.shelve(position.to, J)
    return passed_on(board_of(position, board))


def board_of(position: Position, board: WorkingBoard) -> Position:
    """The position with the pieces of a working board."""
    return replace(
        position,
        cells=bytes(board.cells),
        caught=board.caught,
        point=board.point,
        reserve=board.reserves(),
        discard=board.discards(),
        trail=position.trail if board.point == IN_PLAY else (),
    )


def _lost(side: int) -> Outcome:
    return Outcome(ENDINGS["penalty"], frozenset({SIDES[1 - side]}))
