"""Who may attack whom: the chart applied, and the conditions of a disarm."""

from collections.abc import Iterator

from engine.diagram import Mark
from engine.games.veney.field import Field
from engine.games.veney.movement import (
    ALONE,
    Fault,
    Setting,
    area,
    mark,
    movement_faults,
    name,
    zone,
)
from engine.games.veney.piste import BIT, SQUARES
from engine.games.veney.rulebook import (
    ARMAMENTS,
    BLACK,
    BLADES,
    CAPTURE,
    DISARM,
    FREE,
    NO,
    SECTION,
    TECHNICAL,
    D,
    E,
    R,
)


def landing_faults(field: Field, side: int, kind: int, origin: int, target: int) -> Iterator[Fault]:
    """What is wrong with ending on this square, however the piece comes there."""
    code = field.cells[target]
    if not code:
        return
    if kind == R and field.stone(side, target):
        yield Fault("2.0.12:stone", f"the Ruin cannot use the stone on {SQUARES[target]}", mark("blocker", target))
        return
    if code == FREE and field.stone(side, target):
        return
    if code != FREE and code >> 4 == side:
        if field.pinned(target):
            yield Fault(
                "2.0.06:cloak-on-blade",
                f"the Cloak on {SQUARES[target]} sits on the captured {name(code)}",
                mark("blocker", target),
            )
        if code & 15 != E:
            yield Fault(
                "2.0.01:own-piece", f"its own side's {name(code)} stands on {SQUARES[target]}", mark("blocker", target)
            )
        return
    yield from attack_faults(field, side, kind, origin, target)


def attack_faults(field: Field, side: int, kind: int, origin: int, target: int) -> Iterator[Fault]:
    """What is wrong with attacking what stands here, by the chart."""
    code = field.cells[target]
    said = field.effect(side, kind, target)
    if said == NO:
        yield Fault(
            "2.0.12:occupied" if kind == R and code == FREE else f"{SECTION[kind]}:cannot-attack",
            f"the {name(kind)} cannot attack the {name(code)} on {SQUARES[target]}",
            mark("blocker", target),
        )
    elif said == DISARM:
        yield from disarm_faults(field, side, kind, target)
    elif said == CAPTURE and field.pinned(target):
        yield Fault("2.0.06:cloak-on-blade", f"a Cloak already sits on {SQUARES[target]}", mark("blocker", target))


def overextended(field: Field, side: int, at: int) -> bool:
    """Whether a side's armament stands outside its own range."""
    return not zone(field, side, field.cells[at] & 15, at) & BIT[at]


def disarm_faults(field: Field, side: int, kind: int, target: int) -> Iterator[Fault]:
    """Whether neither condition for taking an armament holds, or the attacker may not do it."""
    owner, victim = field.cells[target] >> 4, field.cells[target] & 15
    if kind == D and field.armed(side):
        yield Fault("2.0.14:no-disarm", "a Dagger disarms only when the Sword is lost", mark("culprit", target))
        return
    if overextended(field, owner, target) or supporters(field, side, target):
        return
    yield Fault(
        "2.0.14:no-disarm",
        f"the {name(victim)} on {SQUARES[target]} is in range, and no technical piece attacks it",
        _shown(field, owner, target),
    )


def _shown(field: Field, owner: int, target: int) -> tuple[Mark, ...]:
    return mark("blocker", target) + area("zone", zone(field, owner, field.cells[target] & 15, target))


def supporters(field: Field, side: int, target: int) -> tuple[int, ...]:
    """The technical pieces of a side that attack an armament directly, right now."""
    found = []
    if field.pinned(target) and field.cells[target] >> 4 != side:
        found.append(target)
    kinds = (*TECHNICAL, D) if field.position.terms.support else TECHNICAL
    for kind in kinds:
        code = kind + BLACK * side
        at = field.cells.find(code)
        while at >= 0:
            if not field.pinned(at) and sees(field, side, kind, at, target):
                found.append(at)
            at = field.cells.find(code, at + 1)
    return tuple(found)


def sees(field: Field, side: int, kind: int, origin: int, target: int, setting: Setting = ALONE) -> bool:  # noqa: PLR0917
    """Whether a piece could go to this square by its own movement, in range and unobstructed."""
    return next(movement_faults(field, side, kind, origin, target, setting), None) is None


def pin_faults(field: Field, side: int, kind: int, at: int) -> Iterator[Fault]:
    """A captured blade does nothing but sever."""
    if kind in BLADES and field.pinned(at) and field.cells[at] >> 4 == side:
        yield Fault("2.0.06:captured", f"a Cloak holds the {name(kind)} on {SQUARES[at]}", mark("culprit", at))


def is_armament(code: int) -> bool:
    """Whether a square's piece can be disarmed and deflected."""
    return code not in (0, FREE) and code & 15 in ARMAMENTS
