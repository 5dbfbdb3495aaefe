"""Where everything lies on a picture: the board, each side's words near its home, throws and notes."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from engine.board import Board, Point, Side, Site
from engine.diagram import Diagram
from render import lettering
from render.layout.cells import LEGIBLE, Cell, Placement, TurnedBoard, cells
from render.layout.words import LEGEND, ROW, Flow, order, type_size

GRAIN = 16
"""Pictures are a multiple of this many rows high: so that many share canvases and backgrounds."""
SIZE = 1024
"""The usual longer side of a picture."""
MANY, LARGER = 270, 1280
"""A board with more places has larger pictures, or the names of the smallest could not be read."""
TALL = 2.2
"""From this height on, in widths of the board, the sides' words stand beside it, not above and below it."""
LEAST, MOST_GROWN = 640, 1.6
"""Words of smaller pictures are as large as in one of this size, but not so much larger that no room is left."""
BREATH = 0.15
"""Between a legend and the board at its side, in sizes of its type."""
LEGENDS_GROWN = 1.1
"""Those at the board's rim grow less: they would come to lie on it."""
NARROWEST, SPREAD = 0.6, 768
"""No picture is narrower than this share of its longer side, nor one smaller than `LEAST` than so many units, as far as
its longer side goes: in less a side's pieces would wrap."""
MARGIN, HEAD, PANEL, GAP = 26, 32, 250, 8
"""The outer margin, the title's line, the width of the blocks beside a tall board, and how far they are from the words
at its rim, in units."""


class Block(NamedTuple):
    """Where a flow of words goes: a side's, or ("") that of throws and notes."""

    side: Side
    x: int
    y: int


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The geometry of one picture; equal for all positions of a match but where a line of words comes or goes: then the
    picture is so much higher or lower, and the board stays as large as it was."""

    width: int
    height: int
    unit: float
    legend_size: int
    """Of the words at the board's rim, in pixels."""
    board: Placement
    """Two layouts of one board that share this share its background."""
    cells: Mapping[Site, Cell]
    legends: tuple[tuple[str, Point], ...]
    lines: tuple[tuple[Point, ...], ...]
    title: Point
    """Left end of the title's base line."""
    blocks: tuple[Block, ...]
    foot: Block

    def size(self, units: float) -> int:
        """A type size in pixels."""
        return type_size(units, self.unit)


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is known before words are measured: where blocks go and how wide they are."""

    size: int
    unit: float
    pad: float
    """Room at the board's rim for the words there."""
    beside: bool
    width: float
    """Of the picture."""
    room: float
    """Width of a side's block."""
    turned: TurnedBoard


def usual_size(board: Board) -> int:
    """The longer side of a picture whose reader has chosen none."""
    return LARGER if len(board.outlines) > MANY else SIZE


def plan(diagram: Diagram, size: int) -> Plan:
    """Returns the plan of a picture whose longer side is `size` pixels."""
    unit = max(size, min(LEAST, MOST_GROWN * size)) / SIZE
    turned = TurnedBoard(diagram.board, diagram.turned)
    pad = turned.pad(LEGEND * unit)
    margin, panel, gap, head = MARGIN * unit, PANEL * unit, GAP * unit, HEAD * unit
    if turned.high > TALL * turned.wide:
        scale = min(
            (size - margin - head - 2 * pad) / turned.high, (size - 2 * margin - gap - panel - 2 * pad) / turned.wide
        )
        return Plan(size, unit, pad, True, turned.wide * scale + 2 * pad + gap + panel + 2 * margin, panel, turned)
    spare = size - head - len(diagram.names) * ROW * unit - margin - 2 * pad
    scale = min((size - 2 * margin - 2 * pad) / turned.wide, spare / turned.high)
    spread = min(size, SPREAD * unit) if size < LEAST else 0.0
    width = max(turned.wide * scale + 2 * pad + 2 * margin, NARROWEST * size, spread)
    return Plan(size, unit, pad, False, width, width - 2 * margin, turned)


