"""Where everything lies on a picture: the board turned and scaled, each side's words near its home, the notes below."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from engine.board import Board, Point, Side, Site
from engine.diagram import Diagram, Tray
from render import lettering
from render.paths import circle
from render.png import BAND

SIZE = 1024
"""The longer side of a picture unless one asks for another."""
TALL = 2.2
"""From this proportion on the sides' words stand beside the board, not above and below it."""


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

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The rectangle round it."""
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class Word:
    """Part of a side's block: its sign and name, a tray's label, or a piece of a tray with its number."""

    x: float
    y: float
    """Middle of its line, from the block's top."""
    text: str
    kind: str = ""
    """Of the piece drawn before the text."""
    head: bool = False
    """The side's own name."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A side's block, laid out in lines."""

    words: tuple[Word, ...]
    height: int


@dataclass(frozen=True, slots=True)
class Block:
    """Where a side's block goes."""

    side: Side
    x: int
    y: int
    width: int


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The geometry of one picture; equal for all positions of a match but where a line of words comes or goes."""

    width: int
    height: int
    unit: float
    """Pixels to a thousandth of the picture's longer side, about: type sizes are multiples of it."""
    cells: Mapping[Site, Cell]
    legends: tuple[tuple[str, Point], ...]
    lines: tuple[tuple[Point, ...], ...]
    title: Point
    """Left end of the title's base line."""
    blocks: tuple[Block, ...]
    foot: Point
    """Left end of the base line of the notes."""

    def size(self, units: float) -> int:
        """A type size."""
        return max(9, round(units * self.unit))


NAME, LABEL, NOTE, TITLE, LEGEND = 27, 19, 22, 20, 21
"""Type sizes, in units."""
ROW, PIECE, MARGIN, HEAD, FOOT, PANEL = 48, 17, 26, 32, 40, 300
"""A line of a side's block, the radius of a piece in a tray, the outer margin, the title's line, the notes' line, and
the width of the blocks beside a tall board; in units. Lines of words fill whole bands: so little is deflated anew."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is settled before anybody's words are measured: where blocks go and how wide they are."""

    size: int
    unit: float
    pad: float
    """Room at the board's rim for the words there."""
    beside: bool
    width: float
    """Of the picture."""
    room: float
    """Width of a side's block."""
    turned: "Turned"


def plan(diagram: Diagram, size: int) -> Plan:
    """The plan of a picture whose longer side is `size` pixels."""
    unit = size / SIZE
    turned = Turned(diagram.board, diagram.turned)
    pad = turned.pad(LEGEND * unit)
    margin, panel, head = MARGIN * unit, PANEL * unit, HEAD * unit
    if turned.high > TALL * turned.wide:
        scale = min((size - margin - head - 2 * pad) / turned.high, (size - 3 * margin - panel - 2 * pad) / turned.wide)
        return Plan(size, unit, pad, True, turned.wide * scale + 2 * pad + panel + 3 * margin, panel, turned)
    spare = size - head - len(diagram.names) * ROW * unit - margin - 2 * pad
    scale = min((size - 2 * margin - 2 * pad) / turned.wide, spare / turned.high)
    width = max(turned.wide * scale + 2 * pad + 2 * margin, 0.6 * size)
    return Plan(size, unit, pad, False, width, width - 2 * margin, turned)


def order(diagram: Diagram) -> tuple[Side, ...]:
    """The sides from the top of the picture to its bottom: the near one last."""
    sides = list(diagram.names)
    near = diagram.near or next(iter(sides), "")
    after = sides.index(near) if near in sides else 0
    return (*sides[after + 1 :], *sides[: after + 1])


def heights(diagram: Diagram, room: float, unit: float) -> tuple[int, ...]:
    """How high each side's block is, in `order`."""
    return tuple(
        flow(diagram.names[side], tuple(t for t in diagram.trays if t.side == side), room, unit).height
        for side in order(diagram)
    )


