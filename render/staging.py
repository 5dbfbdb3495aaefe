"""What a diagram shows as stamps: parts that do not touch each other, so that each is painted and remembered alone.

The rims of pieces on slanted tiles may meet by a pixel; there the later one lies on top.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from engine.board import Point, Side, Site
from engine.diagram import Diagram, Figure, Link, MarkKind
from render.cells import Cell
from render.layout import Layout, Word, block_flow, foot_flow


class Titled(NamedTuple):
    """The title."""

    text: str


class Worded(NamedTuple):
    """A word of a side's block, or ("") of throws and notes."""

    side: Side
    x: int
    """Left end of its block."""
    y: int
    """Top of its block."""
    word: Word
    acts: bool = False
    """It is the name of the side to act."""


class Half(NamedTuple):
    """The half of a string that lies on this side of its middle."""

    to: Site
    side: Side
    first: bool
    """Whether the string was told from here."""


class Heap(NamedTuple):
    """One place with all that stands and lies on it."""

    site: Site
    figures: tuple[Figure, ...]
    marks: tuple[MarkKind, ...]
    halves: tuple[Half, ...]


class Cluster(NamedTuple):
    """Places and lines that overlap."""

    links: tuple[Link, ...]
    heaps: tuple[Heap, ...]


Stamp: TypeAlias = Figure | Heap | Cluster | Titled | Worded
"""What decides the pixels of a patch; the commonest is a lone piece."""

LOUD: frozenset[MarkKind] = frozenset({"culprit", "blocker"})
"""Marks with a sign that may come over the edge of their tile."""


@dataclass(slots=True)
class _Place:
    figures: list[Figure] = field(default_factory=list)
    marks: list[MarkKind] = field(default_factory=list)
    halves: list[Half] = field(default_factory=list)

    def heap(self, site: Site) -> Heap:
        return Heap(site, tuple(self.figures), tuple(self.marks), tuple(self.halves))


