"""Draws marks and links: each kind has a shape of its own as well as a colour."""

import math
from collections.abc import Iterable
from typing import Literal, TypeAlias

from PIL import Image, ImageChops, ImageDraw

from engine.board import Point
from engine.diagram import Link, MarkKind
from render.drawing.sprites import EDGE, SUPERSAMPLING, Sprite
from render.layout.cells import Cell
from render.paths import circle, dashes
from render.theme import MOVED, RGB, ColourScheme, Theme, blend, taken

WITHIN = 1.2
"""Distance of marks below a piece from the edge of their tile, in units, at least."""
RING = 3.2
"""How far within their tile the lines of marks run, in units: between its edge and its name."""
FULL = 255
SPARE = 8
"""Pixels of a mask beyond its box, for the thickness of lines."""


Sign: TypeAlias = MarkKind | Literal["left", "reached"]
"""A kind of mark as it is drawn: where nothing stands any more after a move, it is hollow, and under a piece within
reach there is no dot."""
HALO = 1.2
"""Of the ring round a piece that covers its tile, in radii of the piece."""
SPIKES = 10
"""Of the burst round what was taken."""
ROOM = 3
"""Pixels between a piece and the arrow that begins at it."""


def below(
    cell: Cell, kind: Sign, tone: RGB, theme: Theme, *, named: bool, unit: float, falling: bool = False
) -> Sprite:
    """Returns what a mark lays below the piece; `named`: the place's name is printed there; `falling`: its hatching."""
    mask, casing = _Mask(cell.box), theme.casing * unit
    match kind:
        case "moved":
            out, thick = _frame(cell, unit)
            mask.polygon(cell.inset(out), EDGE)
            if cell.covered and cell.tilt is None:
                mask.polygon(circle(cell.centre, HALO * cell.radius, 40), EDGE)
                mask.polygon(circle(cell.centre, HALO * cell.radius - thick, 40))
            mask.polygon(cell.inset(out + thick))
            return mask.sprite(toned(kind, tone, theme), theme.marks[kind])
        case "left" if cell.round or (cell.covered and cell.tilt is None):
            corners = max(10, round(math.tau * cell.radius / (20 * unit)))  # a dash at each, with a gap between
            ring = circle(cell.centre, cell.radius, corners)
            mask.cased(dashes(ring, 7 * unit, 13 * unit, closed=True), 3.4 * unit, casing)
        case "left" if cell.tilt is not None:
            mask.cased(dashes(cell.inset(_rim(cell) * unit), 9 * unit, 7 * unit, closed=True), 2.4 * unit, 0.6 * casing)
        case "left":
            mask.cased(_corners(cell.inset((WITHIN + 2) * unit), 0.26), 3.4 * unit, casing)
        case "taken":
            mask.polygon(_burst(cell.centre, _spread(cell) + 2.4 * unit, 0.76), EDGE)
            mask.polygon(_burst(cell.centre, _spread(cell), 0.74))
            return mask.sprite(toned(kind, tone, theme), theme.accent)
        case "won":
            outs, thick = ((-1.0, 3.4), 2.2) if not cell.round else ((-6.0, 0.4), 3.2)
            mask.cased((side for out in outs for side in _sides(cell.inset(out * unit))), thick * unit, casing)
        case "zone" if cell.round:
            mask.cased(_sides(circle(cell.centre, cell.within * 0.5, 4)), 2.6 * unit, casing)
        case "zone":
            mask.hatch(cell.inset(2.0 * unit), 12 * unit, 1.8 * unit, 0.4 * casing, falling=falling)
        case "reach" | "reached":
            if not cell.round or kind == "reached":  # a ring and a dot in so little room would look like a stone
                mask.cased(dashes(cell.inset(_rim(cell) * unit), 7 * unit, 6 * unit, closed=True), 2.8 * unit, casing)
            if kind == "reach" and not (named and cell.label == cell.centre):
                dot = max(3.5, cell.radius * (0.5 if cell.round else 0.2))
                for grow, paint in ((casing, EDGE), (0.0, FULL)):
                    mask.polygon(circle(cell.centre, dot + grow, 40), paint)
        case "blocker":
            mask.cased(_corners(cell.inset(_rim(cell) * unit)), 5.0 * unit, casing)
        case "culprit":
            mask.cased(_sides(cell.inset(_rim(cell) * unit)), 5.0 * unit, casing)
    return mask.sprite(theme.marks["moved" if kind == "left" else "reach" if kind == "reached" else kind], theme.shade)


