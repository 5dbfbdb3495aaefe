"""A board as the page draws it: every place with its outline, turned for the viewer, and the shapes of the pieces."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any, TypeAlias
from zlib import crc32

from engine.board import Board, Point, Site
from engine.diagram import Diagram
from engine.text import Term, Text
from render.layout.cells import Cell, TurnedBoard, cells

Told: TypeAlias = Callable[[Text | Term], str]
"""Puts a sentence or noun into the tab's language."""

SCALE = 100.0
"""How many of the page's units make one of the board's."""
UNIT = 0.72
"""The unit of type sizes: the smaller, the more names have room beside a piece."""
RIM = 0.35
"""The room around the board, in its own units."""


def geometry_key(diagram: Diagram) -> str:
    """What two pictures have in common that lie on the same board."""
    labels = crc32(" ".join(sorted(diagram.labels)).encode())
    return f"{diagram.title} {diagram.board.name} {diagram.turned:g} {labels:x}"


def geometry(diagram: Diagram, told: Told) -> dict[str, Any]:
    """Everything of a picture that stays from turn to turn."""
    glyphs = {
        str(kind): [[stroke.path, stroke.ink, stroke.width] for stroke in glyph]
        for kind, glyph in diagram.glyphs.items()
    }
    board = _board(diagram.board, diagram.turned, diagram.labels)
    legends = [[told(word) if isinstance(word, Term) else word, x, y] for word, x, y in board["legends"]]
    return {"key": geometry_key(diagram), "glyphs": glyphs, **board, "legends": legends}


@lru_cache(maxsize=32)
def _board(board: Board, turned: float, labels: frozenset[Site]) -> Mapping[str, Any]:
    lying = TurnedBoard(board, turned)
    at = (SCALE, RIM * SCALE, RIM * SCALE)

    def place(point: Point) -> Point:
        return lying.place(point, at)

    tints: dict[Site, list[str]] = {}
    for zone, tint in board.tints.items():
        for site in board.zones[zone]:
            tints.setdefault(site, []).append(tint)
    found = cells(board, labels, place, SCALE, UNIT, largest=SCALE)
    return {
        "width": round(lying.wide * SCALE + 2 * RIM * SCALE),
        "height": round(lying.high * SCALE + 2 * RIM * SCALE),
        "cells": [_cell(cell, board, tints, cell.site in labels) for cell in found.values()],
        "borders": [
            [tint, _border([found[site].corners for site in board.zones[zone]])] for zone, tint in board.tints.items()
        ],
        "lines": [_points(map(place, line)) for line in board.lines],
        "legends": [(legend.text, *_rounded(place(legend.at))) for legend in board.legends],
    }


def _cell(cell: Cell, board: Board, tints: Mapping[Site, list[str]], named: bool) -> dict[str, Any]:
    x, y = _rounded(cell.centre)
    shown: dict[str, Any] = {"site": cell.site, "x": x, "y": y, "radius": round(cell.radius, 1)}
    shown["round" if cell.round else "points"] = round(cell.within, 1) if cell.round else _points(cell.corners)
    if not cell.round:
        shown["tone"] = board.tones.get(cell.site, 0)
    if cell.covered:
        shown["covered"] = True
    if cell.tilt is not None:
        shown["tilt"] = cell.tilt
    if cell.site in tints:
        shown["tints"] = tints[cell.site]
    if named:
        shown["label"] = [*_rounded(cell.label), cell.label_size]
    return shown


def _border(tiles: Iterable[tuple[Point, ...]]) -> str:
    """The edge of a zone: the sides of its tiles that belong to one of them alone."""
    sides: dict[frozenset[Point], tuple[Point, Point]] = {}
    for corners in tiles:
        rounded = [_rounded(corner) for corner in corners]
        for one, other in pairwise((*rounded, rounded[0])):
            if sides.pop(frozenset((one, other)), None) is None:
                sides[frozenset((one, other))] = (one, other)
    return "".join(f"M{x} {y}L{u} {v}" for (x, y), (u, v) in sides.values())


def _points(corners: Any) -> str:
    return " ".join(map(str, chain.from_iterable(map(_rounded, corners))))


def _rounded(point: Point) -> tuple[float, float]:
    return round(point[0], 1), round(point[1], 1)
