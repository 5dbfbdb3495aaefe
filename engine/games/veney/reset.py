"""The array of Veney and the reset: both sides back to their baselines with what they have left."""

from typing import Final

from engine.games.veney.field import Field
from engine.games.veney.piste import NUMBER, START_POINT, squares
from engine.games.veney.position import ABSENT
from engine.games.veney.rulebook import FREE, KIND, C, E, N

WHITE_HOME: Final = "C@W4,$@X4,S@Y4,B@Z4,e@W5,e@X5,e@Y5,e@Z5"
BLACK_HOME: Final = "C@Z13,$@Y13,S@X13,B@W13,e@Z12,e@Y12,e@X12,e@W12"
STANDARD_HOME: Final = (WHITE_HOME, BLACK_HOME)
"""Each player from the own left: Cloak, Sword, Self, Balance, behind a row of engagements."""

BASELINE: Final = (tuple(range(12, 16)), tuple(range(51, 47, -1)))
"""The squares of each baseline from the owner's left."""


def home(layout: str, side: int) -> tuple[tuple[int, int], ...]:
    """A side's starting squares as (kind, square)."""
    words = (layout or STANDARD_HOME[side]).split(",")
    return tuple((KIND[word[0]], NUMBER[word[2:]]) for word in words)


def lay_out(field: Field) -> None:
    """Set the board up anew: pieces on it go home, the surplus fills gaps, engagements come back from reserve.

    We read: surplus pieces fill the gaps of the baseline from the owner's left; what is left over goes to reserve.
    So does a Donkey, which is nobody's to line up.
    """
    men: tuple[list[int], list[int]] = ([], [])
    for code in field.cells:
        if code and code != FREE:
            men[code >> 4].append(code & 15)
    for side in (0, 1):
        men[side].extend(C for _ in field.capturing(side))
    field.caught = 0
    for at in squares(field.taken):
        field.clear(at)
    for side in (0, 1):
        _line_up(field, side, men[side])
    if field.point != ABSENT:
        field.point = START_POINT


def _line_up(field: Field, side: int, men: list[int]) -> None:
    while field.draw(side, E):
        men.append(E)
    for kind, at in home(field.position.terms.home[side], side):
        if kind in men:
            men.remove(kind)
            field.put(side, kind, at)
    gaps = [at for at in BASELINE[side] if not field.cells[at]]
    for kind in sorted(men):
        if kind not in (E, N) and gaps:
            field.put(side, kind, gaps.pop(0))
        elif kind == N and field.position.terms.donkey.startswith("shared"):
            field.shelve(0, N)
            field.shelve(1, N)
        else:
            field.shelve(side, kind)
