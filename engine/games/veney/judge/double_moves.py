"""What links the moves of a turn, and what each owes to those before it."""

from collections.abc import Iterator
from typing import Final, TypeAlias

from engine.games.veney.action import ENTERING, Action
from engine.games.veney.board.squares import NUMBER
from engine.games.veney.judge.fault import ALONE, IN_CONCERT, Fault, Setting
from engine.games.veney.judge.range import flailing
from engine.games.veney.pieces import BLACK, S
from engine.games.veney.play.working_board import WorkingBoard
from engine.text import Text

_ON_A_STONE: Final = frozenset({"move", "cavazione", "opposition", "deflect", "throw", "announce", "strike"})

SWAPS: Final = frozenset({"shift", "feign"})

_RETREAT: Final = Text("A retreat is the whole turn.")
_CAST_CLOAK: Final = Text("A cast Cloak is the whole turn.")
_TOO_MANY: Final = Text("These are more than two moves in one turn.")
_PLACEMENT: Final = Text("A placement is the only move of its turn.")
_TWO_PIECES: Final = {
    "shift": Text("A shift moves two pieces, so nothing may come before it."),
    "feign": Text("A feign moves two pieces, so nothing may come before it."),
}
_RESET: Final = Text("A reset is the whole turn.")
_UNLINKED: Final = Text("Nothing links these two moves.")

Past: TypeAlias = tuple[Action, Action | None, bool, bool]
"""An action, its partner in concert, and what it found: a stepping stone, and the state of flailing."""


def remembered(board: WorkingBoard, action: Action, partner: Action | None) -> Past:
    """An action about to be carried out, for those that follow."""
    stone = action.verb == "move" and board.stone(board.side, NUMBER[action.target])
    flails = action.piece == "L" and bool(action.origin) and flailing(board, board.side, NUMBER[action.origin])
    return action, partner, stone, flails


def setting_of(board: WorkingBoard, action: Action, history: list[Past]) -> Setting:
    """What the turn so far, fends by Control aside, means for this action."""
    last, partner, stone, flailed = history[-1]
    if partner is action:
        at = board.cells.find(S + BLACK * board.side)
        return IN_CONCERT[at] if at >= 0 else ALONE
    if action.origin and last.target == action.origin and last.piece == action.piece and last.verb in ENTERING:
        started = next(NUMBER[one.origin] for one, *_ in history if one.piece == action.piece and one.origin)
        springboard = stone or _on_fire(board, last)
        return Setting(stone=NUMBER[action.origin] if springboard else -1, flailing=flailed, started=started)
    return ALONE


def link_faults(board: WorkingBoard, action: Action, moves: int, history: list[Past]) -> Iterator[Fault]:
    """Whether a further move may follow."""
    everything = [action, *(past for past, *_ in history)]
    verbs = {one.verb for one in everything}
    if "retreat" in verbs:
        yield Fault("2.0.02:retreat-double", _RETREAT)
    elif any(one.verb == "cast" and one.piece == "C" for one in everything):
        yield Fault("2.0.18:cast-cloak-concert", _CAST_CLOAK)
    elif moves > 1:
        yield Fault("2.0.15:too-many", _TOO_MANY)
    elif action.verb == "place" or (board.position.stance == board.side and "place" in verbs):
        yield Fault("2.0.15:place-in-double", _PLACEMENT)
    elif action.verb in SWAPS:
        yield Fault("2.0.15:special-second", _TWO_PIECES[action.verb])
    elif "reset" in verbs:
        yield Fault("2.0.15:unlinked", _RESET)
    elif board.position.stance != board.side and not _linked(board, action, history[-1]):
        yield Fault("2.0.15:unlinked", _UNLINKED)


def _linked(board: WorkingBoard, action: Action, before: Past) -> bool:
    last, partner, stone, _ = before
    if partner is action:
        return True
    again = last.verb in ENTERING and last.piece == action.piece and last.target == action.origin
    if not again or action.verb not in _ON_A_STONE:
        return False
    return stone or _on_fire(board, last)


def _on_fire(board: WorkingBoard, action: Action) -> bool:
    """Whether an action ends on a fire square of its side, from which a piece goes on as from a stone."""
    return (board.side, NUMBER[action.target]) in board.position.fire
