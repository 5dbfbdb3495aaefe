"""A part of a board as a board of its own, so that everything on it is drawn larger."""

import math
from dataclasses import replace
from functools import lru_cache

from engine.board import Board, Point, Site
from engine.diagram import Diagram

AROUND = 45
"""Places that are shown."""
CROWDED = 200
"""Places from which on a whole board is too small on a phone to tell its pieces apart."""


def close_up(diagram: Diagram, middle: Site) -> Diagram:
    """Returns what a diagram shows on the places round one of them."""
    return part_of(diagram, _round(diagram.board, middle))


def part_of(diagram: Diagram, sites: tuple[Site, ...]) -> Diagram:
    """Returns what a diagram shows on some of its places; the board is named after the first of them."""
    board = _part(diagram.board, sites)
    return replace(
        diagram,
        board=board,
        figures=tuple(figure for figure in diagram.figures if figure.site in board.outlines),
        marks=tuple(replace(mark, sites=sites) for mark in diagram.marks if (sites := _within(mark.sites, board))),
        links=tuple(link for link in diagram.links if {link.start, link.end} <= board.outlines.keys()),
        labels=frozenset(_within(tuple(diagram.labels), board)),
    )


@lru_cache(maxsize=64)
def _round(board: Board, middle: Site) -> tuple[Site, ...]:
    centre = board.centre(middle)
    by_distance = sorted(board.outlines, key=lambda site: (round(math.dist(board.centre(site), centre), 6), site))
    return tuple(by_distance[:AROUND])


@lru_cache(maxsize=64)
def _part(board: Board, sites: tuple[Site, ...]) -> Board:
    """The same board each time, since pictures are remembered by it."""
    outlines = {site: outline for site, outline in board.outlines.items() if site in frozenset(sites)}
    lefts, tops = zip(*(point for corners in outlines.values() for point in corners), strict=True)
    centre = (min(lefts) + max(lefts)) / 2, (min(tops) + max(tops)) / 2
    far = max(math.dist(point, centre) for corners in outlines.values() for point in corners)

    def near(point: Point) -> bool:
        return math.dist(point, centre) <= far

    return Board(
        f"{board.name}, {len(sites)} places near {sites[0]}",
        outlines,
        edges={site: _within(sites, outlines) for site, sites in board.edges.items() if site in outlines},
        corners={site: _within(sites, outlines) for site, sites in board.corners.items() if site in outlines},
        zones={name: frozenset(_within(tuple(zone), outlines)) for name, zone in board.zones.items()},
        tones={site: tone for site, tone in board.tones.items() if site in outlines},
        tints=board.tints,
        legends=tuple(legend for legend in board.legends if near(legend.at)),
        lines=tuple(line for line in board.lines if all(map(near, line))),
    )


def _within(sites: tuple[Site, ...], outlines: Board | dict[Site, tuple[Point, ...]]) -> tuple[Site, ...]:
    known = outlines.outlines if isinstance(outlines, Board) else outlines
    return tuple(site for site in sites if site in known)
