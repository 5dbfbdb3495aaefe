"""Who may attack whom: the chart applied, and the conditions of a disarm."""

from collections.abc import Iterator
from typing import Final

from engine.diagram import Mark
from engine.games.veney.board.squares import BIT, SQUARES
from engine.games.veney.judge.fault import ALONE, Fault, Setting, area, mark, name
from engine.games.veney.judge.movement import movement_faults
from engine.games.veney.judge.range import zone
from engine.games.veney.pieces import ARMAMENTS, BLACK, BLADES, CAPTURE, DISARM, FREE, NO, SECTION, TECHNICAL, D, E, R
from engine.games.veney.play.attack import effect
from engine.games.veney.play.working_board import WorkingBoard
from engine.text import Text

_NO_DISARM: Final = Text("A Dagger disarms only when the Sword is lost.")


def landing_faults(board: WorkingBoard, side: int, kind: int, origin: int, target: int) -> Iterator[Fault]:
    """What is wrong with ending on this square, however the piece comes there."""
    code = board.cells[target]
    if not code:
        return
    if kind == R and board.stone(side, target):
        yield Fault(
            "2.0.12:stone",
            Text("The Ruin cannot use the stone on {square}.", square=SQUARES[target]),
            mark("blocker", target),
        )
        return
    if code == FREE and board.stone(side, target):
        return
    if code != FREE and code >> 4 == side:
        if board.pinned(target):
            yield Fault(
                "2.0.06:cloak-on-blade",
                Text("The Cloak on {square} sits on the captured {piece}.", square=SQUARES[target], piece=name(code)),
                mark("blocker", target),
            )
        if code & 15 != E:
            yield Fault(
                "2.0.01:own-piece",
                Text("Its own side's {piece} stands on {square}.", square=SQUARES[target], piece=name(code)),
                mark("blocker", target),
            )
        return
    yield from attack_faults(board, side, kind, origin, target)


def attack_faults(board: WorkingBoard, side: int, kind: int, origin: int, target: int) -> Iterator[Fault]:
    """What is wrong with attacking what stands here, by the chart."""
    code = board.cells[target]
    said = effect(board, side, kind, target)
    if said == NO:
        yield Fault(
            "2.0.12:occupied" if kind == R and code == FREE else f"{SECTION[kind]}:cannot-attack",
            Text(
                "The {piece} cannot attack the {victim} on {square}.",
                piece=name(kind),
                victim=name(code),
                square=SQUARES[target],
            ),
            mark("blocker", target),
        )
    elif said == DISARM:
        yield from disarm_faults(board, side, kind, target)
    elif said == CAPTURE and board.pinned(target):
        yield Fault(
            "2.0.06:cloak-on-blade",
            Text("A Cloak already sits on {square}.", square=SQUARES[target]),
            mark("blocker", target),
        )


def overextended(board: WorkingBoard, side: int, at: int) -> bool:
    """Whether a side's armament stands outside its own range."""
    return not zone(board, side, board.cells[at] & 15, at) & BIT[at]


def disarm_faults(board: WorkingBoard, side: int, kind: int, target: int) -> Iterator[Fault]:
    """Whether neither condition for taking an armament holds, or the attacker may not do it."""
    owner, victim = board.cells[target] >> 4, board.cells[target] & 15
    if kind == D and board.armed(side):
        yield Fault("2.0.14:no-disarm", _NO_DISARM, mark("culprit", target))
        return
    if overextended(board, owner, target) or supporters(board, side, target):
        return
    yield Fault(
        "2.0.14:no-disarm",
        Text(
            "The {piece} on {square} is in range, and no technical piece attacks it.",
            piece=name(victim),
            square=SQUARES[target],
        ),
        _shown(board, owner, target),
    )


def _shown(board: WorkingBoard, owner: int, target: int) -> tuple[Mark, ...]:
    return mark("blocker", target) + area("zone", zone(board, owner, board.cells[target] & 15, target))


def supporters(board: WorkingBoard, side: int, target: int) -> tuple[int, ...]:
    """The technical pieces of a side that attack an armament directly, right now."""
    found = []
    if board.pinned(target) and board.cells[target] >> 4 != side:
        found.append(target)
    kinds = (*TECHNICAL, D) if board.position.terms.support else TECHNICAL
    for kind in kinds:
        code = kind + BLACK * side
        at = board.cells.find(code)
        while at >= 0:
            if not board.pinned(at) and sees(board, side, kind, at, target):
                found.append(at)
            at = board.cells.find(code, at + 1)
    return tuple(found)


def sees(board: WorkingBoard, side: int, kind: int, origin: int, target: int, setting: Setting = ALONE) -> bool:  # noqa: PLR0917
    """Whether a piece could go to this square by its own movement, in range and unobstructed."""
    return next(movement_faults(board, side, kind, origin, target, setting), None) is None


def pin_faults(board: WorkingBoard, side: int, kind: int, at: int) -> Iterator[Fault]:
    """A captured blade does nothing but sever."""
    if kind in BLADES and board.pinned(at) and board.cells[at] >> 4 == side:
        yield Fault(
            "2.0.06:captured",
            Text("A Cloak holds the {piece} on {square}.", piece=name(kind), square=SQUARES[at]),
            mark("culprit", at),
        )


def is_armament(code: int) -> bool:
    """Whether a square's piece can be disarmed and deflected."""
    return code not in (0, FREE) and code & 15 in ARMAMENTS