@lru_cache(maxsize=512)
def flow(name: str, trays: tuple[Tray, ...], room: float, unit: float) -> Flow:
    """A side's name and trays in lines no wider than the room."""
    label, row = round(LABEL * unit), ROW * unit
    y = row / 2
    words = [Word(0, y, name, head=True)]
    x = 46 * unit + lettering.width(name, round(NAME * unit), "semibold") + 150 * unit
    for tray in trays:
        ahead = lettering.width(tray.label, label) + 12 * unit
        if x + ahead + 70 * unit > room:
            x, y = 0.0, y + row
        words.append(Word(x, y, tray.label))
        x += ahead
        for kind, _, number in tray.pieces:
            text = str(number) if number != 1 else ""
            wide = (2 * PIECE + 4) * unit + (lettering.width(text, label) + 5 * unit if text else 0)
            if x + wide > room:
                x, y = 0.0, y + row
            words.append(Word(x, y, text, kind=kind))
            x += wide + 5 * unit
        if not tray.pieces:
            words.append(Word(x, y, "–"))
            x += 16 * unit
        x += 22 * unit
    return Flow(tuple(words), math.ceil(y + row / 2))


def arrange(diagram: Diagram, plan: Plan, heights: tuple[int, ...]) -> Layout:
    """Everything's place on the picture."""
    size, unit, pad, turned = plan.size, plan.unit, plan.pad, plan.turned
    margin, head = MARGIN * unit, HEAD * unit
    foot = FOOT * unit if diagram.notes or diagram.throws else 0.0
    tops = [round(head + sum(heights[:i])) for i in range(len(heights))]
    if plan.beside:
        room = size - margin - head - foot - 2 * pad
        scale, dx, dy = turned.snap(
            min(room / turned.high, (plan.width - plan.room - 3 * margin - 2 * pad) / turned.wide)
        )
        left, top = margin + pad, head + pad
        column = round(plan.width - margin - plan.room)
        height = max(head + turned.high * scale + 2 * pad + margin, head + sum(heights) + margin) + foot
        tops[-1] = max(tops[-1], _up(height - foot - margin - heights[-1] - BAND))
    else:
        room = size - head - sum(heights) - (foot or 0.6 * margin) - 2 * pad - 10 * unit
        scale, dx, dy = turned.snap(min((plan.width - 2 * margin - 2 * pad) / turned.wide, room / turned.high))
        left, top = (plan.width - turned.wide * scale) / 2, head + sum(heights[:-1]) + pad + 5 * unit
        column = round(margin)
        tops[-1] = _up(top + turned.high * scale + pad + 5 * unit)
        height = tops[-1] + heights[-1] + (foot or margin * 0.6)
    left, top = round(left) + dx, round(top) + dy

    def place(point: Point) -> Point:
        x, y = turned.turn(point)
        return (x - turned.left) * scale + left, (y - turned.top) * scale + top

    tall = _up(height)
    return Layout(
        width=math.ceil(plan.width),
        height=tall,
        unit=unit,
        cells=_cells(diagram, place, scale, unit),
        legends=tuple((legend.text, place(legend.at)) for legend in diagram.board.legends),
        lines=tuple(tuple(place(p) for p in line) for line in diagram.board.lines),
        title=(margin, head - 8 * unit),
        blocks=tuple(Block(s, column, y, round(plan.room)) for s, y in zip(order(diagram), tops, strict=True)),
        foot=(margin, tall - 16 * unit),
    )


def _up(y: float) -> int:
    """The next border between bands."""
    return math.ceil(y / BAND) * BAND


