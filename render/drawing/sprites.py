"""Draws pieces large, once each, and scales them down at any fraction of a pixel."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import count
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageChops, ImageDraw

from engine.board import Point
from engine.diagram import Colour, Glyph, Ink
from render import lettering
from render.lru import LruCache
from render.paths import Trace, circle, trace
from render.theme import RGB, RIMS, ColourScheme, Rim, Theme

Box: TypeAlias = tuple[int, int, int, int]

SUPERSAMPLING = 4
"""How many fine pixels a pixel has, each way."""
EDGE = 127
"""The mask's value where an edge covers a whole pixel, and the ink inside it nothing."""
SHRUNK = 0.86
"""How large what was taken is drawn, so that the spikes of its burst stand round it."""
LONG, SLIM = 2.05, 0.67
"""How much longer and slimmer a piece is along a narrow tile."""
ROOM = 1.34
"""Half the width of a sprite, in radii of the piece: leaves room for badges, chips and stacks."""


class Look(NamedTuple):
    """All that decides how a piece is drawn, but for its place."""

    kinds: tuple[str, ...]
    """Lowest first; the last one is the piece itself."""
    colour: Colour
    radius: float
    token: str = ""
    ghost: bool = False
    taken: bool = False
    badge: str = ""
    badge_colour: Colour = "neutral"
    tilt: float | None = None
    """Of a piece that lies along a narrow tile."""


class Sprite(NamedTuple):
    """One colour or an image, drawn through a mask whose left top corner is at x and y."""

    ink: RGB | Image.Image
    mask: Image.Image
    x: int
    y: int
    edge: RGB | None = None
    """A colour round the ink: up to `EDGE` the mask tells how much it covers, above that how much the ink does."""

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The pixels it may touch."""
        return self.x, self.y, self.x + self.mask.width, self.y + self.mask.height


@dataclass(frozen=True, slots=True, eq=False)
class LargeSprite:
    """A piece `SUPERSAMPLING` times as large, cropped: each pixel is the number of an ink, 0 = nothing."""

    sheet: Image.Image
    x: int
    """Its left edge, counted from the piece's middle."""
    y: int


class SpriteCache:
    """Keeps the pieces of all games and themes within a budget: as drawn, and scaled."""

    numbers = count()

    def __init__(self) -> None:
        self.large: LruCache[tuple[int, Look], LargeSprite] = LruCache(
            4 << 20, lambda large: large.sheet.width * large.sheet.height + 500
        )
        self.scaled: LruCache[tuple[int, Look, int, int], Sprite] = LruCache(
            4 << 20, lambda sprite: sprite.mask.width * sprite.mask.height * 5 + 500
        )


