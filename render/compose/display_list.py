"""What a diagram shows as items, from the lowest to the highest: each is painted on the bare background and remembered
alone, and laid over those before it."""

import math
from collections.abc import Iterator, Mapping, Set
from typing import Literal, NamedTuple, TypeAlias

from engine.board import Point, Side, Site
from engine.diagram import Diagram, Figure, Link, MarkKind
from render.drawing.marks import Sign
from render.layout.cells import LEGIBLE
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
    toned: bool = False
    """Whether a mark below it gives the place another tone."""


class NameItem(NamedTuple):
    """A place's own name, once more, where a line or a ghost would lie over it."""

    site: Site
    kind: Literal["moved", "taken", ""]
    """The mark that gives the place its tone."""
    plate: bool
    """The piece that hides what lies there, or the letters."""


class MarkedFigure(NamedTuple):
    """A piece on a mark that gives its place another tone."""

    figure: Figure


class TakenFigure(NamedTuple):
    """A piece that was taken, in the burst that says so."""

    figure: Figure
    taken: bool = True


Item: TypeAlias = TitleItem | WordItem | MarkItem | NameItem | Figure | MarkedFigure | TakenFigure | Link
"""All that decides the pixels of a delta. Tuples of equal values are equal whatever their class, so no two classes hold
the same."""

ORDER: tuple[Sign, ...] = ("left", "moved", "zone", "reach", "reached", "blocker", "culprit", "won", "taken")
"""In which marks lie on one another; those round stones lie over those of squares."""
TONING: Sign = "moved"
"""The mark that gives its place another tone."""
SIGNED: frozenset[MarkKind] = frozenset({"culprit", "blocker"})
"""Marks with a sign."""


def display_list(diagram: Diagram, wording: Wording, layout: Layout, flows: tuple[Flow, ...]) -> list[Item]:
    """All items of a picture, in drawing order; `flows` are the words of its blocks and its foot."""
    cells, links = layout.cells, diagram.links
    falling = falling_sides(diagram)
    standing = diagram.standing
    marks = [
        MarkItem(
            site,
            _seen(mark.kind, stands=site in standing and site not in mark.left),
            falling=mark.side in falling,
        )
        for mark in diagram.marks
        for site in mark.sites
        if site in cells
    ]
    marks.sort(key=lambda mark: (cells[mark.site].round, ORDER.index(mark.kind)))
    toned = {mark.site for mark in marks if mark.kind == TONING}
    marks = [mark._replace(toned=mark.site in toned and mark.kind != TONING) for mark in marks]
    taken = {mark.site for mark in marks if mark.kind == "taken"}
    pieces, strings = list(_pieces(diagram, toned, taken)), [link for link in links if link.style == "string"]
    squares, points = ([mark for mark in marks if cells[mark.site].round is stone] for stone in (False, True))
    above = [mark for mark in squares if ORDER.index(mark.kind) >= ORDER.index("reach")]
    said = dict.fromkeys(diagram.winners, wording.won) if diagram.to_act is None else {diagram.to_act: wording.to_move}
    return [
        TitleItem(wording.title),
        *_words(said, diagram.to_act is None, layout, flows),
        *squares[: len(squares) - len(above)],
        *[link for link in links if link.style == "dash"],  # below the dots of places within reach
        *above,
        *[link for link in strings if not cells[link.start].round],
        *[piece for site, piece in pieces if not cells[site].round],
        # Stones lie over what stands on the squares round them, and so does what points at them.
        *points,
        *[link for link in strings if cells[link.start].round],
        *[piece for site, piece in pieces if cells[site].round],
        *[link for link in links if link.style == "arrow"],
        *_names_again(diagram, layout, toned),
        *[mark._replace(sign=True) for mark in marks if mark.kind in SIGNED],
    ]


def _pieces(diagram: Diagram, toned: Set[Site], taken: Set[Site]) -> Iterator[tuple[Site, Item]]:
    """Ghosts where nothing stands now, then what stands, each with its place."""
    standing = diagram.standing
    for figure in diagram.figures:
        if figure.ghost and figure.site not in standing:
            yield figure.site, TakenFigure(figure) if figure.site in taken else figure
    for figure in diagram.figures:
        if not figure.ghost:
            yield figure.site, MarkedFigure(figure) if figure.site in toned else figure


def _seen(kind: MarkKind, *, stands: bool) -> Sign:
    """How a mark is drawn where a piece stands, or none."""
    if kind == "moved" and not stands:
        return "left"
    return "reached" if kind == "reach" and stands else kind


def _names_again(diagram: Diagram, layout: Layout, toned: Set[Site]) -> Iterator[NameItem]:
    """The names that lines cross, and those beside what was taken."""
    taken = {site for mark in diagram.marks if mark.kind == "taken" for site in mark.sites}
    lines = [link for link in diagram.links if link.style != "string"]
    if not lines and not taken:
        return
    ends = [(layout.cells[link.start].centre, layout.cells[link.end].centre) for link in lines]
    for site, cell in layout.cells.items():
        if site not in diagram.labels or cell.label == cell.centre or cell.label_size < LEGIBLE:
            continue
        if site in taken or any(far(cell.label, *line) < cell.label_size for line in ends):
            kind: Literal["taken", "moved", ""] = "taken" if site in taken else "moved" if site in toned else ""
            yield NameItem(site, kind, plate=True)
            yield NameItem(site, kind, plate=False)


def far(point: Point, a: Point, b: Point) -> float:
    """Returns how far a point is from the line between two others."""
    (x, y), (dx, dy) = (point[0] - a[0], point[1] - a[1]), (b[0] - a[0], b[1] - a[1])
    along = max(0.0, min(1.0, (x * dx + y * dy) / (dx * dx + dy * dy or 1.0)))
    return math.hypot(x - along * dx, y - along * dy)


def falling_sides(diagram: Diagram) -> tuple[Side, ...]:
    """Returns the sides whose zones are hatched with falling lines; those of the others rise."""
    return tuple(diagram.names)[1::2]


def is_transient(item: Item) -> bool:
    """Returns whether the next turn takes the item away: it points at the last turn, or at a call."""
    match item:
        case MarkedFigure() | TakenFigure() | NameItem() | Figure(ghost=True) | Link(style="arrow"):
            return True
        case MarkItem(kind=kind):
            return kind != "zone"
    return False


def _words(said: Mapping[Side, str], over: bool, layout: Layout, flows: tuple[Flow, ...]) -> Iterator[WordItem]:
    """Word by word, so that a new number does not change the whole line."""
    for (side, x, y), flow in zip((*layout.blocks, layout.foot), flows, strict=True):
        for word in flow.words:
            after = said.get(side, "") if word.sort in ("name", "names") else ""
            yield WordItem(side, x, y, word, after, won=bool(after) and over)
