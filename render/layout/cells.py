"""Places on a picture: the board turned and scaled, each place with its middle, its tile and the size of its pieces."""

import math
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, product
from typing import TypeAlias

from engine.board import Board, Point, Site
from render import lettering
from render.paths import circle

ROOMY, ROOMY_NAMED, ROOMY_MIXED, SLANTED, STONE = 0.86, 0.68, 0.5, 1.1, 0.86
"""How much of the largest circle in its place a piece fills: in squares and hexagons, in such with a name below or with
names of intersections at their corners, in slanted rhombs, where it may come over the edge, and on intersections."""

NARROW, NAMED, WIDEST = 2.0, 0.37, "D44"
"""From which ratio of its diagonals on a rhomb is narrow; the size of names in rhombs, in their edges at most, so that
they fit on pieces, too; and one of the widest."""
LARGEST = 28.0
"""Of names in rhombs, in units: enough for a close-up."""
LEGIBLE = 7
RIMS, NEARER, NEAREST = (7.5, 7.0), (4.5,), (4.5, 3.0, 2.0)
"""How far a name is from the edge of its tile, in units: beyond the lines of marks, or in a small picture nearly so;
where a pixel too few would put some names of a board elsewhere than all others; and where else there would be none."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place on the picture, in pixels."""

    site: Site
    centre: Point
    corners: tuple[Point, ...]
    """Of its tile; round an intersection, of a small circle."""
    within: float
    """Radius of the largest circle that fits."""
    radius: float
    """Of the pieces that stand here."""
    label: Point
    """Middle of the place's own name."""
    label_size: int
    """Names smaller than `LEGIBLE` are not printed."""
    ground: Site = ""
    """The tile on which its name is printed; "" = beside the board."""
    round: bool = False
    """Whether it is an intersection."""
    tight: bool = False
    """Whether its name lies so near to its edge that the lines of marks would cross it."""
    tilt: float | None = None
    """Of a narrow rhomb, along which its piece and its name lie: how steep it is, in degrees clockwise."""

    @property
    def covered(self) -> bool:
        """Whether a piece comes over the edge of its tile, and the name lies in the middle."""
        return self.radius > self.within

    def inset(self, by: float) -> tuple[Point, ...]:
        """Returns its outline, smaller by so many pixels on each side."""
        share = max(0.1, 1 - by / self.within)
        cx, cy = self.centre
        return tuple((cx + (x - cx) * share, cy + (y - cy) * share) for x, y in self.corners)

    def shape(self) -> tuple["Cell", int, int]:
        """Returns the same near the origin, rounded so that like tiles are equal; and how far it moved."""
        x, y = math.floor(self.centre[0]), math.floor(self.centre[1])
        corners = tuple((_quarters(u - x), _quarters(v - y)) for u, v in self.corners)
        centre = _quarters(self.centre[0] - x), _quarters(self.centre[1] - y)
        label = centre if self.label == self.centre else (self.label[0] - x, self.label[1] - y)
        return replace(self, corners=corners, centre=centre, label=label), x, y

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The rectangle round it."""
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        return min(xs), min(ys), max(xs), max(ys)


Placement: TypeAlias = tuple[float, float, float]
"""Scale, and left top corner of the board."""


class TurnedBoard:
    """The board's outline after turning."""

    def __init__(self, board: Board, degrees: float):
        angle = math.radians(degrees)
        self._cos, self._sin = math.cos(angle), math.sin(angle)
        self._board = board
        points = [p for corners in board.outlines.values() for p in corners]
        points += [p for line in board.lines for p in line]
        solid = [self.turn(p) for p in points]
        words = [self.turn(legend.at) for legend in board.legends]
        both = solid + words
        self.left, self.right = min(x for x, _ in both), max(x for x, _ in both)
        self.top, self.bottom = min(y for _, y in both), max(y for _, y in both)
        self._worded = bool(words)
        if all(len(corners) == 1 for corners in board.outlines.values()):
            # Pieces on the outermost intersections need room too.
            near = _spacing(board) / 2
            xs, ys = [x for x, _ in solid], [y for _, y in solid]
            self.left, self.right = min(self.left, min(xs) - near), max(self.right, max(xs) + near)
            self.top, self.bottom = min(self.top, min(ys) - near), max(self.bottom, max(ys) + near)
        self.wide, self.high = self.right - self.left, self.bottom - self.top

    def turn(self, point: Point) -> Point:
        """The point after turning."""
        x, y = point
        return x * self._cos - y * self._sin, x * self._sin + y * self._cos

    def place(self, point: Point, at: Placement) -> Point:
        """The point on the picture."""
        scale, left, top = at
        x, y = self.turn(point)
        # A difference too small to see must not fall on two sides of a rounding.
        return _rounded((x - self.left) * scale + left), _rounded((y - self.top) * scale + top)

    def pad(self, letters: float) -> float:
        """Room for the words at the rim, whose middles lie on it."""
        return letters * 0.75 if self._worded else 3.0

    def snap(self, scale: float) -> tuple[float, float, float]:
        """Returns a slightly smaller scale, and an offset, that put upright and level edges on whole pixels."""
        xs, ys = self._straight()
        if not xs and not ys:
            return scale, 0.0, 0.0

        def miss(values: list[float], s: float, offset: float) -> float:
            return sum(abs((v * s + offset) - round(v * s + offset)) for v in values)

        best = (math.inf, scale)
        for s in _scales(scale, [xs, ys]):
            cost = miss([x - xs[0] for x in xs], s, 0) + miss([y - ys[0] for y in ys], s, 0) + 4 * (1 - s / scale)
            best = min(best, (cost, s))
        s = best[1]
        dx = 0.5 - ((xs[0] - self.left) * s) % 1 if xs else 0.0
        dy = 0.5 - ((ys[0] - self.top) * s) % 1 if ys else 0.0
        return s, dx, dy

    def _straight(self) -> tuple[list[float], list[float]]:
        xs: dict[float, None] = {}
        ys: dict[float, None] = {}
        rings = [(*c, c[0]) for c in self._board.outlines.values() if len(c) > 1]
        for line in (*rings, *self._board.lines):
            points = [self.turn(p) for p in line]
            for (x0, y0), (x1, y1) in pairwise(points):
                if abs(x0 - x1) < 1e-6:
                    xs[round(x0, 5)] = None
                if abs(y0 - y1) < 1e-6:
                    ys[round(y0, 5)] = None
        return list(xs), list(ys)


