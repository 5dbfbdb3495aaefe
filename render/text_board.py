"""The board as plain characters, for readers without pictures, from the same diagram as the picture."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from engine.board import Point, Site
from engine.diagram import Diagram, Figure, Tray
from engine.text import Listing, Phrase, Term, Text
from render.alt_text import MARKED, pointed_at, to_act
from render.taken import show_taken
from render.view import Say

EMPTY, REACHED = "·", "*"
LETTERS = 2
"""Of a sign; a kind that is longer says itself what it is."""
WIDEST = 48
"""Columns or rows; a board that needs more (a rosette) would be unreadable."""


def board(diagram: Diagram, say: Say = str) -> str:
    """Returns the position as lines of text: a grid, or zone by zone where the board is none.

    A cell is side and kind: `BS` is Black's Self; `+` = a piece below it, `!` = a piece on top of it. An empty place is
    a dot, or its name if it is one of the labels. Where nothing around the board names its places, each cell does. A
    place within reach has a star. What else the picture points at is said below.
    """
    at = {site: _turned(diagram.board.centre(site), diagram.turned) for site in diagram.board.outlines}
    outlines = diagram.board.outlines
    tiles = [site for site, outline in outlines.items() if len(outline) > 1 or site.isalnum()]
    standing = {figure.site: figure for figure in diagram.figures if not figure.ghost}
    cells = {at[site]: site if site in diagram.labels else EMPTY for site in tiles}
    cells |= {at[site]: _cell(figure) for site, figure in standing.items()}
    if not diagram.board.legends:
        cells |= {at[site]: _named(site, standing) for site in tiles}
    for site in _reached(diagram):
        cell = cells.get(at[site], EMPTY)
        cells[at[site]] = REACHED if cell == EMPTY else cell + REACHED
    for legend in diagram.board.legends:
        cells.setdefault(_turned(legend.at, diagram.turned), legend.text)
    columns, rows = _steps(x for x, _ in cells), _steps(y for _, y in cells)
    if len(columns) > WIDEST or len(rows) > WIDEST:
        return "\n".join([*_by_zone(diagram, standing, say), "", *_beside(diagram, say)]).rstrip()
    lines = [[""] * len(columns) for _ in rows]
    for (x, y), cell in cells.items():
        lines[rows.index(y)][columns.index(x)] = cell
    # Flush left, as a column of cells in the middle of their width would drift by half a letter.
    widths = [max(2, *(len(line[column]) for line in lines)) for column in range(len(columns))]
    drawn = [" ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
    return "\n".join(line.rstrip() for line in [*drawn, "", *_beside(diagram, say)]).rstrip()


def _named(site: Site, standing: Mapping[Site, Figure]) -> str:
    """A place and who stands there: `c7 WA+`."""
    return f"{site} {_cell(standing[site])}" if site in standing else site


def _by_zone(diagram: Diagram, standing: Mapping[Site, Figure], say: Say) -> Iterator[str]:
    """A line for each zone, with all its places and who stands there; last, whoever stands in none."""
    board, reached = diagram.board, frozenset(_reached(diagram))
    told: set[Site] = set()

    def named(site: Site) -> str:
        return _named(site, standing) + REACHED * (site in reached)

    for name, places in board.zones.items():
        yield f"{say(name) if isinstance(name, Term | Phrase) else name}: " + ", ".join(
            named(site) for site in board.outlines if site in places
        )
        told |= places
    shown = standing.keys() | reached
    if others := [named(site) for site in board.outlines if site in shown and site not in told]:
        yield f"{EMPTY}: " + ", ".join(others)


def _reached(diagram: Diagram) -> tuple[Site, ...]:
    """The places within reach."""
    return tuple(site for mark in diagram.marks if mark.kind == "reach" for site in mark.sites)


def _beside(diagram: Diagram, say: Say) -> list[str]:
    """What lies beside the board, the notes, and whose turn it is."""
    trays = [
        Text("{side}, {tray}: {pieces}", side=diagram.names[tray.side], tray=tray.label, pieces=_pieces(tray))
        for tray in diagram.trays
        if tray.pieces
    ]
    shown = show_taken(diagram)
    bare = replace(shown, marks=tuple(mark for mark in shown.marks if mark.kind != "reach"))
    told = (*_signs(diagram), *trays, *pointed_at(bare), *diagram.notes, to_act(diagram))
    said = [say(text) for text in told]
    reached = _reached(diagram)
    return [*said, *([f"{REACHED} {say(MARKED['reach'](Listing(reached, 'unit')))}"] if reached else [])]


def _signs(diagram: Diagram) -> Iterator[Text]:
    """What the letters on the board stand for: first the sides, then the pieces."""
    seen = {figure.side for figure in diagram.figures if not figure.ghost}
    sides = (Phrase("{sign} {piece}", sign=key, piece=name) for key, name in diagram.names.items() if key in seen)
    signs: dict[str, Text] = {}
    for figure in diagram.figures:
        if not figure.ghost and (sign := _cell(figure)[len(figure.side) :]) not in signs:
            words = SIGN_ON if figure.below else SIGN
            signs[sign] = Phrase(words.template, sign=sign, piece=figure.name, below=figure.below)
    for kind, name, _ in (piece for tray in diagram.trays for piece in tray.pieces):
        signs.setdefault(kind, Phrase(SIGN.template, sign=kind, piece=name))
    signs = {sign: told for sign, told in signs.items() if len(sign.strip("+!")) <= LETTERS}
    if signs:
        told = Listing(tuple(signs[sign] for sign in sorted(signs)), "unit")
        yield Text(
            "First comes the side: {sides}; then the piece: {signs}.", sides=Listing(tuple(sides), "unit"), signs=told
        )
    elif seen:
        yield Text("The sides: {sides}.", sides=Listing(tuple(sides), "unit"))


SIGN, SIGN_ON = Phrase("{sign} {piece}"), Phrase("{sign} {piece} {below}")


def _pieces(tray: Tray) -> str:
    """In notation: `D G2`."""
    letters = ((kind if len(kind) <= LETTERS else "", count) for kind, _, count in tray.pieces)
    return " ".join(letter if count == 1 and letter else f"{letter}{count}" for letter, count in letters)


def _cell(figure: Figure) -> str:
    space = " " * (len(figure.kind) > LETTERS)
    return figure.side + space + figure.kind + "+" * len(figure.under) + "!" * bool(figure.badge)


def _turned(point: Point, degrees: float) -> Point:
    """Where a place lies on the turned board; rounded, so that level places line up."""
    x, y = point
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return round(x * c - y * s, 3) + 0.0, round(x * s + y * c, 3) + 0.0


def _steps(values: Iterable[float]) -> list[float]:
    return sorted(set(values))
