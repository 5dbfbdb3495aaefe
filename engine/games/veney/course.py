"""The course of a turn: its actions carried out one after another, for the judge, the hand and all who look on."""

from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from engine.games.veney.act import LEAVING, Act
from engine.games.veney.field import Field
from engine.games.veney.hand import DOES
from engine.games.veney.piste import NUMBER
from engine.games.veney.position import Position
from engine.games.veney.rulebook import KIND, PARTNERS

_IN_CONCERT: Final = frozenset(
    {"move", "cavazione", "opposition", "deflect", "sever", "throw", "announce", "strike", "cast"}
)
_LIFTED: Final = LEAVING | {"strike"}
"""We read: whatever the partner is about to do, the Self's way leads through its square; only a pinned blade stays."""

Step: TypeAlias = tuple[int, Act, Act | None]
"""An action that comes next: its place in the turn, itself, and its partner if it begins a concert."""


def walk(field: Field, acts: tuple[Act, ...]) -> Iterator[Step]:
    """Carry out a turn, stopping before each action; a concert's partner is in the hand while the Self moves.

    Who only looks at what each action finds takes as many steps as there are actions, and the last is not carried out.
    """
    last = len(acts) - 1
    in_hand = False
    for at, act in enumerate(acts):
        partner = _partner(acts, at) if act.piece == "S" and at < last else None
        lifted = partner is not None and _lift_partner(field, act, partner)
        yield at, act, partner
        DOES[act.verb](field, act, in_hand)
        if act.verb != "control":
            in_hand = lifted and not _set_down(field, partner)


def _is_concert(one: Act, two: Act) -> bool:
    """Whether two actions in this order are a move of the Self and its partner's."""
    return one.verb == "move" and one.piece == "S" and two.verb in _IN_CONCERT and KIND.get(two.piece, 0) in PARTNERS


def _partner(acts: tuple[Act, ...], at: int) -> Act | None:
    """The other half of a concert that the Self begins here; a fend by Control is part of the first half."""
    for after in acts[at + 1 :]:
        if after.verb != "control":
            return after if _is_concert(acts[at], after) else None
    return None


def _lift_partner(field: Field, act: Act, partner: Act) -> bool:
    """In concert both pieces are in the hand before either is set down."""
    if partner.verb == "strike" and partner.origin == act.target:
        return False  # it stays there, so the Self cannot
    if partner.verb not in _LIFTED or not partner.origin or field.pinned(NUMBER[partner.origin]):
        return False
    return field.lift(field.side, KIND[partner.piece], NUMBER[partner.origin])


def _set_down(field: Field, partner: Act | None) -> bool:
    """Back to its square after the Self has moved; False if the Self stands there now."""
    if partner is None or field.cells[NUMBER[partner.origin]]:
        return False
    field.put(field.side, KIND[partner.piece], NUMBER[partner.origin])
    return True


# --- halfway ----------------------------------------------------------------------------------------------


class Course(NamedTuple):
    """A turn under way: whoever has taken some of its steps may leave the others to whoever comes next."""

    position: Position
    acts: tuple[Act, ...]
    field: Field
    steps: Iterator[Step]
    """Those that are left."""


_halted: Final[deque[Course]] = deque(maxlen=1)
"""The last course that somebody has halted on. A turn is played right after it was judged, so one is enough."""


def begun(position: Position, acts: tuple[Act, ...]) -> Course:
    """A turn at its first step."""
    field = Field(position)
    return Course(position, acts, field, walk(field, acts))


def halted(course: Course) -> None:
    """Leave a course to whoever comes next; who does so keeps off its board from now on."""
    _halted.append(course)


def resumed(position: Position, acts: tuple[Act, ...]) -> Course:
    """A turn from where somebody has halted on this very one, else from its first step."""
    try:
        course = _halted.pop()  # so that it is nobody else's, in other threads either
    except IndexError:
        return begun(position, acts)
    return course if course.position is position and course.acts is acts else begun(position, acts)
