"""Where everything lies on a picture: the board, each side's words near its home, throws and notes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal, NamedTuple

from engine.board import Board, Point, Side, Site
from engine.diagram import Diagram, Throw, Tray
from render import lettering
from render.cells import Cell, Spot, Turned, cells

GRAIN = 16
"""Pictures are a multiple of this many rows high: so few heights share canvases and grounds."""
SIZE = 1024
"""The longer side of a picture unless one asks for another."""
TALL = 2.2
"""From this proportion on the sides' words stand beside the board, not above and below it."""
NAME, LABEL, NOTE, TITLE, LEGEND = 30, 22, 24, 20, 24
"""Type sizes, in units: a unit is a pixel where the longer side is `SIZE`."""
ROW, LINE, PIECE, MARGIN, HEAD, PANEL = 48, 32, 18, 26, 32, 330
"""A line of a side's block, a line of notes, the radius of a piece in a tray, the outer margin, the title's line, and
the width of the blocks beside a tall board; in units. Lines of words fill whole bands: so little is deflated anew."""


class Word(NamedTuple):
    """Something in a line of words."""

    x: float
    y: float
    """Middle of its line, from the block's top."""
    text: str
    sort: Literal["name", "label", "piece", "note", "sticks", "die"]
    """A side's own name, a tray's label, a piece with its number after it, a note, or the face of a stick or die."""
    kind: str = ""
    """The piece's kind."""


class Flow(NamedTuple):
    """Words laid out in lines."""

    words: tuple[Word, ...] = ()
    height: int = 0


class Block(NamedTuple):
    """Where a flow of words goes: a side's, or ("") that of throws and notes."""

    side: Side
    x: int
    y: int


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The geometry of one picture; equal for all positions of a match but where a line of words comes or goes."""

    width: int
    height: int
    unit: float
    board: Spot
    """Two layouts of one board that share this share its ground."""
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


def type_size(units: float, unit: float) -> int:
    """A type size in pixels: on thumbnails not below what can be told apart."""
    return max(6, round(units * unit))


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
    turned: Turned


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


def flows(diagram: Diagram, room: float, unit: float) -> tuple[Flow, ...]:
    """The words of each side's block, in `order`, and those of throws and notes."""
    width = round(room)
    blocks = [
        _block_flow(diagram.names[side], tuple([t for t in diagram.trays if t.side == side]), width, unit)
        for side in order(diagram)
    ]
    return (*blocks, _foot_flow(diagram.throws, diagram.notes, width, unit))


@lru_cache(maxsize=512)
def _block_flow(name: str, trays: tuple[Tray, ...], room: int, unit: float) -> Flow:
    """A side's name and trays in lines no wider than the room."""
    label, row = type_size(LABEL, unit), ROW * unit
    y = row / 2
    words = [Word(0, y, name, "name")]
    x = 46 * unit + lettering.width(name, type_size(NAME, unit), "semibold") + 150 * unit
    for tray in trays:
        ahead = lettering.width(tray.label, label) + 12 * unit
        if x + ahead + 70 * unit > room:
            x, y = 0.0, y + row
        words.append(Word(x, y, tray.label, "label"))
        x += ahead
        for kind, _, number in tray.pieces:
            text = str(number) if number != 1 else ""
            wide = (2 * PIECE + 4) * unit + (lettering.width(text, label) + 5 * unit if text else 0)
            if x + wide > room:
                x, y = 0.0, y + row
            words.append(Word(x, y, text, "piece", kind))
            x += wide + 5 * unit
        if not tray.pieces:
            words.append(Word(x, y, "–", "label"))
            x += 16 * unit
        x += 22 * unit
    return Flow(tuple(words), math.ceil(y + row / 2))


