"""What is wrong with the way from one square to another: shape, obstacles and range."""

from collections.abc import Iterator
from typing import Final

from engine.diagram import Mark
from engine.games.veney.board.reach import ADVANCE
from engine.games.veney.board.squares import (
    BETWEEN,
    BIT,
    FORWARD,
    LINE,
    MEASURE,
    MEASURES,
    NEAR,
    NOT_IN_LINE,
    SQUARES,
    STEP,
    WAY,
    own_measure,
    squares,
)
from engine.games.veney.judge.fault import ALONE, Fault, Setting, area, mark, name
from engine.games.veney.judge.range import blockers, controlled, spread, zone
from engine.games.veney.pieces import FREE, SECTION, SIDE_NAMES, SWORD, B, D, E, G, J, L, R, S
from engine.games.veney.play.attack import passes
from engine.games.veney.play.working_board import WorkingBoard
from engine.text import Text

_STOPPED: Final = frozenset({S, SWORD, D, G, L, B, J})
"""Pieces that something can stand in the way of."""

_RANGED: Final = frozenset({SWORD, D, G, R, L, J})
"""Pieces that may not end everywhere."""


def movement_faults(  # noqa: PLR0917
    board: WorkingBoard, side: int, kind: int, origin: int, target: int, setting: Setting = ALONE
) -> Iterator[Fault]:
    """What is wrong with the way from one square to another, whatever stands on the other."""
    if kind == E:
        yield from _engagement_faults(board, side, origin, target)
        return
    if kind == FREE:
        yield from _free_faults(board, side, origin, target)
        return
    if not spread(side, kind, origin) & BIT[target]:
        yield _misfit(side, kind, origin, target)
    between = BETWEEN[origin][target] if kind in _STOPPED else 0
    if between and between & board.taken and (blocked := between & blockers(board, side, kind, origin, setting)):
        yield Fault(f"{SECTION[kind]}:leap", _in_between(board, origin, target, blocked), area("blocker", blocked))
    if kind in _RANGED:
        yield from range_faults(board, side, kind, origin, target, setting)


def range_faults(  # noqa: PLR0917
    board: WorkingBoard, side: int, kind: int, origin: int, target: int, setting: Setting = ALONE
) -> Iterator[Fault]:
    """Whether a piece ends where it may not be."""
    if kind == J:
        if not zone(board, side, J, origin) & BIT[target]:
            yield control_bars(controlled(board, side))
        return
    self_at = board.selves[side]
    reach = zone(board, side, kind, origin, setting)
    if self_at < 0 or reach & BIT[target]:
        return
    marks = area("zone", reach)
    if kind in (SWORD, D, G):
        because = Text(
            "{square} is out of the {piece}'s range while its Self stands on {own}.",
            square=SQUARES[target],
            piece=name(kind),
            own=SQUARES[self_at],
        )
        yield Fault(f"{SECTION[kind]}:range", because, marks)
    elif kind == R:
        yield from _ruin_range(board, side, target, marks)
    elif kind == L:
        yield from _lantern_range(board, side, origin, target, setting, marks)


def control_bars(measure: int) -> Fault:
    """The Jutsu entered a measure that is under Control."""
    because = Text(
        "The opposing Balance and Self share measure {measure}, so the Jutsu cannot enter it.", measure=measure
    )
    return Fault("2.0.07:control", because, area("zone", MEASURES[measure]))


def _ruin_range(board: WorkingBoard, side: int, target: int, marks: tuple[Mark, ...]) -> Iterator[Fault]:
    at, other = board.selves[side], board.selves[1 - side]
    if not NEAR[MEASURE[at]] & BIT[target]:
        because = Text(
            "{square} is more than one measure from the Self on {own}.", square=SQUARES[target], own=SQUARES[at]
        )
        yield Fault("2.0.12:range", because, marks)
    if other >= 0 and MEASURE[other] == MEASURE[target]:
        because = Text("The Ruin enters the measure of the opposing Self on {square}.", square=SQUARES[other])
        yield Fault("2.0.12:opponent-measure", because, marks)


def _lantern_range(  # noqa: PLR0917
    board: WorkingBoard, side: int, origin: int, target: int, setting: Setting, marks: tuple[Mark, ...]
) -> Iterator[Fault]:
    self_at, measure = board.selves[side], MEASURE[origin]
    if setting.flailing and setting.stone >= 0:
        if measure == MEASURE[self_at]:
            because = Text(
                "The flail ended in measure {measure}, where the Self is, so the Lantern stays there.", measure=measure
            )
            yield Fault("2.0.10:range", because, marks)
        because = Text(
            "The flail goes on from {origin}, but {square} is in another measure.",
            origin=SQUARES[setting.stone],
            square=SQUARES[target],
        )
        yield Fault("2.0.10:stone-measure", because, marks)
    elif measure == MEASURE[self_at]:
        because = Text("The Lantern shares measure {measure} with its Self, so it stays there.", measure=measure)
        yield Fault("2.0.10:range", because, marks)
    else:
        because = Text(
            "With the Self on {own} the flail cannot end on {square}.", own=SQUARES[self_at], square=SQUARES[target]
        )
        yield Fault("2.0.10:flail", because, marks)


