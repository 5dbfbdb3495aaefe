"""How the pieces of Veney move: shape, obstacles and range, as tables for generation and as faults for the judge."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.diagram import Mark, MarkKind
from engine.games.veney.donkey import in_the_way
from engine.games.veney.field import Field
from engine.games.veney.piste import (
    ADVANCE,
    AHEAD,
    ANYWHERE,
    BETWEEN,
    BIT,
    BITE,
    BLINK,
    DRAGON,
    EVERYWHERE,
    FORWARD,
    KING,
    KNIGHT,
    LINE,
    LUNGE,
    MEASURE,
    MEASURES,
    NEAR,
    NOT_IN_LINE,
    QUEEN,
    SHADOW,
    SQUARES,
    STEP,
    STEPS,
    SWING,
    WARD,
    WAY,
    Reach,
    own_measure,
    sites,
    squares,
)
from engine.games.veney.rulebook import BLACK, FREE, KINDS, NAMES, SECTION, SWORD, B, C, D, E, G, J, L, N, R, S


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken rule, the fact in words, and where to point."""

    code: str
    because: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """What a move owes to the rest of its turn."""

    ghost: int = 0
    """Squares of the own Self that a concert partner looks through."""
    stone: int = -1
    """Where the first half of this piece's double-move landed: on a stone, or on its side's fire square."""
    flailing: bool = False
    """That first half was a flail."""
    started: int = -1
    """Where this piece stood when the turn began, if it moves for the second time."""


ALONE: Final = Setting()
IN_CONCERT: Final = tuple(Setting(ghost=bit) for bit in BIT)
"""IN_CONCERT[square]: what a partner's move owes to its Self, which has just gone there."""

_SHAPES: Final[dict[int, tuple[Reach, ...]]] = {
    SWORD: QUEEN,
    D: QUEEN,
    G: DRAGON,
    L: SWING,
    C: KNIGHT,
    B: SHADOW,
    J: BLINK,
    R: ANYWHERE,
    N: KING,
    FREE: KING,
}

_STOPPED: Final = frozenset({S, SWORD, D, G, L, B, J})
"""Pieces that something can stand in the way of."""
_RANGED: Final = frozenset({SWORD, D, G, R, L, J})
"""Pieces that may not end everywhere."""

_PAWNS: Final = tuple(tuple(tuple(sorted(ADVANCE[side][at] + BITE[side][at])) for at in range(64)) for side in (0, 1))


_EDGE: Final = ((0, 8, 12, 16, 16), (0, 1, 1, 5, 9))
"""_EDGE[side][measure of the Self]: the foremost step within a Sword's plain range."""


def name(code: int) -> str:
    """A piece's name from its code or kind."""
    return NAMES["a" if code == FREE else KINDS[code & 15]]


def mark(kind: MarkKind, *at: int) -> tuple[Mark, ...]:
    """Places to point at; none for none."""
    places = tuple(SQUARES[one] for one in at if one >= 0)
    return (Mark(kind, places),) if places else ()


def area(kind: MarkKind, mask: int) -> tuple[Mark, ...]:
    """An area to point at; nothing for an empty one."""
    return (Mark(kind, sites(mask)),) if mask else ()


def shape(side: int, kind: int, at: int) -> Reach:
    """Where a piece could go if the board were empty and it knew no range."""
    if kind == S:
        return LUNGE[side][at]
    if kind == E:
        return _PAWNS[side][at]
    return _SHAPES[kind][at]


@cache
def _spread(side: int, kind: int, at: int) -> int:
    """The same as a set of squares."""
    return sum(bit for _, bit, _ in shape(side, kind, at))


def blockers(field: Field, side: int, kind: int, at: int, setting: Setting = ALONE) -> int:
    """What this piece cannot pass over."""
    if kind in (B, J):
        return in_the_way(field)
    taken = field.taken
    if kind == SWORD:
        own = field.men(side) & ~field.caught
        if field.selves[side] >= 0:
            own &= ~BIT[field.selves[side]]
        if N + BLACK * side in field.cells:
            own &= ~field.mask(side, N)
        taken &= ~own
    if kind in (SWORD, D) and field.free >= 0 and field.holds(side, field.free):
        taken &= ~BIT[field.free]
    if kind == L and _leaps(field, side, at, setting):
        # We read: momentum carries a flail over the measure next to the one it starts in, and over no other.
        ahead = 1 if MEASURE[field.selves[side]] > MEASURE[at] else -1
        taken &= ~MEASURES[MEASURE[at] + ahead]
    return taken & ~setting.ghost


def flailing(field: Field, side: int, at: int) -> bool:
    """Whether a Lantern on this square is out of its Self's measure."""
    return field.selves[side] >= 0 and MEASURE[at] != MEASURE[field.selves[side]]


