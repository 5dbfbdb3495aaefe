"""The at most 32 colours of one board in one theme: those that are meant, and steps between them for smooth edges."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from PIL import Image

from engine.board import Board, Site
from engine.diagram import Colour
from render.theme import MOVED, RGB, Theme, blend

Raw: TypeAlias = Any
"""A picture as Pillow's C code has it, without the wrappers, which cost ten times as much where a picture is small."""

LIMIT = 32
SPARE = 2
"""Places that are left for steps even on the most colourful board."""
APART = 90.0
"""Squared distance below which two colours are one."""


class Palette:
    """A fixed set of colours, and pictures brought to it."""

    def __init__(self, colours: Sequence[RGB]):
        self.colours = tuple(colours[:LIMIT])
        flat = [channel for colour in self.colours for channel in colour]
        self.bytes = bytes(flat)
        self._image = Image.new("P", (1, 1))
        self._image.putpalette(flat)
        self._image.load()

    def index(self, picture: Image.Image) -> Image.Image:
        """An RGB picture in these colours, each pixel the nearest."""
        return picture.quantize(palette=self._image, dither=Image.Dither.NONE)

    def index_raw(self, picture: Raw) -> Raw:
        """The same for what has no wrapper."""
        return picture.convert("P", Image.Dither.NONE, self._image.im)

    def colour_raw(self, numbers: Raw) -> Raw:
        """A grey picture of numbers, which is used up, in the colours that they stand for."""
        numbers.putpalette("RGB", "RGB", self.bytes)
        return numbers.convert("RGB", 0)


def tile_colour(board: Board, theme: Theme, site: Site) -> RGB:
    """The tone of a tile under the washes of its zones."""
    colour = theme.tones[board.tones.get(site, 0)]
    for zone, tint in board.tints.items():
        if site in board.zones.get(zone, ()):
            wash = theme.tints[tint]
            colour = blend(colour, wash.colour, wash.strength)
    return colour


def gather(board: Board, theme: Theme, colours: Iterable[Colour]) -> Palette:
    """The palette: what is drawn flat first, then steps between neighbours in the order of how often they meet."""
    tiles = list(dict.fromkeys(tile_colour(board, theme, site) for site in board.outlines))
    dresses = [theme.dresses[colour] for colour in dict.fromkeys(colours)]
    wanted = [theme.paper, *tiles, *(dress.fill for dress in dresses)]
    wanted += [theme.ink, theme.line, theme.edge, theme.muted, theme.pill]
    wanted += [colour for dress in dresses for colour in (dress.rim, dress.sign)]
    wanted += theme.marks.values()
    wanted += [blend(tile, theme.marks["moved"], MOVED) for tile in tiles[:3]]
    wanted += [theme.accent]
    steps = [blend(dress.rim, dress.fill, 0.5) for dress in dresses]
    steps += [blend(theme.ink, theme.paper, 0.5)]
    steps += [blend(tile, dress.rim, 0.5) for dress in dresses for tile in tiles[:3]]
    steps += [blend(dress.fill, dress.sign, 0.5) for dress in dresses]
    steps += [blend(theme.ink, theme.paper, share) for share in (0.25, 0.75)]
    steps += [blend(theme.muted, theme.paper, 0.5)]
    steps += [blend(tile, theme.marks[kind], 0.5) for kind in theme.marks for tile in tiles[:2]]
    kept = _apart(list(dict.fromkeys(wanted)), LIMIT - SPARE)
    for colour in steps:
        if all(_distance(colour, other) > APART for other in kept):
            kept.append(colour)
    return Palette(kept)


def _apart(colours: list[RGB], most: int) -> list[RGB]:
    """As many as may be: after the first ones always the one farthest from all chosen, so that none left out is far."""
    first = most * 2 // 3
    chosen, rest = colours[:first], colours[first:]
    while rest and len(chosen) < most:
        chosen.append(max(rest, key=lambda colour: min(_distance(colour, other) for other in chosen)))
        rest.remove(chosen[-1])
    return chosen


def _distance(a: RGB, b: RGB) -> float:
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))
