"""The words on a picture: its title, each side's block with what lies beside the board, throws and notes."""

import math
from collections.abc import Mapping
from functools import lru_cache, partial

from PIL import Image, ImageDraw

from engine.board import Side
from engine.diagram import Colour
from render import lettering
from render.cells import LEGIBLE, Cell
from render.layout import LABEL, NAME, NOTE, PIECE, TITLE, Layout, Word
from render.sprites import FINE, Drop, Look, Sprites
from render.theme import RGB, Theme, blend, contrast


class Captions:
    """Draws words for one layout."""

    def __init__(
        self,
        layout: Layout,
        theme: Theme,
        sprites: Sprites,
        colours: Mapping[Side, Colour],
    ):
        self._layout = layout
        self._theme = theme
        self._sprites = sprites
        self._colours = colours

    def title(self, title: str) -> list[Drop]:
        (x, y), size = self._layout.title, self._layout.size(TITLE)
        room = self._layout.width - 2 * x
        return [_text(lettering.shorten(title, size, room), x, y, size, self._theme.muted)]

    def word(self, side: Side, left: int, top: int, word: Word, acts: bool) -> list[Drop]:
        """A word of a block that begins there: a name with its sign, perhaps as to move, a piece in a tray, a note."""
        unit, theme, colour = self._layout.unit, self._theme, self._colours.get(side, "neutral")
        label, note = self._layout.size(LABEL), self._layout.size(NOTE)
        x, y = left + word.x, top + word.y
        match word.sort:
            case "name":
                return self._name(word.text, colour, acts, x, y)
            case "label":
                return [_text(word.text, x, y + 0.36 * label, label, theme.muted)]
            case "piece":
                look = Look((word.kind,), colour, round(PIECE * unit * 4) / 4)
                piece = self._sprites.drop(look, (x + PIECE * unit, y))
                if not word.text:
                    return [piece]
                return [piece, _text(word.text, x + (2 * PIECE + 5) * unit, y + 0.36 * label, label, theme.ink)]
            case "note":
                return [_text(word.text, x, y + 0.36 * note, note, theme.ink)]
            case "sticks" | "die":
                return self._face(word.sort, word.text, x, y)

    def again(self, cell: Cell, tone: RGB) -> Drop:
        """A place's own name, printed again where a mark has covered it."""
        size, left = cell.label_size, cell.label[0] - lettering.width(cell.site, cell.label_size) / 2
        return _text(cell.site, left, cell.label[1] + 0.36 * size, size, label_ink(tone, self._theme))

    def face(self, cell: Cell, kind: str, colour: Colour) -> list[Drop]:
        """The name of its place on a piece that covers it, where the piece's face is free."""
        sizes = range(cell.label_size + 1, LEGIBLE - 1, -1) if self._sprites.blank(kind) else ()
        size = next((size for size in sizes if _wide(cell.site, size) < 1.42 * cell.radius), 0)
        if not size:
            return []
        left, base = cell.centre[0] - _wide(cell.site, size) / 2, cell.centre[1] + 0.36 * size
        return [_text(cell.site, left, base, size, self._theme.dresses[colour].sign, weight="semibold")]

    def _name(self, name: str, colour: Colour, acts: bool, x: float, y: float) -> list[Drop]:
        unit, theme = self._layout.unit, self._theme
        size, label = self._layout.size(NAME), self._layout.size(LABEL)
        end = x + 46 * unit + lettering.width(name, size, "semibold")
        drops: list[Drop] = []
        if acts:
            right = end + lettering.width(" to move", label) + 18 * unit
            drops.append(self._pill(x - 4 * unit, y - 21 * unit, right, y + 21 * unit, ink=theme.pill))
            drops.append(_text("to move", end + 8 * unit, y + 0.36 * size, label, theme.ink))
        drops.append(self._sprites.drop(Look(("",), colour, round(18 * unit * 4) / 4), (x + 20 * unit, y)))
        drops.append(_text(name, x + 46 * unit, y + 0.36 * size, size, theme.ink, weight="semibold"))
        return drops

    def _face(self, kind: str, face: str, x: float, y: float) -> list[Drop]:
        """A stick with its colour's letter, or a die with its number."""
        unit, theme = self._layout.unit, self._theme
        half = 15 * unit
        wide = 16 * unit if kind == "sticks" else 30 * unit
        dress = theme.dresses[self._colours.get(face, "white")]
        size = self._layout.size(15 if kind == "sticks" else 21)
        middle = x + wide / 2 - lettering.width(face, size, "semibold") / 2
        return [
            self._pill(x, y - half, x + wide, y + half, ink=dress.rim, bend=6 * unit),
            self._pill(x + 1.5, y - half + 1.5, x + wide - 1.5, y + half - 1.5, ink=dress.fill, bend=5 * unit),
            _text(face, middle, y + 0.36 * size, size, dress.sign, weight="semibold"),
        ]

    def _pill(self, left: float, top: float, right: float, bottom: float, *, ink: RGB, bend: float = 0) -> Drop:
        """A box with round ends."""
        x, y = math.floor(left), math.floor(top)
        return Drop(ink, _box(left - x, top - y, right - x, bottom - y, bend or (bottom - top) / 2), x, y)


def label_ink(tone: RGB, theme: Theme) -> RGB:
    """The colour of a name on a tile: what reads best, held back a little."""
    return blend(tone, max(theme.ink, theme.paper, key=partial(contrast, tone)), 0.62)


def _wide(text: str, size: int) -> float:
    return lettering.width(text, size, "semibold")


def _text(text: str, x: float, y: float, size: int, ink: RGB, *, weight: lettering.Weight = "medium") -> Drop:
    """Words with their base line's left end at a point."""
    return Drop(ink, _letters(text, size, weight), round(x) - 2, round(y) - size - 2)


@lru_cache(maxsize=64)
def _box(left: float, top: float, right: float, bottom: float, bend: float) -> Image.Image:
    mask = Image.new("L", ((math.ceil(right) + 1) * FINE, (math.ceil(bottom) + 1) * FINE))
    box = (left * FINE, top * FINE, right * FINE - 1, bottom * FINE - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, bend * FINE, fill=255)
    return mask.reduce(FINE)


@lru_cache(maxsize=2048)
def _letters(text: str, size: int, weight: lettering.Weight) -> Image.Image:
    face = lettering.font(size, weight)
    mask = Image.new("L", (math.ceil(face.getlength(text)) + 6, size + size // 2 + 4))
    ImageDraw.Draw(mask).text((2, size + 2), text, fill=255, font=face, anchor="ls")
    return mask
