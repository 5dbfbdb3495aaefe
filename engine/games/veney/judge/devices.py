"""What is wrong with a cast, a trap, a stance, or with where Self and blade are put."""

from collections.abc import Iterator
from typing import Final

from engine.games.veney.action import Action
from engine.games.veney.board.squares import AHEAD, BIT, HALF, MEASURE, NUMBER, STEP
from engine.games.veney.judge.fault import Fault, Setting, area, dead, mark, name
from engine.games.veney.judge.taking import pin_faults
from engine.games.veney.pieces import KIND, C, D, L
from engine.games.veney.play.devices import empty_after, landing, stanceable
from engine.games.veney.play.working_board import WorkingBoard
from engine.text import Text

TOO_MANY_SPOTS: Final = Fault("2.0.15:too-many", Text("More than one Self and one blade are put elsewhere."))
_SPOTS_AFTER_THROW: Final = Fault(
    "2.0.08:reposition", Text("Only the Self and the Sword are put elsewhere, once each.")
)
_NO_EMPTY_MEASURE: Final = Fault(
    "2.0.18:no-empty-measure", Text("The piece is not cast into an empty measure between the Selves.")
)
_CLOAK_OUTSIDE: Final = Fault(
    "2.0.18:not-available", Text("A Cloak that falls outside the empty measure has no effect.")
)
_NO_VICTIM: Final = Fault(
    "2.0.18:not-available", Text("No technical piece has just entered a chaos square of this side.")
)
_NO_STANCE: Final = Text("Hirakamae cannot be taken here.")
_STANCE_OFF: Final = Text("Hirakamae is switched off in this match.")
_NOTHING_THROWN: Final = Fault(
    "2.0.08:reposition", Text("Nothing was thrown that would let Self and blade be put elsewhere.")
)


def spot_faults(board: WorkingBoard, action: Action, section: str, step: int) -> Iterator[Fault]:
    """What is wrong with where Self and blade are put: own side, behind a step, empty, not a captured blade."""
    side = board.side
    allowed = HALF[side] & AHEAD[1 - side][step]
    moving = {board.find(side, KIND[letter]) for letter, _ in action.spots} | {NUMBER.get(action.origin, -1)}
    letters = [letter for letter, _ in action.spots]
    if section == "2.0.08" and (not set(letters) <= {"S", "$"} or len(letters) > len(set(letters))):
        yield _SPOTS_AFTER_THROW
    if section == "2.0.18" and (letters.count("S") > 1 or len(letters) - letters.count("S") > 1):
        yield TOO_MANY_SPOTS
    ends = set()
    for letter, site in action.spots:
        at, origin = NUMBER[site], board.find(side, KIND[letter])
        if letter == "S" and board.is_dead(side):
            yield dead(board)
        if origin >= 0:
            yield from pin_faults(board, side, KIND[letter], origin)
        if not allowed & BIT[at]:
            because = Text("{square} is not on the mover's side behind step {step}.", square=site, step=step)
            yield Fault(f"{section}:reposition-zone", because, mark("culprit", at) + area("zone", allowed))
        if at in ends or (board.cells[at] and at not in moving):
            because = Text("{square} is not empty.", square=site)
            yield Fault(f"{section}:reposition-occupied", because, mark("culprit", at))
        ends.add(at)


def cast_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with casting."""
    side, kind = board.side, KIND[action.piece]
    device = {L: "cast-lantern", C: "cast-cloak", D: "cast-dagger"}[kind]
    if action.origin:
        yield from pin_faults(board, side, kind, NUMBER[action.origin])
    if device in board.position.terms.off:
        because = Text("Casting the {piece} is switched off in this match.", piece=name(kind))
        yield Fault("2.0.18:not-available", because)
    elif not (action.origin or action.piece in board.reserve[side]):
        yield Fault("2.0.18:not-available", Text("There is no {piece} to cast.", piece=name(kind)))
    empty = empty_after(board, action)
    if not empty or _misaimed(board, action, empty):
        yield _NO_EMPTY_MEASURE
    if action.spots:
        site = landing(action, board.position.terms.uniform)
        if site and MEASURE[NUMBER[site]] not in empty:
            yield _CLOAK_OUTSIDE
        yield from spot_faults(board, action, "2.0.18", STEP[NUMBER[site]] if site else 17 * (1 - side))


def _misaimed(board: WorkingBoard, action: Action, empty: tuple[int, ...]) -> bool:
    """Whether the square named says that the cast was meant for a measure that is not empty.

    We read: where the sticks are told, the square is what was aimed at. Where only the landing is told, a square beyond
    the Selves or in their measures is a miss, but one in a measure between them was aimed at.
    """
    if not action.target or MEASURE[NUMBER[action.target]] in empty:
        return False
    low, high = sorted(MEASURE[at] for at in board.selves)
    return bool(action.luck) or low < MEASURE[NUMBER[action.target]] < high


def trap_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with springing the trap."""
    if board.position.sprung is None or not any(side == board.side for side, _ in board.chaos):
        yield _NO_VICTIM


def stance_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with taking the stance."""
    position = board.position
    if "hirakamae" in position.terms.off:
        yield Fault("2.0.18:not-available", _STANCE_OFF)
    elif position.mover in position.stanced or not stanceable(board, board.side):
        yield Fault("2.0.18:not-available", _NO_STANCE, mark("culprit", board.selves[board.side]))


def reposition_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with putting Self and blade elsewhere."""
    pending = board.position.pending
    if pending is None:
        yield _NOTHING_THROWN
        return
    other = board.selves[1 - board.side]
    if pending.what == "chaos":
        yield from spot_faults(board, action, "2.0.18", pending.step)
    else:
        yield from spot_faults(board, action, "2.0.08", STEP[other] if other >= 0 else 17 * (1 - board.side))
