"""A whole turn of Veney: judged, played and written in one pass, or left until somebody else has answered."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product

from engine.dice import Dice
from engine.game import Ask, Examined, NotationError
from engine.games.veney.action import Action, Turn
from engine.games.veney.board.squares import SQUARES
from engine.games.veney.judge.turn import Judge, judge
from engine.games.veney.luck import guessing, sticks
from engine.games.veney.luck.telling import described
from engine.games.veney.notation.read import read
from engine.games.veney.notation.write import Scribe, write
from engine.games.veney.pieces import PIECE
from engine.games.veney.play import turn as on_board
from engine.games.veney.play.aftermath import finished
from engine.games.veney.play.course import after, walk
from engine.games.veney.play.former import FormerBoard
from engine.games.veney.play.turn import Ambush, opened
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import Pending, Position
from engine.games.veney.setup.by_turns import drawn, placed
from engine.text import Text


def examine(position: Position, turn: Turn, written: bool) -> Examined[Position, Action]:
    """Everything about a turn: each action is judged, written and carried out before the next is looked at."""
    if position.over is not None or position.pending is not None or _announces(turn) or _is_guessed(position, turn):
        text = write(turn, position) if written else ""
        return Examined(turn, tuple(judge(position, turn)), play(position, turn), text)
    board, actions = opened(position, turn)
    judged, ambush = Judge(position, turn), Ambush(position, board)
    scribe = Scribe(turn) if written else None
    for at, action, partner in walk(board, actions):
        judged.see(board, at, action, partner)
        if scribe is not None:
            scribe.see(board, at, action)
        ambush.see(action)
    reached = finished(position, board, turn, ambush.entered())
    return Examined(turn, tuple(judged.rulings()), reached, scribe.text() if scribe is not None else "")


def play(position: Position, turn: Turn, kind: type[WorkingBoard] = WorkingBoard) -> Position:
    """The position after a turn; where its throw is asked for or guessed first, that is awaited."""
    pending = position.pending
    if pending is None and _announces(turn):
        asked = tuple(replace(action, verb="throw") if action.verb == "announce" else action for action in turn)
        return replace(position, pending=Pending("throw", position.to, turn=write(asked, position)))
    if pending is not None and pending.what == "setup":
        return placed(position, turn)
    if pending is None or pending.what != "throw":
        return _made(position, turn, kind)
    before = replace(position, pending=None)
    if not turn or turn[0].verb != "allow":
        return before
    announced = read(pending.turn, before)
    return _made(before, (*(_allowed(action, turn[0].luck, before.to) for action in announced), *turn[1:]), kind)


def formerly(position: Position, turn: Turn) -> Iterator[tuple[Turn, Position]]:
    """What versions 0.1 and 0.2 can have made of a turn: of several like pieces they chose differently at times."""
    board = WorkingBoard(position)
    origins = (
        (action.origin, *(SQUARES[at] for at in board.places(board.side, PIECE.get(action.piece, 0))))
        if action.origin
        else ("",)
        for action in turn
    )
    for chosen in product(*origins):
        meant = tuple(replace(action, origin=origin) for action, origin in zip(turn, chosen, strict=True))
        for kind in (FormerBoard, WorkingBoard):
            yield meant, play(position, meant, kind)


def roll(position: Position, turn: Turn, dice: Dice) -> Turn:
    """The turn with its luck resolved, that of a throw once it is allowed."""
    pending = position.pending
    if pending is not None and pending.what == "setup":
        return drawn(position, turn, dice)
    if pending is None or pending.what != "throw":
        return _possible(position, sticks.roll(position, turn, dice))
    if not turn or turn[0].verb != "allow":
        return turn
    before = replace(position, pending=None)
    announced = tuple(_allowed(action, "", before.to) for action in read(pending.turn, before))
    rolled = sticks.roll(before, announced, dice)
    faces = "".join(action.luck for action in rolled if action.verb == "throw")
    return (replace(turn[0], luck=faces), *(action for action in rolled if action.verb == "stray"))


def describe_luck(position: Position, turn: Turn, after: Position | None = None) -> Iterator[Text]:
    """What chance has decided in a turn."""
    if not any(action.luck for action in turn):
        return iter(())
    return described(position, turn, play(position, turn) if after is None else after)


def guess(position: Position, ask: Ask, text: str) -> Position:
    """The position with a token hidden or a guess made; with both, the Dagger has fallen."""
    position = guessing.answer(position, ask, text)
    right = guessing.guessed(position)
    if right is None or position.pending is None:
        return position
    before = replace(position, pending=None, owed=())
    thrown = read(position.pending.turn, before)
    return on_board.play(before, tuple(_allowed(action, "+" if right else "-", before.to) for action in thrown))


def _made(position: Position, turn: Turn, kind: type[WorkingBoard]) -> Position:
    """A turn played; where a guess decides its throw, that is awaited first."""
    if _is_guessed(position, turn):
        return guessing.thrown(position, after(kind(position), turn[:-1]), write(turn, position))
    return on_board.play(position, turn, kind)


def _announces(turn: Turn) -> bool:
    return any(action.verb == "announce" for action in turn)


def _is_guessed(position: Position, turn: Turn) -> bool:
    return guessing.secret(position.terms.throw) and any(action.verb == "throw" and not action.luck for action in turn)


def _possible(position: Position, turn: Turn) -> Turn:
    """What was written after a throw or a cast may be impossible now that it has fallen; then it is left out."""
    fallen = [at for at, action in enumerate(turn) if action.luck or action.verb == "announce"]
    if not fallen or fallen[0] == len(turn) - 1:
        return turn
    with suppress(NotationError):
        if read(write(turn, position), position) == turn:
            return turn
    return turn[: fallen[0] + 1]


def _allowed(action: Action, rolled: str, side: int) -> Action:
    """A throw that the opponent has let happen."""
    if action.verb != "throw":
        return action
    return replace(sticks.flown(action, rolled, side), plan="allowed")
