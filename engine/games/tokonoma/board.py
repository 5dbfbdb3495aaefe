"""Tokonoma's board: 29 hexagonal tiles in five rows, three tones, two houses, and what each piece reaches."""

from collections.abc import Mapping

from engine.board import Side, Site, Zone
from engine.games.tokonoma.rules import KINDS
from engine.geometry.hexagon import hexagon_board, hexagon_places
from engine.text import Term

WIDTHS = {"a": 5, "b": 6, "c": 7, "d": 6, "e": 5}
"""Tiles in each row, from the top; they are numbered from the left, from 1."""

PLACES: Mapping[Site, tuple[int, int]] = hexagon_places(WIDTHS)
"""Every tile and where it lies: half tiles to the right of the middle, rows below the middle."""

SITES = tuple(PLACES)
BITS: Mapping[Site, int] = {site: 1 << index for index, site in enumerate(SITES)}
"""A set of tiles is an int with one bit for each."""
EVERY = (1 << len(SITES)) - 1

HOUSES: Mapping[Side, Site] = {"W": "c7", "B": "c1"}
HOUSE_NAMES: Mapping[Side, Zone] = {"W": Term("White's house"), "B": Term("Black's house")}
FORWARD: Mapping[Side, int] = {"W": -1, "B": 1}
OPPONENT: Mapping[Side, Side] = {"W": "B", "B": "W"}

BOARD = hexagon_board(
    "tokonoma",
    WIDTHS,
    zones={HOUSE_NAMES[side]: frozenset({site}) for side, site in HOUSES.items()},
    tints=dict.fromkeys(HOUSE_NAMES.values(), "home"),
)

TURNED: Mapping[Side | None, float] = {None: 0.0, "W": 90.0, "B": 270.0}
"""White's house lies on the right, Black's on the left: so each has its own at the bottom."""

STEPS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "F": ((2, 0), (1, -1), (1, 1)),
    "A": ((4, 0), (-2, 0), (-1, -1), (-1, 1)),
    "B": ((2, -2), (2, 2), (-4, 0), (-1, -1), (-1, 1)),
    "S": ((0, -2), (0, 2), (3, -1), (3, 1), (-3, -1), (-3, 1)),
}
"""Where each kind moves and attacks, over anything: half tiles forward (negative: backward), rows down."""


def _reach(side: Side, kind: str, site: Site) -> int:
    across, down = PLACES[site]
    ends = {(across + FORWARD[side] * forward, down + rows) for forward, rows in STEPS[kind]}
    return sum(BITS[end] for end, place in PLACES.items() if place in ends)


REACH: Mapping[Side, tuple[Mapping[int, int], ...]] = {
    side: tuple({BITS[site]: _reach(side, kind, site) for site in SITES} for kind in KINDS) for side in FORWARD
}
"""By side, then by kind in the order of `KINDS`: a piece's tile -> the tiles it hits."""
