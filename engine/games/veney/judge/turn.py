"""The silent judge: every rule that a whole turn breaks."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final, TypeAlias

from engine.diagram import Mark
from engine.game import Ruling
from engine.games.veney.action import IMMATERIAL, Action, Turn
from engine.games.veney.board.squares import AHEAD, BIT, HALF, NUMBER, STEP
from engine.games.veney.judge.actions import FAULTS, action_faults
from engine.games.veney.judge.devices import TOO_MANY_SPOTS
from engine.games.veney.judge.double_moves import SWAPS, Past, link_faults, remembered, setting_of
from engine.games.veney.judge.fault import ALONE, Fault, area, mark
from engine.games.veney.judge.taking import landing_faults, pin_faults
from engine.games.veney.pieces import KIND
from engine.games.veney.play.apply import apply
from engine.games.veney.play.course import walk
from engine.games.veney.play.devices import landing
from engine.games.veney.play.turn import opened, sprung
from engine.games.veney.play.working_board import WorkingBoard
from engine.games.veney.position import Position
from engine.games.veney.rules import RULES
from engine.text import Text

PASS: Final = Action("pass")
"""Stands for a turn without moves where a ruling has to name a part of it."""

_Broken: TypeAlias = tuple[Action, Fault]

_PLACE: Final = {code: at for at, code in enumerate(RULES)}

_OVER: Final = Fault("2.0.21:over", Text("The game has ended."))
_AFTER: Final = {
    "glare": Text("The turn ended with its glare."),
    "intend": Text("The turn ended with its intention."),
}
_LATE_META: Final = Fault("2.0.05:meta-order", Text("A turn has one meta-move, before anything else."))
_META_AND_INTENTION: Final = Fault(
    "2.0.05:meta-and-intention", Text("This turn has both a meta-move and an intention.")
)
_AGAINST_STANCE: Final = Fault("2.0.18:hirakamae-no-pass", Text("The opponent stands in hirakamae."))
_FORCED: Final = Fault("2.0.17:forced", Text("Both sides have just passed, so this turn needs a move on the board."))

_NOTHING_AFTER: Final = Fault("2.0.20:no-impasse", Text("A reset is the whole turn, so nothing follows it."))

_ENDING: Final = frozenset({"glare", "intend"})

_FIRST: Final = frozenset({"meta", "return"})

_FREE_OF_CHARGE: Final = IMMATERIAL | {"reclaim", "trap"}


def judge(position: Position, turn: Turn) -> Iterator[Ruling[Action]]:
    """Every rule a turn breaks, in the rulebook's order."""
    judged = Judge(position, turn)
    if judged.on_board:
        board, actions = opened(position, turn)
        for at, action, partner in islice(walk(board, actions), len(actions)):  # the last is not carried out
            judged.see(board, at, action, partner)
    return judged.rulings()


