"""The words on a picture: its title, each side's block with what lies beside the board, throws and notes."""

import math
from collections.abc import Mapping
from functools import partial

from PIL import Image, ImageDraw

from engine.board import Side
from engine.diagram import Colour, Throw, Tray
from render import lettering
from render.layout import LABEL, NAME, NOTE, PIECE, TITLE, Block, Cell, Layout, flow
from render.sprites import FINE, Drop, Look, Sprites
from render.theme import RGB, Theme, blend, contrast


class Captions:
    """Draws words for one layout."""

    def __init__(
        self,
        layout: Layout,
        theme: Theme,
        sprites: Sprites,
        names: Mapping[Side, str],
        colours: Mapping[Side, Colour],
    ):
        self._layout = layout
        self._theme = theme
        self._sprites = sprites
        self._names = names
        self._colours = colours

    def title(self, title: str) -> list[Drop]:
        (x, y), size = self._layout.title, self._layout.size(TITLE)
        room = self._layout.width - 2 * x
        return [_text(lettering.shorten(title, size, room), x, y, size, self._theme.muted)]

    def block(self, block: Block, acts: bool, trays: tuple[Tray, ...]) -> list[Drop]:
        unit, theme = self._layout.unit, self._theme
        name, label = self._layout.size(NAME), self._layout.size(LABEL)
        colour = self._colours.get(block.side, "neutral")
        laid = flow(self._names.get(block.side, ""), trays, block.width, unit)
        drops: list[Drop] = []
        for word in laid.words:
            x, y = block.x + word.x, block.y + word.y
            if word.head:
                wide = lettering.width(word.text, name, "semibold")
                end = x + 46 * unit + wide
                if acts:
                    right = end + lettering.width(" to move", label) + 18 * unit
                    drops.append(self._pill(x - 4 * unit, y - 20 * unit, right, y + 20 * unit, ink=theme.pill))
                    drops.append(_text("to move", end + 8 * unit, y + 0.36 * name, label, theme.ink))
                drops.append(self._sprites.drop(Look(("",), colour, round(17 * unit * 4) / 4), (x + 20 * unit, y)))
                drops.append(_text(word.text, x + 46 * unit, y + 0.36 * name, name, theme.ink, weight="semibold"))
            elif word.kind:
                look = Look((word.kind,), colour, round(PIECE * unit * 4) / 4)
                drops.append(self._sprites.drop(look, (x + PIECE * unit, y)))
                if word.text:
                    at = x + (2 * PIECE + 5) * unit
                    drops.append(_text(word.text, at, y + 0.36 * label, label, theme.ink))
            else:
                drops.append(_text(word.text, x, y + 0.36 * label, label, theme.muted))
        return drops

    def foot(self, notes: tuple[str, ...], throws: tuple[Throw, ...]) -> list[Drop]:
        (x, y), size, unit = self._layout.foot, self._layout.size(NOTE), self._layout.unit
        drops: list[Drop] = []
        for throw in throws:
            if throw.label:
                drops.append(_text(throw.label, x, y, size, self._theme.muted))
                x += lettering.width(throw.label, size) + 10 * unit
            for face in throw.faces:
                drops.extend(self._face(throw, face, x, y - 0.36 * size))
                x += (22 if throw.kind == "sticks" else 36) * unit
            x += 16 * unit
        room = self._layout.width - x - self._layout.title[0]
        words = lettering.shorten(" · ".join(notes), size, room)
        return [*drops, _text(words, x, y, size, self._theme.ink)] if words else drops

    def _face(self, throw: Throw, face: str, x: float, y: float) -> list[Drop]:
        """A stick with its colour's letter, or a die with its number."""
        unit, theme = self._layout.unit, self._theme
        half = 15 * unit
        wide = 16 * unit if throw.kind == "sticks" else 30 * unit
        dress = theme.dresses[self._colours.get(face, "white")]
        size = self._layout.size(15 if throw.kind == "sticks" else 21)
        middle = x + wide / 2 - lettering.width(face, size, "semibold") / 2
        return [
            self._pill(x, y - half, x + wide, y + half, ink=dress.rim, bend=6 * unit),
            self._pill(x + 1.5, y - half + 1.5, x + wide - 1.5, y + half - 1.5, ink=dress.fill, bend=5 * unit),
            _text(face, middle, y + 0.36 * size, size, dress.sign, weight="semibold"),
        ]

    def _pill(self, left: float, top: float, right: float, bottom: float, *, ink: RGB, bend: float = 0) -> Drop:
        """A box with round ends."""
        x, y = math.floor(left), math.floor(top)
        mask = Image.new("L", ((math.ceil(right) - x + 1) * FINE, (math.ceil(bottom) - y + 1) * FINE))
        box = ((left - x) * FINE, (top - y) * FINE, (right - x) * FINE - 1, (bottom - y) * FINE - 1)
        ImageDraw.Draw(mask).rounded_rectangle(box, (bend or (bottom - top) / 2) * FINE, fill=255)
        return Drop(ink, mask.reduce(FINE), x, y)


def label(cell: Cell, tone: RGB, theme: Theme) -> Drop:
    """A place's own name, printed again where a mark has covered it."""
    left = cell.label[0] - lettering.width(cell.site, cell.label_size) / 2
    return _text(cell.site, left, cell.label[1] + 0.36 * cell.label_size, cell.label_size, label_ink(tone, theme))


def label_ink(tone: RGB, theme: Theme) -> RGB:
    """The colour of a name on a tile: what reads best, held back a little."""
    return blend(tone, max(theme.ink, theme.paper, key=partial(contrast, tone)), 0.62)


def _text(text: str, x: float, y: float, size: int, ink: RGB, *, weight: lettering.Weight = "medium") -> Drop:
    """Words with their base line's left end at a point."""
    face = lettering.font(size, weight)
    mask = Image.new("L", (math.ceil(face.getlength(text)) + 6, size + size // 2 + 4))
    ImageDraw.Draw(mask).text((2, size + 2), text, fill=255, font=face, anchor="ls")
    return Drop(ink, mask, round(x) - 2, round(y) - size - 2)
