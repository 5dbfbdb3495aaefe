"""Tokonoma's board: 29 hexagonal tiles in five rows, three tones, and a house at either end."""

from collections.abc import Mapping
from math import cos, pi, sin, sqrt

from engine.board import Board, Point, Side, Site

WIDTHS = {"a": 5, "b": 6, "c": 7, "d": 6, "e": 5}
"""Tiles in each row, from the top; they are numbered from the left, from 1."""

PLACES: Mapping[Site, tuple[int, int]] = {
    f"{row}{number}": (2 * number - width - 1, down)
    for down, (row, width) in enumerate(WIDTHS.items(), start=-2)
    for number in range(1, width + 1)
}
"""Every tile and where it lies: half tiles to the right of the middle, rows below the middle."""

SITES = tuple(PLACES)
BITS: Mapping[Site, int] = {site: 1 << index for index, site in enumerate(SITES)}
"""A set of tiles is an int with one bit for each."""
EVERY = (1 << len(SITES)) - 1

HOUSES: Mapping[Side, Site] = {"W": "c7", "B": "c1"}
FORWARD: Mapping[Side, int] = {"W": -1, "B": 1}
OPPONENT: Mapping[Side, Side] = {"W": "B", "B": "W"}


def _hexagon(site: Site) -> tuple[Point, ...]:
    """The corners of a tile: one wide, standing on its point."""
    across, down = PLACES[site]
    corners = [pi / 6 + sixth * pi / 3 for sixth in range(6)]
    return tuple(((across / 2 + cos(c) / sqrt(3)), (down * sqrt(3) / 2 + sin(c) / sqrt(3))) for c in corners)


def _neighbours(site: Site) -> tuple[Site, ...]:
    x, y = PLACES[site]
    return tuple(s for s, (across, down) in PLACES.items() if (abs(across - x), abs(down - y)) in {(2, 0), (1, 1)})


BOARD = Board(
    name="tokonoma",
    outlines={site: _hexagon(site) for site in SITES},
    edges={site: _neighbours(site) for site in SITES},
    zones={"White's house": frozenset({HOUSES["W"]}), "Black's house": frozenset({HOUSES["B"]})},
    tones={site: (1, 0, 2)[across % 3] for site, (across, _) in PLACES.items()},
    tints={"White's house": "home", "Black's house": "home"},
)

TURNED: Mapping[Side | None, float] = {None: 0.0, "W": 90.0, "B": 270.0}
"""White's house lies on the right, Black's on the left: so each has its own at the bottom."""
