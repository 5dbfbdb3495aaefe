"""Penrose rhombs by exact arithmetic: de Bruijn's pentagrid, corners as integer 5-vectors, lengths in Z[phi].

A corner (k0 … k4) is the point i * sum(k_j * zeta**j) with zeta = exp(2 pi i / 5): k0 points North, k1 a fifth of a
turn anticlockwise from it, and so on. Nothing that the rules depend on is ever decided on a float.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, total_ordering
from itertools import product
from math import cos, isqrt, pi, sin
from typing import TypeAlias

from engine.board import Point

Vector: TypeAlias = tuple[int, ...]
"""Five integers: a corner of a tile, or the way from one to another."""

Rhomb: TypeAlias = tuple[Vector, ...]
"""Four corners, anticlockwise, beginning at an acute one."""

FIFTHS = range(5)


@total_ordering
@dataclass(frozen=True, slots=True)
class Golden:
    """The number a + b * phi; phi = (1 + sqrt 5) / 2."""

    a: int
    b: int

    def sign(self) -> int:
        """-1, 0 or 1."""
        whole, root = 2 * self.a + self.b, self.b  # twice the number is whole + root * sqrt 5
        signed = whole * abs(whole) + 5 * root * abs(root)
        return (signed > 0) - (signed < 0)

    def __lt__(self, other: "Golden") -> bool:
        return Golden(self.a - other.a, self.b - other.b).sign() < 0

    def __add__(self, other: "Golden") -> "Golden":
        return Golden(self.a + other.a, self.b + other.b)

    def __mul__(self, other: "Golden") -> "Golden":
        both = self.b * other.b  # phi squared is phi + 1
        return Golden(self.a * other.a + both, self.a * other.b + self.b * other.a + both)

    def over(self, divisor: int) -> int:
        """The floor of the number divided by a positive integer."""
        root = isqrt(5 * self.b * self.b)
        if self.b < 0:
            root = -root - 1
        return (2 * self.a + self.b + root) // (2 * divisor)


def rhombs_within(within: Golden, fifths: int = 1) -> tuple[Rhomb, ...]:
    """Every rhomb of the five-fold pentagrid (all offsets so many fifths: 1 or 2) that has a corner at a smaller
    squared distance."""
    most = isqrt(within.over(1)) // 2 + 2  # a corner lies about 5/2 times as far out as its crossing in the grid
    lines = range(-most, most + 1)
    found = []
    for other, m, n in product((1, 2), lines, lines):  # grid 0 with 1 or 2: the other pairs are these, turned
        rhomb = _at_crossing(m, other, n, fifths)
        if any(square(corner) < within for corner in rhomb):
            for _ in FIFTHS:
                found.append(rhomb)
                rhomb = tuple(map(turned, rhomb))
    return tuple(found)


def is_rhomb(corners: Rhomb) -> bool:
    """Whether these are the corners of one whole Thick or Thin, listed as `Rhomb` says."""
    return len(corners) == 4 and plus(corners[0], corners[2]) == plus(corners[1], corners[3]) and _acute(corners) > 0


def is_thick(rhomb: Rhomb) -> bool:
    """Thick has acute angles of 72 degrees, Thin of 36."""
    return _acute(rhomb) == 2


def angles(rhomb: Rhomb) -> Iterator[tuple[Vector, int]]:
    """Each corner with the angle that the tile fills there, as a set of tenths of a turn."""
    for at, onward, back in zip(rhomb, rhomb[1:] + rhomb[:1], rhomb[-1:] + rhomb[:-1], strict=True):
        first, last = _TENTHS[minus(onward, at)], _TENTHS[minus(back, at)]
        yield at, sum(1 << (first + step) % 10 for step in range((last - first) % 10))


def middle(rhomb: Rhomb) -> Vector:
    """Twice the centre of a rhomb: doubled, it stays whole."""
    return plus(rhomb[0], rhomb[2])


def plus(u: Vector, v: Vector) -> Vector:
    """The sum of two vectors."""
    return tuple(map(int.__add__, u, v))


def minus(u: Vector, v: Vector) -> Vector:
    """The way from v to u."""
    return tuple(map(int.__sub__, u, v))


def turned(v: Vector) -> Vector:
    """The vector turned clockwise by a fifth."""
    return v[1:] + v[:1]


@cache
def square(v: Vector) -> Golden:
    """The squared length."""
    twice = _twice_dot(v, v)
    return Golden(twice.a // 2, twice.b // 2)


def mirrored(v: Vector) -> Vector:
    """The vector with East and West exchanged."""
    return (v[0], v[4], v[3], v[2], v[1])


def facing(u: Vector, v: Vector) -> int:
    """1 if two vectors are less than a right angle apart, 0 if just that, -1 if more."""
    return _twice_dot(u, v).sign()


def turning(u: Vector, v: Vector) -> int:
    """1 if v lies anticlockwise of u by less than half a turn, -1 if clockwise, 0 if they are on one line."""
    near = sum(u[j] * (v[j - 4] - v[j - 1]) for j in FIFTHS)  # times sin 72, which is phi times sin 144
    far = sum(u[j] * (v[j - 3] - v[j - 2]) for j in FIFTHS)  # times sin 144
    return Golden(far, near).sign()


def sector(v: Vector) -> int:
    """Which fifth of the plane a vector points into: 0 from North to 72 degrees clockwise of it, and so on."""
    return next(k for k in FIFTHS if turning(_RAYS[k], v) <= 0 < turning(_RAYS[k - 4], v))


def point(v: Vector) -> Point:
    """Where a corner is drawn: x to the right, y down, every edge 1 long."""
    x = sum(k * -sin(2 * pi * j / 5) for j, k in enumerate(v))
    y = sum(k * -cos(2 * pi * j / 5) for j, k in enumerate(v))
    return (x, y)


_UNITS: tuple[Vector, ...] = tuple(tuple(int(j == k) for j in FIFTHS) for k in FIFTHS)

_RAYS = tuple(_UNITS[-k] for k in FIFTHS)
"""North, and the fifths of a turn clockwise from it."""

_TENTHS = {unit: 2 * k for k, unit in enumerate(_UNITS)} | {
    tuple(-part for part in unit): (2 * k + 5) % 10 for k, unit in enumerate(_UNITS)
}
"""The ten directions of an edge, as tenths of a turn anticlockwise from North."""

_SINES = (Golden(0, 0), Golden(0, 1), Golden(1, 0), Golden(-1, 0), Golden(0, -1))
"""Sines of fifths of a turn, in units of sin 144."""

_INVERSE_SINES = {1: Golden(-1, 1), 2: Golden(1, 0)}


def _acute(corners: Rhomb) -> int:
    """The angle at the first corner in tenths of a turn: 2 Thick, 1 Thin; 0 if it is neither."""
    one = _TENTHS.get(minus(corners[1], corners[0]))
    other = _TENTHS.get(minus(corners[3], corners[0]))
    angle = (other - one) % 10 if one is not None and other is not None else 0
    return angle if angle in (1, 2) else 0


def _twice_dot(u: Vector, v: Vector) -> Golden:
    near = sum(u[j] * (v[j - 1] + v[j - 4]) for j in FIFTHS)  # twice cos 72 is phi - 1
    far = sum(u[j] * (v[j - 2] + v[j - 3]) for j in FIFTHS)  # twice cos 144 is - phi
    return Golden(2 * sum(map(int.__mul__, u, v)) - near, near - far)


def _at_crossing(m: int, s: int, n: int, fifths: int) -> Rhomb:
    """The rhomb dual to the crossing of line m of grid 0 with line n of grid s (1 or 2)."""
    low = [0] * 5
    for t in FIFTHS:
        one, other = _parts(s, t)
        place = one * Golden(5 * m - fifths, 0) + other * Golden(5 * n - fifths, 0) + Golden(fifths, 0)
        low[t] = place.over(5) - (t in (0, s))
    first = tuple(low)
    second, last = plus(first, _UNITS[0]), plus(first, _UNITS[s])
    corners = (first, second, plus(second, _UNITS[s]), last)
    return corners if _acute(corners) else corners[1:] + corners[:1]


@cache
def _parts(s: int, t: int) -> tuple[Golden, Golden]:
    """How much of zeta**0 and of zeta**s make zeta**t."""
    return _SINES[(s - t) % 5] * _INVERSE_SINES[s], _SINES[t] * _INVERSE_SINES[s]
