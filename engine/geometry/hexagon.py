"""Boards of hexagons in rows, named by the row's letter and the tile's number in it: a1 at the upper left."""

from collections.abc import Mapping
from itertools import pairwise
from math import cos, pi, sin, sqrt

from engine.board import Board, Point, Site, Zone

NEAR = frozenset({(2, 0), (1, 1)})
"""How far a neighbour lies, in half tiles across and rows down."""


def hexagon_places(widths: Mapping[str, int], shift: int = 0) -> dict[Site, tuple[int, int]]:
    """Each tile and where it lies: half tiles to the right of the middle, rows below the middle.

    `widths` says how many tiles each row has, from the top: `{"a": 3, "b": 4, "c": 3}`. A row is centred, and then
    shifted to the right by `shift` half tiles for each row below the middle: 1 gives the rhombus of Hex.
    """
    tiles = list(widths.values())
    if any((width - below + shift) % 2 == 0 for width, below in pairwise(tiles)):
        raise ValueError("Hexagons fit together if each row differs from the next by an odd number of tiles.")
    return {
        f"{row}{number}": (2 * number - width - 1 + shift * down, down)
        for down, (row, width) in enumerate(widths.items(), start=-(len(widths) // 2))
        for number in range(1, width + 1)
    }


def hexagon_board(
    name: str,
    widths: Mapping[str, int],
    *,
    shift: int = 0,
    zones: Mapping[Zone, frozenset[Site]] | None = None,
    tints: Mapping[Zone, str] | None = None,
    tones: Mapping[Site, int] | None = None,
) -> Board:
    """A board of hexagons one wide, standing on their points; in three tones unless `tones` says otherwise."""
    places = hexagon_places(widths, shift)
    three = {site: (1, 0, 2)[across % 3] for site, (across, _) in places.items()}
    return Board(
        name,
        outlines={site: _outline(*place) for site, place in places.items()},
        edges={site: _touching(places, *place) for site, place in places.items()},
        zones=zones or {},
        tones=three if tones is None else tones,
        tints=tints or {},
    )


def _outline(across: int, down: int) -> tuple[Point, ...]:
    corners = [pi / 6 + sixth * pi / 3 for sixth in range(6)]
    return tuple(((across / 2 + cos(c) / sqrt(3)), (down * sqrt(3) / 2 + sin(c) / sqrt(3))) for c in corners)


def _touching(places: Mapping[Site, tuple[int, int]], across: int, down: int) -> tuple[Site, ...]:
    return tuple(site for site, (x, y) in places.items() if (abs(x - across), abs(y - down)) in NEAR)