def _leaps(field: Field, side: int, at: int, setting: Setting) -> bool:
    return flailing(field, side, at) and not (setting.flailing and setting.stone >= 0)


def zone(field: Field, side: int, kind: int, at: int, setting: Setting = ALONE) -> int:
    """The squares within this piece's range."""
    if kind == J:
        barred = controlled(field, side)
        return EVERYWHERE if MEASURE[at] == barred else EVERYWHERE & ~MEASURES[barred]
    self_at = field.selves[side]
    if self_at < 0:
        return EVERYWHERE
    measure = MEASURE[self_at]
    if kind == SWORD:
        reach = NEAR[measure]
        further = field.mask(side, E) & AHEAD[side][_EDGE[side][measure]]
        while further:
            step = (further.bit_length() + 3) // 4
            reach |= STEPS[step]
            further &= ~STEPS[step]
        return reach
    if kind == D:
        return NEAR[measure]
    if kind == G:
        return WARD[measure]
    if kind == R:
        other = field.selves[1 - side]
        return NEAR[measure] & ~(MEASURES[MEASURE[other]] if other >= 0 else 0)
    if kind == L:
        return _lantern_zone(at, measure, setting)
    return EVERYWHERE


def _lantern_zone(at: int, measure: int, setting: Setting) -> int:
    if setting.flailing and setting.stone >= 0:
        return MEASURES[MEASURE[setting.stone]]
    if MEASURE[at] == measure:
        return MEASURES[measure]
    beyond = measure + (1 if measure > MEASURE[at] else -1)
    reach = MEASURES[measure] | MEASURES[beyond]
    return reach & ~MEASURES[MEASURE[setting.started]] if setting.started >= 0 else reach


def controlled(field: Field, side: int) -> int:
    """The measure that a side's Jutsu may not enter, 0 for none."""
    return field.together(1 - side, B)


# --- faults ---------------------------------------------------------------------------------------------


def movement_faults(  # noqa: PLR0917
    field: Field, side: int, kind: int, origin: int, target: int, setting: Setting = ALONE
) -> Iterator[Fault]:
    """What is wrong with the way from one square to another, whatever stands on the other."""
    if kind == E:
        yield from _engagement_faults(field, side, origin, target)
        return
    if kind == FREE:
        yield from _free_faults(field, side, origin, target)
        return
    if not _spread(side, kind, origin) & BIT[target]:
        yield _misfit(side, kind, origin, target)
    between = BETWEEN[origin][target] if kind in _STOPPED else 0
    if between and between & field.taken and (blocked := between & blockers(field, side, kind, origin, setting)):
        at = squares(blocked)[0]
        yield Fault(
            f"{SECTION[kind]}:leap",
            f"{_the(field, at)} on {SQUARES[at]} stands between {SQUARES[origin]} and {SQUARES[target]}",
            area("blocker", blocked),
        )
    if kind in _RANGED:
        yield from range_faults(field, side, kind, origin, target, setting)


def range_faults(  # noqa: PLR0917
    field: Field, side: int, kind: int, origin: int, target: int, setting: Setting = ALONE
) -> Iterator[Fault]:
    """Whether a piece ends where it may not be."""
    if kind == J:
        if not zone(field, side, J, origin) & BIT[target]:
            measure = controlled(field, side)
            yield Fault(
                "2.0.07:control",
                f"the opposing Balance and Self share measure {measure}, so the Jutsu cannot enter it",
                area("zone", MEASURES[measure]),
            )
        return
    self_at = field.selves[side]
    reach = zone(field, side, kind, origin, setting)
    if self_at < 0 or reach & BIT[target]:
        return
    where = f"its Self stands on {SQUARES[self_at]}, and {SQUARES[target]} is out of range"
    marks = area("zone", reach)
    if kind in (SWORD, D, G):
        yield Fault(f"{SECTION[kind]}:range", f"the {name(kind)} moves to {SQUARES[target]}; {where}", marks)
    elif kind == R:
        yield from _ruin_range(field, side, target, marks)
    elif kind == L:
        yield from _lantern_range(field, side, origin, target, setting, marks)


def _ruin_range(field: Field, side: int, target: int, marks: tuple[Mark, ...]) -> Iterator[Fault]:
    at, other = field.selves[side], field.selves[1 - side]
    if not NEAR[MEASURE[at]] & BIT[target]:
        yield Fault("2.0.12:range", f"{SQUARES[target]} is more than one measure from the Self on {SQUARES[at]}", marks)
    if other >= 0 and MEASURE[other] == MEASURE[target]:
        yield Fault("2.0.12:opponent-measure", f"the opposing Self on {SQUARES[other]} is in that measure", marks)