class Turned:
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

    def pad(self, letters: float) -> float:
        """Room for the words at the rim, whose middles lie on it."""
        return letters * 0.75 if self._worded else 3.0

    def snap(self, scale: float) -> tuple[float, float, float]:
        """A scale a little smaller, and an offset, that bring upright and level edges onto whole pixels."""
        xs, ys = self._straight()
        if not xs and not ys:
            return scale, 0.0, 0.0

        def miss(values: list[float], s: float, offset: float) -> float:
            return sum(abs((v * s + offset) - round(v * s + offset)) for v in values)

        best = (math.inf, scale)
        for i in range(161):
            s = scale * (1 - 0.0005 * i)
            cost = miss([x - xs[0] for x in xs], s, 0) + miss([y - ys[0] for y in ys], s, 0) + 0.002 * i
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


def _spacing(board: Board) -> float:
    """The smallest distance between two intersections, in the board's unit."""
    points = sorted(corners[0] for corners in board.outlines.values() if len(corners) == 1)
    best = math.inf
    for i, (x, y) in enumerate(points):
        for u, v in points[i + 1 :]:
            if u - x >= best:
                break
            best = min(best, math.hypot(u - x, v - y))
    return best if best < math.inf else 1.0


def _cells(diagram: Diagram, place: Callable[[Point], Point], scale: float, unit: float) -> dict[Site, Cell]:
    board, cells = diagram.board, dict[Site, Cell]()
    tiles = {site: tuple(place(p) for p in corners) for site, corners in board.outlines.items() if len(corners) > 1}
    centres = {site: place(board.centre(site)) for site in board.outlines}
    withins = {site: _within(corners, centres[site]) for site, corners in tiles.items()}
    least = min(withins.values(), default=0.0)
    for site, corners in tiles.items():
        within, round_enough = withins[site], _roomy(corners)
        share = (ROOMY_NAMED if site in diagram.labels else ROOMY) if round_enough else SLANTED
        radius = _quarters(share * min(within, 1.3 * least))
        cells[site] = _named(Cell(site, centres[site], corners, within, radius, centres[site], round(15 * unit)), unit)
    spacing = _spacing(board) * scale
    for site in board.outlines.keys() - tiles.keys():
        centre, within = centres[site], spacing * 0.48
        if tiles:
            within = min(within, 0.94 * min(math.dist(centre, centres[t]) - cells[t].radius for t in tiles))
        ring = tuple(circle(centre, within, 32))
        cells[site] = Cell(site, centre, ring, within, _quarters(STONE * within), centre, round(15 * unit))
    return {site: cells[site] for site in board.outlines}


ROOMY, ROOMY_NAMED, SLANTED, STONE = 0.86, 0.74, 1.06, 0.86
"""How much of the largest circle in its place a piece fills: in squares and hexagons, in such with a name below, in
slanted rhombs, where it may come over the edge, and on intersections."""


def _quarters(radius: float) -> float:
    return round(radius * 4) / 4


def _named(cell: Cell, unit: float) -> Cell:
    """With the place for its own name: below the piece where there is room, else in the middle."""
    if cell.within < 30 * unit:
        return replace(cell, label_size=max(10, min(round(15 * unit), round(cell.within * 0.52))))
    size = max(10, min(round(15 * unit), round(cell.within * 0.2)))
    wide, y = lettering.width(cell.site, size) / 2, cell.box[3]
    while y > cell.centre[1] + cell.radius + size * 0.38:
        box = [(cell.centre[0] + sx * wide, y + sy * size * 0.36) for sx in (-1, 1) for sy in (-1, 1)]
        if all(_inside(p, cell.corners, 5.5 * unit) for p in box):
            return replace(cell, label=(cell.centre[0], y), label_size=size)
        y -= 0.5
    return replace(cell, label_size=size)


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
    """Whether a circle fills the tile well: not so in a slanted rhomb, where the piece may come nearer to the edge."""
    if len(corners) != 4:
        return True
    (ax, ay), (bx, by), (cx, cy) = corners[:3]
    return abs((ax - bx) * (cx - bx) + (ay - by) * (cy - by)) < 0.05 * math.dist((ax, ay), (bx, by)) ** 2