def _rounded(pixels: float) -> float:
    return round(pixels * 1024) / 1024


def _scales(scale: float, edges: list[list[float]]) -> Iterator[float]:
    """Scales up to 8 per cent smaller: those that make the step of a grid an even number of pixels, so that tiles
    and what stands in their middles are alike to the last pixel; then others, for boards of several steps."""
    for values in edges:
        step = min((b - a for a, b in pairwise(sorted(values))), default=0.0)
        if step:
            most = int(scale * step)
            yield from (pixels / step for pixels in range(most - most % 2, int(0.92 * most), -2))
    yield from (scale * (1 - 0.0005 * i) for i in range(161))


def cells(
    board: Board,
    labels: Set[Site],
    place: Callable[[Point], Point],
    scale: float,
    unit: float,
    *,
    largest: float = LARGEST,
) -> dict[Site, Cell]:
    """Returns every place of the board, put on the picture by `place`; the names of `labels` are printed, those in
    rhombs in `largest` units at most."""
    cells = dict[Site, Cell]()
    tiles = {site: tuple(place(p) for p in corners) for site, corners in board.outlines.items() if len(corners) > 1}
    centres = {site: place(board.centre(site)) for site in board.outlines}
    withins = {site: _within(corners, centres[site]) for site, corners in tiles.items()}
    least = min(withins.values(), default=0.0)
    mixed = len(tiles) < len(board.outlines)
    for site, corners in tiles.items():
        within, round_enough = withins[site], _roomy(corners)
        named = ROOMY_MIXED if mixed else ROOMY_NAMED
        share = (named if site in labels else ROOMY) if round_enough else SLANTED
        radius = _quarters(share * min(within, 1.5 * least))
        size = round(max(15 * unit, min(22 * unit, 0.36 * within)))
        cells[site] = Cell(site, centres[site], corners, within, radius, centres[site], size, site)
    cells = _named(cells, labels, unit, mixed=mixed) | _in_rhombs(
        [cell for cell in cells.values() if cell.covered], largest * unit
    )
    spacing = _spacing(board) * scale
    for site in board.outlines.keys() - tiles.keys():
        centre, within = centres[site], spacing * 0.48
        if tiles:
            within = min(within, 0.94 * min(math.dist(centre, centres[t]) - ROOMY * withins[t] for t in tiles))
        ring = tuple(circle(centre, within, 32))
        size, radius = round(15 * unit), _quarters(STONE * within)
        # Between the lines, so that none of them strikes the name through, and beside the stone.
        aside = max(5 * unit, radius * 0.7)
        label = (centre[0] + aside + lettering.width(site, size) / 2, centre[1] + aside + 0.36 * size)
        ground = next((tile for tile, corners in tiles.items() if _inside(label, corners, 0.0)), "")
        cells[site] = Cell(site, centre, ring, within, radius, label, size, ground, round=True)
    crowded = any(cell.round and cell.ground and _meet(cell, cells[cell.ground]) for cell in cells.values())
    return {
        site: replace(cells[site], label_size=0) if crowded and cells[site].round else cells[site]
        for site in board.outlines
    }


