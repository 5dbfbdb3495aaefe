"""Pieces drawn large, once each, and cut to size at any fraction of a pixel."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import count
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageChops, ImageDraw

from engine.board import Point
from engine.diagram import Colour, Glyph, Ink
from render import lettering
from render.caches import Cache
from render.paths import Trace, circle, trace
from render.theme import RGB, RIMS, Dress, Rim, Theme

Box: TypeAlias = tuple[int, int, int, int]

FINE = 4
"""Supersampling: this many fine pixels to a pixel, each way."""
EDGE = 127
"""What a mask says where an edge covers a whole pixel, and the ink inside it nothing."""
ROOM = 1.34
"""Half the width of a sprite, in radii of the piece: leaves place for badges, chips and stacks."""


class Look(NamedTuple):
    """All that decides how a piece is drawn, but where it stands."""

    kinds: tuple[str, ...]
    """Lowest first; the last one is the piece itself."""
    colour: Colour
    radius: float
    token: str = ""
    ghost: bool = False
    badge: str = ""
    badge_colour: Colour = "neutral"


class Drop(NamedTuple):
    """Something to be laid on the picture: one colour or an image, through a mask, with its top left corner at."""

    ink: RGB | Image.Image
    mask: Image.Image
    x: int
    y: int
    edge: RGB | None = None
    """A colour all round the ink: up to `EDGE` the mask tells how far it covers, above that how far the ink does."""

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The pixels it may touch."""
        return self.x, self.y, self.x + self.mask.width, self.y + self.mask.height


@dataclass(frozen=True, slots=True, eq=False)
class Fine:
    """A piece as drawn, `FINE` times as large: numbers of inks, cropped to what there is; 0 = nothing."""

    sheet: Image.Image
    x: int
    """Its left edge, counted from the piece's middle."""
    y: int


class Drawer:
    """Remembers the pieces of all games and themes within one budget: large as drawn, and cut to size."""

    numbers = count()

    def __init__(self) -> None:
        self.fine: Cache[tuple[int, Look], Fine] = Cache(
            4 << 20, lambda fine: fine.sheet.width * fine.sheet.height + 500
        )
        self.cut: Cache[tuple[int, Look, int, int], Drop] = Cache(
            4 << 20, lambda drop: drop.mask.width * drop.mask.height * 5 + 500
        )


