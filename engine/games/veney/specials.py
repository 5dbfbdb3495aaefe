"""The special actions of Veney as faults for the judge: what each demands before the hand carries it out."""

from collections.abc import Callable, Iterator
from typing import Final

from engine.games.veney.act import Act
from engine.games.veney.devices import (
    cast_faults,
    reclaim_faults,
    reposition_faults,
    spot_faults,
    stance_faults,
    trap_faults,
)
from engine.games.veney.field import Field, adjacent
from engine.games.veney.hand import missed
from engine.games.veney.movement import (
    Fault,
    Setting,
    area,
    controlled,
    dead,
    mark,
    movement_faults,
    name,
    range_faults,
    zone,
)
from engine.games.veney.piste import (
    BETWEEN,
    BIT,
    DIAGONALS,
    HALF,
    MEASURE,
    MEASURES,
    NEXT,
    NOT_IN_LINE,
    NUMBER,
    RAYS,
    SQUARES,
    STEP,
    STEPS,
    TOUCHED,
    WAY,
    meta,
    squares,
)
from engine.games.veney.position import ABSENT
from engine.games.veney.rulebook import BLADES, FREE, KIND, PIECE, SECTION, SWORD, B, C, D, E, G, J, L, N, R, S
from engine.games.veney.taking import attack_faults, is_armament, landing_faults, pin_faults


