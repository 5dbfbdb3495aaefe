"""The words on a picture in its reader's language, and how they flow into lines."""

import math
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

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
STICK, DIE, THROWN = (26, 60), (48, 48), 72
"""Width and height of a stick and of a die, and a line of them, in units."""
STEPS = (42, 37)
"""From piece to piece in a narrow block, in units: the closer one where the pieces of a tray would wrap else."""

TO_MOVE, WON, DRAWN = Text("to move"), Text("wins"), Text("draw")


class Wording(NamedTuple):
    """All words on a picture, in the reader's language: what caches are keyed on, so that languages never mix."""

    title: str
    to_move: str
    """Stands after the name of the side to act."""
    won: str
    """Stands after the name of a side that has won, or of each where it is a draw."""
    names: tuple[tuple[Side, str], ...]
    players: tuple[tuple[Side, str], ...]
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
    sort: Literal["name", "names", "label", "piece", "note", "sticks", "die"]
    """Who plays a side, on one line or two; a tray's label, a piece and its number, a note, a stick's or die's face."""
    kind: str = ""
    """The piece's kind; after a player's name, what the side is called."""


Who: TypeAlias = tuple[str, str, str]
"""A side's name, its player's, and the longest that can be said after them."""


class Flow(NamedTuple):
    """Words laid out in lines."""

    words: tuple[Word, ...] = ()
    height: int = 0


def type_size(units: float, unit: float) -> int:
    """A type size in pixels, never too small to read."""
    return max(6, round(units * unit))


def worded(diagram: Diagram, say: Say) -> Wording:
    """Returns the words of a diagram in a language."""
    printed = diagram.notes + diagram.hatching
    notes = tuple([say(note).removesuffix(".") for note in printed]) if printed else ()
    won = said_of_winners(diagram)
    if say is str:  # Terms are English already, and most pictures are.
        names = tuple(diagram.names.items())
        said = TO_MOVE.template, won.template
        return Wording(diagram.title, *said, names, diagram.players, diagram.trays, diagram.throws, notes)
    return Wording(
        say(diagram.title),
        say(TO_MOVE),
        say(won),
        tuple([(side, say(name)) for side, name in diagram.names.items()]),
        diagram.players,
        tuple([tray._replace(label=Term(say(tray.label))) for tray in diagram.trays]),
        tuple([throw._replace(label=Term(throw.label and say(throw.label))) for throw in diagram.throws]),
        notes,
    )


def said_of_winners(diagram: Diagram) -> Text:
    """Returns what stands after the name of each of them."""
    return DRAWN if len(diagram.winners) == len(diagram.names) else WON


def order(sides: tuple[Side, ...], near: Side) -> tuple[Side, ...]:
    """Returns the sides from the top of the picture to its bottom: the near one last."""
    after = sides.index(near) + 1 if near in sides else 1
    return sides[after:] + sides[:after]


# All at once, since mostly nothing changes, and then block by block.
@lru_cache(maxsize=512)
def flows(wording: Wording, near: Side, room: float, unit: float, *, narrow: bool) -> tuple[Flow, ...]:
    """Returns the words of each side's block, in `order`, and those of throws and notes."""
    width, names, players = round(room), dict(wording.names), dict(wording.players)
    said = max(wording.to_move, wording.won, key=len)
    blocks = [
        (_narrow_flow if narrow else _block_flow)(
            (names[side], players.get(side, ""), said), tuple([t for t in wording.trays if t.side == side]), width, unit
        )
        for side in order(tuple(names), near)
    ]
    return (*blocks, _foot_flow(wording.throws, wording.notes, width, unit))


def _seated(who: Who, room: float, size: int) -> tuple[str, str]:
    """Returns what stands first for a side, and what after that: its player's name, if it can be written, then its own.

    A name is shortened to a room.
    """
    name, player, _ = who
    player = lettering.shorten(player, size, room, "semibold") if lettering.printable(player) else ""
    return (player, name) if player else (lettering.shorten(name, size, room, "semibold"), "")