EDGED: frozenset[Sign] = frozenset({"moved", "taken"})
"""Marks that give their place another tone, and have an edge of its own colour."""


def edge(cell: Cell, kind: Sign, theme: Theme, unit: float) -> Sprite:
    """Returns the edge round a mark that has one."""
    mask, grow = _Mask(cell.box), theme.casing * unit
    if kind == "taken":
        mask.polygon(_burst(cell.centre, _spread(cell) + 2.4 * unit + 1.4 * grow, 0.77))
    else:
        mask.polygon(cell.inset(_frame(cell, unit)[0] - grow))
        if cell.covered and cell.tilt is None:
            mask.polygon(circle(cell.centre, HALO * cell.radius + grow, 40))
    return mask.sprite(theme.shade)


def _frame(cell: Cell, unit: float) -> tuple[float, float]:
    """How far within its tile the mark of a move begins, and how thick it is; round a stone it is larger than that."""
    if cell.tilt is not None:
        return 0.6 * unit, 2.8 * unit
    return (WITHIN * unit, 3.4 * unit) if not cell.round else (-6.0 * unit, 4.0 * unit)


def _rim(cell: Cell) -> float:
    """How far within its tile a line runs, in units: of a narrow one just outside, beside the name."""
    return RING if cell.tilt is None else -0.6


def _spread(cell: Cell) -> float:
    """How far a burst goes."""
    return max(cell.within, 1.3 * cell.radius)


def toned(kind: Sign, tone: RGB, theme: Theme) -> RGB:
    """Returns a place's tone under the mark."""
    match kind:
        case "moved":
            return blend(tone, theme.marks["moved"], MOVED)
        case "taken":
            return taken(tone, theme)
    return tone


def above(cell: Cell, kind: MarkKind, theme: Theme, unit: float) -> tuple[Sprite, Sprite]:
    """Returns the sign over the piece: a cross for the culprit, a bar for the blocker."""
    # On a small tile it lies in the corner, so that it hides little of the piece.
    small = cell.within * 0.26 < 9.0 * unit
    size, aside = (8.0 * unit, 0.8) if small else (min(cell.within * 0.26, 15 * unit), 0.62)
    # Above a name in the middle.
    up = max(cell.within * 0.62, size + 0.4 * cell.label_size) if cell.covered else cell.within * aside
    at = (cell.centre[0] + cell.within * aside, cell.centre[1] - up)
    if cell.tilt is not None:  # beyond the end of its name
        far, steep = 2.2 * cell.within, math.radians(cell.tilt)
        at = (cell.centre[0] + far * math.cos(steep), cell.centre[1] + far * math.sin(steep))
    box = (at[0] - size - 2, at[1] - size - 2, at[0] + size + 2, at[1] + size + 2)
    disc, sign = _Mask(box), _Mask(box)
    disc.polygon(circle(at, size + 1.4, 40), EDGE)
    disc.polygon(circle(at, size, 40))
    arm = size * 0.45
    if kind == "culprit":
        for dx in (-arm, arm):
            sign.line(((at[0] - dx, at[1] - arm), (at[0] + dx, at[1] + arm)), size * 0.30)
    else:
        sign.line(((at[0] - arm * 1.1, at[1]), (at[0] + arm * 1.1, at[1])), size * 0.36)
    return disc.sprite(theme.marks[kind], theme.paper), sign.sprite(theme.paper)