def act_faults(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    """What is wrong with one action by itself, on the board as it stands."""
    return FAULTS[act.verb](field, act, setting)


def _move(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side, kind, origin, target = field.side, PIECE[act.piece], NUMBER[act.origin], NUMBER[act.target]
    if kind == S and field.is_dead(side):
        yield dead(field)
    if field.caught:
        yield from pin_faults(field, side, kind, origin)
    if kind == C and _comes_off_a_blade(field, setting, origin):
        code = field.cells[target]
        if code and code != FREE and code >> 4 != side and code & 15 in BLADES:
            yield Fault("2.0.06:recapture", "the Cloak came off a blade in this turn", mark("culprit", target))
    yield from movement_faults(field, side, kind, origin, target, setting)
    if setting.ghost & BIT[target]:
        yield Fault("2.0.01:own-piece", f"the Self ends on {SQUARES[target]} itself", mark("blocker", target))
        return
    if field.cells[target]:
        yield from landing_faults(field, side, kind, origin, target)


def _comes_off_a_blade(field: Field, setting: Setting, origin: int) -> bool:
    """Whether this side's Cloak leaves a blade now, or has left one in this turn."""
    if field.caught & BIT[origin] and field.cells[origin] >> 4 != field.side:
        return True
    position, started = field.position, setting.started
    return started >= 0 and bool(position.caught & BIT[started]) and position.cells[started] >> 4 != field.side


def _enter(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    target = NUMBER[act.target]
    if field.point == ABSENT:
        yield Fault("2.0.05:absent", "this game has no free engagement")
        return
    if field.point < 0 or not TOUCHED[field.point] & BIT[target]:
        reach = TOUCHED[field.point] if field.point >= 0 else 0
        yield Fault("2.0.05:entry", f"its point does not touch {act.target}", area("reach", reach))
    if field.cells[target]:
        yield Fault("2.0.05:entry-occupied", f"{act.target} is not open", mark("blocker", target))


def _place(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side, kind, target = field.side, KIND[act.piece], NUMBER[act.target]
    self_at = field.selves[side]
    measure = MEASURE[target]
    if kind == J:
        yield from _jutsu_placement(field, side, measure)
    if kind != N and field.together(1 - side, J) == measure:
        yield Fault(
            "2.0.11:presence",
            f"the opposing Jutsu and Self share measure {measure}",
            area("zone", MEASURES[measure]),
        )
    if act.piece not in field.reserve[side] or kind in (SWORD, S):
        yield Fault("2.0.13:not-in-reserve", f"the {name(kind)} is not in reserve to be placed")
    if field.cells[target]:
        yield Fault("2.0.13:occupied", f"{act.target} is not empty", mark("blocker", target))
    cap = field.position.terms.cap[side]
    if kind == D and cap and len(field.places(side, D)) >= cap:
        yield Fault("2.0.23:dagger-limit", f"{cap} Daggers are on the board already")
    if self_at < 0 or kind == N:
        return
    if kind == R:
        yield from range_faults(field, side, R, target, target)
    elif not NEXT[self_at] & BIT[target]:
        yield Fault(
            "2.0.13:not-adjacent",
            f"{act.target} is not next to the Self on {SQUARES[self_at]}",
            area("reach", NEXT[self_at] & ~field.taken),
        )
    if kind == L and MEASURE[self_at] != measure:
        yield Fault(
            "2.0.13:range", f"{act.target} is outside the Self's measure", area("zone", MEASURES[MEASURE[self_at]])
        )


def _jutsu_placement(field: Field, side: int, measure: int) -> Iterator[Fault]:
    if controlled(field, side) == measure:
        yield Fault(
            "2.0.07:control",
            f"the opposing Balance and Self share measure {measure}, so the Jutsu cannot enter it",
            area("zone", MEASURES[measure]),
        )
    if field.in_glare(side):
        yield Fault(
            "2.0.10:glare-bars-placement", "the Self stands in the glare", mark("blocker", field.find(1 - side, L))
        )
    if field.position.dazzled == side:
        yield Fault("2.0.10:glare-cooldown", "glare has fended the Jutsu just now")


def _withdraw(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side, kind = field.side, PIECE[act.piece]
    at = NUMBER.get(act.origin, -1)
    if at < 0 or at not in field.places(side, kind):
        yield Fault("2.0.13:not-on-board", f"no {name(kind)} stands there")
        return
    yield from pin_faults(field, side, kind, at)
    if kind in (S, SWORD, FREE, N):
        yield Fault("2.0.13:cannot-withdraw", f"the {name(kind)} is never withdrawn", mark("culprit", at))
    if not HALF[side] & BIT[at]:
        yield Fault("2.0.13:far-side", f"{act.origin} is on the opponent's side", area("zone", HALF[side]))


def _blade_special(field: Field, act: Act) -> Iterator[Fault]:
    """What cavazione and opposition have in common: no pinned blades, a Dagger only against a Dagger."""
    side, kind, origin, target = field.side, KIND[act.piece], NUMBER[act.origin], NUMBER[act.target]
    yield from pin_faults(field, side, kind, origin)
    blade = field.pushed(side, origin, target)
    if blade < 0:
        return
    if field.pinned(blade):
        yield Fault("2.0.06:captured", f"the blade on {SQUARES[blade]} is captured", mark("blocker", blade))
    if kind == D and field.cells[blade] & 15 == SWORD:
        yield Fault("2.0.08:dagger-vs-sword", f"a Sword stands on {SQUARES[blade]}", mark("blocker", blade))


def _cavazione(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side, origin, target = field.side, NUMBER[act.origin], NUMBER[act.target]
    yield from range_faults(field, side, KIND[act.piece], origin, target, setting)
    both = BIT[origin] | BIT[target]
    if setting.ghost & BIT[origin]:
        # We read: the partners may enter each other's squares, but this one goes to the opposing blade.
        yield Fault(
            "2.0.01:own-piece", f"the Self ends on {act.origin}, where the other blade goes", mark("blocker", origin)
        )
    if both & ~HALF[1 - side]:
        yield Fault("2.0.03:cavazione-side", "not both blades are on the opponent's side", area("zone", HALF[1 - side]))
        if both & ~HALF[side]:
            yield Fault("2.0.03:opposition-side", "nor are both on their own side", area("zone", HALF[side]))
    yield from _blade_special(field, act)


def _opposition(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side, kind, origin, target = field.side, KIND[act.piece], NUMBER[act.origin], NUMBER[act.target]
    own = HALF[side]
    yield from range_faults(field, side, kind, origin, target, setting)
    blade = field.pushed(side, origin, target)
    if blade < 0:
        yield Fault(
            "2.0.03:opposition-none", f"no opposing blade is in line beyond {act.origin}", mark("culprit", target)
        )
    else:
        yield from _push_faults(field, origin, blade, target, setting)
        if (BIT[origin] | BIT[blade]) & ~own:
            yield Fault("2.0.03:opposition-side", "not both blades are on their own side", area("zone", own))
    if not BIT[target] & own:
        yield Fault("2.0.03:opposition-centre", f"{act.target} is beyond the centre line", area("zone", own))
    yield from _blade_special(field, act)


def _push_faults(field: Field, origin: int, blade: int, target: int, setting: Setting) -> Iterator[Fault]:
    if BETWEEN[origin][blade] & BIT[target]:
        yield Fault(
            "2.0.03:opposition-short", f"the blade stands further on, on {SQUARES[blade]}", mark("blocker", blade)
        )
        return
    way = WAY[origin][target]
    beyond = RAYS[target][way]
    if not beyond:
        yield Fault("2.0.03:opposition-blocked", f"the board ends behind {SQUARES[target]}", mark("blocker", target))
        return
    between = BETWEEN[origin][blade] & field.taken & ~setting.ghost
    pushed = (BETWEEN[blade][target] | BIT[target] | BIT[beyond[0]]) & ~BIT[blade] & (field.taken | setting.ghost)
    if between:
        at = squares(between)[0]
        yield Fault("2.0.03:opposition-none", f"{SQUARES[at]} stands between the blades", area("blocker", between))
    if between or pushed:
        at = squares(between or pushed)[0]
        yield Fault("2.0.03:opposition-blocked", f"{SQUARES[at]} is in the way", area("blocker", between | pushed))


def _deflect(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side, origin, target = field.side, NUMBER[act.origin], NUMBER[act.target]
    yield from movement_faults(field, side, G, origin, target, setting)
    code = field.cells[target]
    if not is_armament(code) or code >> 4 == side:
        yield Fault("2.0.09:deflect-none", f"there is no opposing armament on {act.target}", mark("culprit", target))
        yield from landing_faults(field, side, G, origin, target)
        return
    if field.pinned(target):
        yield Fault("2.0.06:captured", f"the blade on {act.target} is captured", mark("blocker", target))
    way = WAY[origin][target]
    if way != NOT_IN_LINE and field.deflected_to(side, target, way) == target:
        behind = RAYS[target][way]
        yield Fault(
            "2.0.09:deflect-blocked",
            f"behind {act.target} there is no open square",
            mark("blocker", behind[0] if behind else target),
        )


def _shift(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side, origin, target, kind = field.side, NUMBER[act.origin], NUMBER[act.target], KIND[act.other]
    yield from pin_faults(field, side, kind, target)
    if field.selves[side] >= 0 and not zone(field, side, kind, target) & BIT[origin]:
        yield Fault(
            "2.0.07:shift-range",
            f"{act.origin} is outside the {name(kind)}'s range",
            area("zone", zone(field, side, kind, target)),
        )


def _feign(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side, origin, target = field.side, NUMBER[act.origin], NUMBER[act.target]
    if field.is_dead(side):
        yield dead(field)
    if not adjacent(origin, target):
        yield Fault(
            "2.0.06:not-adjacent", f"{act.origin} and {act.target} do not touch", mark("culprit", origin, target)
        )
    if field.pinned(origin):
        yield Fault("2.0.06:capturing", f"the Cloak on {act.origin} holds a blade", mark("culprit", origin))


def _sever(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    at = NUMBER[act.origin]
    if not field.pinned(at) or field.cells[at] >> 4 != field.side:
        yield Fault("2.0.06:not-captured", f"no Cloak holds the blade on {act.origin}", mark("culprit", at))
    elif field.position.lock == at:
        yield Fault("2.0.06:too-soon", f"the blade on {act.origin} was captured just now", mark("culprit", at))


def _throw(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side, origin, target = field.side, NUMBER[act.origin], NUMBER[act.target]
    other = field.selves[1 - side]
    yield from pin_faults(field, side, D, origin)
    if target != other or WAY[origin][target] == NOT_IN_LINE:
        yield Fault(
            "2.0.08:throw-line",
            f"the opposing Self is not in line with {act.origin} on {act.target}",
            mark("culprit", origin, target),
        )
    else:
        engagements = field.mask(0, E) | field.mask(1, E) | (BIT[field.free] if field.free >= 0 else 0)
        blocked = BETWEEN[origin][target] & field.taken & ~engagements & ~setting.ghost
        if blocked:
            yield Fault(
                "2.0.08:throw-blocked", f"{SQUARES[squares(blocked)[0]]} is in the way", area("blocker", blocked)
            )
    if not act.plan and not field.position.terms.asked and field.in_glare(side):
        yield Fault(
            "2.0.10:glare-bars-throw",
            "the thrower's Self stands in the glare",
            mark("blocker", field.find(1 - side, L)),
        )
    if act.spots:
        sticks = act.luck or field.position.roll
        if sticks and missed(sticks, side) != 1:
            yield Fault("2.0.08:reposition", f"the sticks {sticks} do not distract")
        yield from spot_faults(field, act, "2.0.08", STEP[other] if other >= 0 else 17 * (1 - side))


def _strike(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side, kind, origin, target = field.side, PIECE[act.piece], NUMBER[act.origin], NUMBER[act.target]
    intent = field.position.intents[side]
    code = field.cells[target]
    aimed = (code == FREE and not field.stone(side, target)) or (code not in (0, FREE) and code >> 4 != side)
    if kind in BLADES:
        yield from pin_faults(field, side, kind, origin)
        yield from _strike_line(field, side, kind, origin, target, setting)
    else:
        yield Fault("2.0.11:not-a-blade", f"the {name(kind)} is no blade", mark("culprit", origin))
    jutsu = field.places(side, J)
    if not jutsu:
        yield Fault("2.0.11:no-jutsu", "there is no Jutsu of one's own on the board")
    elif not any(MEASURE[at] == MEASURE[target] or DIAGONALS[at] & BIT[target] for at in jutsu):
        yield Fault(
            "2.0.11:jutsu-alignment",
            f"the Jutsu on {SQUARES[jutsu[0]]} shares neither measure nor diagonal with {act.target}",
            mark("culprit", *jutsu),
        )
    if intent is None or intent.kind != kind or intent.target != target:
        yield Fault("2.0.11:not-declared", f"no such attack on {act.target} was announced on the turn before")
    elif intent.moved or not aimed:
        yield Fault("2.0.11:target-moved", f"what stood on {act.target} has moved since", mark("culprit", target))
    if not aimed:
        yield Fault("2.0.11:no-target", f"there is nothing to strike on {act.target}", mark("culprit", target))
    elif kind in BLADES:
        yield from attack_faults(field, side, kind, origin, target)


def _strike_line(field: Field, side: int, kind: int, origin: int, target: int, setting: Setting) -> Iterator[Fault]:  # noqa: PLR0917
    for fault in movement_faults(field, side, kind, origin, target, setting):
        if not fault.code.endswith(":range"):
            yield fault
    reach = zone(field, side, kind, origin)
    if reach & BIT[target] or field.selves[side] < 0:
        return
    steps = STEPS[STEP[target] - 1] | STEPS[STEP[target] + 1]
    if not (reach & BIT[origin] and adjacent(origin, target) and reach & steps):
        yield Fault(
            f"{SECTION[kind]}:range",
            f"{SQUARES[target]} is out of reach of the {name(kind)} on {SQUARES[origin]}",
            area("zone", reach),
        )


def _retreat(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side = field.side
    at, other = field.selves[side], field.selves[1 - side]
    if at < 0 or STEP[at] != (16 if side else 1):
        yield Fault("2.0.02:retreat-step", "the Self is not on the last step behind it", mark("culprit", at))
    if other >= 0 and HALF[side] & BIT[other]:
        yield Fault(
            "2.0.02:retreat-barred", f"the opposing Self on {SQUARES[other]} is on this side", mark("blocker", other)
        )
    if field.shima is not None:
        yield Fault("2.0.18:shima", "under Shima nobody retreats")
    if field.is_dead(side):
        yield dead(field)


def _reset(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    if field.shima is not None:
        yield Fault("2.0.18:shima", "under Shima there is no reset")
    if field.returns < 2:
        yield Fault("2.0.20:no-impasse", "the free engagement was not returned twice in a row")


def _control(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    side = field.side
    measure = field.together(side, B)
    if not measure or not any(MEASURE[at] == measure for at in field.places(1 - side, J)):
        yield Fault("2.0.07:no-control", "Balance, Self and the opposing Jutsu do not share a measure")
        return
    before = Field(field.position)
    if before.together(side, B) == measure:
        yield Fault(
            "2.0.07:late-control",
            f"Balance and Self already shared measure {measure} before this turn",
            area("zone", MEASURES[measure]),
        )


def _glare(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    if not field.in_glare(1 - field.side):
        lamp, at = field.find(field.side, L), field.selves[1 - field.side]
        yield Fault("2.0.10:no-glare", "the Lantern has no clear line to the opposing Self", mark("culprit", lamp, at))


def _meta(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    if field.point == ABSENT:
        yield Fault("2.0.05:absent", "this game has no free engagement")
    elif field.point < 0:
        yield Fault(
            "2.0.05:in-play", f"the free engagement is in play on {SQUARES[field.free]}", mark("culprit", field.free)
        )
    elif meta(field.point, act.plan) < 0:
        yield Fault("2.0.05:edge", "there is no point beyond the edge of the grid")


def _return(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    trail = footsteps(field.position.trail, field.free)
    if field.point == ABSENT:
        yield Fault("2.0.05:absent", "this game has no free engagement")
    elif not (len(trail) >= 4 and trail[-4] == trail[-2] != trail[-3] == trail[-1] == field.free):
        yield Fault(
            "2.0.05:no-repetition",
            "the free engagement has not gone to and fro between two squares",
            mark("culprit", field.free),
        )


def footsteps(trail: tuple[int, ...], at: int) -> tuple[int, ...]:
    """The last squares of the free engagement, the one it stands on included."""
    return trail if trail and trail[-1] == at else (*trail, at)


def _nothing(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    yield from ()


FAULTS: Final[dict[str, Callable[[Field, Act, Setting], Iterator[Fault]]]] = {
    "move": _move,
    "enter": _enter,
    "place": _place,
    "reclaim": reclaim_faults,
    "withdraw": _withdraw,
    "cavazione": _cavazione,
    "opposition": _opposition,
    "deflect": _deflect,
    "shift": _shift,
    "feign": _feign,
    "sever": _sever,
    "throw": _throw,
    "announce": _throw,
    "strike": _strike,
    "cast": cast_faults,
    "trap": trap_faults,
    "retreat": _retreat,
    "reset": _reset,
    "control": _control,
    "glare": _glare,
    "intend": _nothing,
    "meta": _meta,
    "return": _return,
    "stance": stance_faults,
    "reposition": reposition_faults,
    "allow": _nothing,
    "prevent": _nothing,
    "stray": _nothing,
    "set": _nothing,
}
"""What is asked of each kind of action; see `act_faults`."""
