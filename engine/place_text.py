"""A place, a zone or a kind of piece on a board in words: who stands where, and what touches what."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

from engine.board import Board, Side, Site
from engine.diagram import Diagram, Figure
from engine.position_text import Unreadable
from engine.teaching.entries import plain
from engine.text import Code, Listing, Term, Text

RANGE = re.compile(r"(\^?[a-z]+\d+)\s*(?:-|–|—|\.\.+|…|to|\s)\s*(\^?[a-z]+\d+)", re.IGNORECASE)
"""A stretch of the board: `c1-c7`, `c1 to c7`."""
OFF_LINE = 0.05
"""How far from a line a place's middle may lie, in tiles."""
TONES = (
    Text("It is light."),
    Text("It is of the middle tone."),
    Text("It is dark."),
    Text("It is green."),
    Text("It is grey."),
)


@runtime_checkable
class Striking(Protocol):
    """A game that captures without going there."""

    def hits(self, position: Any, site: Site) -> Mapping[Side, tuple[Site, ...]]:
        """From where each side attacks a place; sides that do not are left out."""


def place_text(board: Board, diagram: Diagram, place: str) -> tuple[Text, ...] | Unreadable:
    """What a diagram shows on a place, in a zone, of a kind of piece or of a side; in large or small letters."""
    known = (site for site in board.outlines if site.lower() == place.lower())
    site = place if place in board.outlines else next(known, None)
    if site is None:
        if told := (*_zone(board, diagram, place), *_pieces(diagram, place)):
            return told
        if told := tuple(_range(board, diagram, place)):
            return told
        return Unreadable(
            Text("There is no place {place} on this board.", place=place),
            Text("Try `look {place}`.", place=next(iter(board.outlines))),
        )
    standing = (figure for figure in diagram.figures if figure.site == site and not figure.ghost)
    said = tuple(_standing(figure, diagram.names.get(figure.side)) for figure in standing)
    return (said or (Text("{place} is empty.", place=site),)) + tuple(_lies(board, site))


def _lies(board: Board, site: Site) -> Iterator[Text]:
    """The place itself: its tone, its zones, what it touches."""
    if site in board.tones:
        two = set(board.tones.values()) <= {0, 1}
        yield TONES[2 * board.tones[site] if two else board.tones[site]]
    if zones := tuple(Code(name) for name, places in board.zones.items() if site in places):
        yield Text("It lies in {zones}.", zones=Listing(zones))
    if near := board.edges.get(site, ()):
        yield Text("Neighbours: {places}.", places=Listing(tuple(near), "unit"))
    if near := board.corners.get(site, ()):
        yield Text("Across a corner: {places}.", places=Listing(tuple(near), "unit"))


def _zone(board: Board, diagram: Diagram, asked: str) -> Iterator[Text]:
    """A zone: its places in the board's order, and who stands there."""
    sides = {plain(name) for name in diagram.names.values()}
    for name, places in board.zones.items():
        first, *_, last = plain(name).split() * 2
        if plain(asked) in {plain(name), first, last} - sides:
            listed = tuple(site for site in board.outlines if site in places)
            yield Text("{zone} holds {places}.", zone=Code(name), places=Listing(listed))
            inside = [figure for figure in diagram.figures if figure.site in places and not figure.ghost]
            yield from (_standing(figure, diagram.names.get(figure.side)) for figure in inside)
            if not inside:
                yield Text("Nobody stands there.")


def _range(board: Board, diagram: Diagram, asked: str) -> Iterator[Text]:
    """From one place to another: who stands on the straight way between them."""
    found = RANGE.fullmatch(asked.strip())
    named = {site.lower(): site for site in board.outlines} | {site: site for site in board.outlines}
    ends = [named.get(end) or named.get(end.lower()) for end in found.groups()] if found else []
    first, last = ends if len(ends) == 2 else (None, None)
    if first is None or last is None:
        return
    places = _between(board, first, last)
    standing = [figure for site in places for figure in diagram.figures if figure.site == site and not figure.ghost]
    yield Text("From {first} to {last}: {places}.", first=first, last=last, places=Listing(tuple(places), "unit"))
    yield from (_standing(figure, diagram.names.get(figure.side)) for figure in standing)
    if not standing:
        yield Text("Nobody stands there.")


def _between(board: Board, first: Site, last: Site) -> list[Site]:
    """The places whose middle lies on the line from one to the other, in that order."""
    (x, y), (end_x, end_y) = board.centre(first), board.centre(last)
    across, down = end_x - x, end_y - y
    length = math.hypot(across, down) or 1.0

    def along(site: Site) -> tuple[float, float]:
        at_x, at_y = board.centre(site)
        far = ((at_x - x) * across + (at_y - y) * down) / length
        return far, abs((at_x - x) * down - (at_y - y) * across) / length

    kind = len(board.outlines[first]) > 1  # squares and intersections may share a board
    spots = {site: along(site) for site, outline in board.outlines.items() if (len(outline) > 1) == kind}
    inside = [site for site, (far, off) in spots.items() if off < OFF_LINE and -OFF_LINE < far < length + OFF_LINE]
    return sorted(inside, key=lambda site: spots[site][0])


def _pieces(diagram: Diagram, asked: str) -> Iterator[Text]:
    """Every piece of a kind, of a side, or of a kind and a side, as each stands."""
    for figure in diagram.figures:
        kind, side = plain(figure.name), plain(diagram.names.get(figure.side, ""))
        if not figure.ghost and plain(asked) in {kind, side, f"{side} {kind}"} - {""}:
            yield _standing(figure, diagram.names.get(figure.side))


def _standing(figure: Figure, side: Term | None) -> Text:
    """Who stands on a place, and on what."""
    values = {"place": figure.site, "piece": figure.name, "below": figure.below}
    match side, figure.below:
        case None, "":
            return Text("{place}: {piece}.", **values)
        case None, _:
            return Text("{place}: {piece} {below}.", **values)
        case _, "":
            return Text("{place}: {side} {piece}.", side=side, **values)
        case _:
            return Text("{place}: {side} {piece} {below}.", side=side, **values)