class PieceSprites:
    """The pieces of one theme and one set of glyphs."""

    def __init__(self, theme: Theme, glyphs: Mapping[str, Glyph], sprite_cache: SpriteCache):
        self._theme = theme
        self._glyphs = glyphs
        self._sprite_cache = sprite_cache
        self._id = next(SpriteCache.numbers)

    def serves(self, theme: Theme, glyphs: Mapping[str, Glyph]) -> bool:
        """Returns whether these are the sprites of that theme and those glyphs."""
        return self._theme is theme and (self._glyphs is glyphs or self._glyphs == glyphs)

    def blank(self, kind: str) -> bool:
        """Returns whether a piece of this kind has room for a word: nothing but its outline is drawn."""
        glyph = self._glyphs.get(kind, ())
        bodies = {stroke.path for stroke in glyph if stroke.ink == "body"}
        solid = all(stroke.ink != "body" or not stroke.width for stroke in glyph)
        return bool(glyph) and solid and all(stroke.ink == "body" or stroke.path in bodies for stroke in glyph)

    def sprite(self, look: Look, centre: Point) -> Sprite:
        """Returns the piece with its middle at a point, to a quarter of a pixel."""
        x, y = round(centre[0] * SUPERSAMPLING), round(centre[1] * SUPERSAMPLING)
        key = (self._id, look, x % SUPERSAMPLING, y % SUPERSAMPLING)
        scaled = self._sprite_cache.scaled.get(key)
        if scaled is None:
            scaled = self._sprite_cache.scaled.put(key, self._reduce(look, x % SUPERSAMPLING, y % SUPERSAMPLING))
        return scaled._replace(x=scaled.x + x // SUPERSAMPLING, y=scaled.y + y // SUPERSAMPLING)

    def _reduce(self, look: Look, dx: int, dy: int) -> Sprite:
        """Returns the piece scaled down, its middle so many fine pixels from the origin."""
        large = self._sprite_cache.large.get((self._id, look))
        if large is None:
            large = self._sprite_cache.large.put((self._id, look), self._draw(look))
        left, top = (large.x + dx) // SUPERSAMPLING, (large.y + dy) // SUPERSAMPLING
        right = -((large.x + dx + large.sheet.width) // -SUPERSAMPLING)
        bottom = -((large.y + dy + large.sheet.height) // -SUPERSAMPLING)
        x, y = left * SUPERSAMPLING - large.x - dx, top * SUPERSAMPLING - large.y - dy
        whole = large.sheet.crop((x, y, x + (right - left) * SUPERSAMPLING, y + (bottom - top) * SUPERSAMPLING))
        # Premultiplied, as reducing needs it.
        small = whole.convert("RGBA").convert("RGBa").reduce(SUPERSAMPLING).convert("RGBA")
        return Sprite(small.convert("RGB"), small.getchannel("A"), left, top)

    def _draw(self, look: Look) -> LargeSprite:
        long = 1 if look.tilt is None else LONG
        half = (math.ceil(look.radius * ROOM * long) + 2) * SUPERSAMPLING
        canvas = _PieceCanvas(2 * half)
        radius = look.radius * SUPERSAMPLING
        under = len(look.kinds) - 1
        step = 0.0 if not under else min(0.30, 0.62 / under) * radius
        size = radius * (1 - 0.07 * min(under, 3)) * (SHRUNK if look.taken else 1)
        for i, kind in enumerate(look.kinds):
            middle = (half, half + step * (under / 2 - i))
            free = kind not in self._glyphs or self.blank(kind)
            token = look.token if i == under and free else ""
            self._piece(canvas, look._replace(kinds=(kind,)), middle, size, token)
        if look.token and look.kinds[-1] in self._glyphs and not self.blank(look.kinds[-1]):
            at = (half + 0.48 * radius, half + 0.62 * radius)
            self._chip(canvas, look.token, self._theme.schemes[look.colour], at, 0.38 * radius)
        if look.badge:
            at = (half + 0.55 * radius, half - 0.58 * radius)
            above = look._replace(kinds=(look.badge,), colour=look.badge_colour)
            self._piece(canvas, above, at, 0.58 * radius)
        return canvas.cropped(half)

    def _piece(self, canvas: "_PieceCanvas", look: Look, at: Point, size: float, token: str = "") -> None:
        """Draws a piece on a sheet of its own, so that a hole in it shows the piece below."""
        (kind,), colour, ghost = look.kinds, look.colour, look.ghost
        scheme = self._theme.schemes[colour]
        glyph = self._glyphs.get(kind)
        # A ghost is only its outline.
        visible = [stroke for stroke in glyph or () if stroke.ink == "body" or not ghost]
        strokes = [(s.ink, _placed(_lying(trace(s.path), look.tilt), at, size), s.width * size) for s in visible]
        strokes = strokes or [("body", [Trace(circle(at, 0.9 * size), closed=True)], 0.0)]
        thick = max(1.3 * SUPERSAMPLING, 0.055 * size)
        # No larger than the piece, since growing its outline passes over the sheet some forty times.
        box = canvas.around(strokes, thick)
        sheet, at = canvas.sheet(box), (at[0] - box[0], at[1] - box[1])
        strokes = [(ink, _placed(traces, (-box[0], -box[1]), 1), width) for ink, traces, width in strokes]
        shapes = [(ink, _mask(sheet.size, traces, width)) for ink, traces, width in strokes]
        silhouette = _union(sheet.size, [mask for ink, mask in shapes if ink == "body"])
        outline = _spread(silhouette, thick)
        if ghost:
            gap = _pattern(sheet.size, at, size, 10, 0.56)
            ring = ImageChops.multiply(ImageChops.subtract(outline, _shrink(silhouette, thick * 0.4)), gap)
            sheet.paste(canvas.ink(scheme.rim if colour != "white" else scheme.sign), (0, 0), ring)
        else:
            if RIMS[colour] == "broken":
                sheet.paste(canvas.ink(scheme.fill), (0, 0), outline)
                outline = ImageChops.multiply(outline, _pattern(sheet.size, at, size, 14, 0.62))
            sheet.paste(canvas.ink(scheme.rim), (0, 0), outline)
            sheet.paste(canvas.ink(scheme.fill), (0, 0), silhouette)
            rim = _inner_rim(RIMS[colour], silhouette, at, size if look.tilt is None else SLIM * size)
            if rim is not None:
                sheet.paste(canvas.ink(scheme.sign), (0, 0), rim)
            self._details(canvas, sheet, shapes if glyph else [], scheme)
        canvas.paste(sheet, box)
        words = token or (kind if glyph is None else "")
        if words and not ghost:
            words = words if lettering.printable(words) else kind[:1]
            canvas.letter(words, scheme.sign, (at[0] + box[0], at[1] + box[1]), 1.12 * size)

    def _details(
        self, canvas: "_PieceCanvas", sheet: Image.Image, shapes: list[tuple[Ink, Image.Image]], scheme: ColourScheme
    ) -> None:
        inks = {"body": scheme.fill, "line": scheme.sign, "accent": self._theme.accent}
        covered = False
        for ink, mask in shapes:
            # The bodies lie there already; one that comes after a detail covers it.
            if covered or ink != "body":
                sheet.paste(canvas.ink(inks.get(ink)), (0, 0), mask)
            covered = covered or ink != "body"

    def _chip(self, canvas: "_PieceCanvas", token: str, scheme: ColourScheme, at: Point, size: float) -> None:
        if not lettering.printable(token):
            return
        disc = [Trace(circle(at, size), closed=True)]
        box = canvas.around([("body", disc, 0.0)], 1.2 * SUPERSAMPLING)
        sheet = canvas.sheet(box)
        mask = _mask(sheet.size, _placed(disc, (-box[0], -box[1]), 1), 0.0)
        sheet.paste(canvas.ink(scheme.rim), (0, 0), _spread(mask, 1.2 * SUPERSAMPLING))
        sheet.paste(canvas.ink(scheme.sign), (0, 0), mask)
        canvas.paste(sheet, box)
        canvas.letter(token, scheme.fill, at, 1.5 * size)


class _PieceCanvas:
    """Where a piece is drawn, in numbers of its few inks instead of colours, which is four times as quick."""

    def __init__(self, size: int):
        self._canvas = Image.new("P", (size, size))
        self._inks: list[RGB] = []

    def ink(self, colour: RGB | None) -> int:
        """Returns the number of a colour; None makes a hole."""
        if colour is None:
            return 0
        if colour not in self._inks:
            self._inks.append(colour)
        return self._inks.index(colour) + 1

    def around(self, strokes: Iterable[tuple[Ink, list[Trace], float]], spare: float) -> Box:
        """Returns the part of the canvas that strokes need, with so much to spare."""
        xs, ys, room = [], [], 0.0
        for _, traces, width in strokes:
            xs += [x for t in traces for x, _ in t.points]
            ys += [y for t in traces for _, y in t.points]
            room = max(room, width)
        room += spare + 2
        size = self._canvas.width
        # Eight pixels are a byte of a mask.
        left, right = math.floor(min(xs) - room) // 8 * 8, -(math.ceil(max(xs) + room) // -8) * 8
        top, bottom = math.floor(min(ys) - room), math.ceil(max(ys) + room)
        return max(0, left), max(0, top), min(size, right), min(size, bottom)

    @staticmethod
    def sheet(box: Box) -> Image.Image:
        """An empty sheet for a part of the canvas."""
        return Image.new("P", (box[2] - box[0], box[3] - box[1]))

    def paste(self, sheet: Image.Image, box: Box) -> None:
        """Lays a sheet on the canvas."""
        self._canvas.paste(sheet, box, Image.frombytes("1", sheet.size, sheet.tobytes(), "raw", "1;8"))

    def letter(self, text: str, ink: RGB, at: Point, size: float) -> None:
        """Writes a word round a point."""
        fits = max(size, 1.0)  # on the smallest pictures nothing can be read, and no font is that small
        while lettering.width(text, round(fits), "semibold") > 1.2 * size and fits > 4 * SUPERSAMPLING:
            fits *= 0.9
        mask = Image.new("L", self._canvas.size)
        middle = at[0], at[1] + 0.36 * fits
        lettering.write(ImageDraw.Draw(mask), middle, text, 255, round(fits), weight="semibold", middle=True)
        self._canvas.paste(self.ink(ink), (0, 0), mask.convert("1", dither=Image.Dither.NONE))

    def cropped(self, middle: int) -> LargeSprite:
        """Returns what was drawn."""
        box = self._canvas.getbbox() or (0, 0, 1, 1)
        sheet = self._canvas.crop(box)
        sheet.putpalette(bytes([0, 0, 0, 0, *(c for ink in self._inks for c in (*ink, 255))]), "RGBA")
        return LargeSprite(sheet, box[0] - middle, box[1] - middle)


def _placed(traces: Iterable[Trace], at: tuple[float, float], size: float) -> list[Trace]:
    return [Trace(tuple((at[0] + x * size, at[1] + y * size) for x, y in t.points), t.closed) for t in traces]


def _lying(traces: Sequence[Trace], tilt: float | None) -> Sequence[Trace]:
    """Stretched and turned along a narrow tile."""
    if tilt is None:
        return traces
    c, s = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
    shapes = ([(x * LONG, y * SLIM) for x, y in t.points] for t in traces)
    return [
        Trace(tuple((x * c - y * s, x * s + y * c) for x, y in points), t.closed)
        for points, t in zip(shapes, traces, strict=True)
    ]


def _mask(size: tuple[int, int], traces: list[Trace], width: float) -> Image.Image:
    if not width:
        return _fill(size, [t.points for t in traces])
    mask = Image.new("L", size)
    pen = ImageDraw.Draw(mask)
    for t in traces:
        points = [*t.points, *t.points[:2]] if t.closed else list(t.points)
        pen.line(points, fill=255, width=max(1, round(width)), joint="curve")
        for x, y in () if t.closed else (points[0], points[-1]):
            pen.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=255)
    return mask


def _fill(size: tuple[int, int], shapes: list[tuple[Point, ...]]) -> Image.Image:
    """Even-odd, so that a shape within a shape is a hole."""
    masks = []
    for shape in shapes:
        if len(shape) > 2:
            masks.append(Image.new("L", size))
            ImageDraw.Draw(masks[-1]).polygon(shape, fill=255)
    return reduce(ImageChops.difference, masks) if masks else Image.new("L", size)


def _union(size: tuple[int, int], masks: list[Image.Image]) -> Image.Image:
    return reduce(ImageChops.lighter, masks) if masks else Image.new("L", size)


def _spread(mask: Image.Image, by: float) -> Image.Image:
    """The mask, grown by so many pixels all round.

    As one long number, which is moved by shifting it: forty times quicker than forty pictures laid on one another.
    """
    size = mask.width * mask.height
    bits = grown = int.from_bytes(mask.convert("1", dither=Image.Dither.NONE).tobytes(), "big")
    for dx, dy in _around(by):
        far = dy * mask.width + dx
        grown |= bits >> far if far > 0 else bits << -far
    whole = (grown & ((1 << size) - 1)).to_bytes(size // 8, "big")
    return Image.frombytes("1", mask.size, whole).convert("L")


def _shrink(mask: Image.Image, by: float) -> Image.Image:
    """The mask, worn down by so many pixels all round."""
    return ImageChops.invert(_spread(ImageChops.invert(mask), by))


def _around(by: float) -> set[tuple[int, int]]:
    return {(round(x), round(y)) for reach in (by, by / 2) for x, y in circle((0.0, 0.0), reach, 20)}


def _pattern(size: tuple[int, int], at: Point, radius: float, count: int, share: float) -> Image.Image:
    """Rays from the middle: what a ring is broken with."""
    mask = Image.new("L", size)
    pen = ImageDraw.Draw(mask)
    half, far = math.pi / count * share, max(2 * radius, size[0] / 2)
    for i in range(count):
        middle = 2 * math.pi / count * i - math.pi / 2
        ends = [(at[0] + far * math.cos(a), at[1] + far * math.sin(a)) for a in (middle - half, middle + half)]
        pen.polygon([at, *ends], fill=255)
    return mask


def _inner_rim(rim: Rim, silhouette: Image.Image, at: Point, size: float) -> Image.Image | None:
    """The line inside a piece's edge."""
    thick = max(1.0 * SUPERSAMPLING, 0.06 * size)
    match rim:
        case "plain" | "broken":
            return None
        case "notches":
            edge = ImageChops.subtract(silhouette, _shrink(silhouette, 0.2 * size))
            return ImageChops.multiply(edge, _pattern(silhouette.size, at, size, 8, 0.16))
    outer = _shrink(silhouette, 0.09 * size)
    inner = _shrink(outer, thick * 1.5 if rim == "dots" else thick)
    ring = ImageChops.subtract(outer, inner)
    match rim:
        case "dashes":
            return ImageChops.multiply(ring, _pattern(silhouette.size, at, size, 10, 0.6))
        case "dots":
            return ImageChops.multiply(ring, _pattern(silhouette.size, at, size, 16, 0.45))
        case "double":
            inner = _shrink(outer, thick * 2)
            return ImageChops.lighter(ring, ImageChops.subtract(inner, _shrink(inner, thick * 0.8)))
    return ring
