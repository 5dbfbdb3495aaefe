"""Ironclad's two boards in one: 7x9 intersections and, between them, 6x8 squares, as sets of bits."""

from collections.abc import Mapping
from functools import lru_cache

from engine.board import Board, Legend
from engine.text import Term

LINES = "abcdefg"
COLUMNS = "ABCDEF"

POINTS = tuple(f"{line}{rank}" for rank in range(1, 10) for line in LINES)
"""The intersections, a1, b1 … g9: the order in which a position text names them."""
SQUARES = tuple(f"{line.upper()}{rank}" for rank in range(1, 10) for line in LINES)
"""A square has the number of the intersection at its lower left corner; G1 … G8 and row 9 are none."""

INDEX: Mapping[str, int] = {
    **{site: index for index, site in enumerate(POINTS)},
    **{site: index for index, site in enumerate(SQUARES) if site[0] in COLUMNS and site[1] != "9"},
}
BIT = tuple(1 << (62 - index) for index in range(63))
FULL = (1 << 63) - 1
FIELD = sum(BIT[index] for site, index in INDEX.items() if site[0] in COLUMNS)
"""All the squares."""

NOT_A = FULL & ~sum(BIT[0::7])
NOT_G = FULL & ~sum(BIT[6::7])
_CROSSINGS = (
    (1, sum(BIT[0::7]), sum(BIT[6::7]), tuple(sum(BIT[line::7]) for line in range(6))),
    (7, sum(BIT[:7]), sum(BIT[56:]), tuple(sum(BIT[7 * rank : 7 * rank + 7]) for rank in range(8))),
)
"""The two ways across the grid: how far a step goes in bits, the side it starts from, the opposite one, and all lines
between them from which such a step is taken."""

CROSSINGS = tuple((start, end) for _, start, end, _ in _CROSSINGS)
"""The two ways across the grid: the points of one side and of the opposite one."""

ROWS = (sum(BIT[:6]), sum(BIT[49:55]))
"""Each side's first row of squares."""
FIRST_ROWS = (Term("White's first row"), Term("Black's first row"))


@lru_cache(maxsize=1 << 10)  # a turn leaves most sets as they were, and they are listed for text and picture
def members(mask: int) -> tuple[int, ...]:
    """The numbers of a set's places, in the order of the text."""
    found = []
    while mask:
        index = 63 - mask.bit_length()
        found.append(index)
        mask ^= BIT[index]
    return tuple(found)


def points(mask: int) -> tuple[str, ...]:
    """The intersections of a set by name."""
    return tuple(POINTS[index] for index in members(mask))


def squares(mask: int) -> tuple[str, ...]:
    """The squares of a set by name."""
    return tuple(SQUARES[index] for index in members(mask))


def beside(mask: int) -> int:
    """The intersections one step along a line from any of a set."""
    return (mask << 1 & NOT_G) | (mask >> 1 & NOT_A) | (mask << 7 & FULL) | mask >> 7


def around(mask: int) -> int:
    """The squares of a set and all that touch them."""
    wide = mask | (mask << 1 & NOT_G) | (mask >> 1 & NOT_A)
    return (wide | wide << 7 | wide >> 7) & FIELD


def corners(mask: int) -> int:
    """The intersections at the corners of a set of squares."""
    return mask | mask >> 1 | mask >> 7 | mask >> 8


@lru_cache(maxsize=1 << 12)
def joins(stones: int) -> int:
    """The stones of a string from one side of the grid to the opposite one; 0 if there is none.

    Remembered, because of both sides' stones a whole turn changes one at most.
    """
    for step, start, end, lines in _CROSSINGS:
        linked = stones & stones << step
        for line in lines:
            if not linked & line:  # no stone of this line has its neighbour on the next one
                break
        else:
            reached = _grown(start, stones)
            if joined := _grown(end, reached):  # and not what else begins on the same side
                return joined
    return 0


def _grown(side: int, stones: int) -> int:
    """The stones of all strings that have one on a side."""
    reached, grown = 0, stones & side
    while grown:
        reached |= grown
        grown = beside(grown) & stones & ~reached
    return reached


def _distance(one: int, other: int) -> int:
    return max(abs(one % 7 - other % 7), abs(one // 7 - other // 7))


WITHIN = tuple(
    tuple(sum(BIT[other] for other in members(FIELD) if 0 < _distance(index, other) <= far) for index in range(63))
    for far in range(4)
)
"""By range, then by square: the squares that are so near."""

STEP = WITHIN[1]


def _ray(index: int, line: int, rank: int) -> tuple[int, ...]:
    places = []
    x, y = index % 7 + line, index // 7 + rank
    while 0 <= x < 7 and 0 <= y < 9:
        places.append(y * 7 + x)
        x, y = x + line, y + rank
    return tuple(places)


RAYS = tuple(tuple(_ray(index, x, y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))) for index in range(63))
"""From an intersection along the four lines, nearest first."""


class _Slide(dict[int, int]):
    """The other stones on a line -> where the stone at `origin` can slide along it; filled when asked."""

    def __init__(self, *rays: tuple[int, ...]) -> None:
        super().__init__()
        self._rays = rays

    def __missing__(self, taken: int) -> int:
        reached = 0
        for ray in self._rays:
            for end in ray:
                if taken & BIT[end]:
                    break
                reached |= BIT[end]
        self[taken] = reached
        return reached


def slides(origin: int, taken: int) -> int:
    """Where a stone can slide to along its two lines: up to the first stone."""
    rank, along_rank, line, along_line = _SLIDES[origin]
    return along_rank[taken & rank] | along_line[taken & line]


_SLIDES = tuple(
    (
        sum(BIT[end] for end in (*left, *right)),
        _Slide(left, right),
        sum(BIT[end] for end in (*up, *down)),
        _Slide(up, down),
    )
    for right, left, up, down in RAYS
)


def _outline(index: int) -> tuple[tuple[float, float], ...]:
    left, top = float(index % 7), float(7 - index // 7)
    return ((left, top), (left + 1, top), (left + 1, top + 1), (left, top + 1))


def _point(index: int) -> tuple[float, float]:
    return (float(index % 7), float(8 - index // 7))


_MEMBERS = members(FIELD)

BOARD = Board(
    name="ironclad",
    outlines={
        **{SQUARES[index]: _outline(index) for index in _MEMBERS},
        **{site: (_point(INDEX[site]),) for site in POINTS},
    },
    edges={
        **{SQUARES[index]: squares(beside(BIT[index]) & FIELD) for index in _MEMBERS},
        **{site: points(beside(BIT[INDEX[site]])) for site in POINTS},
    },
    corners={SQUARES[index]: squares(STEP[index] & ~beside(BIT[index])) for index in _MEMBERS},
    zones={zone: frozenset(squares(row)) for zone, row in zip(FIRST_ROWS, ROWS, strict=True)},
    tones={SQUARES[index]: (index % 7 + index // 7) % 2 for index in _MEMBERS},
    tints=dict.fromkeys(FIRST_ROWS, "home"),
    legends=(
        *(Legend(line, (float(x), 8.55)) for x, line in enumerate(LINES)),
        *(Legend(str(rank), (-0.55, float(9 - rank))) for rank in range(1, 10)),
        *(Legend(column, (x + 0.5, -0.55)) for x, column in enumerate(COLUMNS)),
        *(Legend(str(row), (6.55, 8.5 - row)) for row in range(1, 9)),
    ),
    lines=(
        *(((float(x), 0.0), (float(x), 8.0)) for x in range(7)),
        *(((0.0, float(y)), (6.0, float(y))) for y in range(9)),
    ),
)
