"""The course of a turn: its actions carried out one after another."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from engine.games.veney.action import LEAVING, Action, Turn
from engine.games.veney.board.squares import NUMBER
from engine.games.veney.pieces import KIND, PARTNERS
from engine.games.veney.play.apply import APPLY
from engine.games.veney.play.working_board import WorkingBoard

_IN_CONCERT: Final = frozenset(
    {"move", "cavazione", "opposition", "deflect", "sever", "throw", "announce", "strike", "cast"}
)

_LIFTED: Final = LEAVING | {"strike"}
"""We read: whatever the partner is about to do, the Self's way leads through its square; only a pinned blade stays."""

Step: TypeAlias = tuple[int, Action, Action | None]
"""An action that comes next: its place in the turn, itself, and its partner if it begins a concert."""


def walk(board: WorkingBoard, actions: tuple[Action, ...]) -> Iterator[Step]:
    """Carry out a turn, stopping before each action; a concert's partner is in the hand while the Self moves.

    Who only looks at what each action finds takes as many steps as there are actions, and the last is not carried out.
    """
    last = len(actions) - 1
    in_hand = False
    for at, action in enumerate(actions):
        partner = _partner(actions, at) if action.piece == "S" and at < last else None
        lifted = partner is not None and _lift_partner(board, action, partner)
        yield at, action, partner
        APPLY[action.verb](board, action, in_hand)
        if action.verb != "control":
            in_hand = lifted and not _set_down(board, partner)


def _is_concert(one: Action, two: Action) -> bool:
    """Whether two actions in this order are a move of the Self and its partner's."""
    return one.verb == "move" and one.piece == "S" and two.verb in _IN_CONCERT and KIND.get(two.piece, 0) in PARTNERS


def _partner(actions: tuple[Action, ...], at: int) -> Action | None:
    """The other half of a concert that the Self begins here; a fend by Control is part of the first half."""
    for after in actions[at + 1 :]:
        if after.verb != "control":
            return after if _is_concert(actions[at], after) else None
    return None


def _lift_partner(board: WorkingBoard, action: Action, partner: Action) -> bool:
    """In concert both pieces are in the hand before either is set down."""
    if partner.verb == "strike" and partner.origin == action.target:
        return False  # it stays there, so the Self cannot
    if partner.verb not in _LIFTED or not partner.origin or board.pinned(NUMBER[partner.origin]):
        return False
    return board.lift(board.side, KIND[partner.piece], NUMBER[partner.origin])


def _set_down(board: WorkingBoard, partner: Action | None) -> bool:
    """Back to its square after the Self has moved; False if the Self stands there now."""
    if partner is None or board.cells[NUMBER[partner.origin]]:
        return False
    board.put(board.side, KIND[partner.piece], NUMBER[partner.origin])
    return True


def after(board: WorkingBoard, body: Turn) -> WorkingBoard:
    """The board after some actions."""
    then = board.copy()
    for _ in walk(then, body):
        pass
    return then
