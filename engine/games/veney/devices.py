"""The devices of Veney as faults for the judge: casting, chaos, Shima, hirakamae, and what is put elsewhere by luck."""

from collections.abc import Iterator

from engine.games.veney.act import Act
from engine.games.veney.field import Field
from engine.games.veney.hand import landing
from engine.games.veney.movement import Fault, Setting, area, dead, mark, name
from engine.games.veney.piste import AHEAD, BIT, HALF, MEASURE, MEASURES, NEXT, NUMBER, STEP
from engine.games.veney.rulebook import KIND, SWORD, C, D, L
from engine.games.veney.taking import pin_faults


def spot_faults(field: Field, act: Act, section: str, step: int) -> Iterator[Fault]:
    """What is wrong with where Self and blade are put: own side, behind a step, empty, not a captured blade."""
    side = field.side
    allowed = HALF[side] & AHEAD[1 - side][step]
    moving = {field.find(side, KIND[letter]) for letter, _ in act.spots} | {NUMBER.get(act.origin, -1)}
    letters = [letter for letter, _ in act.spots]
    if section == "2.0.08" and (not set(letters) <= {"S", "$"} or len(letters) > len(set(letters))):
        yield Fault("2.0.08:reposition", "only the Self and the Sword are put elsewhere, once each")
    if section == "2.0.18" and (letters.count("S") > 1 or len(letters) - letters.count("S") > 1):
        yield Fault("2.0.15:too-many", "one Self and one blade are put elsewhere")
    ends = set()
    for letter, site in act.spots:
        at, origin = NUMBER[site], field.find(side, KIND[letter])
        if letter == "S" and field.is_dead(side):
            yield dead(field)
        if origin >= 0:
            yield from pin_faults(field, side, KIND[letter], origin)
        if not allowed & BIT[at]:
            # Where a Cloak fell is its caster's secret, and a ruling is read by everybody.
            known = section == "2.0.08"
            line = f"step {step}" if known else "the step of the Cloak"
            marks = mark("culprit", at) + (area("zone", allowed) if known else ())
            yield Fault(f"{section}:reposition-zone", f"{site} is not on the mover's side behind {line}", marks)
        if at in ends or (field.cells[at] and at not in moving):
            yield Fault(f"{section}:reposition-occupied", f"{site} is not empty", mark("culprit", at))
        ends.add(at)


def cast_faults(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    """What is wrong with casting."""
    side, kind = field.side, KIND[act.piece]
    device = {L: "cast-lantern", C: "cast-cloak", D: "cast-dagger"}[kind]
    if act.origin:
        yield from pin_faults(field, side, kind, NUMBER[act.origin])
    if device in field.position.terms.off or not (act.origin or act.piece in field.reserve[side]):
        yield Fault("2.0.18:not-available", f"there is no {name(kind)} to cast")
    empty = empty_after(field, act)
    if not empty or _misaimed(field, act, empty):
        yield Fault("2.0.18:no-empty-measure", "the piece is not cast into an empty measure between the Selves")
    if act.spots:
        site = landing(act, field.position.terms.uniform)
        if site and MEASURE[NUMBER[site]] not in empty:
            yield Fault("2.0.18:not-available", "a Cloak that falls outside the empty measure has no effect")
        yield from spot_faults(field, act, "2.0.18", STEP[NUMBER[site]] if site else 17 * (1 - side))


def _misaimed(field: Field, act: Act, empty: tuple[int, ...]) -> bool:
    """Whether the square named says that the cast was meant for a measure that is not empty.

    We read: where the sticks are told, the square is what was aimed at. Where only the landing is told, a square beyond
    the Selves or in their measures is a miss, but one in a measure between them was aimed at.
    """
    if not act.target or MEASURE[NUMBER[act.target]] in empty:
        return False
    low, high = sorted(MEASURE[at] for at in field.selves)
    return bool(act.luck) or low < MEASURE[NUMBER[act.target]] < high


def empty_after(field: Field, act: Act) -> tuple[int, ...]:
    """The empty measures between the Selves once the piece to be cast is picked up."""
    if not act.origin:
        return field.empty_measures()
    # We read: the piece is in the hand when it is thrown, so it does not itself fill the measure.
    return field.empty_measures(lifted=BIT[NUMBER[act.origin]] & field.men(field.side))


def trap_faults(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    """What is wrong with springing the trap."""
    if field.position.sprung is None or not any(side == field.side for side, _ in field.chaos):
        yield Fault("2.0.18:not-available", "no technical piece has just entered a chaos square of yours")


def stanceable(field: Field, side: int) -> bool:
    """Whether blades and Self stand in hirakamae: beside each other on a step, in an otherwise empty measure."""
    at = field.selves[side]
    if at < 0:
        return False
    blades = [blade for kind in (SWORD, D) for blade in field.places(side, kind)]
    if not blades or len(blades) > 2 or any(STEP[blade] != STEP[at] or abs(blade - at) != 1 for blade in blades):
        return False
    if any(field.pinned(blade) for blade in blades):
        return False
    stance = BIT[at] | sum(BIT[blade] for blade in blades)
    # A Cloak on one of the blades is another piece in the measure.
    return field.taken & MEASURES[MEASURE[at]] == stance and not field.caught & stance


def stance_faults(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    """What is wrong with taking the stance."""
    position = field.position
    if "hirakamae" in position.terms.off or position.mover in position.stanced or not stanceable(field, field.side):
        yield Fault("2.0.18:not-available", "hirakamae cannot be taken here", mark("culprit", field.selves[field.side]))


def reposition_faults(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    """What is wrong with putting Self and blade elsewhere."""
    pending = field.position.pending
    if pending is None:
        yield Fault("2.0.08:reposition", "nothing was thrown that would allow it")
        return
    other = field.selves[1 - field.side]
    if pending.what == "chaos":
        yield from spot_faults(field, act, "2.0.18", pending.step)
    else:
        yield from spot_faults(field, act, "2.0.08", STEP[other] if other >= 0 else 17 * (1 - field.side))


def reclaim_faults(field: Field, act: Act, setting: Setting) -> Iterator[Fault]:
    """What is wrong with reclaiming a cast Dagger."""
    side, target = field.side, NUMBER[act.target]
    cast = field.shima if field.shima is not None and field.shima[0] == side else None
    if cast is None or not field.selves[side] == cast[1] != field.position.where(side):
        yield Fault("2.0.13:not-in-reserve", "the Self has not entered the square of the cast Dagger in this turn")
    if field.cells[target]:
        yield Fault("2.0.13:occupied", f"{act.target} is not empty", mark("blocker", target))
    if field.selves[side] >= 0 and not NEXT[field.selves[side]] & BIT[target]:
        yield Fault("2.0.13:not-adjacent", f"{act.target} is not next to the Self")
