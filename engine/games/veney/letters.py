"""The letters of the lines: W X Y Z, or A B C D where the players have agreed on them.

Positions and everything inside speak of W to Z; what people write and see is put into their letters here.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, TypeVar

from engine.board import Board, Site
from engine.composition import Menu, Pick, Shift
from engine.diagram import Diagram, Mark
from engine.game import Ask, Examined, NotationError, Ruling
from engine.games.veney.action import Action, Turn
from engine.games.veney.board.piste import BOARD
from engine.games.veney.notation import read as notation
from engine.games.veney.position import Position
from engine.text import Code, Listing, Term, Text, Value

_T = TypeVar("_T", bound=Text)

_OUT: Final = str.maketrans("WXYZ", "ABCD")
_IN: Final = str.maketrans("ABCDabcd", "WXYZwxyz")
_POINT_OR_SQUARE = re.compile(r"(?<=\^)[WXYZ-]{2}(?=\d)|[WXYZ](?=\d)|\b(?:WX|YZ)\b")
_LINE = re.compile(r"(?<![^\s!`])([S$CBGDLJRea])([WXYZ])(?=[tf]|[WXYZ]\d)")
_AGREED_SQUARE = re.compile(r"[A-Da-d](?=\d)|\b(?:ab|cd)\b", re.IGNORECASE)
_AGREED_LINE = re.compile(r"(?<![^\s!`])([S$CBGDLJRea])([A-D])(?=[tfx]|[A-D]\d)")


def meant(text: str) -> str:
    """What players with A to D have written: a square is told from a piece by the digit that follows."""
    text = _AGREED_LINE.sub(lambda found: found[1] + found[2].translate(_IN), text)
    return _AGREED_SQUARE.sub(lambda found: found[0].translate(_IN), text)


def read(text: str, position: Position) -> Turn:
    """The turn that a text with A to D describes. Raises NotationError."""
    try:
        return notation.read(meant(text), position)
    except NotationError as error:
        remedy = None if error.remedy is None else _said(error.remedy)
        readings = tuple(map(_told, error.readings))
        raise NotationError(_said(error.because), remedy, error.column, readings) from None


def written(position: Position, text: str) -> str:
    """Notation in the letters agreed on."""
    return _told(text) if position.terms.abcd else text


def picked(position: Position, picks: tuple[Pick, ...]) -> tuple[Pick, ...]:
    """Picks by the letters agreed on, by those of the rulebook."""
    return tuple(_MEANT.get(pick, pick) for pick in picks) if position.terms.abcd else picks


def offered(position: Position, menu: Menu) -> Menu:
    """A menu in the letters agreed on."""
    if not position.terms.abcd:
        return menu
    return replace(
        menu,
        prompt=_said(menu.prompt),
        sites=tuple(map(_told, menu.sites)),
        text=_told(menu.text),
        shifts=tuple(map(_shifted, menu.shifts)),
    )


def spoken(position: Position, text: Text | None) -> Text | None:
    """A sentence with its notation in the letters agreed on."""
    return _said(text) if position.terms.abcd and text is not None else text


def told(position: Position, texts: Iterator[Text]) -> tuple[Text, ...]:
    """Sentences with their notation in the letters agreed on."""
    return tuple(map(_said, texts) if position.terms.abcd else texts)


def ruled(position: Position, rulings: Iterator[Ruling[Action]]) -> Iterator[Ruling[Action]]:
    """Rulings in the letters agreed on."""
    return map(_ruled, rulings) if position.terms.abcd else rulings


def examined(position: Position, found: Examined[Position, Action]) -> Examined[Position, Action]:
    """Everything about a turn in the letters agreed on."""
    if not position.terms.abcd:
        return found
    return replace(found, rulings=tuple(map(_ruled, found.rulings)), text=_told(found.text))


def asked(position: Position, asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
    """Requests in the letters agreed on; a layout names no lines."""
    if not position.terms.abcd:
        return asks
    return tuple(
        ask
        if ask.key in ("layout", "surplus", "hands")
        else replace(ask, prompt=_said(ask.prompt), example=_told(ask.example))
        for ask in asks
    )


def named(position: Position, sites: frozenset[Site]) -> frozenset[Site]:
    """Squares in the letters agreed on."""
    return frozenset(map(_told, sites)) if position.terms.abcd else sites


def marked(position: Position, marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """Marks in the letters agreed on."""
    return tuple(map(_marked, marks)) if position.terms.abcd else marks


def drawn(position: Position, diagram: Diagram) -> Diagram:
    """A picture with the letters agreed on."""
    if not position.terms.abcd:
        return diagram
    return replace(
        diagram,
        board=LETTERED,
        figures=tuple(figure._replace(site=_told(figure.site)) for figure in diagram.figures),
        marks=tuple(map(_marked, diagram.marks)),
        links=tuple(link._replace(start=_told(link.start), end=_told(link.end)) for link in diagram.links),
        notes=tuple(map(_said, diagram.notes)),
        labels=frozenset(map(_told, diagram.labels)),
    )


def _ruled(ruling: Ruling[Action]) -> Ruling[Action]:
    return replace(ruling, because=_said(ruling.because), marks=tuple(map(_marked, ruling.marks)))


def _marked(mark: Mark) -> Mark:
    return replace(mark, sites=tuple(map(_told, mark.sites)), left=tuple(map(_told, mark.left)))


def _shifted(shift: Shift) -> Shift:
    figures = [figure and figure._replace(site=_told(figure.site)) for figure in (shift.figure, shift.left)]
    return Shift(_told(shift.origin), _told(shift.target), *figures)


def _told(notation: str) -> str:
    """Notation as players with A to D read it."""
    notation = _LINE.sub(lambda found: found[1] + found[2].translate(_OUT), notation)
    return _POINT_OR_SQUARE.sub(lambda found: found[0].translate(_OUT), notation)


def _said(text: _T) -> _T:
    """A sentence whose notation has these letters; its own words are no notation."""
    lettered = type(text)(text.template, **{name: _value(value) for name, value in text.values.items()})
    lettered.many = text.many
    return lettered


def _value(value: Value) -> Value:
    match value:
        case Text():
            return _said(value)
        case Listing(items=items, style=style):
            return Listing(tuple(map(_value, items)), style)
        case Code(text=text):
            return Code(_told(text))
        case Term():
            return value
        case str():
            return _told(value)
        case _:
            return value


def _lettered(board: Board) -> Board:
    return replace(
        board,
        outlines={_told(site): outline for site, outline in board.outlines.items()},
        edges={_told(site): tuple(map(_told, others)) for site, others in board.edges.items()},
        corners={_told(site): tuple(map(_told, others)) for site, others in board.corners.items()},
        zones={zone: frozenset(map(_told, sites)) for zone, sites in board.zones.items()},
        tones={_told(site): tone for site, tone in board.tones.items()},
        legends=tuple(replace(legend, text=legend.text.translate(_OUT)) for legend in board.legends),
    )


LETTERED: Final = _lettered(BOARD)
"""The piste with A to D at its lines."""

_MEANT: Final = {_told(site): site for site in BOARD.outlines}
