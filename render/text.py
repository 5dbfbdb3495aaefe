"""The board as plain characters, for readers without pictures: made from the same Diagram as the picture."""

import math
from collections.abc import Iterable

from engine.board import Point
from engine.diagram import Diagram, Figure

EMPTY = "·"
WIDEST = 48
"""Columns or rows; a board that needs more (a rosette) has no text that anybody could read."""


def board(diagram: Diagram) -> str:
    """The position as lines of text, "" where the board is no grid.

    A cell is side and kind: `BS` is Black's Self; `+` = a piece that it stands on, `!` = something sits on it. An empty
    place is a dot, or its name where places are to show theirs.
    """
    at = {site: _turned(diagram.board.centre(site), diagram.turned) for site in diagram.board.outlines}
    outlines = diagram.board.outlines
    tiles = [site for site, outline in outlines.items() if len(outline) > 1] or list(outlines)
    standing = {figure.site: figure for figure in diagram.figures if not figure.ghost}
    cells = {at[site]: site if site in diagram.labels else EMPTY for site in tiles}
    cells |= {at[site]: _cell(figure) for site, figure in standing.items()}
    for legend in diagram.board.legends:
        cells.setdefault(_turned(legend.at, diagram.turned), legend.text)
    columns, rows = _steps(x for x, _ in cells), _steps(y for _, y in cells)
    if len(columns) > WIDEST or len(rows) > WIDEST:
        return ""
    lines = [[""] * len(columns) for _ in rows]
    for (x, y), cell in cells.items():
        lines[rows.index(y)][columns.index(x)] = cell
    widths = [max(2, *(len(line[column]) for line in lines)) for column in range(len(columns))]
    drawn = [" ".join(cell.center(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
    return "\n".join(line.rstrip() for line in [*drawn, "", *_beside(diagram)]).rstrip()


def _beside(diagram: Diagram) -> list[str]:
    """What lies beside the board, and whose turn it is."""
    trays = [
        f"{diagram.names[tray.side]}, {tray.label}: "
        + " ".join(kind if count == 1 else f"{kind}{count}" for kind, _, count in tray.pieces)
        for tray in diagram.trays
        if tray.pieces
    ]
    to_act = "The game is over." if diagram.to_act is None else f"{diagram.names[diagram.to_act]} to move."
    return [*trays, *map(str, diagram.notes), to_act]


def _cell(figure: Figure) -> str:
    return figure.side + figure.kind + "+" * len(figure.under) + "!" * bool(figure.badge)


def _turned(point: Point, degrees: float) -> Point:
    """Where a place lies once the board is turned; rounded, so that what is level lines up."""
    x, y = point
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return round(x * c - y * s, 3) + 0.0, round(x * s + y * c, 3) + 0.0


def _steps(values: Iterable[float]) -> list[float]:
    return sorted(set(values))
