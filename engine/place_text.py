"""A place on a board in words: who stands there and what it touches."""

from engine.board import Board
from engine.diagram import Diagram, Figure
from engine.position_text import Unreadable
from engine.text import Listing, Term, Text


def place_text(board: Board, diagram: Diagram, place: str) -> tuple[Text, ...] | Unreadable:
    """What a diagram shows on a place, in large or small letters."""
    known = (site for site in board.outlines if site.lower() == place.lower())
    site = place if place in board.outlines else next(known, None)
    if site is None:
        return Unreadable(
            Text("There is no place {place} on this board.", place=place),
            Text("Try `look {place}`.", place=next(iter(board.outlines))),
        )
    standing = (figure for figure in diagram.figures if figure.site == site and not figure.ghost)
    said = tuple(_standing(figure, diagram.names.get(figure.side)) for figure in standing)
    near = board.edges.get(site, ())
    touching = (Text("Neighbours: {places}.", places=Listing(tuple(near), "unit")),) if near else ()
    return (said or (Text("{place} is empty.", place=site),)) + touching


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