def _meet(one: Cell, other: Cell) -> bool:
    """Whether the names of two places come to lie on one another, or nearly so."""
    wide = lettering.width(one.site, one.label_size) + lettering.width(other.site, other.label_size)
    high = 1.3 * (one.label_size + other.label_size)
    return abs(one.label[0] - other.label[0]) < wide / 2 and abs(one.label[1] - other.label[1]) < high / 2


def _spacing(board: Board) -> float:
    """Returns the smallest distance between two intersections, in the board's unit."""
    points = sorted(corners[0] for corners in board.outlines.values() if len(corners) == 1)
    best = math.inf
    for i, (x, y) in enumerate(points):
        for u, v in points[i + 1 :]:
            if u - x >= best:
                break
            best = min(best, math.hypot(u - x, v - y))
    return best if best < math.inf else 1.0


def _quarters(radius: float) -> float:
    return round(radius * 4) / 4


def _named(cells: dict[Site, Cell], labels: Set[Site], unit: float, *, mixed: bool) -> dict[Site, Cell]:
    """With the places for their own names, one size for all that have room beside the piece: that of the widest."""
    named = {site: _beside(cell, unit, round(20 * unit), mixed=mixed) for site, cell in cells.items()}
    size = min((cell.label_size for cell in named.values() if cell.label != cell.centre), default=0)
    if not size:
        near = partial(_beside, unit=unit, largest=LEGIBLE, mixed=mixed, rims=NEAREST, least=LEGIBLE)
        # In the middle a piece would lie on it.
        return {site: near(cell) if site in labels else cell for site, cell in named.items()}
    placed = {site: _beside(cell, unit, size, mixed=mixed) for site, cell in cells.items()}
    return {
        site: cell if cell.label != cell.centre else _beside(cell, unit, size, mixed=mixed, rims=NEARER)
        for site, cell in placed.items()
    }


def _in_rhombs(slanted: list[Cell], largest: float) -> dict[Site, Cell]:
    """With the names in the middles of their rhombs, along narrow ones: one size for all, that for which there is room
    in each."""
    lying = [_along(cell) for cell in slanted]
    size = min((_fitting(cell, largest) for cell in lying), default=0)
    return {cell.site: replace(cell, label_size=size) for cell in lying}


