"""Tirachen's board: its squares and regions, sets of squares as bits, and tables of what every piece reaches."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from engine.board import Zone
from engine.geometry.square import square_board, square_places
from engine.text import Term

SITES = tuple(square_places(9, 9))
"""a1, b1 … i9: the order in which a position text names them."""

INDEX: Mapping[str, int] = {site: index for index, site in enumerate(SITES)}
BIT = tuple(1 << (80 - index) for index in range(81))
"""A set of squares is an int; the first square has the highest bit, so that a board's bytes read as digits give one."""
FULL = (1 << 81) - 1

Steps: TypeAlias = tuple[tuple[int, int], ...]
STRAIGHT: Steps = ((1, 0), (0, 1), (-1, 0), (0, -1))
AROUND: Steps = (*STRAIGHT, (1, 1), (1, -1), (-1, 1), (-1, -1))
LEAPS: Steps = (
    *((3 * x, 3 * y) for x, y in AROUND),
    *((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)),
)


def union(sites: tuple[str, ...]) -> int:
    """The set of these squares."""
    return sum(BIT[INDEX[site]] for site in sites)


def squares(mask: int) -> list[int]:
    """The squares of a set, in the board's order."""
    found = []
    while mask:
        square = 81 - mask.bit_length()
        found.append(square)
        mask ^= BIT[square]
    return found


def names(mask: int) -> tuple[str, ...]:
    """The squares of a set by name."""
    return tuple(SITES[square] for square in squares(mask))


def _at(square: int, x: int, y: int) -> int:
    file, rank = square % 9 + x, square // 9 + y
    return BIT[rank * 9 + file] if 0 <= file < 9 and 0 <= rank < 9 else 0


def _around(steps: Steps) -> tuple[int, ...]:
    return tuple(sum(_at(square, x, y) for x, y in steps) for square in range(81))


AREA = (union(SITES[:27]), union(SITES[54:]))
"""Each side's deployment area."""
AREA_SITES = (SITES[:27], SITES[54:])
HOME = (union(("d1", "e1", "f1")), union(("d9", "e9", "f9")))
HOME_SPAN = (slice(3, 6), slice(75, 78))
"""The homelands as parts of a board's bytes."""

BESIDE = _around(AROUND)
ORTHOGONAL = _around(STRAIGHT)
LEAP = _around(LEAPS)
AHEAD = (_around(((1, 1), (-1, 1))), _around(((1, -1), (-1, -1))))
"""Where each side's pikes capture: forward is away from one's own home edge."""

HOMELANDS: tuple[Zone, Zone] = (Term("Red's homeland"), Term("White's homeland"))
AREAS: tuple[Zone, Zone] = (Term("Red's deployment area"), Term("White's deployment area"))

BOARD = square_board(
    "tirachen",
    columns=9,
    rows=9,
    zones={
        **{name: frozenset(names(home)) for name, home in zip(HOMELANDS, HOME, strict=True)},
        **{name: frozenset(names(area)) for name, area in zip(AREAS, AREA, strict=True)},
        Term("no man's land"): frozenset(names(FULL & ~(AREA[0] | AREA[1]))),
    },
    tones={site: 3 if index % 2 else 4 for index, site in enumerate(SITES)},
    tints=dict.fromkeys(HOMELANDS, "home") | dict.fromkeys(AREAS, "area"),
)

_NOT_A = FULL & ~union(SITES[0::9])
_NOT_I = FULL & ~union(SITES[8::9])

Line: TypeAlias = tuple[int, dict[int, int]]


def _lines(limit: int) -> tuple[tuple[Line, ...], ...]:
    """For each square its four lines: the squares that can block, and what is reached once they are known."""
    return tuple(
        tuple(
            (sum(_at(square, x * n, y * n) & _blocks(square, x, y, n, limit) for n in range(-limit, limit + 1)), {})
            for x, y in ((1, 0), (0, 1), (1, 1), (1, -1))
        )
        for square in range(81)
    )


def _blocks(square: int, x: int, y: int, n: int, limit: int) -> int:
    """All ones where the n-th square of a line can be in the way: the last of each direction never is."""
    beyond = n + 1 if n > 0 else n - 1
    return FULL if n and abs(n) < limit and _at(square, x * beyond, y * beyond) else 0