def link(kind: Link, ends: tuple[Cell, Cell], scheme: ColourScheme, theme: Theme, unit: float) -> Sprite:
    """Returns the line between two places."""
    a, b = ends
    match kind.style:
        case "string":
            return _string(a, b, scheme)
        case "arrow":
            return _arrow(a, b, theme, unit)
        case "dash":
            return _dash(a, b, scheme.rim if kind.side else theme.marks["reach"], theme, unit)


def _string(a: Cell, b: Cell, scheme: ColourScheme) -> Sprite:
    """A band that joins two stones."""
    width = min(a.radius, b.radius) * 0.62
    mask = _Mask(_around(a.centre, b.centre, width))
    mask.line((a.centre, b.centre), width, EDGE)
    mask.line((a.centre, b.centre), max(1.0, width - 3.0))
    return mask.sprite(scheme.fill, scheme.rim)


def _arrow(a: Cell, b: Cell, theme: Theme, unit: float) -> Sprite:
    """An arrow from the edge of one piece to the middle of another place."""
    length = math.dist(a.centre, b.centre) or 1.0
    ux, uy = (b.centre[0] - a.centre[0]) / length, (b.centre[1] - a.centre[1]) / length
    # Its own edge must not cover the tip of a Sword.
    start = (a.centre[0] + ux * (a.radius + ROOM), a.centre[1] + uy * (a.radius + ROOM))
    # At the edge of what stood there, so that it can be seen, and its name be read.
    tip = (b.centre[0] - ux * b.radius, b.centre[1] - uy * b.radius)
    # Smaller among small pieces, so that the target can be seen, and where there is little way.
    size = min(unit, b.radius / 18, max(0.3 * unit, (length - a.radius - b.radius) / 22))
    head, wing, width = 22 * size, 12 * size, 7 * size
    neck = (tip[0] - ux * head, tip[1] - uy * head)
    mask = _Mask(_around(start, tip, wing + 6))
    for grow, tone in ((2.0, EDGE), (0.0, FULL)):
        mask.line((start, (neck[0] + ux * 2, neck[1] + uy * 2)), width + 2 * grow, tone)
        mask.polygon(
            (
                (tip[0] + ux * grow * 2, tip[1] + uy * grow * 2),
                (neck[0] - uy * (wing + grow * 1.6) - ux * grow, neck[1] + ux * (wing + grow * 1.6) - uy * grow),
                (neck[0] + uy * (wing + grow * 1.6) - ux * grow, neck[1] - ux * (wing + grow * 1.6) - uy * grow),
            ),
            tone,
        )
    return mask.sprite(theme.accent, theme.paper)


def _dash(a: Cell, b: Cell, ink: RGB, theme: Theme, unit: float) -> Sprite:
    """A broken line between two places, with an edge that shows on any tile."""
    length = math.dist(a.centre, b.centre) or 1.0
    ux, uy = (b.centre[0] - a.centre[0]) / length, (b.centre[1] - a.centre[1]) / length
    start = (a.centre[0] + ux * a.radius, a.centre[1] + uy * a.radius)
    end = (b.centre[0] - ux * b.radius * 0.6, b.centre[1] - uy * b.radius * 0.6)
    mask = _Mask(_around(start, end, 6 * unit))
    pieces = list(dashes((start, end), 12 * unit, 8 * unit))
    for width, tone in ((7.5 * unit, EDGE), (4.5 * unit, FULL)):
        for piece in pieces:
            mask.line(piece, width, tone)
    return mask.sprite(ink, theme.paper)