@lru_cache(maxsize=512)
def _foot_flow(throws: tuple[Throw, ...], notes: tuple[str, ...], room: int, unit: float) -> Flow:
    """Throws and notes in lines no wider than the room."""
    if not throws and not notes:
        return Flow()
    size, row = type_size(NOTE, unit), LINE * unit
    x, y = 0.0, row / 2
    words: list[Word] = []
    for throw in throws:
        step = (22 if throw.kind == "sticks" else 36) * unit
        wide = lettering.width(throw.label, size) + 10 * unit if throw.label else 0.0
        if x and x + wide + step * len(throw.faces) > room:
            x, y = 0.0, y + row
        if throw.label:
            words.append(Word(x, y, throw.label, "note"))
            x += wide
        for face in throw.faces:
            words.append(Word(x, y, face, throw.kind))
            x += step
        x += 16 * unit
    line = ""
    for word in " · ".join(map(str, notes)).split():
        longer = f"{line} {word}" if line else word
        if lettering.width(longer, size) > room - x and (line or x):
            if line:
                words.append(Word(x, y, line, "note"))
            x, y, longer = 0.0, y + row, "" if word == "·" else word
        line = longer
    if line:
        words.append(Word(x, y, lettering.shorten(line, size, room - x), "note"))
    return Flow(tuple(words), math.ceil(y + row / 2))


def arrange(diagram: Diagram, plan: Plan, flows: tuple[Flow, ...]) -> Layout:
    """Everything's place on the picture."""
    size, unit, pad, turned = plan.size, plan.unit, plan.pad, plan.turned
    margin, head = MARGIN * unit, HEAD * unit
    heights = [flow.height for flow in flows]
    *blocks, foot = heights
    tops = [round(head + sum(blocks[:i])) for i in range(len(blocks))]
    if plan.beside:
        wide, high = plan.width - plan.room - 3 * margin - 2 * pad, size - margin - head - 2 * pad
        scale, dx, dy = _snapped(turned, min(high / turned.high, wide / turned.wide))
        left, top = margin + pad, head + pad
        column = round(plan.width - margin - plan.room)
        tall = _up(max(top + turned.high * scale + pad, head + sum(heights)) + margin)
        tops[-1] = tall - _up(margin + blocks[-1])
        below = tops[-1] - _up(foot)
    else:
        end = margin * 0.6
        high = size - head - sum(heights) - end - 2 * pad - 10 * unit
        scale, dx, dy = _snapped(turned, min((plan.width - 2 * margin - 2 * pad) / turned.wide, high / turned.high))
        left, top = (plan.width - turned.wide * scale) / 2, head + sum(blocks[:-1]) + pad + 5 * unit
        column = round(margin)
        tops[-1] = _up(top + turned.high * scale + pad + 5 * unit)
        below = tops[-1] + blocks[-1]
        tall = _up(below + foot + end)
    board = scale, round(left) + dx, round(top) + dy

    return Layout(
        width=math.ceil(plan.width),
        height=tall,
        unit=unit,
        board=board,
        cells=_cells(diagram.board, diagram.labels, turned, board, unit),
        legends=tuple((legend.text, turned.place(legend.at, board)) for legend in diagram.board.legends),
        lines=tuple(tuple(turned.place(p, board) for p in line) for line in diagram.board.lines),
        title=(margin, head - 8 * unit),
        blocks=tuple(Block(s, column, y) for s, y in zip(order(diagram), tops, strict=True)),
        foot=Block("", column, below),
    )


# The same boards are arranged over and over where only lines of words come and go.
@lru_cache(maxsize=16)
def _snapped(turned: Turned, scale: float) -> Spot:
    return turned.snap(scale)


@lru_cache(maxsize=16)
def _cells(board: Board, labels: frozenset[Site], turned: Turned, at: Spot, unit: float) -> Mapping[Site, Cell]:
    return cells(board, labels, partial(turned.place, at=at), at[0], unit)


def _up(y: float) -> int:
    """The next row that a block may begin at, or a picture end."""
    return math.ceil(y / GRAIN) * GRAIN
