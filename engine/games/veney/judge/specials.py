"""What is wrong with a throw, a strike, a fend by Control or a glare."""

from collections.abc import Iterator
from typing import Final

from engine.games.veney.action import Action
from engine.games.veney.board.reach import DIAGONALS, adjacent
from engine.games.veney.board.squares import (
    BETWEEN,
    BIT,
    MEASURE,
    MEASURES,
    NOT_IN_LINE,
    NUMBER,
    SQUARES,
    STEP,
    STEPS,
    WAY,
    squares,
)
from engine.games.veney.judge.devices import spot_faults
from engine.games.veney.judge.fault import Fault, Setting, area, mark, name
from engine.games.veney.judge.movement import movement_faults
from engine.games.veney.judge.range import zone
from engine.games.veney.judge.taking import attack_faults, pin_faults
from engine.games.veney.pieces import BLADES, FREE, PIECE, SECTION, B, D, E, J, L
from engine.games.veney.play.devices import missed
from engine.games.veney.play.working_board import WorkingBoard
from engine.text import Text

_GLARE_BARS_THROW: Final = Text("The thrower's Self stands in the glare.")
_NO_JUTSU: Final = Text("This side has no Jutsu on the board.")
_NO_CONTROL: Final = Text("Balance, Self and the opposing Jutsu do not share a measure.")
_NO_GLARE: Final = Text("The Lantern has no clear line to the opposing Self.")


def throw_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with throwing the Dagger."""
    side, origin, target = board.side, NUMBER[action.origin], NUMBER[action.target]
    other = board.selves[1 - side]
    yield from pin_faults(board, side, D, origin)
    if target != other or WAY[origin][target] == NOT_IN_LINE:
        yield Fault(
            "2.0.08:throw-line",
            Text(
                "The opposing Self is not in line with {origin} on {square}.",
                origin=action.origin,
                square=action.target,
            ),
            mark("culprit", origin, target),
        )
    else:
        engagements = board.mask(0, E) | board.mask(1, E) | (BIT[board.free] if board.free >= 0 else 0)
        blocked = BETWEEN[origin][target] & board.taken & ~engagements & ~setting.ghost
        if blocked:
            yield Fault(
                "2.0.08:throw-blocked",
                Text("A piece on {square} is in the way.", square=SQUARES[squares(blocked)[0]]),
                area("blocker", blocked),
            )
    if not action.plan and not board.position.terms.asked and board.in_glare(side):
        yield Fault(
            "2.0.10:glare-bars-throw",
            _GLARE_BARS_THROW,
            mark("blocker", board.find(1 - side, L)),
        )
    if action.spots:
        sticks = action.luck or board.position.roll
        if sticks and missed(sticks, side) != 1:
            yield Fault("2.0.08:reposition", Text("The sticks {sticks} do not distract.", sticks=sticks))
        yield from spot_faults(board, action, "2.0.08", STEP[other] if other >= 0 else 17 * (1 - side))


def strike_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with a strike."""
    side, kind, origin, target = board.side, PIECE[action.piece], NUMBER[action.origin], NUMBER[action.target]
    intent = board.position.intents[side]
    code = board.cells[target]
    aimed = (code == FREE and not board.stone(side, target)) or (code not in (0, FREE) and code >> 4 != side)
    if kind in BLADES:
        yield from pin_faults(board, side, kind, origin)
        yield from _strike_line(board, side, kind, origin, target, setting)
    else:
        yield Fault("2.0.11:not-a-blade", Text("The {piece} is no blade.", piece=name(kind)), mark("culprit", origin))
    jutsu = board.places(side, J)
    if not jutsu:
        yield Fault("2.0.11:no-jutsu", _NO_JUTSU)
    elif not any(MEASURE[at] == MEASURE[target] or DIAGONALS[at] & BIT[target] for at in jutsu):
        yield Fault(
            "2.0.11:jutsu-alignment",
            Text(
                "The Jutsu on {jutsu} shares neither measure nor diagonal with {square}.",
                jutsu=SQUARES[jutsu[0]],
                square=action.target,
            ),
            mark("culprit", *jutsu),
        )
    if intent is None or intent.kind != kind or intent.target != target:
        yield Fault(
            "2.0.11:not-declared",
            Text("No such attack on {square} was announced on the turn before.", square=action.target),
        )
    elif intent.moved or not aimed:
        yield Fault(
            "2.0.11:target-moved",
            Text("What stood on {square} has moved since the strike was declared.", square=action.target),
            mark("culprit", target),
        )
    if not aimed:
        yield Fault(
            "2.0.11:no-target",
            Text("There is nothing to strike on {square}.", square=action.target),
            mark("culprit", target),
        )
    elif kind in BLADES:
        yield from attack_faults(board, side, kind, origin, target)


def _strike_line(  # noqa: PLR0917
    board: WorkingBoard, side: int, kind: int, origin: int, target: int, setting: Setting
) -> Iterator[Fault]:
    for fault in movement_faults(board, side, kind, origin, target, setting):
        if not fault.code.endswith(":range"):
            yield fault
    reach = zone(board, side, kind, origin)
    if reach & BIT[target] or board.selves[side] < 0:
        return
    steps = STEPS[STEP[target] - 1] | STEPS[STEP[target] + 1]
    if not (reach & BIT[origin] and adjacent(origin, target) and reach & steps):
        yield Fault(
            f"{SECTION[kind]}:range",
            Text(
                "{square} is out of reach of the {piece} on {origin}.",
                square=SQUARES[target],
                piece=name(kind),
                origin=SQUARES[origin],
            ),
            area("zone", reach),
        )


def control_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with a fend by Control."""
    side = board.side
    measure = board.together(side, B)
    if not measure or not any(MEASURE[at] == measure for at in board.places(1 - side, J)):
        yield Fault("2.0.07:no-control", _NO_CONTROL)
        return
    before = WorkingBoard(board.position)
    if before.together(side, B) == measure:
        yield Fault(
            "2.0.07:late-control",
            Text("Balance and Self already shared measure {measure} before this turn.", measure=measure),
            area("zone", MEASURES[measure]),
        )


def glare_faults(board: WorkingBoard, action: Action, setting: Setting) -> Iterator[Fault]:
    """What is wrong with a glare."""
    if not board.in_glare(1 - board.side):
        lamp, at = board.find(board.side, L), board.selves[1 - board.side]
        yield Fault("2.0.10:no-glare", _NO_GLARE, mark("culprit", lamp, at))