class _Mask:
    """A mask over a rectangle of the picture, drawn supersampled."""

    def __init__(self, box: tuple[float, float, float, float]):
        self._x, self._y = math.floor(box[0]) - SPARE, math.floor(box[1]) - SPARE
        wide, high = math.ceil(box[2]) + SPARE - self._x, math.ceil(box[3]) + SPARE - self._y
        self._mask = Image.new("L", (wide * SUPERSAMPLING, high * SUPERSAMPLING))
        self._pen = ImageDraw.Draw(self._mask)

    def sprite(self, ink: RGB, edge: RGB | None = None) -> Sprite:
        """Returns what was drawn: full parts in the ink, those of the tone `EDGE` in the edge's colour."""
        mask = self._mask.reduce(SUPERSAMPLING)
        left, top, right, bottom = mask.getbbox() or (0, 0, 1, 1)
        return Sprite(ink, mask.crop((left, top, right, bottom)), self._x + left, self._y + top, edge)

    def polygon(self, corners: tuple[Point, ...], tone: int = FULL) -> None:
        self._pen.polygon([self._fine(p) for p in corners], fill=tone)

    def line(self, points: tuple[Point, ...], width: float, tone: int = FULL) -> None:
        fine = [self._fine(p) for p in points]
        self._pen.line(fine, fill=tone, width=max(1, round(width * SUPERSAMPLING)), joint="curve")
        half = width * SUPERSAMPLING / 2
        for x, y in (fine[0], fine[-1]):
            self._pen.ellipse((x - half, y - half, x + half, y + half), fill=tone)

    def cased(self, strokes: Iterable[tuple[Point, ...]], width: float, casing: float) -> None:
        """Strokes with an edge; ink lies over all edges, so that strokes side by side leave each other whole."""
        strokes = list(strokes)
        for wide, tone in ((width + 2 * casing, EDGE), (width, FULL)):
            for stroke in strokes:
                self.line(stroke, wide, tone)

    def hatch(self, corners: tuple[Point, ...], apart: float, width: float, casing: float, *, falling: bool) -> None:
        lines = _Mask((self._x, self._y, self._x + 1, self._y + 1))
        lines._mask = Image.new("L", self._mask.size)
        lines._pen = ImageDraw.Draw(lines._mask)
        wide, high = self._mask.width / SUPERSAMPLING, self._mask.height / SUPERSAMPLING
        # Counted from the picture's corner, so that hatching continues from tile to tile.
        slope = 1 if falling else -1
        ends = [x - slope * y for x in (self._x, self._x + wide) for y in (self._y, self._y + high)]
        along = [i * apart for i in range(math.floor(min(ends) / apart), math.ceil(max(ends) / apart) + 1)]
        top, bottom = self._y, self._y + high
        lines.cased((((c + slope * top, top), (c + slope * bottom, bottom)) for c in along), width, casing)
        self.polygon(corners)
        self._mask = ImageChops.multiply(self._mask, lines._mask)
        self._pen = ImageDraw.Draw(self._mask)

    def _fine(self, point: Point) -> Point:
        return (point[0] - self._x) * SUPERSAMPLING - 0.5, (point[1] - self._y) * SUPERSAMPLING - 0.5


def _sides(ring: tuple[Point, ...]) -> Iterable[tuple[Point, Point]]:
    """The lines from corner to corner, all round."""
    return zip(ring, ring[1:] + ring[:1], strict=True)


def _burst(centre: Point, radius: float, waist: float) -> tuple[Point, ...]:
    """A star with many points."""
    ring = circle(centre, radius, 2 * SPIKES)
    cx, cy = centre
    return tuple((cx + (x - cx) * waist, cy + (y - cy) * waist) if i % 2 else (x, y) for i, (x, y) in enumerate(ring))


def _corners(ring: tuple[Point, ...], share: float = 0.30) -> list[tuple[Point, Point, Point]]:
    """A bracket at each corner."""
    brackets = []
    step = len(ring) // 4 if len(ring) > 8 else 1
    for i in range(0, len(ring), step):
        a, b, c = ring[i - 1], ring[i], ring[(i + 1) % len(ring)]
        share = share if step == 1 else 1.0
        brackets.append(
            (
                (b[0] + (a[0] - b[0]) * share, b[1] + (a[1] - b[1]) * share),
                b,
                (b[0] + (c[0] - b[0]) * share, b[1] + (c[1] - b[1]) * share),
            )
        )
    return brackets


def _around(a: Point, b: Point, by: float) -> tuple[float, float, float, float]:
    return min(a[0], b[0]) - by, min(a[1], b[1]) - by, max(a[0], b[0]) + by, max(a[1], b[1]) + by
