"""Draws the words of a picture: its title, the sides' blocks, throws, notes, and places' names on marks and pieces."""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from PIL import Image, ImageDraw

from engine.board import Point, Side
from engine.diagram import Colour
from render import lettering
from render.drawing.sprites import SUPERSAMPLING, Look, PieceSprites, Sprite
from render.layout.cells import LEGIBLE, Cell
from render.layout.page import Layout
from render.layout.words import DIE, LABEL, LINE, NAME, NOTE, PIECE, STICK, TITLE, Word
from render.theme import READABLE, RGB, Theme, blend, contrast

IN_DISC, IN_RHOMB = (1.55, 0.0), (4.05, 2.2)
"""The room for a word on a piece, in its radii, and what the word's height takes of that, in its size."""
SLANTED = 9
"""The least size of a word along a piece: in less it is a blur."""
BLACK, WHITE = (0, 0, 0), (255, 255, 255)


class Captions:
    """Draws words for one layout."""

    def __init__(
        self,
        layout: Layout,
        theme: Theme,
        sprites: PieceSprites,
        colours: Mapping[Side, Colour],
        seen: Callable[[RGB], RGB],
    ):
        self._layout = layout
        self._theme = theme
        self._sprites = sprites
        self._colours = colours
        self._seen = seen

    def title(self, title: str) -> list[Sprite]:
        (x, y), size = self._layout.title, self._layout.size(TITLE)
        room = self._layout.width - 2 * x
        return [_text(lettering.shorten(title, size, room), x, y, size, self._theme.muted)]

    def word(self, side: Side, left: int, top: int, word: Word, said: str, *, won: bool) -> list[Sprite]:
        """A word of a block that begins at left and top; `said` stands after the name of who is to act or has won."""
        unit, theme, colour = self._layout.unit, self._theme, self._colours.get(side, "neutral")
        label, note = self._layout.size(LABEL), self._layout.size(NOTE)
        x, y = left + word.x, top + word.y
        match word.sort:
            case "name" | "names":
                return self._name(word, colour, (x, y), said, won=won)
            case "label":
                return [_text(word.text, x, y + 0.36 * label, label, theme.muted)]
            case "piece":
                look = Look((word.kind,), colour, round(PIECE * unit * 4) / 4)
                piece = self._sprites.sprite(look, (x + PIECE * unit, y))
                if not word.text:
                    return [piece]
                return [piece, _text(word.text, x + (2 * PIECE + 5) * unit, y + 0.36 * label, label, theme.ink)]
            case "note":
                return [_text(word.text, x, y + 0.36 * note, note, theme.ink)]
            case "sticks" | "die":
                return self._face(word.sort, word.text, x, y)

    def label_on_mark(self, cell: Cell, tone: RGB) -> Sprite:
        """A place's own name, printed again over a mark."""
        size, left = cell.label_size, cell.label[0] - lettering.width(cell.site, cell.label_size) / 2
        ink = label_ink(tone, self._theme, self._seen)
        if cell.tilt is not None:
            return _turned(cell, size, ink)
        return _text(cell.site, left, cell.label[1] + 0.36 * size, size, ink)

    def label_on_piece(self, cell: Cell, kind: str, colour: Colour) -> list[Sprite]:
        """The name of its place on a piece that covers it, if the piece has room for that."""
        share, abreast = IN_DISC if cell.tilt is None else IN_RHOMB
        room = share * cell.radius * self._sprites.blank(kind)
        least = max(LEGIBLE if cell.tilt is None else SLANTED, cell.label_size * 2 // 3)
        sizes = range(cell.label_size + 1, least - 1, -1)
        size = next((size for size in sizes if _wide(cell.site, size) + abreast * size < room), 0)
        if not size:
            return []
        left, base = cell.centre[0] - _wide(cell.site, size) / 2, cell.centre[1] + 0.36 * size
        ink = self._theme.schemes[colour].sign
        if cell.tilt is not None:
            return [_turned(cell, size, ink, weight="semibold")]
        return [_text(cell.site, left, base, size, ink, weight="semibold")]

    def no_label(self, cell: Cell, tone: RGB) -> Sprite:
        """What hides the name of a place under a piece that has no room for it."""
        half = lettering.width(cell.site, cell.label_size) / 2 + 2
        (x, y), high = cell.label, 0.4 * cell.label_size + 1
        return self._pill(x - half, y - high, x + half, y + high, ink=tone, bend=1)

    def _name(self, word: Word, colour: Colour, at: Point, said: str, *, won: bool) -> list[Sprite]:
        """Who plays a side; of who is to act or has won, on a pill."""
        unit, theme, (x, y) = self._layout.unit, self._theme, at
        size, label = self._layout.size(NAME), self._layout.size(LABEL)
        name, after = word.text, f"{word.kind} {said}".strip()
        ink, end = (theme.paper if won else theme.ink), x + 46 * unit + lettering.width(name, size, "semibold")
        low, begin = (y + LINE * unit, x + 46 * unit) if word.sort == "names" else (y, end + 8 * unit)
        sprites: list[Sprite] = []
        if said:
            right = max(end, begin + lettering.width(after, label)) + 14 * unit
            pill = theme.accent if won else theme.pill
            bend = 21 * unit
            sprites.append(self._pill(x - 4 * unit, y - bend, right, low + bend, ink=pill, bend=bend))
        sprites.append(self._sprites.sprite(Look(("",), colour, round(18 * unit * 4) / 4), (x + 20 * unit, y)))
        sprites.append(_text(name, x + 46 * unit, y + 0.36 * size, size, ink, weight="semibold"))
        if after:
            sprites.append(_text(after, begin, low + 0.36 * size, label, ink if said else theme.muted))
        return sprites

    def _face(self, kind: str, face: str, x: float, y: float) -> list[Sprite]:
        """A stick with its colour's letter, or a die with its number."""
        unit, theme = self._layout.unit, self._theme
        wide, high = ((side * unit) for side in (STICK if kind == "sticks" else DIE))
        half = high / 2
        scheme = theme.schemes[self._colours.get(face, "white")]
        size = self._layout.size(17 if kind == "sticks" else 34)
        middle = x + wide / 2 - lettering.width(face, size, "semibold") / 2
        return [
            self._pill(x, y - half, x + wide, y + half, ink=scheme.rim, bend=6 * unit),
            self._pill(x + 1.5, y - half + 1.5, x + wide - 1.5, y + half - 1.5, ink=scheme.fill, bend=5 * unit),
            _text(face, middle, y + 0.36 * size, size, scheme.sign, weight="semibold"),
        ]

    def _pill(self, left: float, top: float, right: float, bottom: float, *, ink: RGB, bend: float = 0) -> Sprite:
        """A box with round ends."""
        x, y = math.floor(left), math.floor(top)
        return Sprite(ink, _box(left - x, top - y, right - x, bottom - y, bend or (bottom - top) / 2), x, y)


def label_ink(tone: RGB, theme: Theme, seen: Callable[[RGB], RGB]) -> RGB:
    """Returns the colour of a name on a tile: what contrasts most, softened as far as it stays easy to read.

    `seen` is what becomes of a colour in the picture, which has few.
    """
    best = max(theme.ink, theme.paper, WHITE, BLACK, key=partial(contrast, tone))
    inks = [seen(blend(tone, best, share)) for share in (0.62, 0.7, 0.78, 0.86, 0.93, 1.0)]
    inks += map(seen, (theme.ink, theme.paper))
    readable = (ink for ink in inks if contrast(seen(tone), ink) > READABLE)
    return next(readable, max(inks, key=partial(contrast, seen(tone))))


def _turned(cell: Cell, size: int, ink: RGB, *, weight: lettering.Weight = "medium") -> Sprite:
    """A place's own name along a narrow tile."""
    mask = lettering.turned(cell.site, size, cell.tilt or 0.0, weight)
    return Sprite(ink, mask, round(cell.label[0]) - mask.width // 2, round(cell.label[1]) - mask.height // 2)


def _wide(text: str, size: int) -> float:
    return lettering.width(text, size, "semibold")


def _text(text: str, x: float, y: float, size: int, ink: RGB, *, weight: lettering.Weight = "medium") -> Sprite:
    """Words with their base line's left end at a point."""
    return Sprite(ink, _letters(text, size, weight), round(x) - 2, round(y) - size - 2)


@lru_cache(maxsize=64)
def _box(left: float, top: float, right: float, bottom: float, bend: float) -> Image.Image:
    mask = Image.new("L", ((math.ceil(right) + 1) * SUPERSAMPLING, (math.ceil(bottom) + 1) * SUPERSAMPLING))
    box = (left * SUPERSAMPLING, top * SUPERSAMPLING, right * SUPERSAMPLING - 1, bottom * SUPERSAMPLING - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, bend * SUPERSAMPLING, fill=255)
    return mask.reduce(SUPERSAMPLING)


@lru_cache(maxsize=2048)
def _letters(text: str, size: int, weight: lettering.Weight) -> Image.Image:
    mask = Image.new("L", (math.ceil(lettering.width(text, size, weight)) + 6, size + size // 2 + 4))
    lettering.write(ImageDraw.Draw(mask), (2, size + 2), text, 255, size, weight=weight)
    return mask
