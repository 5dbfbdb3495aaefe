"""The board without pieces: drawn once, supersampled, brought to the palette, and deflated in bands."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import count, pairwise

from PIL import Image, ImageDraw

from engine.board import Board, Point, Site
from engine.diagram import Diagram
from render import lettering
from render.compose import png
from render.compose.palette import Palette, gather, ground_colour, tile_colour
from render.drawing.captions import label_ink
from render.drawing.sprites import SUPERSAMPLING, Box
from render.layout.cells import LEGIBLE, Cell
from render.layout.page import Layout
from render.paths import circle, dashes
from render.theme import RGB, Border, Theme, blend

STRIP = 64
Edge = tuple[Point, Point]


class Canvas:
    """Scanlines to paint on, and the same bytes as a picture: they are deflated without a copy."""

    def __init__(self, size: tuple[int, int], rows: bytes | bytearray):
        self.rows = memoryview(rows)
        self.picture = Image.frombuffer("L", size, rows, "raw", "L", 0, 1)

    def part(self, box: Box) -> bytes:
        """Returns the pixels in a box."""
        left, top, right, bottom = box
        width, wide = self.picture.width, right - left
        starts = range(top * width + left, bottom * width + left, width)
        return b"".join([self.rows[start : start + wide] for start in starts])


class DrawnBoard:
    """A board as it is drawn, whatever height the picture has: below it, there is paper alone."""

    def __init__(self, diagram: Diagram, layout: Layout, theme: Theme):
        self.palette = gather(diagram.board, theme, [*diagram.colours.values(), "neutral"])
        self._drawn = draw(diagram, layout, theme, self.palette)
        self.unmarked = iter(layout.cells)
        """Places for which the mark of a move has not been drawn yet."""
        self._bands: dict[tuple[int, int], tuple[int, png.Band]] = {}
        """Each band that was deflated, by where it begins and ends, with how many bytes came after it."""

    def scanlines(self, height: int) -> Canvas:
        """Returns the rows of a picture of that height as palette numbers, each after PNG's filter byte (none)."""
        # Beyond what was drawn, Pillow's crop is zeros: the filter byte, and the paper's number.
        rows = self._drawn.crop((0, 0, self._drawn.width, height))
        return Canvas(rows.size, rows.tobytes())

    def band(self, rows: memoryview, part: slice, deflater: png.Deflater) -> png.Band:
        """Returns a band of a picture without anything on the board, deflated best, and once for all heights."""
        after, key = len(rows) - part.stop, (part.start, part.stop)
        if key not in self._bands:
            self._bands[key] = after, deflater.band(rows[part], after, "kept")
        then, band = self._bands[key]
        return band.before(after - then)

    @property
    def weight(self) -> int:
        """Bytes that it holds, roughly."""
        return self._drawn.width * self._drawn.height


class Background:
    """An empty board in one theme, scale and palette, on a picture of one height."""

    _numbers = count()

    def __init__(self, board: DrawnBoard, layout: Layout, deflater: png.Deflater, edges: tuple[int, ...]):
        self.id = next(Background._numbers)
        self.palette = board.palette
        self.canvas = board.scanlines(layout.height)
        """Nothing is painted on it."""
        self.head = png.head(layout.width, layout.height, self.palette.bytes)
        self.unmarked = board.unmarked
        self.band_edges = edges
        """The first row of each band, then the height."""
        width = self.canvas.picture.width
        self.parts = [slice(start * width, end * width) for start, end in pairwise(self.band_edges)]
        """Each band's scanlines."""
        self.after = [len(self.canvas.rows) - part.stop for part in self.parts]
        """Bytes of scanlines after each."""
        self.bands = [board.band(self.canvas.rows, part, deflater) for part in self.parts]
        """Deflated once, and best."""

    def part(self, run: range) -> slice:
        """Returns the scanlines of neighbouring bands."""
        return slice(self.parts[run[0]].start, self.parts[run[-1]].stop)

    def touched(self, top: int, bottom: int) -> range:
        """Returns the bands with some of these rows."""
        return range(bisect_right(self.band_edges, top) - 1, bisect_left(self.band_edges, bottom))

    @property
    def weight(self) -> int:
        """Bytes that it holds."""
        return len(self.canvas.rows) + sum(len(band.data) for band in self.bands)


def draw(diagram: Diagram, layout: Layout, theme: Theme, palette: Palette) -> Image.Image:
    """Returns the board as a picture of palette numbers, after a column of zeros; drawn in strips to save memory."""
    shapes = _Shapes(diagram.board, layout, theme)
    picture = Image.new("RGB", (layout.width, layout.height), theme.paper)
    for top in range(0, layout.height, STRIP):
        high = min(STRIP, layout.height - top)
        fine = Image.new("RGB", (layout.width * SUPERSAMPLING, high * SUPERSAMPLING), theme.paper)
        shapes.draw(ImageDraw.Draw(fine), top, top + high)
        picture.paste(fine.reduce(SUPERSAMPLING), (0, top))
    _words(picture, diagram, layout, theme, palette)
    numbers = palette.index(picture)
    background = Image.new("L", (layout.width + 1, layout.height))
    background.paste(Image.frombytes("L", numbers.size, numbers.tobytes()), (1, 0))
    return background


