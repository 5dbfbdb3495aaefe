"""A place, a line, a zone or a kind of piece in words: who stands where, what touches what, what waits beside or has
fallen."""

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Protocol, TypeAlias, runtime_checkable

from engine.board import Board, Side, Site
from engine.diagram import Diagram, Figure, Tray
from engine.position_text import Unreadable
from engine.teaching.entries import plain
from engine.text import Listing, Phrase, Term, Text, Value

RANGE = re.compile(r"(\^?[a-z]+\d+)\s*(?:-|–|—|\.\.+|…|to|\s)\s*(\^?[a-z]+\d+)", re.IGNORECASE)
"""A stretch of the board: `c1-c7`, `c1 to c7`."""
LINES = frozenset({"row", "rank", "file", "line", "step", "column", "col"})
LONGEST_LINE = 16
"""Places; on a board without lines, more have a letter in common."""
SPARE = frozenset({"area", "zone", "square", "tile", "all", "of", "on", "at"})
"""Words that do not tell one zone from another."""
MINE = frozenset({"my", "mine", "own", "our"})
THEIRS = frozenset({"enemy", "opponent", "their", "his", "her", "opposing", "hostile"})
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


FALLEN = Term("fallen")
"""What a side has lost so far, beside the board."""
Men: TypeAlias = Mapping[Side, tuple[tuple[str, tuple[Term, Term], int], ...]]
"""Of each side, by kind, what one and what several are called, and how many there are."""


@runtime_checkable
class Losing(Protocol):
    """A game whose pieces fall, and whose pictures do not tell which have."""

    def men(self, position: Any) -> Men:
        """All pieces that are in play, on the board or waiting beside it; the kinds always in the same order."""


def fallen(game: object, first: Any, now: Any) -> Iterator[Tray]:
    """What each side has lost since a match's first position."""
    if not isinstance(game, Losing):
        return
    left = game.men(now)
    for side, had in game.men(first).items():
        pairs = zip(had, left.get(side, ()), strict=True)
        lost = ((kind, names, count - has) for (kind, names, count), (_, _, has) in pairs)
        if pieces := tuple((kind, names[count > 1], count) for kind, names, count in lost if count > 0):
            yield Tray(side, FALLEN, pieces)