def _lantern_range(  # noqa: PLR0917
    field: Field, side: int, origin: int, target: int, setting: Setting, marks: tuple[Mark, ...]
) -> Iterator[Fault]:
    self_at = field.selves[side]
    if setting.flailing and setting.stone >= 0:
        if MEASURE[origin] == MEASURE[self_at]:
            yield Fault(
                "2.0.10:range",
                f"the flail ended in measure {MEASURE[origin]}, where the Self is; it stays there",
                marks,
            )
        yield Fault(
            "2.0.10:stone-measure",
            f"the flail goes on from {SQUARES[setting.stone]}, and {SQUARES[target]} is in another measure",
            marks,
        )
    elif MEASURE[origin] == MEASURE[self_at]:
        yield Fault(
            "2.0.10:range", f"the Lantern shares measure {MEASURE[origin]} with its Self and stays in it", marks
        )
    else:
        yield Fault(
            "2.0.10:flail",
            f"with the Self on {SQUARES[self_at]} the flail cannot end on {SQUARES[target]}",
            marks,
        )


def _misfit(side: int, kind: int, origin: int, target: int) -> Fault:
    """The shape is wrong; which part of it."""
    way = WAY[origin][target]
    there = f"from {SQUARES[origin]} to {SQUARES[target]}"
    code = "geometry"
    if kind == S and way != NOT_IN_LINE:
        code = "sideways" if STEP[origin] == STEP[target] else "lunge"
    elif kind == L and way != NOT_IN_LINE:
        code = "short"
    elif kind == R:
        code = "occupied"
    said = {
        "geometry": f"the {name(kind)} does not move {there}",
        "sideways": f"{there} is {abs(LINE[origin] - LINE[target])} squares sideways",
        "lunge": f"{there} is {abs(STEP[origin] - STEP[target])} steps, "
        f"too far from measure {own_measure(side, origin)} of its own",
        "short": f"{there} is a single square",
        "occupied": f"the Ruin stands on {SQUARES[target]} already",
    }[code]
    return Fault(f"{SECTION[kind]}:{code}", said, area("reach", _spread(side, kind, origin)))


def _engagement_faults(field: Field, side: int, origin: int, target: int) -> Iterator[Fault]:
    across, up = abs(LINE[target] - LINE[origin]), (STEP[target] - STEP[origin]) * FORWARD[side]
    there = field.cells[target]
    stone = field.stone(side, target)
    to = f"from {SQUARES[origin]} to {SQUARES[target]}"
    if across == 0 and up > 0:
        if there and not stone:
            yield Fault(
                "2.0.04:geometry",
                f"{_the(field, target)} stands straight ahead on {SQUARES[target]}",
                mark("blocker", target),
            )
        if not any(at == target for at, _, _ in ADVANCE[side][origin]):
            yield Fault("2.0.04:advance", f"{to} is {up} squares, not all inside its own second measure")
        between = BETWEEN[origin][target] & field.taken
        if between:
            yield Fault(
                "2.0.04:leap", f"the way {to} is blocked on {SQUARES[squares(between)[0]]}", area("blocker", between)
            )
    elif across == 1 and up == 1:
        if not there and not field.passes(side, origin, target):
            yield Fault("2.0.04:geometry", f"there is nothing to fend on {SQUARES[target]}")
    else:
        yield Fault("2.0.04:geometry", f"the engagement does not move {to}")


def _free_faults(field: Field, side: int, origin: int, target: int) -> Iterator[Fault]:
    across, up = abs(LINE[target] - LINE[origin]), STEP[target] - STEP[origin]
    there = field.cells[target]
    if not field.holds(side, origin):
        colour = "light" if side else "dark"
        yield Fault(
            "2.0.05:possession",
            f"{SQUARES[origin]} is {colour}, so the free engagement is the opponent's",
            mark("culprit", origin),
        )
    if max(across, abs(up)) != 1:
        yield Fault("2.0.05:geometry", f"{SQUARES[origin]} and {SQUARES[target]} are not neighbours")
    elif there and there >> 4 != side and (across, up) != (1, FORWARD[side]):
        yield Fault("2.0.05:geometry", "the free engagement fends diagonally forward only")


def _the(field: Field, at: int) -> str:
    code = field.cells[at]
    side = "" if code == FREE else ("white ", "black ")[code // BLACK]
    return f"the {side}{name(code)}"


def dead(field: Field) -> Fault:
    """The touched Self of the side to move was told to move."""
    return Fault(
        "2.0.20:dead-self", "a Self that was touched stays where it fell", mark("culprit", field.selves[field.side])
    )
