"""The letters of the lines: W X Y Z, or A B C D where the players have agreed on them.

Positions and everything inside speak of W to Z; what people write and see is put into their letters here.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.board import Board
from engine.diagram import Diagram, Mark
from engine.game import Ask, NotationError, Ruling
from engine.games.veney.board import BOARD

_OUT: Final = str.maketrans("WXYZ", "ABCD")
_IN: Final = str.maketrans("ABCDabcd", "WXYZwxyz")
_POINT_OR_SQUARE = re.compile(r"(?<=\^)[WXYZ-]{2}(?=\d)|[WXYZ](?=\d)|\b(?:WX|YZ)\b")
_LINE = re.compile(r"(?<![^\s!`])([S$CBGDLJRea])([WXYZ])(?=[tf]|[WXYZ]\d)")
_AGREED_SQUARE = re.compile(r"[A-Da-d](?=\d)|\b(?:ab|cd)\b", re.IGNORECASE)
_AGREED_LINE = re.compile(r"(?<![^\s!`])([S$CBGDLJRea])([A-D])(?=[tfx]|[A-D]\d)")


def told(text: str) -> str:
    """Words or notation as players with A to D read them."""
    text = _LINE.sub(lambda found: found[1] + found[2].translate(_OUT), text)
    return _POINT_OR_SQUARE.sub(lambda found: found[0].translate(_OUT), text)


def meant(text: str) -> str:
    """What players with A to D have written: a square is told from a piece by the digit that follows."""
    text = _AGREED_LINE.sub(lambda found: found[1] + found[2].translate(_IN), text)
    return _AGREED_SQUARE.sub(lambda found: found[0].translate(_IN), text)


def refused(error: NotationError) -> NotationError:
    return NotationError(told(error.because), told(error.remedy), readings=tuple(map(told, error.readings)))


def ruled(rulings: Iterator[Ruling]) -> Iterator[Ruling]:
    return (replace(one, because=told(one.because), marks=marked(one.marks)) for one in rulings)


def asked(asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
    """Requests for a token or a guess; a layout names no lines."""
    return tuple(
        ask if ask.key == "layout" else replace(ask, prompt=told(ask.prompt), example=told(ask.example)) for ask in asks
    )


def marked(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    return tuple(replace(mark, sites=tuple(map(told, mark.sites))) for mark in marks)


def drawn(diagram: Diagram) -> Diagram:
    return replace(
        diagram,
        board=LETTERED,
        figures=tuple(figure._replace(site=told(figure.site)) for figure in diagram.figures),
        marks=marked(diagram.marks),
        links=tuple(
            link._replace(start=told(link.start), end=told(link.end), name=told(link.name)) for link in diagram.links
        ),
        notes=tuple(map(told, diagram.notes)),
        labels=frozenset(map(told, diagram.labels)),
    )


def _lettered(board: Board) -> Board:
    return replace(
        board,
        outlines={told(site): outline for site, outline in board.outlines.items()},
        edges={told(site): tuple(map(told, others)) for site, others in board.edges.items()},
        corners={told(site): tuple(map(told, others)) for site, others in board.corners.items()},
        zones={zone: frozenset(map(told, sites)) for zone, sites in board.zones.items()},
        tones={told(site): tone for site, tone in board.tones.items()},
        legends=tuple(replace(legend, text=legend.text.translate(_OUT)) for legend in board.legends),
    )


LETTERED: Final = _lettered(BOARD)
"""The piste with A to D at its lines."""
