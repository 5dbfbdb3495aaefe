"""A place, a zone or a kind of piece on a board in words: who stands where, and what touches what."""

from collections.abc import Iterator

from engine.board import Board, Site
from engine.diagram import Diagram, Figure
from engine.position_text import Unreadable
from engine.teaching.entries import plain
from engine.text import Code, Listing, Term, Text

TONES = (
    Text("It is light."),
    Text("It is of the middle tone."),
    Text("It is dark."),
    Text("It is green."),
    Text("It is grey."),
)


def place_text(board: Board, diagram: Diagram, place: str) -> tuple[Text, ...] | Unreadable:
    """What a diagram shows on a place, in a zone, or of a kind of piece; in large or small letters."""
    known = (site for site in board.outlines if site.lower() == place.lower())
    site = place if place in board.outlines else next(known, None)
    if site is None:
        if told := (*_zone(board, diagram, place), *_pieces(diagram, place)):
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
    for name, places in board.zones.items():
        if plain(name) == plain(asked):
            listed = tuple(site for site in board.outlines if site in places)
            yield Text("{zone} holds {places}.", zone=Code(name), places=Listing(listed))
            inside = [figure for figure in diagram.figures if figure.site in places and not figure.ghost]
            yield from (_standing(figure, diagram.names.get(figure.side)) for figure in inside)
            if not inside:
                yield Text("Nobody stands there.")


def _pieces(diagram: Diagram, asked: str) -> Iterator[Text]:
    """Every piece of a kind, as each stands."""
    for figure in diagram.figures:
        if not figure.ghost and plain(asked) == plain(figure.name):
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
