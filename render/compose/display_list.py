"""What a diagram shows as items, from the lowest to the highest: each is painted on the bare background and remembered
alone, and laid over those before it."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from engine.board import Side, Site
from engine.diagram import Diagram, Figure, Link, MarkKind
from render.drawing.marks import Sign
from render.layout.page import Layout
from render.layout.words import Flow, Word, Wording


class TitleItem(NamedTuple):
    """The title."""

    text: str


class WordItem(NamedTuple):
    """A word of a side's block, or ("") of throws and notes."""

    side: Side
    x: int
    """Left end of its block."""
    y: int
    """Top of its block."""
    word: Word
    said: str = ""
    """After the name of a side that is to act or has won: "to move", in the reader's language."""
    won: bool = False


class MarkItem(NamedTuple):
    """A mark on a place: what it lays below the pieces, or its sign over everything."""

    site: Site
    kind: Sign
    sign: bool = False
    falling: bool = False
    """Of a zone: how it is hatched, so that each of two sides has its own."""


class MarkedFigure(NamedTuple):
    """A piece on a mark that gives its place another tone."""

    figure: Figure


Item: TypeAlias = TitleItem | WordItem | MarkItem | Figure | MarkedFigure | Link
"""All that decides the pixels of a delta. Tuples of equal values are equal whatever their class, so no two classes hold
the same."""

ORDER: tuple[Sign, ...] = ("left", "moved", "zone", "reach", "blocker", "culprit", "won", "taken")
"""In which marks lie on one another; those round stones lie over those of squares."""
TONING: Sign = "moved"
"""The mark that gives its place another tone."""
SIGNED: frozenset[MarkKind] = frozenset({"culprit", "blocker"})
"""Marks with a sign."""


def display_list(diagram: Diagram, wording: Wording, layout: Layout, flows: tuple[Flow, ...]) -> list[Item]:
    """All items of a picture, in drawing order; `flows` are the words of its blocks and its foot."""
    cells, links = layout.cells, diagram.links
    falling = falling_sides(diagram)
    standing = {figure.site for figure in diagram.figures if not figure.ghost}
    marks = [
        MarkItem(
            site,
            "left" if mark.kind == "moved" and site not in standing else mark.kind,
            falling=mark.side in falling,
        )
        for mark in diagram.marks
        for site in mark.sites
        if site in cells
    ]
    marks.sort(key=lambda mark: (cells[mark.site].round, ORDER.index(mark.kind)))
    toned = {mark.site for mark in marks if mark.kind == TONING}
    said = dict.fromkeys(diagram.winners, wording.won) if diagram.to_act is None else {diagram.to_act: wording.to_move}
    return [
        TitleItem(wording.title),
        *_words(said, diagram.to_act is None, layout, flows),
        *marks,
        *[link for link in links if link.style == "string"],
        *[figure for figure in diagram.figures if figure.ghost and figure.site not in standing],
        *[MarkedFigure(fig) if fig.site in toned else fig for fig in diagram.figures if not fig.ghost],
        *[link for link in links if link.style != "string"],
        *[mark._replace(sign=True) for mark in marks if mark.kind in SIGNED],
    ]


def falling_sides(diagram: Diagram) -> tuple[Side, ...]:
    """Returns the sides whose zones are hatched with falling lines; those of the others rise."""
    return tuple(diagram.names)[1::2]


def is_transient(item: Item) -> bool:
    """Returns whether the next turn takes the item away: it points at the last turn, or at a call."""
    match item:
        case MarkedFigure() | Figure(ghost=True) | Link(style="arrow"):
            return True
        case MarkItem(kind=kind):
            return kind != "zone"
    return False


def _words(said: Mapping[Side, str], over: bool, layout: Layout, flows: tuple[Flow, ...]) -> Iterator[WordItem]:
    """Word by word, so that a new number is not the whole line anew."""
    for (side, x, y), flow in zip((*layout.blocks, layout.foot), flows, strict=True):
        for word in flow.words:
            after = said.get(side, "") if word.sort in ("name", "names") else ""
            yield WordItem(side, x, y, word, after, won=bool(after) and over)
