"""Tokonoma's pieces: what each kind is called, where it goes and how it looks."""

from collections.abc import Mapping

from engine.board import Side, Site
from engine.diagram import Glyph, Stroke
from engine.games.tokonoma.board import BITS, FORWARD, PLACES, SITES

KINDS = "FABS"
NAMES = {"F": "Flat", "A": "Arm", "B": "Blind", "S": "Star"}

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

SLAB = "M-0.85 0 L-0.45 -0.3 L0.45 -0.3 L0.85 0 L0.85 0.28 L0.45 0.6 L-0.45 0.6 L-0.85 0.28 Z"
HAND = (
    "M-0.3 0.88 C-0.34 0.6 -0.62 0.35 -0.8 0.02 C-0.9 -0.2 -0.66 -0.32 -0.54 -0.14 L-0.36 0.1"  # thumb
    " L-0.36 -0.52 Q-0.36 -0.66 -0.24 -0.66 Q-0.12 -0.66 -0.12 -0.52"
    " L-0.12 -0.72 Q-0.12 -0.88 0 -0.88 Q0.12 -0.88 0.12 -0.72"
    " L0.12 -0.6 Q0.12 -0.74 0.24 -0.74 Q0.36 -0.74 0.36 -0.6"
    " L0.36 -0.34 Q0.36 -0.47 0.47 -0.47 Q0.58 -0.47 0.58 -0.34"
    " L0.58 0.3 C0.58 0.6 0.44 0.7 0.42 0.88 Z"
)
DISC = "M-0.75 0 A0.75 0.75 0 1 1 0.75 0 A0.75 0.75 0 1 1 -0.75 0 Z"
RAYS = (
    "M0 -0.9 L0.25 -0.43 L0.78 -0.45 L0.5 0 L0.78 0.45 L0.25 0.43"
    " L0 0.9 L-0.25 0.43 L-0.78 0.45 L-0.5 0 L-0.78 -0.45 L-0.25 -0.43 Z"
)

GLYPHS: Mapping[str, Glyph] = {
    "F": (Stroke(SLAB), Stroke(SLAB, "line", 0.1), Stroke("M-0.85 0 L-0.45 0.3 L0.45 0.3 L0.85 0", "line", 0.08)),
    "A": (
        Stroke(HAND),
        Stroke(HAND, "line", 0.1),
        Stroke("M-0.12 -0.5 L-0.12 0 M0.12 -0.6 L0.12 0 M0.36 -0.36 L0.36 0.04", "line", 0.08),
    ),
    "B": (
        Stroke(DISC),
        Stroke(DISC, "line", 0.1),
        Stroke("M-0.45 -0.08 Q0 0.4 0.45 -0.08", "line", 0.12),
        Stroke("M-0.28 0.12 L-0.38 0.34 M0 0.18 L0 0.44 M0.28 0.12 L0.38 0.34", "line", 0.1),
    ),
    "S": (Stroke(RAYS), Stroke(RAYS, "line", 0.1)),
}
"""A slab; an open hand; a closed eye; the six directions."""
