"""A place on a board in words: who stands there and what it touches."""

from engine.board import Board
from engine.diagram import Diagram
from engine.position_text import Unreadable
from engine.text import Listing, Text


def place_text(board: Board, diagram: Diagram, place: str) -> tuple[Text, ...] | Unreadable:
    """What a diagram shows on a place, in large or small letters."""
    known = (site for site in board.outlines if site.lower() == place.lower())
    site = place if place in board.outlines else next(known, None)
    if site is None:
        return Unreadable(
            Text("There is no place {place} on this board.", place=place),
            Text("Try `look {place}`.", place=next(iter(board.outlines))),
        )
    said = tuple(
        Text("{place}: {side} {piece}.", place=site, side=diagram.names[figure.side], piece=figure.name)
        if figure.side in diagram.names
        else Text("{place}: {piece}.", place=site, piece=figure.name)
        for figure in diagram.figures
        if figure.site == site and not figure.ghost
    )
    near = board.edges.get(site, ())
    touching = (Text("Neighbours: {places}.", places=Listing(tuple(near), "unit")),) if near else ()
    return (said or (Text("{place} is empty.", place=site),)) + touching
