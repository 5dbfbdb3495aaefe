"""The words on a picture in its reader's language, and how they flow into lines."""

import math
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.board import Side
from engine.diagram import Diagram, Throw, Tray
from engine.text import Term, Text
from render import lettering
from render.view import Say

NAME, LABEL, NOTE, TITLE, LEGEND = 30, 22, 24, 20, 24
"""Type sizes, in units: a unit is a pixel where the longer side is `render.layout.page.SIZE`."""
ROW, LINE, PIECE = 48, 32, 18
"""A line of a side's block, a line of notes, and the radius of a piece in a tray, in units. Lines of words fill whole
bands: so little is deflated anew."""

TO_MOVE = Text("to move")


class Wording(NamedTuple):
    """All words on a picture, in the reader's language: what caches are keyed on, so that languages never mix."""

    title: str
    to_move: str
    """Stands after the name of the side to act."""
    names: tuple[tuple[Side, str], ...]
    trays: tuple[Tray, ...]
    throws: tuple[Throw, ...]
    notes: tuple[str, ...]
    """Without full stops, like all captions."""


class Word(NamedTuple):
    """Something in a line of words."""

    x: float
    y: float
    """Middle of its line, from the block's top."""
    text: str
    sort: Literal["name", "label", "piece", "note", "sticks", "die"]
    """A side's own name, a tray's label, a piece with its number after it, a note, or the face of a stick or die."""
    kind: str = ""
    """The piece's kind."""


class Flow(NamedTuple):
    """Words laid out in lines."""

    words: tuple[Word, ...] = ()
    height: int = 0


def type_size(units: float, unit: float) -> int:
    """A type size in pixels, never too small to read."""
    return max(6, round(units * unit))


def worded(diagram: Diagram, say: Say) -> Wording:
    """Returns the words of a diagram in a language."""
    notes = tuple([say(note).removesuffix(".") for note in diagram.notes]) if diagram.notes else ()
    if say is str:  # Terms are English already, and most pictures are.
        names = tuple(diagram.names.items())
        return Wording(diagram.title, TO_MOVE.template, names, diagram.trays, diagram.throws, notes)
    return Wording(
        say(diagram.title),
        say(TO_MOVE),
        tuple([(side, say(name)) for side, name in diagram.names.items()]),
        tuple([tray._replace(label=Term(say(tray.label))) for tray in diagram.trays]),
        tuple([throw._replace(label=Term(throw.label and say(throw.label))) for throw in diagram.throws]),
        notes,
    )


def order(sides: tuple[Side, ...], near: Side) -> tuple[Side, ...]:
    """Returns the sides from the top of the picture to its bottom: the near one last."""
    after = sides.index(near) + 1 if near in sides else 1
    return sides[after:] + sides[:after]


# All at once, since mostly nothing changes, and then block by block.
@lru_cache(maxsize=512)
def flows(wording: Wording, near: Side, room: float, unit: float) -> tuple[Flow, ...]:
    """Returns the words of each side's block, in `order`, and those of throws and notes."""
    width, names = round(room), dict(wording.names)
    blocks = [
        _block_flow(names[side], wording.to_move, tuple([t for t in wording.trays if t.side == side]), width, unit)
        for side in order(tuple(names), near)
    ]
    return (*blocks, _foot_flow(wording.throws, wording.notes, width, unit))


@lru_cache(maxsize=512)
def _block_flow(name: str, to_move: str, trays: tuple[Tray, ...], room: int, unit: float) -> Flow:
    """A side's name and trays in lines no wider than the room."""
    size, row = type_size(LABEL, unit), ROW * unit
    y = row / 2
    words = [Word(0, y, name, "name")]
    x = 46 * unit + lettering.width(name, type_size(NAME, unit), "semibold")
    x += max(150, lettering.width(to_move, LABEL) + 50) * unit
    for tray in trays:
        ahead = lettering.width(tray.label, size) + 12 * unit
        if x + ahead + 70 * unit > room:
            x, y = 0.0, y + row
        words.append(Word(x, y, tray.label, "label"))
        x += ahead
        for kind, _, number in tray.pieces:
            text = str(number) if number != 1 else ""
            wide = (2 * PIECE + 4) * unit + (lettering.width(text, size) + 5 * unit if text else 0)
            if x + wide > room:
                x, y = 0.0, y + row
            words.append(Word(x, y, text, "piece", kind))
            x += wide + 5 * unit
        if not tray.pieces:
            words.append(Word(x, y, "–", "label"))
            x += 16 * unit
        x += 22 * unit
    return Flow(tuple(words), math.ceil(y + row / 2))


@lru_cache(maxsize=512)
def _foot_flow(throws: tuple[Throw, ...], notes: tuple[str, ...], room: int, unit: float) -> Flow:
    """Throws and notes in lines no wider than the room."""
    if not throws and not notes:
        return Flow()
    size, row = type_size(NOTE, unit), LINE * unit
    x, y = 0.0, row / 2
    words: list[Word] = []
    for throw in throws:
        step = (22 if throw.kind == "sticks" else 36) * unit
        wide = lettering.width(throw.label, size) + 10 * unit if throw.label else 0.0
        if x and x + wide + step * len(throw.faces) > room:
            x, y = 0.0, y + row
        if throw.label:
            words.append(Word(x, y, throw.label, "note"))
            x += wide
        for face in throw.faces:
            words.append(Word(x, y, face, throw.kind))
            x += step
        x += 16 * unit
    line = ""
    for word in " · ".join(notes).split():
        longer = f"{line} {word}" if line else word
        if lettering.width(longer, size) > room - x and (line or x):
            if line:
                words.append(Word(x, y, line, "note"))
            x, y, longer = 0.0, y + row, "" if word == "·" else word
        line = longer
    if line:
        words.append(Word(x, y, lettering.shorten(line, size, room - x), "note"))
    return Flow(tuple(words), math.ceil(y + row / 2))
