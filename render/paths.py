"""Reads the SVG paths of glyphs (M L H V C Q A Z, absolute) as polylines."""

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engine.board import Point

TOKENS = re.compile(r"[MLHVCQAZ]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}
CURVE_STEPS = 14


@dataclass(frozen=True, slots=True)
class Trace:
    """One stroke of the pen."""

    points: tuple[Point, ...]
    closed: bool


@lru_cache(maxsize=1024)
def trace(path: str) -> tuple[Trace, ...]:
    """Returns the polylines of a path; raises ValueError for other commands."""
    if rest := re.sub(r"[\s,]+", "", TOKENS.sub("", path)):
        raise ValueError(f"a glyph's path has {rest!r}, which is none of {' '.join(ARGUMENTS)}: {path}")
    done: list[Trace] = []
    points: list[Point] = []
    for letter, numbers in _commands(TOKENS.findall(path)):
        if letter == "M":
            if len(points) > 1:
                done.append(Trace(tuple(points), closed=False))
            points = [(numbers[0], numbers[1])]
        elif letter == "Z":
            done.append(Trace(tuple(points), closed=True))
            points = points[:1]
        else:
            points.extend(_segment(letter, numbers, points[-1]))
    if len(points) > 1:
        done.append(Trace(tuple(points), closed=False))
    return tuple(done)


def circle(centre: Point, radius: float, steps: int = 96) -> tuple[Point, ...]:
    """Returns the corners of a polygon that looks round."""
    turn = 2 * math.pi / steps
    return tuple(
        (centre[0] + radius * math.cos(i * turn), centre[1] + radius * math.sin(i * turn)) for i in range(steps)
    )


def dashes(points: tuple[Point, ...], on: float, off: float, closed: bool = False) -> list[tuple[Point, Point]]:
    """Returns the pieces of a dashed polyline; each side starts and ends with half a dash, so corners are drawn."""
    pieces: list[tuple[Point, Point]] = []
    ends = points[1:] + points[:1] if closed else points[1:]
    for (x0, y0), (x1, y1) in zip(points, ends, strict=False):
        length = math.hypot(x1 - x0, y1 - y0)
        if not length:
            continue
        count = max(1, round(length / (on + off)))
        period, dash = length / count, length / count * on / (on + off)
        for i in range(count + 1):
            low, high = max(0.0, i * period - dash / 2) / length, min(length, i * period + dash / 2) / length
            if high > low:
                pieces.append(
                    (
                        (x0 + (x1 - x0) * low, y0 + (y1 - y0) * low),
                        (x0 + (x1 - x0) * high, y0 + (y1 - y0) * high),
                    )
                )
    return pieces


def _commands(tokens: list[str]) -> list[tuple[str, list[float]]]:
    """Each command with its numbers; numbers beyond a command's share repeat it, as SVG has it."""
    commands: list[tuple[str, list[float]]] = []
    at = 0
    while at < len(tokens):
        letter = tokens[at]
        if letter not in ARGUMENTS:
            raise ValueError(f"a glyph's path has a number where a command is due: {' '.join(tokens)}")
        at += 1
        need = ARGUMENTS[letter]
        while True:
            numbers = [float(t) for t in tokens[at : at + need]]
            if len(numbers) < need:
                raise ValueError(f"{letter} in a glyph's path needs {need} numbers: {' '.join(tokens)}")
            commands.append((letter, numbers))
            at += need
            if not need or at >= len(tokens) or tokens[at] in ARGUMENTS:
                break
            letter = "L" if letter == "M" else letter
    return commands


def _segment(letter: str, n: list[float], start: Point) -> list[Point]:
    match letter:
        case "L":
            return [(n[0], n[1])]
        case "H":
            return [(n[0], start[1])]
        case "V":
            return [(start[0], n[0])]
        case "C":
            return [_bezier((start, (n[0], n[1]), (n[2], n[3]), (n[4], n[5])), t) for t in _ticks()]
        case "Q":
            return [_bezier((start, (n[0], n[1]), (n[2], n[3])), t) for t in _ticks()]
        case _:
            return _arc(start, n)


def _ticks() -> list[float]:
    return [i / CURVE_STEPS for i in range(1, CURVE_STEPS + 1)]


def _bezier(points: tuple[Point, ...], t: float) -> Point:
    while len(points) > 1:
        points = tuple((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(points))
    return points[0]


def _arc(start: Point, n: list[float]) -> list[Point]:
    """An elliptical arc by its two ends, as SVG's implementation notes turn it into centre and angles."""
    rx, ry, tilt, large, sweep, x, y = abs(n[0]), abs(n[1]), math.radians(n[2]), bool(n[3]), bool(n[4]), n[5], n[6]
    if not rx or not ry or (x, y) == start:
        return [(x, y)]
    cos, sin = math.cos(tilt), math.sin(tilt)
    dx, dy = (start[0] - x) / 2, (start[1] - y) / 2
    u, v = cos * dx + sin * dy, cos * dy - sin * dx
    if (over := (u / rx) ** 2 + (v / ry) ** 2) > 1:
        rx, ry = rx * math.sqrt(over), ry * math.sqrt(over)
    below = (rx * v) ** 2 + (ry * u) ** 2
    root = math.sqrt(max(0.0, (rx * ry) ** 2 / below - 1)) * (1 if large != sweep else -1)
    cu, cv = root * rx * v / ry, -root * ry * u / rx
    cx, cy = cos * cu - sin * cv + (start[0] + x) / 2, sin * cu + cos * cv + (start[1] + y) / 2
    first = math.atan2((v - cv) / ry, (u - cu) / rx)
    last = math.atan2((-v - cv) / ry, (-u - cu) / rx)
    if sweep and last < first:
        last += 2 * math.pi
    if not sweep and last > first:
        last -= 2 * math.pi
    steps = max(4, round(abs(last - first) / (2 * math.pi) * 64))
    points = []
    for i in range(1, steps):
        angle = first + (last - first) * i / steps
        a, b = rx * math.cos(angle), ry * math.sin(angle)
        points.append((cx + cos * a - sin * b, cy + sin * a + cos * b))
    return [*points, (x, y)]
