"""One board in one theme and layout: turns what a diagram shows into patches over its ground, and those into bands."""

import math
import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from typing import TypeAlias

from PIL import Image

from engine.board import Side, Site
from engine.diagram import Colour, Diagram, Figure, Link, MarkKind
from render import ground, marking, png
from render.caches import Cache
from render.captions import Captions
from render.cells import Cell
from render.layout import Block, Layout
from render.palette import gather, tile_colour
from render.png import BAND, Band
from render.sprites import Drop, Look, Sprites
from render.theme import Theme

Stamp: TypeAlias = Figure | tuple[Hashable, ...]
"""What decides the pixels of a patch: a lone piece, or the sort of patch, its place and its contents."""

ORDER: tuple[MarkKind, ...] = ("moved", "zone", "reach", "blocker", "culprit", "taken")
"""In which marks lie on one another."""
RUN = re.compile(rb"[^\0]+(?:\0{1,5}[^\0]+)*")
"""Changed pixels with small gaps."""
MIB = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """Changed pixels, by band: where in the band's bytes they begin, and what they are."""

    id: int
    bands: Mapping[int, tuple[tuple[int, bytes], ...]]
    weight: int


class Memory:
    """What scenes remember, together within one budget; keys begin with the scene's number."""

    def __init__(self) -> None:
        self.patches: Cache[tuple[int, Stamp], Patch] = Cache(8 * MIB, lambda patch: patch.weight)
        self.bands: Cache[tuple[int, ...], Band] = Cache(8 * MIB, lambda band: len(band.chunk) + 300)
        self.drops: Cache[Hashable, list[Drop]] = Cache(
            2 * MIB, lambda drops: 200 + sum(drop.mask.width * drop.mask.height for drop in drops)
        )
        self.deflater = png.Deflater(png.QUICK)

    def clear(self) -> None:
        """Forget everything."""
        for cache in (self.patches, self.bands, self.drops):
            cache.clear()


@dataclass(slots=True)
class _Cell:
    """What stands and lies on one place."""

    figures: list[Figure] = field(default_factory=list)
    marks: list[MarkKind] = field(default_factory=list)


