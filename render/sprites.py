"""Pieces drawn large, once each, and cut to size at any fraction of a pixel."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count

from PIL import Image, ImageChops, ImageDraw

from engine.board import Point
from engine.diagram import Colour, Glyph, Ink
from render import lettering
from render.caches import Cache
from render.paths import Trace, circle, trace
from render.theme import RGB, RIMS, Dress, Rim, Theme

FINE = 4
"""Supersampling: this many fine pixels to a pixel, each way."""
ROOM = 1.34
"""Half the width of a sprite, in radii of the piece: leaves place for badges, chips and stacks."""


@dataclass(frozen=True, slots=True)
class Look:
    """All that decides how a piece is drawn, but where it stands."""

    kinds: tuple[str, ...]
    """Lowest first; the last one is the piece itself."""
    colour: Colour
    radius: float
    token: str = ""
    ghost: bool = False
    badge: str = ""
    badge_colour: Colour = "neutral"


@dataclass(frozen=True, slots=True)
class Drop:
    """Something to be laid on the picture: one colour or an image, through a mask, with its top left corner at."""

    ink: RGB | Image.Image
    mask: Image.Image
    x: int
    y: int

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The pixels it may touch."""
        return self.x, self.y, self.x + self.mask.width, self.y + self.mask.height


class Drawer:
    """Remembers the pieces of all games and themes within one budget: large as drawn, and cut to size."""

    numbers = count()

    def __init__(self) -> None:
        self.fine: Cache[tuple[int, Look], Image.Image] = Cache(4 << 20, lambda image: image.width * image.height * 4)
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
        return replace(cut, x=cut.x + x // FINE, y=cut.y + y // FINE)

    def _reduce(self, look: Look, dx: int, dy: int) -> Drop:
        """The look cut to size, its middle at so many fine pixels from the origin."""
        fine = self._drawer.fine.get((self._id, look))
        if fine is None:
            fine = self._drawer.fine.put((self._id, look), self._draw(look))
        wide = fine.width - FINE
        small = fine.reduce(FINE, (FINE - dx, FINE - dy, FINE - dx + wide, FINE - dy + wide)).convert("RGBA")
        half = small.width // 2
        left, top, right, bottom = small.getbbox() or (0, 0, 1, 1)
        small = small.crop((left, top, right, bottom))
        return Drop(small.convert("RGB"), small.getchannel("A"), left + 1 - half, top + 1 - half)

    def _draw(self, look: Look) -> Image.Image:
        half = (math.ceil(look.radius * ROOM) + 2) * FINE
        canvas = Image.new("RGBA", (2 * half, 2 * half))
        radius = look.radius * FINE
        under = len(look.kinds) - 1
        step = 0.0 if not under else min(0.30, 0.62 / under) * radius
        size = radius * (1 - 0.07 * min(under, 3))
        for i, kind in enumerate(look.kinds):
            middle = (half, half + step * (under / 2 - i))
            free = kind not in self._glyphs or self.blank(kind)
            token = look.token if i == under and free else ""
            self._piece(canvas, kind, look.colour, middle, size, ghost=look.ghost, token=token)
        if look.token and look.kinds[-1] in self._glyphs and not self.blank(look.kinds[-1]):
            at = (half + 0.48 * radius, half + 0.62 * radius)
            self._chip(canvas, look.token, self._theme.dresses[look.colour], at, 0.38 * radius)
        if look.badge:
            at = (half + 0.55 * radius, half - 0.58 * radius)
            self._piece(canvas, look.badge, look.badge_colour, at, 0.58 * radius, ghost=look.ghost)
        # Premultiplied, as reducing needs it.
        return canvas.convert("RGBa")

    def _piece(
        self,
        canvas: Image.Image,
        kind: str,
        colour: Colour,
        at: Point,
        size: float,
        *,
        ghost: bool,
        token: str = "",
    ) -> None:
        # On a sheet of its own: what is cut out of a piece shows the piece below it.
        below, canvas = canvas, Image.new("RGBA", canvas.size)
        self._draw_piece(canvas, kind, colour, at, size, ghost=ghost, token=token)
        below.alpha_composite(canvas)

    def _draw_piece(
        self, canvas: Image.Image, kind: str, colour: Colour, at: Point, size: float, *, ghost: bool, token: str
    ) -> None:
        dress = self._theme.dresses[colour]
        glyph = self._glyphs.get(kind)
        shapes = [(s.ink, _mask(canvas.size, _placed(trace(s.path), at, size), s.width * size)) for s in glyph or ()]
        bodies = [mask for ink, mask in shapes if ink == "body"]
        if glyph is None:
            bodies = [_fill(canvas.size, [circle(at, 0.9 * size)])]
        silhouette = _union(canvas.size, bodies)
        thick = max(1.3 * FINE, 0.055 * size)
        outline = _spread(silhouette, thick)
        if ghost:
            gap = _pattern(canvas.size, at, size, 10, 0.56)
            ring = ImageChops.multiply(ImageChops.subtract(outline, _shrink(silhouette, thick * 0.4)), gap)
            canvas.paste(dress.rim if colour != "white" else dress.sign, (0, 0), ring)
            return
        if RIMS[colour] == "broken":
            canvas.paste(dress.fill, (0, 0), outline)
            outline = ImageChops.multiply(outline, _pattern(canvas.size, at, size, 14, 0.62))
        canvas.paste(dress.rim, (0, 0), outline)
        canvas.paste(dress.fill, (0, 0), silhouette)
        _inner_rim(canvas, RIMS[colour], silhouette, dress, at=at, size=size)
        self._details(canvas, shapes, dress)
        words = token or (kind if glyph is None else "")
        if words:
            self._letter(canvas, words if lettering.printable(words) else kind[:1], dress.sign, at, 1.12 * size)

    def _details(self, canvas: Image.Image, shapes: list[tuple[Ink, Image.Image]], dress: Dress) -> None:
        covered = False
        for ink, mask in shapes:
            if ink == "body":
                # The bodies lie there already; one that comes after a detail covers it.
                if covered:
                    canvas.paste(dress.fill, (0, 0), mask)
            elif ink == "cut":
                canvas.paste((0, 0, 0, 0), (0, 0), mask)
            else:
                canvas.paste(dress.sign if ink == "line" else self._theme.accent, (0, 0), mask)
            covered = covered or ink != "body"

    def _chip(self, canvas: Image.Image, token: str, dress: Dress, at: Point, size: float) -> None:
        if not lettering.printable(token):
            return
        disc = _fill(canvas.size, [circle(at, size)])
        canvas.paste(dress.rim, (0, 0), _spread(disc, 1.2 * FINE))
        canvas.paste(dress.sign, (0, 0), disc)
        self._letter(canvas, token, dress.fill, at, 1.5 * size)

    def _letter(self, canvas: Image.Image, text: str, ink: RGB, at: Point, size: float) -> None:
        fits = size
        while lettering.width(text, round(fits), "semibold") > 1.2 * size and fits > 4 * FINE:
            fits *= 0.9
        ImageDraw.Draw(canvas).text(
            (at[0], at[1] + 0.36 * fits), text, fill=ink, font=lettering.font(round(fits), "semibold"), anchor="ms"
        )


def _placed(traces: Iterable[Trace], at: Point, size: float) -> list[Trace]:
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
    mask = Image.new("1", size)
    for shape in shapes:
        one = Image.new("1", size)
        if len(shape) > 2:
            ImageDraw.Draw(one).polygon(list(shape), fill=1)
        mask = ImageChops.logical_xor(mask, one)
    return mask.convert("L")


def _union(size: tuple[int, int], masks: list[Image.Image]) -> Image.Image:
    whole = Image.new("L", size)
    for mask in masks:
        whole = ImageChops.lighter(whole, mask)
    return whole


def _spread(mask: Image.Image, by: float) -> Image.Image:
    """The mask, grown by so many pixels all round."""
    grown = mask
    for dx, dy in _around(by):
        grown = ImageChops.lighter(grown, ImageChops.offset(mask, dx, dy))
    return grown


def _shrink(mask: Image.Image, by: float) -> Image.Image:
    """The mask, worn down by so many pixels all round."""
    return ImageChops.invert(_spread(ImageChops.invert(mask), by))


def _around(by: float) -> set[tuple[int, int]]:
    return {(round(x), round(y)) for reach in (by, by / 2) for x, y in circle((0.0, 0.0), reach, 20)}


def _pattern(size: tuple[int, int], at: Point, radius: float, count: int, share: float) -> Image.Image:
    """Rays from the middle: what a ring is broken with."""
    mask = Image.new("L", size)
    pen = ImageDraw.Draw(mask)
    reach = 2 * radius
    for i in range(count):
        middle, half = 360 / count * i - 90, 180 / count * share
        pen.pieslice(
            (at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach), middle - half, middle + half, fill=255
        )
    return mask


def _inner_rim(canvas: Image.Image, rim: Rim, silhouette: Image.Image, dress: Dress, *, at: Point, size: float) -> None:
    if rim in ("plain", "broken"):
        return
    thick = max(1.0 * FINE, 0.06 * size)
    outer = _shrink(silhouette, 0.09 * size)
    ring = ImageChops.subtract(outer, _shrink(outer, thick))
    match rim:
        case "dashes":
            ring = ImageChops.multiply(ring, _pattern(canvas.size, at, size, 10, 0.6))
        case "dots":
            ring = ImageChops.multiply(
                ImageChops.subtract(outer, _shrink(outer, thick * 1.5)), _pattern(canvas.size, at, size, 16, 0.45)
            )
        case "double":
            inner = _shrink(outer, thick * 2)
            ring = ImageChops.lighter(ring, ImageChops.subtract(inner, _shrink(inner, thick * 0.8)))
        case "notches":
            edge = ImageChops.subtract(silhouette, _shrink(silhouette, 0.2 * size))
            ring = ImageChops.multiply(edge, _pattern(canvas.size, at, size, 8, 0.16))
        case _:
            pass
    canvas.paste(dress.sign, (0, 0), ring)
