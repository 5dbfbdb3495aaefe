"""What a diagram shows as stamps, from the lowest to the highest: each is painted on the bare ground and remembered
alone, and laid over those before it."""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from engine.board import Side, Site
from engine.diagram import Diagram, Figure, Link, MarkKind
from render.layout import Flow, Layout, Word


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


class Marked(NamedTuple):
    """A mark on a place: what it lays below the pieces, or its sign over everything."""

    site: Site
    kind: MarkKind
    sign: bool = False


class Washed(NamedTuple):
    """A piece on a mark that gives its place another tone."""

    figure: Figure


Stamp: TypeAlias = Titled | Worded | Marked | Figure | Washed | Link
"""What decides the pixels of a patch. Tuples are equal whatever they are called, so no two sorts hold the same."""

ORDER: tuple[MarkKind, ...] = ("moved", "zone", "reach", "blocker", "culprit", "taken")
"""In which marks lie on one another; those round stones lie over those of squares."""
WASH: MarkKind = "moved"
LOUD: frozenset[MarkKind] = frozenset({"culprit", "blocker"})
"""Marks with a sign."""


def stamps(diagram: Diagram, layout: Layout, flows: tuple[Flow, ...]) -> list[Stamp]:
    """All parts of a picture, in drawing order; `flows` are the words of its blocks and its foot."""
    cells, links = layout.cells, diagram.links
    marks = [Marked(site, mark.kind) for mark in diagram.marks for site in mark.sites if site in cells]
    marks.sort(key=lambda mark: (cells[mark.site].round, ORDER.index(mark.kind)))
    washed = {mark.site for mark in marks if mark.kind == WASH}
    return [
        Titled(diagram.title),
        *_words(diagram.to_act, layout, flows),
        *marks,
        *[link for link in links if link.style == "string"],
        *[figure for figure in diagram.figures if figure.ghost],
        *[Washed(fig) if fig.site in washed else fig for fig in diagram.figures if not fig.ghost],
        *[link for link in links if link.style != "string"],
        *[mark._replace(sign=True) for mark in marks if mark.kind in LOUD],
    ]


def left(stamp: Stamp) -> Stamp | None:
    """What is left of it where the next turn changes nothing; nothing of what marks the last turn or a call."""
    match stamp:
        case Washed(figure):
            return figure
        case Marked(kind=kind) if kind != "zone":
            return None
        case Figure(ghost=True) | Link(style="arrow"):
            return None
    return stamp


def passes(stamp: Stamp) -> bool:
    """Whether it is gone with the next turn."""
    return left(stamp) is not stamp


def _words(to_act: Side | None, layout: Layout, flows: tuple[Flow, ...]) -> Iterator[Worded]:
    """Word by word, so that a new number is not the whole line anew."""
    for (side, x, y), flow in zip((*layout.blocks, layout.foot), flows, strict=True):
        for word in flow.words:
            yield Worded(side, x, y, word, word.sort == "name" and side == to_act)