def _along(cell: Cell) -> Cell:
    """With the slope of a narrow rhomb, so that words along it are not upside down."""
    a, b, c, d = cell.corners
    (x, y), (u, v) = (a, c) if math.dist(a, c) > math.dist(b, d) else (b, d)
    if math.dist((x, y), (u, v)) < NARROW * min(math.dist(a, c), math.dist(b, d)):
        return cell
    steep = round(math.degrees(math.atan2(v - y, u - x)), 1) % 180
    return replace(cell, tilt=steep - 180 if steep >= 90 else steep)


def _fitting(cell: Cell, largest: float) -> int:
    """The largest size in which a name of three letters lies within its rhomb."""
    turn, (cx, cy) = math.radians(cell.tilt or 0), cell.centre
    wanted = max(NAMED * math.dist(*cell.corners[:2]), LEGIBLE)
    for size in range(round(min(largest, wanted)), 1, -1):
        wide, high = lettering.width(WIDEST, size) / 2, 0.36 * size
        corners = [(sx * wide, sy * high) for sx in (-1, 1) for sy in (-1, 1)]
        turned = [
            (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)) for x, y in corners
        ]
        if all(_inside((cx + x, cy + y), cell.corners, 0.5) for x, y in turned):
            return size
    return 1


def _beside(
    cell: Cell, unit: float, largest: int, *, mixed: bool, rims: tuple[float, ...] = RIMS, least: int = 0
) -> Cell:
    """With the place for its own name: beside the piece, as large as there is room for, else in the middle."""
    if cell.within < 30 * unit:
        return replace(cell, label_size=min(round(15 * unit), round(cell.within * 0.68)))
    if cell.covered:
        return cell
    for size, rim in product(range(largest, (least or round(11 * unit) + 1) - 1, -1), rims):
        wide, high, edge = lettering.width(cell.site, size) / 2, 0.36 * size, rim * unit
        left, _, _, bottom = cell.box
        lowest, highest = math.floor(bottom), math.ceil(cell.centre[1] + cell.radius + high)
        below = [(cell.centre[0], float(y)) for y in range(lowest, highest, -1)]
        corner = (left + wide + 1.3 * edge, bottom - high - 1.3 * edge)
        for x, y in (*below, corner) if not mixed else below:  # there may be a stone on the corner
            corners = [(x + sx * wide, y + sy * high) for sx in (-1, 1) for sy in (-1, 1)]
            free = all(math.dist(p, cell.centre) > cell.radius + 1 for p in corners)
            if free and all(_inside(p, cell.corners, edge) for p in corners):
                return replace(cell, label=(x, y), label_size=size, tight=rim < min(RIMS))
    return cell


def _inside(point: Point, corners: tuple[Point, ...], margin: float) -> bool:
    sides = []
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        sides.append(((x1 - x0) * (point[1] - y0) - (point[0] - x0) * (y1 - y0)) / length)
    return min(sides) > margin or max(sides) < -margin


def _within(corners: tuple[Point, ...], centre: Point) -> float:
    best = math.inf
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        length = math.hypot(x1 - x0, y1 - y0)
        if length:
            best = min(best, abs((x1 - x0) * (y0 - centre[1]) - (x0 - centre[0]) * (y1 - y0)) / length)
    return best


def _roomy(corners: tuple[Point, ...]) -> bool:
    """Returns whether a circle fills the tile well: not so in a slanted rhomb, where pieces may touch the edge."""
    if len(corners) != 4:
        return True
    (ax, ay), (bx, by), (cx, cy) = corners[:3]
    return abs((ax - bx) * (cx - bx) + (ay - by) * (cy - by)) < 0.05 * math.dist((ax, ay), (bx, by)) ** 2