@lru_cache(maxsize=512)
def _narrow_flow(who: Who, trays: tuple[Tray, ...], room: int, unit: float) -> Flow:
    """A side's name in two lines, then each tray below its label, its pieces in columns."""
    label, row = LINE * unit, ROW * unit
    first, after = _seated(who, room - 50 * unit, type_size(NAME, unit))
    words = [Word(0, row / 2, first, "names", after)]
    y = row + label
    for tray in trays:
        y += label
        words.append(Word(0, y - label / 2, tray.label, "label"))
        x, y = 0.0, y + row
        shown = [(kind, str(number) if number != 1 else "") for kind, _, number in tray.pieces]
        beside = [lettering.width(text, type_size(LABEL, unit)) + 9 * unit if text else 0 for _, text in shown]
        roomy, close = (step * unit for step in STEPS)
        last = 2 * PIECE * unit
        step = roomy if roomy * (len(shown) - 1) + last + sum(beside) <= room else close
        for (kind, text), more in zip(shown, beside, strict=True):
            if x and x + last + more > room:
                x, y = 0.0, y + row
            words.append(Word(x, y - row / 2, text, "piece", kind))
            x += step + more
        if not tray.pieces:
            words.append(Word(0, y - row / 2, "–", "label"))
    return Flow(tuple(words), math.ceil(y))


@lru_cache(maxsize=512)
def _block_flow(who: Who, trays: tuple[Tray, ...], room: int, unit: float) -> Flow:
    """A side's name and trays in lines no wider than the room."""
    size, row = type_size(LABEL, unit), ROW * unit
    y, (name, player, said) = row / 2, who
    spare = max(150 * unit, lettering.width(said, size) + 50 * unit)
    spare += lettering.width(name, size) + 10 * unit if player else 0
    first, after = _seated(who, room - 50 * unit - spare, type_size(NAME, unit))
    words = [Word(0, y, first, "name", after)]
    x = 46 * unit + lettering.width(first, type_size(NAME, unit), "semibold") + spare
    for tray in trays:
        ahead = lettering.width(tray.label, size) + 12 * unit
        shown = [(kind, str(number) if number != 1 else "") for kind, _, number in tray.pieces]
        widths = [(2 * PIECE + 4) * unit + (lettering.width(text, size) + 5 * unit if text else 0) for _, text in shown]
        whole = ahead + (sum(widths) + 5 * unit * (len(widths) - 1) if widths else 16 * unit)
        if x and x + whole > room:  # it is parted only where no line has room for it
            x, y = 0.0, y + row
        words.append(Word(x, y, tray.label, "label"))
        x += ahead
        for (kind, text), wide in zip(shown, widths, strict=True):
            if x + wide > room:
                x, y = 0.0, y + row
            words.append(Word(x, y, text, "piece", kind))
            x += wide + 5 * unit
        if not shown:
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
    x, y = 0.0, (THROWN * unit if throws else row) / 2
    words: list[Word] = []
    for throw in throws:
        step = ((STICK if throw.kind == "sticks" else DIE)[0] + 8) * unit
        wide = lettering.width(throw.label, size) + 10 * unit if throw.label else 0.0
        if x and x + wide + step * len(throw.faces) > room:
            x, y = 0.0, y + THROWN * unit
        if throw.label:
            words.append(Word(x, y, throw.label, "note"))
            x += wide
        if x and x + step * len(throw.faces) > room:
            x, y = 0.0, y + THROWN * unit
        for face in throw.faces:
            if x and x + step > room:
                x, y = 0.0, y + THROWN * unit
            words.append(Word(x, y, face, throw.kind))
            x += step
        x += 16 * unit
    if throws:
        x, y = 0.0, y + (THROWN * unit + row) / 2 if notes else y + (THROWN * unit - row) / 2
    line = ""
    for word in lettering.breakable(" · ".join(notes)):
        longer = line + word
        if lettering.width(longer.rstrip(), size) > room - x and (line or x):
            if line:
                words.append(Word(x, y, line.rstrip(), "note"))
            x, y, longer = 0.0, y + row, "" if word == "· " else word
        line = longer
    line = line.rstrip()
    if line:
        words.append(Word(x, y, lettering.shorten(line, size, room - x), "note"))
    return Flow(tuple(words), math.ceil(y + row / 2))