def arrange(diagram: Diagram, plan: Plan, flows: tuple[Flow, ...]) -> Layout:
    """Returns where everything goes on the picture."""
    size, unit, pad, turned = plan.size, plan.unit, plan.pad, plan.turned
    margin, head = MARGIN * unit, HEAD * unit
    heights = [flow.height for flow in flows]
    *blocks, foot = heights
    tops = [round(head + sum(blocks[:i])) for i in range(len(blocks))]
    if plan.beside:
        wide, high = plan.width - plan.room - 2 * margin - GAP * unit - 2 * pad, size - margin - head - 2 * pad
        scale, dx, dy = _snapped(turned, min(high / turned.high, wide / turned.wide))
        left, top = margin + pad, head + pad
        column = round(plan.width - margin - plan.room)
        tall = _up(max(top + turned.high * scale + pad, head + sum(heights)) + margin)
        tops[-1] = tall - _up(margin + blocks[-1])
        below = tops[-1] - _up(foot)
    else:
        end = margin * 0.6
        high = size - head - len(blocks) * math.ceil(ROW * unit) - end - 2 * pad - 10 * unit
        scale, dx, dy = _snapped(turned, min((plan.width - 2 * margin - 2 * pad) / turned.wide, high / turned.high))
        left, top = (plan.width - turned.wide * scale) / 2, head + sum(blocks[:-1]) + pad + 5 * unit
        column = round(margin)
        tops[-1] = _up(top + turned.high * scale + pad + 5 * unit)
        below = tops[-1] + blocks[-1]
        tall = _up(below + foot + end)
    board = scale, round(left) + dx, round(top) + dy
    cells = _cells(diagram.board, diagram.labels, turned, board, unit)
    largest = type_size(LEGEND, min(unit, LEGENDS_GROWN * size / SIZE))
    legend_size, legends = _legends(
        diagram.board, diagram.labels, turned, board, unit=unit, largest=largest, middle=plan.width / 2
    )
    return Layout(
        width=math.ceil(plan.width),
        height=tall,
        unit=unit,
        legend_size=legend_size,
        board=board,
        cells=cells,
        legends=legends,
        lines=tuple(tuple(turned.place(p, board) for p in line) for line in diagram.board.lines),
        title=(margin, head - 8 * unit),
        blocks=tuple(Block(s, column, y) for s, y in zip(order(tuple(diagram.names), diagram.near), tops, strict=True)),
        foot=Block("", column, below),
    )


# The same boards are arranged again and again as lines of words come and go.
@lru_cache(maxsize=16)
def _snapped(turned: TurnedBoard, scale: float) -> Placement:
    return turned.snap(scale)


@lru_cache(maxsize=16)
def _cells(
    board: Board, labels: frozenset[Site], turned: TurnedBoard, at: Placement, unit: float
) -> Mapping[Site, Cell]:
    return cells(board, labels, partial(turned.place, at=at), at[0], unit)


Legends: TypeAlias = tuple[tuple[str, Point], ...]


@lru_cache(maxsize=16)
def _legends(
    board: Board,
    labels: frozenset[Site],
    turned: TurnedBoard,
    at: Placement,
    *,
    unit: float,
    largest: int,
    middle: float,
) -> tuple[int, Legends]:
    """Returns the words round a board, and their size."""
    placed = tuple((legend.text, turned.place(legend.at, at)) for legend in board.legends)
    return _beside_tiles(placed, _cells(board, labels, turned, at, unit), largest, middle)


def _beside_tiles(legends: Legends, cells: Mapping[Site, Cell], largest: int, middle: float) -> tuple[int, Legends]:
    """Returns the size, this or less, in which no legend comes to lie on a tile; in the least one some stand aside."""
    tiles = [cell.corners for cell in cells.values() if not cell.round]
    edges = [edge for corners in tiles for edge in pairwise((*corners, corners[0]))]
    rim = sorted([(y + (v - y) * k / 8, x + (u - x) * k / 8) for (x, y), (u, v) in edges for k in range(8)])
    rows = [y for y, _ in rim]

    def near(at: Point, reach: float) -> list[float]:
        """How far to the right of a point the rim is in the rows around it."""
        x, y = at
        return [u - x for _, u in rim[bisect_right(rows, y - reach) : bisect_left(rows, y + reach)]]

    size, placed = largest, []
    for text, at in legends:
        beside = near(at, 0.4 * largest)
        while size > LEGIBLE and any(abs(far) < lettering.width(text, size) / 2 + BREATH * size for far in beside):
            size -= 1
    for text, (x, y) in legends:
        half, out = lettering.width(text, size) / 2, math.copysign(1.0, x - middle)
        beside = near((x, y), 0.4 * size)
        aside = (step for step in range(round(half)) if all(abs(far - out * step) >= half for far in beside))
        placed.append((text, (x + out * next(aside, 0), y)))
    return size, tuple(placed)


def _up(y: float) -> int:
    """Returns the next row at which a block may begin or a picture end."""
    return math.ceil(y / GRAIN) * GRAIN