class Judge:
    """The judge of one turn, who is shown each action before it is carried out."""

    __slots__ = ("_actions", "_ended", "_found", "_history", "_moves", "_position", "_reset", "_turn", "on_board")

    on_board: bool
    """Whether the turn has to be seen on the board; a game that is over, or waits for an answer, is judged at once."""

    def __init__(self, position: Position, turn: Turn):
        self._position, self._turn = position, turn
        self._actions = turn[1:] if turn and turn[0].verb == "trap" else turn
        self._found: list[_Broken] = []
        self._ended: Action | None = None
        self._reset = False
        self._moves = 0
        self._history: list[Past] = []
        self.on_board = position.over is None and position.pending is None
        sprung_only = self._actions is not turn and not self._actions
        if self.on_board and position.dying is None and not sprung_only and is_pass(self._actions):
            # No piece is at fault for standing still.
            self._found += [(PASS, fault) for fault in _passing(position)]

    def see(self, board: WorkingBoard, at: int, action: Action, partner: Action | None) -> None:
        """Judge an action on the board that it finds."""
        found, verb = self._found, action.verb
        if self._ended is not None and verb != "stray":
            found.append((action, Fault("2.0.16:after-end", _AFTER[self._ended.verb])))
        if verb in _FIRST and at:
            found.append((action, _LATE_META))
        elif verb == "intend" and any(other.verb == "meta" for other in self._actions[:at]):
            found.append((action, _META_AND_INTENTION))
        elif verb in _ENDING:
            self._ended = action
        history = self._history
        if self._reset and verb != "stray":
            found.append((action, _NOTHING_AFTER))
        self._reset |= verb == "reset"
        if verb not in _FREE_OF_CHARGE:
            if self._moves:
                for fault in link_faults(board, action, self._moves, history):
                    found.append((action, fault))
            self._moves += 2 if verb in SWAPS else 1
        if partner is not None and action.origin == action.target:
            found.append((action, _stays(action)))
        else:
            for fault in FAULTS[verb](board, action, setting_of(board, action, history) if history else ALONE):
                found.append((action, fault))
        if verb != "control" and at < len(self._actions) - 1:
            history.append(remembered(board, action, partner))

    def rulings(self) -> Iterator[Ruling[Action]]:
        """Everything found, in the rulebook's order."""
        found = self._all()
        if not found:
            return iter(())
        found.sort(key=_place)
        uniform = self._position.terms.uniform
        return (
            Ruling(RULES[fault.code], action, fault.because, _marked(action, fault, uniform)) for action, fault in found
        )

    def _all(self) -> list[_Broken]:
        position, turn = self._position, self._turn
        if position.over is not None:
            return [(turn[0] if turn else PASS, _OVER)]
        if position.pending is not None:
            board = WorkingBoard(position)
            return [(_blamed(action, fault), fault) for action in turn for fault in action_faults(board, action, ALONE)]
        if turn and turn[0].verb == "trap":
            return self._after_trap()
        return self._found

    def _after_trap(self) -> list[_Broken]:
        trap, rest = self._turn[0], self._actions
        found = [(trap, fault) for fault in action_faults(WorkingBoard(self._position), trap, ALONE)]
        as_turn = self._found
        pieces = {action.piece for action in rest}
        if as_turn and all(action.verb == "move" for action in rest) and pieces <= {"S", "$", "D"}:
            # We read: after the trap, moves of Self and blade rearrange them, unless they are a turn of their own.
            as_turn = min(list(_rearranging(self._position, rest)), as_turn, key=len)
        return found + as_turn


def _place(broken: _Broken) -> int:
    """Where the rulebook has the rule."""
    return _PLACE[broken[1].code]


def _marked(action: Action, fault: Fault, uniform: bool) -> tuple[Mark, ...]:
    ends = (action.origin, landing(action, uniform) if action.verb == "cast" else action.target)
    sites = tuple(dict.fromkeys(site for site in ends if site))
    own = mark("culprit", *(NUMBER[site] for site in sites))
    return own + tuple(one for one in fault.marks if one not in own)


def _blamed(action: Action, fault: Fault) -> Action:
    """Of a rearrangement, the part that is at fault."""
    culprits = {site for one in fault.marks if one.kind == "culprit" for site in one.sites}
    piece, site = next((spot for spot in action.spots if spot[1] in culprits), (action.piece, action.target))
    return replace(action, piece=piece, target=site)


def _rearranging(position: Position, actions: Turn) -> Iterator[_Broken]:
    traps = (position.sprung or position).chaos
    step = next((STEP[at] for side, at in traps if side == position.to), 17 * (1 - position.to))
    board = sprung(position)
    allowed = HALF[board.side] & AHEAD[1 - board.side][step]
    selves = sum(action.piece == "S" for action in actions)
    if len(actions) > 2 or selves > 1 or len(actions) - selves > 1:
        yield actions[-1], TOO_MANY_SPOTS
    # Both are in the hand at once, so each may go where the other stood.
    held = [
        not board.pinned(NUMBER[action.origin]) and board.lift(board.side, KIND[action.piece], NUMBER[action.origin])
        for action in actions
    ]
    for action, lifted in zip(actions, held, strict=True):
        at, origin, kind = NUMBER[action.target], NUMBER[action.origin], KIND[action.piece]
        if not allowed & BIT[at]:
            because = Text("{square} is not on the mover's side behind step {step}.", square=action.target, step=step)
            yield action, Fault("2.0.18:reposition-zone", because, area("zone", allowed))
        for fault in (
            *pin_faults(board, board.side, kind, origin),
            *landing_faults(board, board.side, kind, origin, at),
        ):
            yield action, fault
        apply(board, action, lifted)


def _stays(action: Action) -> Fault:
    because = Text("The Self stays on {square}.", square=action.target)
    return Fault("2.0.03:self-stays", because, mark("culprit", NUMBER[action.target]))


def _passing(position: Position) -> Iterator[Fault]:
    if position.stance >= 0:
        if position.stance != position.to:
            yield _AGAINST_STANCE
    elif position.passes >= 2:
        yield _FORCED


def is_pass(actions: Turn) -> bool:
    """Whether nothing in a turn is a move on the board."""
    return not actions or (actions[0].verb in IMMATERIAL and all(action.verb in IMMATERIAL for action in actions))