class Sprites:
    """All looks of one theme and one set of glyphs."""

    def __init__(self, theme: Theme, glyphs: Mapping[str, Glyph], drawer: Drawer):
        self._theme = theme
        self._glyphs = glyphs
        self._drawer = drawer
        self._id = next(Drawer.numbers)

    def serves(self, theme: Theme, glyphs: Mapping[str, Glyph]) -> bool:
        """Whether these are the sprites of that theme and those glyphs."""
        return self._theme is theme and (self._glyphs is glyphs or self._glyphs == glyphs)

    def blank(self, kind: str) -> bool:
        """Whether a piece of this kind has a face that is free for a word: nothing but its outline is drawn on it."""
        glyph = self._glyphs.get(kind, ())
        bodies = {stroke.path for stroke in glyph if stroke.ink == "body"}
        return bool(glyph) and all(stroke.ink == "body" or stroke.path in bodies for stroke in glyph)

    def drop(self, look: Look, centre: Point) -> Drop:
        """The look with its middle at a point, to a quarter of a pixel."""
        x, y = round(centre[0] * FINE), round(centre[1] * FINE)
        key = (self._id, look, x % FINE, y % FINE)
        cut = self._drawer.cut.get(key)
        if cut is None:
            cut = self._drawer.cut.put(key, self._reduce(look, x % FINE, y % FINE))
        return cut._replace(x=cut.x + x // FINE, y=cut.y + y // FINE)

    def _reduce(self, look: Look, dx: int, dy: int) -> Drop:
        """The look cut to size, its middle at so many fine pixels from the origin."""
        fine = self._drawer.fine.get((self._id, look))
        if fine is None:
            fine = self._drawer.fine.put((self._id, look), self._draw(look))
        left, top = (fine.x + dx) // FINE, (fine.y + dy) // FINE
        right, bottom = -((fine.x + dx + fine.sheet.width) // -FINE), -((fine.y + dy + fine.sheet.height) // -FINE)
        x, y = left * FINE - fine.x - dx, top * FINE - fine.y - dy
        whole = fine.sheet.crop((x, y, x + (right - left) * FINE, y + (bottom - top) * FINE))
        # Premultiplied, as reducing needs it.
        small = whole.convert("RGBA").convert("RGBa").reduce(FINE).convert("RGBA")
        return Drop(small.convert("RGB"), small.getchannel("A"), left, top)

    def _draw(self, look: Look) -> Fine:
        half = (math.ceil(look.radius * ROOM) + 2) * FINE
        easel = _Easel(2 * half)
        radius = look.radius * FINE
        under = len(look.kinds) - 1
        step = 0.0 if not under else min(0.30, 0.62 / under) * radius
        size = radius * (1 - 0.07 * min(under, 3))
        for i, kind in enumerate(look.kinds):
            middle = (half, half + step * (under / 2 - i))
            free = kind not in self._glyphs or self.blank(kind)
            token = look.token if i == under and free else ""
            self._piece(easel, kind, look.colour, middle, size, ghost=look.ghost, token=token)
        if look.token and look.kinds[-1] in self._glyphs and not self.blank(look.kinds[-1]):
            at = (half + 0.48 * radius, half + 0.62 * radius)
            self._chip(easel, look.token, self._theme.dresses[look.colour], at, 0.38 * radius)
        if look.badge:
            at = (half + 0.55 * radius, half - 0.58 * radius)
            self._piece(easel, look.badge, look.badge_colour, at, 0.58 * radius, ghost=look.ghost)
        return easel.fine(half)

    def _piece(
        self, easel: "_Easel", kind: str, colour: Colour, at: Point, size: float, *, ghost: bool, token: str = ""
    ) -> None:
        """A piece on a sheet of its own: what is cut out of it shows the piece below it."""
        dress = self._theme.dresses[colour]
        glyph = self._glyphs.get(kind)
        # Of a ghost only the outline is seen.
        seen = [stroke for stroke in glyph or () if stroke.ink == "body" or not ghost]
        strokes = [(s.ink, _placed(trace(s.path), at, size), s.width * size) for s in seen]
        strokes = strokes or [("body", [Trace(circle(at, 0.9 * size), closed=True)], 0.0)]
        thick = max(1.3 * FINE, 0.055 * size)
        # No larger than the piece, because its outline goes over the whole sheet some forty times.
        box = easel.around(strokes, thick)
        sheet, at = easel.sheet(box), (at[0] - box[0], at[1] - box[1])
        strokes = [(ink, _placed(traces, (-box[0], -box[1]), 1), width) for ink, traces, width in strokes]
        shapes = [(ink, _mask(sheet.size, traces, width)) for ink, traces, width in strokes]
        silhouette = _union(sheet.size, [mask for ink, mask in shapes if ink == "body"])
        outline = _spread(silhouette, thick)
        if ghost:
            gap = _pattern(sheet.size, at, size, 10, 0.56)
            ring = ImageChops.multiply(ImageChops.subtract(outline, _shrink(silhouette, thick * 0.4)), gap)
            sheet.paste(easel.ink(dress.rim if colour != "white" else dress.sign), (0, 0), ring)
        else:
            if RIMS[colour] == "broken":
                sheet.paste(easel.ink(dress.fill), (0, 0), outline)
                outline = ImageChops.multiply(outline, _pattern(sheet.size, at, size, 14, 0.62))
            sheet.paste(easel.ink(dress.rim), (0, 0), outline)
            sheet.paste(easel.ink(dress.fill), (0, 0), silhouette)
            rim = _inner_rim(RIMS[colour], silhouette, at, size)
            if rim is not None:
                sheet.paste(easel.ink(dress.sign), (0, 0), rim)
            self._details(easel, sheet, shapes if glyph else [], dress)
        easel.lay(sheet, box)
        words = token or (kind if glyph is None else "")
        if words and not ghost:
            words = words if lettering.printable(words) else kind[:1]
            easel.letter(words, dress.sign, (at[0] + box[0], at[1] + box[1]), 1.12 * size)

    def _details(
        self, easel: "_Easel", sheet: Image.Image, shapes: list[tuple[Ink, Image.Image]], dress: Dress
    ) -> None:
        inks = {"body": dress.fill, "line": dress.sign, "accent": self._theme.accent}
        covered = False
        for ink, mask in shapes:
            # The bodies lie there already; one that comes after a detail covers it.
            if covered or ink != "body":
                sheet.paste(easel.ink(inks.get(ink)), (0, 0), mask)
            covered = covered or ink != "body"

    def _chip(self, easel: "_Easel", token: str, dress: Dress, at: Point, size: float) -> None:
        if not lettering.printable(token):
            return
        disc = [Trace(circle(at, size), closed=True)]
        box = easel.around([("body", disc, 0.0)], 1.2 * FINE)
        sheet = easel.sheet(box)
        mask = _mask(sheet.size, _placed(disc, (-box[0], -box[1]), 1), 0.0)
        sheet.paste(easel.ink(dress.rim), (0, 0), _spread(mask, 1.2 * FINE))
        sheet.paste(easel.ink(dress.sign), (0, 0), mask)
        easel.lay(sheet, box)
        easel.letter(token, dress.fill, at, 1.5 * size)


class _Easel:
    """Where a piece is drawn: numbers of its few inks instead of colours, which is four times as quick."""

    def __init__(self, size: int):
        self._canvas = Image.new("P", (size, size))
        self._inks: list[RGB] = []

    def ink(self, colour: RGB | None) -> int:
        """The number of a colour; of None, what takes away."""
        if colour is None:
            return 0
        if colour not in self._inks:
            self._inks.append(colour)
        return self._inks.index(colour) + 1

    def around(self, strokes: Iterable[tuple[Ink, list[Trace], float]], spare: float) -> Box:
        """The part of the canvas that strokes need, with so much to spare."""
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

    def lay(self, sheet: Image.Image, box: Box) -> None:
        """Lay a sheet on the canvas."""
        self._canvas.paste(sheet, box, Image.frombytes("1", sheet.size, sheet.tobytes(), "raw", "1;8"))

    def letter(self, text: str, ink: RGB, at: Point, size: float) -> None:
        """A word round a point."""
        fits = size
        while lettering.width(text, round(fits), "semibold") > 1.2 * size and fits > 4 * FINE:
            fits *= 0.9
        face = lettering.font(round(fits), "semibold")
        mask = Image.new("L", self._canvas.size)
        ImageDraw.Draw(mask).text((at[0], at[1] + 0.36 * fits), text, fill=255, font=face, anchor="ms")
        self._canvas.paste(self.ink(ink), (0, 0), mask.convert("1", dither=Image.Dither.NONE))

    def fine(self, middle: int) -> Fine:
        """What was drawn."""
        box = self._canvas.getbbox() or (0, 0, 1, 1)
        sheet = self._canvas.crop(box)
        sheet.putpalette(bytes([0, 0, 0, 0, *(c for ink in self._inks for c in (*ink, 255))]), "RGBA")
        return Fine(sheet, box[0] - middle, box[1] - middle)


def _placed(traces: Iterable[Trace], at: tuple[float, float], size: float) -> list[Trace]:
    return [Trace(tuple((at[0] + x * size, at[1] + y * size) for x, y in t.points), t.closed) for t in traces]


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
    half = math.pi / count * share
    for i in range(count):
        middle = 2 * math.pi / count * i - math.pi / 2
        ends = [
            (at[0] + 2 * radius * math.cos(a), at[1] + 2 * radius * math.sin(a)) for a in (middle - half, middle + half)
        ]
        pen.polygon([at, *ends], fill=255)
    return mask


def _inner_rim(rim: Rim, silhouette: Image.Image, at: Point, size: float) -> Image.Image | None:
    """The line inside a piece's edge."""
    thick = max(1.0 * FINE, 0.06 * size)
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