_FAR = _lines(8)
_NEAR = _lines(3)


def _walk(square: int, x: int, y: int, limit: int, occupied: int) -> int:
    reached = 0
    for n in range(1, limit + 1):
        step = _at(square, x * n, y * n)
        reached |= step
        if step & occupied or not step:
            break
    return reached


def _along(square: int, occupied: int, lines: tuple[tuple[Line, ...], ...], limit: int) -> int:
    reached = 0
    for (blocking, known), (x, y) in zip(lines[square], ((1, 0), (0, 1), (1, 1), (1, -1)), strict=True):
        inside = occupied & blocking
        part = known.get(inside)
        if part is None:
            part = _walk(square, x, y, limit, inside) | _walk(square, -x, -y, limit, inside)
            known[inside] = part
        reached |= part
    return reached


def _sideways(mask: int) -> int:
    return mask << 1 & _NOT_I | mask >> 1 & _NOT_A


def _general(square: int, occupied: int, foes: int) -> int:
    return BESIDE[square]


def _fort(square: int, occupied: int, foes: int) -> int:
    return 0


def _commander(square: int, occupied: int, foes: int) -> int:
    return _along(square, occupied, _FAR, 8)


def _hunt(square: int, occupied: int, foes: int) -> int:
    return _along(square, occupied, _NEAR, 3)


def _arms(square: int, occupied: int, foes: int) -> int:
    one = ORTHOGONAL[square]
    open_one = one & ~occupied
    two = _sideways(open_one) | (open_one << 9 & FULL) | open_one >> 9
    open_two = two & ~occupied
    return one | two | _sideways(open_two) | (open_two << 9 & FULL) | open_two >> 9


def _spells(square: int, occupied: int, foes: int) -> int:
    one = BESIDE[square]
    wide = one & ~occupied
    wide |= _sideways(wide)
    return one | wide | (wide << 9 & FULL) | wide >> 9


def _red_pike(square: int, occupied: int, foes: int) -> int:
    return ORTHOGONAL[square] & ~occupied | AHEAD[0][square] & foes


def _white_pike(square: int, occupied: int, foes: int) -> int:
    return ORTHOGONAL[square] & ~occupied | AHEAD[1][square] & foes


def _traitor(square: int, occupied: int, foes: int) -> int:
    return LEAP[square]


Way: TypeAlias = Callable[[int, int, int], int]

_WAYS: tuple[tuple[str, Way, Way], ...] = (
    ("G", _general, _general),
    ("F", _fort, _fort),
    ("C", _commander, _commander),
    ("S", _arms, _arms),
    ("A", _spells, _spells),
    ("W", _hunt, _hunt),
    ("P", _red_pike, _white_pike),
    ("T", _traitor, _traitor),
)

REACH: Mapping[int, Way] = {
    ord(letter): way for kind, red, white in _WAYS for letter, way in ((kind, red), (kind.lower(), white))
}
"""By a board's byte: (square, occupied, opposing) -> where that piece can go, own pieces not yet excluded."""


@cache
def span(kind: str, square: int) -> int:
    """All that a kind of piece could ever reach from a square: on an empty board, or with prey everywhere."""
    upper, lower = REACH[ord(kind)], REACH[ord(kind.lower())]
    return upper(square, 0, FULL) | lower(square, 0, FULL)


def between(kind: str, origin: int, target: int) -> int:
    """The squares that the shortest paths of a kind lead over: where a piece can be in its way."""
    across, up = target % 9 - origin % 9, target // 9 - origin // 9
    if kind in "CW":
        length = max(abs(across), abs(up))
        return sum(_at(origin, across // length * n, up // length * n) for n in range(1, length))
    if kind not in "SA":
        return 0
    length = _steps(kind, origin, target)
    return sum(
        BIT[square]
        for square in range(81)
        if square not in (origin, target) and _steps(kind, origin, square) + _steps(kind, square, target) == length
    )


def _steps(kind: str, origin: int, target: int) -> int:
    files, ranks = abs(origin % 9 - target % 9), abs(origin // 9 - target // 9)
    return files + ranks if kind == "S" else max(files, ranks)