def _misfit(side: int, kind: int, origin: int, target: int) -> Fault:
    """The shape is wrong; which part of it."""
    code, because = _misfitting(side, kind, origin, target)
    return Fault(f"{SECTION[kind]}:{code}", because, area("reach", spread(side, kind, origin)))


def _misfitting(side: int, kind: int, origin: int, target: int) -> tuple[str, Text]:
    start, end = SQUARES[origin], SQUARES[target]
    in_line = WAY[origin][target] != NOT_IN_LINE
    if kind == S and in_line and STEP[origin] == STEP[target]:
        return "sideways", Text(
            "From {origin} to {square} is {lines} squares sideways.",
            origin=start,
            square=end,
            lines=abs(LINE[origin] - LINE[target]),
        )
    if kind == S and in_line:
        return "lunge", Text(
            "From {origin} to {square} is {steps} steps, too far from measure {measure} of its own.",
            origin=start,
            square=end,
            steps=abs(STEP[origin] - STEP[target]),
            measure=own_measure(side, origin),
        )
    if kind == L and in_line:
        return "short", Text("From {origin} to {square} is a single square.", origin=start, square=end)
    if kind == R:
        return "occupied", Text("The Ruin stands on {square} already.", square=end)
    return "geometry", Text(
        "The {piece} does not move from {origin} to {square}.", piece=name(kind), origin=start, square=end
    )


def _engagement_faults(board: WorkingBoard, side: int, origin: int, target: int) -> Iterator[Fault]:
    across, up = abs(LINE[target] - LINE[origin]), (STEP[target] - STEP[origin]) * FORWARD[side]
    there = board.cells[target]
    start, end = SQUARES[origin], SQUARES[target]
    if across == 0 and up > 0:
        if there and not board.stone(side, target):
            yield Fault("2.0.04:geometry", _straight_ahead(board, target), mark("blocker", target))
        if not any(at == target for at, _, _ in ADVANCE[side][origin]):
            because = Text(
                "From {origin} to {square} is {steps} squares, not all inside its own second measure.",
                origin=start,
                square=end,
                steps=up,
            )
            yield Fault("2.0.04:advance", because)
        between = BETWEEN[origin][target] & board.taken
        if between:
            yield Fault("2.0.04:leap", _in_between(board, origin, target, between), area("blocker", between))
    elif across == 1 and up == 1:
        if not there and not passes(board, side, origin, target):
            yield Fault("2.0.04:geometry", Text("There is nothing to fend on {square}.", square=end))
    else:
        because = Text("The engagement does not move from {origin} to {square}.", origin=start, square=end)
        yield Fault("2.0.04:geometry", because)


def _in_between(board: WorkingBoard, origin: int, target: int, blocked: int) -> Text:
    at = squares(blocked)[0]
    code, start, end = board.cells[at], SQUARES[origin], SQUARES[target]
    if code == FREE:
        return Text(
            "The free engagement on {blocker} stands between {origin} and {square}.",
            blocker=SQUARES[at],
            origin=start,
            square=end,
        )
    return Text(
        "{side}'s {piece} on {blocker} stands between {origin} and {square}.",
        side=SIDE_NAMES[code >> 4],
        piece=name(code),
        blocker=SQUARES[at],
        origin=start,
        square=end,
    )


def _straight_ahead(board: WorkingBoard, at: int) -> Text:
    code, site = board.cells[at], SQUARES[at]
    if code == FREE:
        return Text("The free engagement stands straight ahead on {square}.", square=site)
    return Text(
        "{side}'s {piece} stands straight ahead on {square}.",
        side=SIDE_NAMES[code >> 4],
        piece=name(code),
        square=site,
    )


def _free_faults(board: WorkingBoard, side: int, origin: int, target: int) -> Iterator[Fault]:
    across, up = abs(LINE[target] - LINE[origin]), STEP[target] - STEP[origin]
    there, site = board.cells[target], SQUARES[origin]
    if not board.holds(side, origin):
        because = (
            Text("{square} is light, so the free engagement is White's.", square=site)
            if side
            else Text("{square} is dark, so the free engagement is Black's.", square=site)
        )
        yield Fault("2.0.05:possession", because, mark("culprit", origin))
    if max(across, abs(up)) != 1:
        because = Text("{origin} and {square} are not neighbours.", origin=site, square=SQUARES[target])
        yield Fault("2.0.05:geometry", because)
    elif there and there >> 4 != side and (across, up) != (1, FORWARD[side]):
        yield Fault("2.0.05:geometry", _FENDS_FORWARD)


_FENDS_FORWARD: Final = Text("The free engagement fends diagonally forward only.")