class _Shapes:
    """Tiles and lines with their colours, in drawing order."""

    def __init__(self, board: Board, layout: Layout, theme: Theme):
        self._fills: list[tuple[tuple[Point, ...], RGB]] = []
        self._strokes: list[tuple[Edge, RGB, float]] = []
        tiles = {site: layout.cells[site] for site, c in board.outlines.items() if len(c) > 1}
        for site, cell in tiles.items():
            self._fills.append((cell.corners, tile_colour(board, theme, site)))
        shared = Counter(_key(edge) for cell in tiles.values() for edge in _edges(cell))
        seen: set[Edge] = set()
        rims: list[Edge] = []
        for cell in tiles.values():
            for edge in _edges(cell):
                if shared[_key(edge)] == 1:
                    rims.append(edge)
                elif _key(edge) not in seen:
                    seen.add(_key(edge))
                    self._strokes.append((edge, theme.line, 1.0))
        unit = layout.unit
        for line in layout.lines:
            for edge in pairwise(line):
                self._strokes.append((edge, theme.edge, max(1.0, 1.5 * unit)))
        for zone, name in board.tints.items():
            tint = theme.tints[name]
            deep = blend(tint.colour, theme.ink, 0.35)
            within = [tiles[site] for site in board.zones.get(zone, ()) if site in tiles]
            border: Border = "twin" if len(within) == 1 and tint.border == "solid" else tint.border
            self._border(within, border, deep, unit)
        for edge in rims:
            self._strokes.append((edge, theme.edge, max(1.5, 2.2 * unit)))
        for site in board.outlines:
            self._intersection(board, layout, theme, site)

    def draw(self, pen: ImageDraw.ImageDraw, top: float, bottom: float) -> None:
        for corners, colour in self._fills:
            ys = [y for _, y in corners]
            if max(ys) >= top and min(ys) <= bottom:
                pen.polygon([_fine(p, top) for p in corners], fill=colour)
        for (a, b), colour, width in self._strokes:
            if max(a[1], b[1]) + width >= top and min(a[1], b[1]) - width <= bottom:
                _stroke(pen, _fine(a, top), _fine(b, top), colour, width * SUPERSAMPLING)

    def _border(self, within: list[Cell], border: Border, colour: RGB, unit: float) -> None:
        if border == "none":
            return
        shared = Counter(_key(edge) for cell in within for edge in _edges(cell))
        for edge in (e for cell in within for e in _edges(cell) if shared[_key(e)] == 1):
            match border:
                case "thin":
                    self._strokes.append((edge, colour, max(1.0, 1.2 * unit)))
                case "solid":
                    self._strokes.append((edge, colour, max(1.5, 2.4 * unit)))
                case "twin":
                    self._strokes.append((edge, colour, max(1.5, 2.4 * unit)))
                case "dots" | "dashes":
                    on, off = (2.0, 5.0) if border == "dots" else (9.0, 6.0)
                    self._strokes += [(d, colour, max(1.5, 2.2 * unit)) for d in dashes(edge, on * unit, off * unit)]
        if border == "twin":
            for cell in within:
                ring = cell.inset(max(3.5, 4.4 * unit))
                for edge in zip(ring, ring[1:] + ring[:1], strict=True):
                    self._strokes.append((edge, colour, max(1.0, 1.6 * unit)))

    def _intersection(self, board: Board, layout: Layout, theme: Theme, site: Site) -> None:
        """A tinted dot where an intersection belongs to a tinted zone."""
        if len(board.outlines[site]) > 1:
            return
        for zone, tint in board.tints.items():
            if site in board.zones.get(zone, ()):
                cell = layout.cells[site]
                ring = circle(cell.centre, max(3.0, cell.within * 0.24), 24)
                self._fills.append((ring, blend(theme.paper, theme.tints[tint].colour, 0.8)))


def _edges(cell: Cell) -> list[Edge]:
    return list(zip(cell.corners, cell.corners[1:] + cell.corners[:1], strict=True))


def _key(edge: Edge) -> Edge:
    a, b = ((round(x, 1) + 0.0, round(y, 1) + 0.0) for x, y in edge)
    return (a, b) if a <= b else (b, a)


def _fine(point: Point, top: float) -> Point:
    # Pillow's polygons cover every pixel that they touch: half a fine pixel keeps both sides equal.
    return point[0] * SUPERSAMPLING - 0.5, (point[1] - top) * SUPERSAMPLING - 0.5


def _stroke(pen: ImageDraw.ImageDraw, a: Point, b: Point, colour: RGB, width: float) -> None:
    """A line of exactly this width with round ends."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy)
    half = width / 2
    if length:
        nx, ny = -dy / length * (half - 0.5), dx / length * (half - 0.5)
        pen.polygon(
            [(a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny), (b[0] - nx, b[1] - ny), (a[0] - nx, a[1] - ny)],
            fill=colour,
        )
    for x, y in (a, b):
        pen.ellipse((x - half + 0.5, y - half + 0.5, x + half - 0.5, y + half - 0.5), fill=colour)


def _words(picture: Image.Image, diagram: Diagram, layout: Layout, theme: Theme, palette: Palette) -> None:
    pen = ImageDraw.Draw(picture)
    for text, at in layout.legends:
        _word(pen, text, at, layout.legend_size, theme.muted)
    for site in diagram.labels:
        cell = layout.cells[site]
        if cell.label_size < LEGIBLE:
            continue
        ink = label_ink(ground_colour(diagram.board, theme, cell), theme, palette.seen)
        if cell.tilt is None:
            _word(pen, site, cell.label, cell.label_size, ink)
        else:
            mask = lettering.turned(site, cell.label_size, cell.tilt)
            x, y = (round(at) - mask.width // 2 for at in cell.label)
            picture.paste(ink, (x, y, x + mask.width, y + mask.height), mask)


def _word(pen: ImageDraw.ImageDraw, text: str, at: Point, size: int, ink: RGB) -> None:
    """Writes a word round a point; on whole pixels, so that equal letters are equal pixels and deflate well."""
    left = round(at[0] - lettering.width(text, size) / 2)
    lettering.write(pen, (left, round(at[1] + 0.36 * size)), text, ink, size)
