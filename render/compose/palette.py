"""The palette of one board in one theme: at most 32 colours, those of the theme and steps between for smooth edges."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from PIL import Image

from engine.board import Board, Site
from engine.diagram import Colour
from render.layout.cells import Cell
from render.theme import MOVED, RGB, Theme, blend, taken

Raw: TypeAlias = Any
"""Pillow's own image without its Python wrapper, which takes ten times as long where a picture is small."""

LIMIT = 32
SPARE = 2
"""Colours left for steps even on the most colourful board."""
APART = 90.0
"""Squared distance below which two colours count as one."""
ALIKE = 3600.0
"""Squared distance below which two colours look alike under an edge of one pixel."""
STEPS = 8
"""Steps of thickness: from 0, no paint, to 7, where nothing shows through."""

Table: TypeAlias = list[int]
"""A number for each value of a byte."""


STEP: Table = [paint % STEPS for paint in range(LIMIT * STEPS)]


class Palette:
    """A fixed set of colours."""

    def __init__(self, colours: Sequence[RGB]):
        self.colours = tuple(colours[:LIMIT])
        flat = [channel for colour in self.colours for channel in colour]
        self.bytes = bytes(flat)
        self._image = Image.new("P", (1, 1))
        self._image.putpalette(flat)
        self._image.load()
        self._numbers: dict[RGB, int] = {}

    def index(self, picture: Image.Image) -> Image.Image:
        """Returns an RGB picture as numbers of the nearest colours."""
        return picture.quantize(palette=self._image, dither=Image.Dither.NONE)

    @cached_property
    def alike(self) -> list[frozenset[int]]:
        """For each colour the numbers of those that look like it under a thin edge."""
        every = [*enumerate(self.colours)]
        return [frozenset(i for i, other in every if _distance(colour, other) < ALIKE) for colour in self.colours]

    def number(self, colour: RGB) -> int:
        """Returns the number of the nearest colour."""
        known = self._numbers.get(colour)
        if known is None:
            known = self._numbers[colour] = self.index(Image.new("RGB", (1, 1), colour)).tobytes()[0]
        return known

    def seen(self, colour: RGB) -> RGB:
        """Returns the nearest colour."""
        return self.colours[self.number(colour)]

    @cached_property
    def mixes(self) -> list[Table]:
        """For each colour of a background: the number of what is seen where paint is laid on it.

        Paint is the number of its colour times `STEPS`, and how thick it lies.
        """
        rows = range(len(self.colours))
        over = Image.new("RGB", (LIMIT * STEPS, 1))
        over.putdata([colour for colour in self.colours for _ in range(STEPS)])
        thick = Image.new("L", over.size)
        thick.putdata([round(step * 255 / (STEPS - 1)) for _ in range(LIMIT) for step in range(STEPS)])
        seen = Image.new("RGB", (LIMIT * STEPS, len(rows)))
        for row in rows:
            seen.paste(self.colours[row], (0, row, LIMIT * STEPS, row + 1))
            seen.paste(over, (0, row), thick)
        numbers = self.index(seen).tobytes()
        # Without paint the number stays, even if another colour is as near.
        return [
            [number if step else row for number, step in zip(numbers[row * 256 : row * 256 + 256], STEP, strict=True)]
            for row in rows
        ]


def tile_colour(board: Board, theme: Theme, site: Site) -> RGB:
    """Returns a tile's tone with the tints of its zones."""
    colour = theme.tones[board.tones.get(site, 0)]
    for zone, name in board.tints.items():
        if site in board.zones.get(zone, ()):
            tint = theme.tints[name]
            colour = blend(colour, tint.colour, tint.strength)
    return colour


def ground_colour(board: Board, theme: Theme, cell: Cell) -> RGB:
    """Returns what a place's own name is printed on: its tile, or for an intersection the tile beside it, or paper."""
    return tile_colour(board, theme, cell.ground) if cell.ground else theme.paper


def gather(board: Board, theme: Theme, colours: Iterable[Colour]) -> Palette:
    """Returns the palette: the paper, number 0, and colours of other whole areas, then steps between neighbours, the
    most frequent first."""
    tones = Counter(tile_colour(board, theme, site) for site in board.outlines)
    tiles = [colour for colour, _ in tones.most_common()]
    schemes = [theme.schemes[colour] for colour in dict.fromkeys(colours)]
    wanted = [theme.paper, *tiles, *(scheme.fill for scheme in schemes)]
    wanted += [theme.ink, theme.line, theme.edge, theme.muted, theme.pill]
    wanted += [colour for scheme in schemes for colour in (scheme.rim, scheme.sign)]
    wanted += theme.marks.values()
    wanted += [blend(tile, theme.marks["moved"], MOVED) for tile in tiles[:3]]
    wanted += [theme.accent, *(taken(tile, theme) for tile in tiles[:3])]
    steps = [blend(scheme.rim, scheme.fill, 0.5) for scheme in schemes]
    steps += [blend(theme.ink, theme.paper, 0.5)]
    steps += [blend(tile, scheme.rim, 0.5) for scheme in schemes for tile in tiles[:3]]
    steps += [blend(scheme.fill, scheme.sign, 0.5) for scheme in schemes]
    steps += [blend(theme.ink, theme.paper, share) for share in (0.25, 0.75)]
    steps += [blend(theme.muted, theme.paper, 0.5)]
    steps += [blend(tile, theme.marks[kind], 0.5) for kind in theme.marks for tile in tiles[:2]]
    kept = _apart(list(dict.fromkeys(wanted)), LIMIT - SPARE)
    for colour in steps:
        if all(_distance(colour, other) > APART for other in kept):
            kept.append(colour)
    return Palette(kept)


def _apart(colours: list[RGB], most: int) -> list[RGB]:
    """Keeps the first ones, then always the one farthest from all kept, so that none left out is far from all kept."""
    first = most * 2 // 3
    chosen, rest = colours[:first], colours[first:]
    while rest and len(chosen) < most:
        chosen.append(max(rest, key=lambda colour: min(_distance(colour, other) for other in chosen)))
        rest.remove(chosen[-1])
    return chosen


def _distance(a: RGB, b: RGB) -> float:
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))