class Staging:
    """Finds the stamps of diagrams in one layout."""

    def __init__(self, layout: Layout):
        self._layout = layout
        self._cells = layout.cells
        self._spots = [(site, cell.centre, cell.within, cell.radius) for site, cell in layout.cells.items()]
        # On the instance, so that they go when it goes.
        self._near = lru_cache(maxsize=1024)(self._find_near)
        self._along = lru_cache(maxsize=1024)(self._find_along)

    def stamps(self, diagram: Diagram) -> list[Stamp]:
        """All parts of a picture, in drawing order."""
        stamps: list[Stamp] = [Titled(diagram.title), *self._words(diagram)]
        places = self._busy(diagram)
        if not places and not diagram.links:
            return [*stamps, *diagram.figures]
        lone: dict[Site, Figure] = {}
        for figure in diagram.figures:
            if figure.site in places:
                places[figure.site].figures.append(figure)
            else:
                lone[figure.site] = figure
        for links, sites in self._groups(diagram, places, lone):
            heaps = []
            for site in sites:
                if site in places:
                    heaps.append(places.pop(site).heap(site))
                elif site in lone:
                    heaps.append(Heap(site, (lone.pop(site),), (), ()))
            stamps.append(Cluster(links, tuple(heaps)))
        return [*stamps, *lone.values(), *(place.heap(site) for site, place in places.items())]

    def _words(self, diagram: Diagram) -> Iterator[Worded]:
        """Word by word, so that a new number is not the whole line anew."""
        for block in self._layout.blocks:
            trays = tuple([tray for tray in diagram.trays if tray.side == block.side])
            flow = block_flow(diagram.names.get(block.side, ""), trays, block.width, self._layout.unit)
            acts = block.side == diagram.to_act
            for word in flow.words:
                yield Worded(block.side, block.x, block.y, word, acts and word.sort == "name")
        foot = self._layout.foot
        for word in foot_flow(diagram.throws, diagram.notes, foot.width, self._layout.unit).words:
            yield Worded("", foot.x, foot.y, word)

    def _busy(self, diagram: Diagram) -> dict[Site, _Place]:
        """The places with more than a lone piece: marked, tied to another, or shared."""
        places: dict[Site, _Place] = {}
        for mark in diagram.marks:
            for site in mark.sites:
                if site in self._cells:
                    places.setdefault(site, _Place()).marks.append(mark.kind)
        for link in diagram.links:
            if link.style == "string":
                places.setdefault(link.start, _Place()).halves.append(Half(link.end, link.side, first=True))
                places.setdefault(link.end, _Place()).halves.append(Half(link.start, link.side, first=False))
        seen: set[Site] = set()
        for figure in diagram.figures:
            if figure.site in seen:
                places.setdefault(figure.site, _Place())
            seen.add(figure.site)
        return places

    def _groups(
        self, diagram: Diagram, places: dict[Site, _Place], lone: dict[Site, Figure]
    ) -> list[tuple[tuple[Link, ...], tuple[Site, ...]]]:
        """What must be painted together because it overlaps."""
        groups: list[tuple[list[Link], dict[Site, None]]] = []
        for own, touched in self._spread(diagram, places, lone):
            meeting = [group for group in groups if not group[1].keys().isdisjoint(touched)]
            groups = [group for group in groups if group not in meeting]
            sites = dict.fromkeys(chain(*(group[1] for group in meeting), touched))
            groups.append(([*chain(*(group[0] for group in meeting)), *own], sites))
        return [(tuple(own), tuple(sites)) for own, sites in groups]

    def _spread(
        self, diagram: Diagram, places: dict[Site, _Place], lone: dict[Site, Figure]
    ) -> Iterator[tuple[list[Link], list[Site]]]:
        """What comes over the edge of its place, with the places that it touches."""
        unit = self._layout.unit
        for link in diagram.links:
            if link.style != "string":
                touched = [
                    site
                    for site, far in self._along(link.start, link.end)
                    if (site in lone and far < self._cells[site].radius * 1.2 + 14 * unit)
                    or (site in places and far < self._cells[site].within * 1.2 + 14 * unit)
                ]
                yield [link], [*touched, link.start, link.end]
        for site, place in places.items():
            if place.marks:
                loud = not LOUD.isdisjoint(place.marks)
                touched = [
                    t for t in self._near(site, loud) if t in lone or (t in places and (loud or self._cells[t].round))
                ]
                if touched:
                    yield [], [site, *touched]

    def _find_near(self, site: Site, loud: bool) -> tuple[Site, ...]:
        """The places whose pieces or stones reach into this one, or into the sign at its corner."""
        cell, near = self._cells[site], []
        (x, y), within, sign = cell.centre, cell.within, cell.within * 1.3 if loud else 0.0
        for other, centre, its_within, radius in self._spots:
            far = max(abs(centre[0] - x), abs(centre[1] - y))
            reaches = far < 3 * (within + its_within) and (
                far < sign + its_within or _distance(centre, cell) < radius + 1
            )
            if reaches and other != site:
                near.append(other)
        return tuple(near)

    def _find_along(self, a: Site, b: Site) -> tuple[tuple[Site, float], ...]:
        """The places that a line between two of them comes near, and how far off they are."""
        start, end = self._cells[a].centre, self._cells[b].centre
        near = []
        for site, cell in self._cells.items():
            far = to_segment(cell.centre, start, end)
            if far < cell.within * 1.3 + 16 * self._layout.unit:
                near.append((site, far))
        return tuple(near)


def to_segment(point: Point, a: Point, b: Point) -> float:
    """How far a point is from a line between two others."""
    (x, y), (ax, ay), (bx, by) = point, a, b
    length = (bx - ax) ** 2 + (by - ay) ** 2
    t = min(1.0, max(0.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) if length else 0.0
    return math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay))


def _distance(point: Point, cell: Cell) -> float:
    """How far a point outside a tile is from its edge."""
    ends = cell.corners[1:] + cell.corners[:1]
    return min(to_segment(point, a, b) for a, b in zip(cell.corners, ends, strict=True))
