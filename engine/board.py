"""Geometry: the places where a piece can stand, where they lie, what they touch and what the rules call them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.text import Phrase

Site: TypeAlias = str
"""A place by its name in the rulebook: `"X8"`, `"A44"`, `"b3"`, an intersection `"d5"`."""

Zone: TypeAlias = str | Phrase
"""A part of the board by what the rules call it: a Term or a Phrase, so that it is told in the reader's language."""

Side: TypeAlias = str
"""One of the parties of a game, by its short key: `"W"`, `"R"`, `"P3"`."""

Point: TypeAlias = tuple[float, float]
"""x to the right, y down; the unit is the game's own (one tile across is a good habit)."""


@dataclass(frozen=True, slots=True)
class Legend:
    """A word beside the board, such as a file letter or a rank number."""

    text: str
    at: Point


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Board:
    """Every place a piece can stand; compared by identity, so it can be a cache key."""

    name: str
    outlines: Mapping[Site, tuple[Point, ...]]
    """One point = an intersection, several = the corners of a tile, in order."""
    edges: Mapping[Site, tuple[Site, ...]] = field(default_factory=dict)
    """Neighbours across an edge (for intersections: along a line)."""
    corners: Mapping[Site, tuple[Site, ...]] = field(default_factory=dict)
    """Neighbours across a corner only."""
    zones: Mapping[Zone, frozenset[Site]] = field(default_factory=dict)
    """What the rules name: `Term("measure 2")`, `Phrase("Star {star}", star="I2")`."""
    tones: Mapping[Site, int] = field(default_factory=dict)
    """0 light, 1 middle, 2 dark, 3 green, 4 grey; a tile without one is light."""
    tints: Mapping[Zone, str] = field(default_factory=dict)
    """Zone name -> one of `diagram.TINTS`: the zones that the picture shows."""
    legends: tuple[Legend, ...] = ()
    """Coordinates printed around the board."""
    lines: tuple[tuple[Point, ...], ...] = ()
    """Strokes that belong to the board itself: a grid for intersections, a centre line."""

    def centre(self, site: Site) -> Point:
        """The middle of a place, where its piece stands."""
        corners = self.outlines[site]
        return (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))