class Scene:
    """Ground, patches and deflated bands that all pictures of one layout share."""

    _numbers = count()

    def __init__(self, diagram: Diagram, layout: Layout, theme: Theme, sprites: Sprites, memory: Memory):
        self.id = next(Scene._numbers)
        self._board = diagram.board
        self._layout = layout
        self._theme = theme
        self._colours: Mapping[Side, Colour] = dict(diagram.colours)
        self._sprites = sprites
        self._labels = diagram.labels
        self._memory = memory
        self._captions = Captions(layout, theme, sprites, dict(diagram.names), self._colours)
        self._palette = gather(diagram.board, theme, [*diagram.colours.values(), "neutral"])
        self._stride = layout.width + 1
        self._rows = _scanlines(ground.draw(diagram, layout, theme, self._palette), layout.width)
        self._head = png.head(layout.width, layout.height, self._palette.bytes)
        self._plain = self._deflate_plain()
        """The bands without anything on them, deflated once and well."""
        self._last: dict[int, tuple[list[Patch], Band]] = {}
        """What lay on each band of the picture before, and the band."""

    @property
    def weight(self) -> int:
        """Bytes that it holds."""
        return len(self._rows) + sum(len(band.chunk) for band in self._plain)

    def forget(self) -> None:
        """Forget the picture before; the board stays."""
        self._last = {}

    def paint(self, diagram: Diagram) -> bytes:
        """The picture of a position."""
        covered: dict[int, list[Patch]] = {}
        for stamp in self._stamps(diagram):
            patch = self._patch(stamp)
            for i in patch.bands:
                covered.setdefault(i, []).append(patch)
        bands, last = self._plain.copy(), self._last
        self._last = {}
        for i, patches in covered.items():
            same = last.get(i)
            # Comparing with the picture before is quicker than looking up, and most bands are the same.
            known = same if same and same[0] == patches else (patches, self._band(i, patches))
            self._last[i] = known
            bands[i] = known[1]
        return png.assemble(self._head, bands, len(self._rows))

    # --- bands ----------------------------------------------------------------------------------------
    def _band(self, i: int, patches: list[Patch]) -> Band:
        key = (self.id, i, *[patch.id for patch in patches])
        band = self._memory.bands.get(key)
        if band is None:
            size = BAND * self._stride
            rows = bytearray(self._rows[i * size : (i + 1) * size])
            for patch in patches:
                for start, pixels in patch.bands[i]:
                    rows[start : start + len(pixels)] = pixels
            band = self._memory.deflater.band(rows, len(self._rows) - (i + 1) * size)
            self._memory.bands.put(key, band)
        return band

    def _deflate_plain(self) -> list[Band]:
        size, deflater = BAND * self._stride, png.Deflater(png.THOROUGH)
        return [
            deflater.band(self._rows[at : at + size], len(self._rows) - at - size)
            for at in range(0, len(self._rows), size)
        ]

    # --- stamps ---------------------------------------------------------------------------------------
    def _stamps(self, diagram: Diagram) -> list[Stamp]:
        stamps: list[Stamp] = [("title", diagram.title)]
        for block in self._layout.blocks:
            trays = tuple([tray for tray in diagram.trays if tray.side == block.side])
            stamps.append(("block", block, block.side == diagram.to_act, trays))
        if diagram.notes or diagram.throws:
            stamps.append(("foot", diagram.throws, diagram.notes))
        crowded = self._crowded(diagram)
        if not crowded:
            return [*stamps, *diagram.figures]
        clusters = self._clusters(diagram.links, crowded)
        for figure in diagram.figures:
            if figure.site in crowded:
                crowded[figure.site].figures.append(figure)
            else:
                stamps.append(figure)
        cells: dict[Site, Stamp] = {
            site: ("cell", site, tuple(cell.figures), tuple(cell.marks)) for site, cell in crowded.items()
        }
        for links, sites in clusters:
            stamps.append(("cluster", links, tuple(cells.pop(site) for site in sites if site in cells)))
        return [*stamps, *cells.values()]

    def _crowded(self, diagram: Diagram) -> dict[Site, _Cell]:
        """The places with more than a lone piece: marked, crossed by a link, or shared with a ghost."""
        crowded: dict[Site, _Cell] = {}
        for mark in diagram.marks:
            for site in mark.sites:
                if site in self._layout.cells:
                    crowded.setdefault(site, _Cell()).marks.append(mark.kind)
        for link in diagram.links:
            for site in self._crossed(link.start, link.end):
                crowded.setdefault(site, _Cell())
        for site in [site for site, cell in crowded.items() if not {"culprit", "blocker"}.isdisjoint(cell.marks)]:
            for near in self._crossed(site, site):
                crowded.setdefault(near, _Cell())
        sites = [figure.site for figure in diagram.figures]
        if len(set(sites)) < len(sites):
            for site in sites:
                if sites.count(site) > 1:
                    crowded.setdefault(site, _Cell())
        return crowded

    def _clusters(
        self, links: tuple[Link, ...], crowded: Mapping[Site, _Cell]
    ) -> list[tuple[tuple[Link, ...], tuple[Site, ...]]]:
        """What overlaps across places and must be drawn together: links, and marks that stick out of their tile."""
        groups: list[tuple[list[Link], dict[Site, None]]] = []
        loud = [site for site, cell in crowded.items() if not {"culprit", "blocker"}.isdisjoint(cell.marks)]
        spread = [([link], self._crossed(link.start, link.end)) for link in links]
        for own, crossed in (*spread, *(([], self._crossed(site, site)) for site in loud)):
            touching = [group for group in groups if not group[1].keys().isdisjoint(crossed)]
            groups = [group for group in groups if group not in touching]
            sites = dict.fromkeys(chain(*(group[1] for group in touching), crossed))
            groups.append(([*chain(*(group[0] for group in touching)), *own], sites))
        return [(tuple(own), tuple(sites)) for own, sites in groups]

    def _crossed(self, a: Site, b: Site) -> tuple[Site, ...]:
        """The places that a line between two of them comes near."""
        (ax, ay), (bx, by) = self._layout.cells[a].centre, self._layout.cells[b].centre
        length = (bx - ax) ** 2 + (by - ay) ** 2 or 1.0
        near = []
        for site, cell in self._layout.cells.items():
            x, y = cell.centre
            t = min(1.0, max(0.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
            if math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)) < cell.within * 1.5 + 16 * self._layout.unit:
                near.append(site)
        return tuple(near)

    # --- patches --------------------------------------------------------------------------------------
    def _patch(self, stamp: Stamp) -> Patch:
        key = (self.id, stamp)
        return self._memory.patches.get(key) or self._memory.patches.put(key, self._lay(self._drops(stamp)))

    def _drops(self, stamp: Stamp) -> list[Drop]:
        match stamp:
            case Figure():
                return self._figures((stamp,))
            case ("title", str(title)):
                return self._captions.title(title)
            case ("block", Block() as block, bool(acts), tuple(trays)):
                return self._captions.block(block, acts, trays)
            case ("foot", tuple(throws), tuple(notes)):
                return self._captions.foot(throws, notes)
            case ("cluster", tuple(links), tuple(cells)):
                return self._cluster(links, cells)
            case _:
                return [*chain(*self._cell(stamp))]

    def _lay(self, drops: list[Drop]) -> Patch:
        """The ground with the drops on it, where it differs from the ground."""
        number = next(Scene._numbers)
        width, height = self._layout.width, self._layout.height
        boxes = [drop.box for drop in drops] or [(0, 0, 0, 0)]
        left, top = max(0, min(b[0] for b in boxes)), max(0, min(b[1] for b in boxes))
        right, bottom = min(width, max(b[2] for b in boxes)), min(height, max(b[3] for b in boxes))
        if right <= left or bottom <= top:
            return Patch(number, {}, 100)
        rows = Image.frombuffer("P", (self._stride, height), self._rows, "raw", "P", 0, 1)
        old = rows.crop((left + 1, top, right + 1, bottom))
        picture = self._palette.expand(old)
        for drop in drops:
            picture.paste(drop.ink, (drop.x - left, drop.y - top), drop.mask)
        return self._cut(number, old.tobytes(), self._palette.index(picture).tobytes(), (left, top, right))

    def _cut(self, number: int, before: bytes, after: bytes, box: tuple[int, int, int]) -> Patch:
        """The changed pixels of a patch in runs, so that patches beside or within one another do not meet."""
        left, top, right = box
        wide, size = right - left, len(after)
        changed = (int.from_bytes(before, "big") ^ int.from_bytes(after, "big")).to_bytes(size, "big")
        bands: dict[int, list[tuple[int, bytes]]] = {}
        weight = 300
        for y, at in enumerate(range(0, size, wide), top):
            for run in RUN.finditer(changed, at, at + wide):
                first, last = run.span()
                start = (y % BAND) * self._stride + 1 + left + first - at
                bands.setdefault(y // BAND, []).append((start, after[first:last]))
                weight += last - first + 120
        return Patch(number, {i: tuple(pixels) for i, pixels in bands.items()}, weight)

    # --- cells ----------------------------------------------------------------------------------------
    def _cell(self, stamp: Stamp) -> tuple[list[Drop], list[Drop], list[Drop]]:
        """Below, at the height of, and above the pieces of one place."""
        assert isinstance(stamp, tuple)
        _, site, figures, marks = stamp
        assert isinstance(site, str)
        assert isinstance(figures, tuple)
        assert isinstance(marks, tuple)
        kinds = sorted(dict.fromkeys(marks), key=ORDER.index)
        low = [drop for kind in kinds for drop in self._mark(site, kind)]
        high = [
            drop
            for kind in kinds
            for drop in marking.above(self._layout.cells[site], kind, self._theme, self._layout.unit)
        ]
        return low, self._figures(figures), high

    def _mark(self, site: Site, kind: MarkKind) -> list[Drop]:
        key = (self.id, site, kind)
        drops = self._memory.drops.get(key)
        if drops is None:
            tile = len(self._board.outlines[site]) > 1
            tone = tile_colour(self._board, self._theme, site) if tile else self._theme.paper
            cell, named = self._layout.cells[site], site in self._labels
            drops = marking.below(cell, kind, tone, self._theme, named=named, unit=self._layout.unit)
            self._memory.drops.put(key, drops)
        return drops

    def _figures(self, figures: tuple[Figure, ...]) -> list[Drop]:
        """Pieces on their places; ghosts below what stands there now."""
        cells = self._layout.cells
        return [
            self._sprites.drop(self._look(figure, cells[figure.site]), cells[figure.site].centre)
            for figure in sorted(figures, key=lambda figure: not figure.ghost)
        ]

    def _look(self, figure: Figure, cell: Cell) -> Look:
        hidden = figure.site in self._labels and cell.label == cell.centre
        return Look(
            kinds=(*figure.under, figure.kind),
            colour=self._colours.get(figure.side, "neutral"),
            radius=cell.radius,
            token=figure.token or (figure.site if hidden and self._sprites.blank(figure.kind) else ""),
            ghost=figure.ghost,
            badge=figure.badge,
            badge_colour=self._colours.get(figure.badge_side, "neutral"),
        )

    def _cluster(self, links: tuple[Link, ...], cells: tuple[Stamp, ...]) -> list[Drop]:
        layers = [self._cell(stamp) for stamp in cells]
        low, middle, high = ([drop for layer in layers for drop in layer[i]] for i in range(3))
        strings = [drop for link in links if link.style == "string" for drop in self._link(link)]
        others = [drop for link in links if link.style != "string" for drop in self._link(link)]
        return [*low, *strings, *middle, *others, *high]

    def _link(self, link: Link) -> Iterable[Drop]:
        a, b = self._layout.cells[link.start], self._layout.cells[link.end]
        dress = self._theme.dresses[self._colours.get(link.side, "neutral")]
        match link.style:
            case "string":
                return marking.string(a, b, dress.fill, dress.rim)
            case "arrow":
                return marking.arrow(a, b, self._theme.accent, self._theme.paper, self._layout.unit)
            case "dash":
                return marking.dash(a, b, dress.rim, self._layout.unit)


def _scanlines(pixels: bytes, width: int) -> bytes:
    """Rows with PNG's filter byte (none) before each."""
    return b"".join(b"\0" + pixels[at : at + width] for at in range(0, len(pixels), width))