def place_text(board: Board, diagram: Diagram, place: str, viewer: Side | None = None) -> tuple[Text, ...] | Unreadable:
    """What a diagram shows on a place, a line, in a zone, of a kind of piece, of a side, the viewer's or the enemy's,
    or beside the board; in large or small letters."""
    known = (site for site in board.outlines if site.lower() == place.lower())
    site = place if place in board.outlines else next(known, None)
    if site is None:
        asked = _whose(diagram, plain(place), viewer)
        told = (*_zone(board, diagram, asked), *_pieces(diagram, asked))
        told = told or (*_range(board, diagram, place), *_lines(board, diagram, place), *_beside(diagram, asked))
        return told or Unreadable(
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
    if zones := tuple(name for name, places in board.zones.items() if site in places):
        yield Text("Lies in: {zones}.", zones=Listing(zones, "unit"))
    if near := board.edges.get(site, ()):
        yield Text("Neighbours: {places}.", places=Listing(tuple(near), "unit"))
    if near := board.corners.get(site, ()):
        yield Text("Across a corner: {places}.", places=Listing(tuple(near), "unit"))


def _whose(diagram: Diagram, asked: str, viewer: Side | None) -> str:
    """What is asked for, with the sides by name that a player calls their own and the enemy's."""
    others = [name for side, name in diagram.names.items() if side != viewer]
    own = diagram.names.get(viewer or "")
    if own is None or len(others) != 1:
        return asked
    called = dict.fromkeys(MINE, plain(own)) | dict.fromkeys(THEIRS, plain(others[0]))
    return " ".join(called.get(word, word) for word in asked.split())


def _zone(board: Board, diagram: Diagram, asked: str) -> Iterator[Text]:
    """A zone: its places in the board's order, and who stands there."""
    sides = {plain(name) for name in diagram.names.values()}
    wanted = {*asked.split()} - SPARE
    for name, places in board.zones.items():
        first, *_, last = called = plain(str(name)).split() * 2
        left = {word for word in {*called} - wanted if word not in sides and not word.isdigit()}
        if asked in {first, last} - sides or (wanted - sides and wanted <= {*called} and not left - SPARE):
            listed = tuple(site for site in board.outlines if site in places)
            yield Text("{zone}: {places}.", zone=name, places=Listing(listed, "unit"))
            inside = [figure for figure in diagram.figures if figure.site in places and not figure.ghost]
            yield from (_standing(figure, diagram.names.get(figure.side)) for figure in inside)
            if not inside:
                yield Text("Nobody stands there.")


def _lines(board: Board, diagram: Diagram, asked: str) -> Iterator[Text]:
    """All places that have a letter or a number in common, who stands there, squares and intersections apart."""
    said = [word for word in asked.split() if word.lower() not in LINES]
    if len(said) != 1:
        return
    parts = {site: found.groups() for site in board.outlines if (found := re.fullmatch(r"([A-Za-z]+)(\d+)", site))}
    listed = [site for site, part in parts.items() if said[0] in part]
    listed = listed or [site for site, (letter, _) in parts.items() if said[0].lower() == letter.lower()]
    for wide in (True, False):
        places = [site for site in listed if (len(board.outlines[site]) > 1) == wide]
        if 1 < len(places) <= LONGEST_LINE:
            yield from _stretch(diagram, places)


def _range(board: Board, diagram: Diagram, asked: str) -> Iterator[Text]:
    """From one place to another: who stands on the straight way between them."""
    found = RANGE.fullmatch(asked.strip())
    named = {site.lower(): site for site in board.outlines} | {site: site for site in board.outlines}
    ends = [named.get(end) or named.get(end.lower()) for end in found.groups()] if found else []
    first, last = ends if len(ends) == 2 else (None, None)
    if first is None or last is None:
        return
    yield from _stretch(diagram, _between(board, first, last))


def _stretch(diagram: Diagram, places: list[Site]) -> Iterator[Text]:
    standing = [figure for site in places for figure in diagram.figures if figure.site == site and not figure.ghost]
    ends = {"first": places[0], "last": places[-1]}
    yield Text("From {first} to {last}: {places}.", places=Listing(tuple(places), "unit"), **ends)
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
    wanted = " ".join(word for word in asked.split() if word not in SPARE)
    for figure in diagram.figures:
        kind, side = plain(figure.name), plain(diagram.names.get(figure.side, ""))
        said = (kind, side, f"{side} {kind}", f"{side} piece", "piece")
        if not figure.ghost and wanted and any(f"{name} ".startswith(f"{wanted} ") for name in said):
            yield _standing(figure, diagram.names.get(figure.side))


def _beside(diagram: Diagram, asked: str) -> Iterator[Text]:
    """What lies beside the board under that name, or of that kind where none stands on it."""
    for tray in diagram.trays:
        side, kinds = plain(diagram.names[tray.side]), {plain(name): name for _, name, _ in tray.pieces}
        label = plain(tray.label)
        if asked in (label, f"{side} {label}") or asked in kinds or asked in {f"{side} {kind}" for kind in kinds}:
            yield tray_text(diagram.names[tray.side], tray)


@lru_cache(maxsize=1024)
def tray_text(side: Value, tray: Tray) -> Text:
    """Pieces beside the board."""
    if not tray.pieces:
        return Text("{side}, {tray}: nothing.", side=side, tray=tray.label)
    pieces = [
        Phrase("{count} {piece}", count=count, piece=name) if count != 1 else name for _, name, count in tray.pieces
    ]
    return Text("{side}, {tray}: {pieces}.", side=side, tray=tray.label, pieces=Listing(tuple(pieces), "unit"))


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
