"""One board in one theme and layout: turns what a diagram shows into patches over its ground, and those into bands."""

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

from PIL import Image, ImageDraw

from engine.board import Side, Site
from engine.diagram import Colour, Diagram, Figure, Link, MarkKind, Throw, Tray
from render import ground, lettering, marking, png
from render.caches import Cache
from render.layout import LABEL, NAME, NOTE, PIECE, TITLE, Block, Flow, Layout, flow
from render.palette import Palette, gather, tile_colour
from render.png import BAND, Band
from render.sprites import FINE, Drop, Look, Sprites
from render.theme import RGB, Theme

Stamp: TypeAlias = tuple[Hashable, ...]
"""What decides the pixels of a patch: its sort, its place, its contents."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """Changed pixels, by band: where in the band's bytes they begin, and what they are."""

    bands: Mapping[int, tuple[tuple[int, bytes], ...]]
    weight: int


@dataclass(slots=True)
class _Cell:
    """What stands and lies on one place."""

    figures: list[Figure] = field(default_factory=list)
    marks: list[MarkKind] = field(default_factory=list)

    def stamp(self, site: Site) -> Stamp:
        return ("cell", site, tuple(self.figures), tuple(self.marks))


class Scene:
    """Ground, sprites, patches and deflated bands that all pictures of one layout share."""

    def __init__(self, diagram: Diagram, layout: Layout, theme: Theme, deflater: png.Deflater):
        self._board = diagram.board
        self._layout = layout
        self._theme = theme
        self._names = dict(diagram.names)
        self._colours: Mapping[Side, Colour] = dict(diagram.colours)
        self.glyphs = diagram.glyphs
        self._deflater = deflater
        self._palette: Palette = gather(diagram.board, theme, [*diagram.colours.values(), "neutral"])
        self._ground = ground.draw(diagram, layout, theme, self._palette)
        self._sprites = Sprites(theme, diagram.glyphs)
        self._stride = layout.width + 1
        self._rows = self._scanlines()
        self._count = layout.height // BAND
        self._head = png.head(layout.width, layout.height, self._palette.bytes)
        self._patches: Cache[Stamp, Patch] = Cache(4 << 20, lambda patch: patch.weight)
        self._bands: Cache[tuple[Hashable, ...], Band] = Cache(3 << 20, lambda band: len(band.chunk) + 200)
        self._plain = [(i,) for i in range(self._count)]

    @property
    def weight(self) -> int:
        """Bytes of its ground, which is kept as it is and as scanlines."""
        return 2 * len(self._rows)

    def paint(self, diagram: Diagram) -> bytes:
        """The picture of a position."""
        patches = [self._patch(stamp) for stamp in self._stamps(diagram)]
        keys: list[list[Hashable]] = [[i] for i in range(self._count)]
        for patch in patches:
            for i in patch.bands:
                keys[i].append(patch)
        bands = [self._band(tuple(key)) for key in keys]
        return png.assemble(self._head, bands, len(self._rows))

    # --- bands ----------------------------------------------------------------------------------------
    def _band(self, key: tuple[Hashable, ...]) -> Band:
        band = self._bands.get(key)
        if band is None:
            i = key[0]
            assert isinstance(i, int)
            size = BAND * self._stride
            rows = bytearray(self._rows[i * size : (i + 1) * size])
            for patch in key[1:]:
                assert isinstance(patch, Patch)
                for start, pixels in patch.bands[i]:
                    rows[start : start + len(pixels)] = pixels
            band = self._bands.put(key, self._deflater.band(rows, (self._count - 1 - i) * size))
        return band

    def _scanlines(self) -> bytes:
        """The ground with PNG's filter byte (none) before each row."""
        width = self._layout.width
        return b"".join(b"\0" + self._ground[at : at + width] for at in range(0, len(self._ground), width))

    # --- stamps ---------------------------------------------------------------------------------------
    def _stamps(self, diagram: Diagram) -> list[Stamp]:
        stamps: list[Stamp] = [("title", diagram.title)]
        for block in self._layout.blocks:
            trays = tuple(tray for tray in diagram.trays if tray.side == block.side)
            stamps.append(("block", block, block.side == diagram.to_act, trays))
        if diagram.notes or diagram.throws:
            stamps.append(("foot", diagram.notes, diagram.throws))
        cells: dict[Site, _Cell] = {}
        for mark in diagram.marks:
            for site in mark.sites:
                if site in self._layout.cells:
                    cells.setdefault(site, _Cell()).marks.append(mark.kind)
        for figure in diagram.figures:
            cells.setdefault(figure.site, _Cell()).figures.append(figure)
        clusters = self._clusters(diagram.links, cells)
        together = {site for _, sites in clusters for site in sites}
        stamps.extend(cell.stamp(site) for site, cell in cells.items() if site not in together)
        for links, sites in clusters:
            stamps.append(("cluster", links, tuple(cells[site].stamp(site) for site in sites if site in cells)))
        return stamps

    def _clusters(
        self, links: tuple[Link, ...], cells: Mapping[Site, _Cell]
    ) -> list[tuple[tuple[Link, ...], tuple[Site, ...]]]:
        """What overlaps across places and must be drawn together: links, and marks that stick out of their tile."""
        groups: list[tuple[list[Link], dict[Site, None]]] = []
        loud = [site for site, cell in cells.items() if "culprit" in cell.marks or "blocker" in cell.marks]
        spread = [([link], self._crossed(link.start, link.end)) for link in links]
        for own, crossed in (*spread, *(([], self._crossed(site, site)) for site in loud)):
            touching = [group for group in groups if not group[1].keys().isdisjoint(crossed)]
            groups = [group for group in groups if group not in touching]
            sites = dict.fromkeys(chain(*(group[1] for group in touching), crossed))
            groups.append(([*chain(*(group[0] for group in touching)), *own], sites))
        return [(tuple(own), tuple(sites)) for own, sites in groups]

    def _crossed(self, a: Site, b: Site) -> list[Site]:
        """The places that a line between two of them comes near."""
        (ax, ay), (bx, by) = self._layout.cells[a].centre, self._layout.cells[b].centre
        length = (bx - ax) ** 2 + (by - ay) ** 2 or 1.0
        near = []
        for site, cell in self._layout.cells.items():
            x, y = cell.centre
            t = min(1.0, max(0.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
            if math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)) < cell.within * 1.5 + 16 * self._layout.unit:
                near.append(site)
        return near

    # --- patches --------------------------------------------------------------------------------------
    def _patch(self, stamp: Stamp) -> Patch:
        patch = self._patches.get(stamp)
        if patch is None:
            patch = self._patches.put(stamp, self._lay(self._drops(stamp)))
        return patch

    def _drops(self, stamp: Stamp) -> list[Drop]:
        match stamp:
            case ("title", str(title)):
                return self._title(title)
            case ("block", Block() as block, bool(acts), tuple(trays)):
                return self._block(block, acts, trays)
            case ("foot", tuple(notes), tuple(throws)):
                return self._foot(notes, throws)
            case ("cluster", tuple(links), tuple(cells)):
                return self._cluster(links, cells)
            case _:
                low, middle, high = self._cell(stamp)
                return [*low, *middle, *high]

    def _lay(self, drops: list[Drop]) -> Patch:
        """The ground with the drops on it, where it differs from the ground."""
        width, height = self._layout.width, self._layout.height
        boxes = [drop.box for drop in drops]
        left, top = max(0, min((b[0] for b in boxes), default=0)), max(0, min((b[1] for b in boxes), default=0))
        right = min(width, max((b[2] for b in boxes), default=0))
        bottom = min(height, max((b[3] for b in boxes), default=0))
        if right <= left or bottom <= top:
            return Patch({}, 64)
        old = Image.frombuffer("P", (width, height), self._ground, "raw", "P", 0, 1).crop((left, top, right, bottom))
        before = old.tobytes()
        old.putpalette(self._palette.bytes)
        picture = old.convert("RGB")
        for drop in drops:
            picture.paste(drop.ink, (drop.x - left, drop.y - top), drop.mask)
        after = self._palette.index(picture).tobytes()
        return self._cut(before, after, left, top, right - left)

    def _cut(self, before: bytes, after: bytes, left: int, top: int, wide: int) -> Patch:
        bands: dict[int, list[tuple[int, bytes]]] = {}
        weight = 200
        for y in range(len(after) // wide):
            old, new = before[y * wide : (y + 1) * wide], after[y * wide : (y + 1) * wide]
            if old == new:
                continue
            differ = int.from_bytes(old, "little") ^ int.from_bytes(new, "little")
            first, last = ((differ & -differ).bit_length() - 1) // 8, (differ.bit_length() + 7) // 8
            start = ((top + y) % BAND) * self._stride + 1 + left + first
            bands.setdefault((top + y) // BAND, []).append((start, new[first:last]))
            weight += last - first + 110
        return Patch({i: tuple(rows) for i, rows in bands.items()}, weight)

    # --- cells ----------------------------------------------------------------------------------------
    def _cell(self, stamp: Stamp) -> tuple[list[Drop], list[Drop], list[Drop]]:
        """Below, at the height of, and above the pieces of one place."""
        _, site, figures, marks = stamp
        assert isinstance(site, str)
        assert isinstance(figures, tuple)
        assert isinstance(marks, tuple)
        cell = self._layout.cells[site]
        tone = tile_colour(self._board, self._theme, site) if len(self._board.outlines[site]) > 1 else self._theme.paper
        unit = self._layout.unit
        kinds: list[MarkKind] = sorted(dict.fromkeys(marks), key=("moved", "zone", "reach", "blocker", "culprit").index)
        low = [drop for kind in kinds for drop in marking.below(cell, kind, tone, self._theme, unit)]
        high = [drop for kind in kinds for drop in marking.above(cell, kind, self._theme, unit)]
        middle = [
            self._sprites.drop(self._look(figure, cell.radius), cell.centre)
            for figure in sorted(figures, key=lambda figure: not figure.ghost)
        ]
        return low, middle, high

    def _look(self, figure: Figure, radius: float) -> Look:
        return Look(
            kinds=(*figure.under, figure.kind),
            colour=self._colours.get(figure.side, "neutral"),
            radius=radius,
            token=figure.token,
            ghost=figure.ghost,
            badge=figure.badge,
            badge_colour=self._colours.get(figure.badge_side, "neutral"),
        )

    def _cluster(self, links: tuple[Link, ...], cells: tuple[Stamp, ...]) -> list[Drop]:
        layers = [self._cell(stamp) for stamp in cells]
        strings = [drop for link in links if link.style == "string" for drop in self._link(link)]
        others = [drop for link in links if link.style != "string" for drop in self._link(link)]
        low = [drop for layer in layers for drop in layer[0]]
        middle = [drop for layer in layers for drop in layer[1]]
        high = [drop for layer in layers for drop in layer[2]]
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

    # --- words ----------------------------------------------------------------------------------------
    def _title(self, title: str) -> list[Drop]:
        (x, y), size = self._layout.title, self._layout.size(TITLE)
        room = self._layout.width - 2 * x
        return [self._text(lettering.shorten(title, size, room), x, y, size, self._theme.muted)]

    def _block(self, block: Block, acts: bool, trays: tuple[Tray, ...]) -> list[Drop]:
        unit, theme = self._layout.unit, self._theme
        name, label = self._layout.size(NAME), self._layout.size(LABEL)
        colour = self._colours.get(block.side, "neutral")
        laid: Flow = flow(self._names.get(block.side, ""), trays, block.width, unit)
        drops: list[Drop] = []
        for word in laid.words:
            x, y = block.x + word.x, block.y + word.y
            if word.head:
                wide = lettering.width(word.text, name, "semibold")
                end = x + 46 * unit + wide
                if acts:
                    right = end + lettering.width(" to move", label) + 18 * unit
                    drops.append(self._pill(x - 4 * unit, y - 20 * unit, right, y + 20 * unit, ink=theme.pill))
                    drops.append(self._text("to move", end + 8 * unit, y + 0.36 * name, label, theme.ink))
                drops.append(self._sprites.drop(Look(("",), colour, round(17 * unit * 4) / 4), (x + 20 * unit, y)))
                drops.append(self._text(word.text, x + 46 * unit, y + 0.36 * name, name, theme.ink, weight="semibold"))
            elif word.kind:
                look = Look((word.kind,), colour, round(PIECE * unit * 4) / 4)
                drops.append(self._sprites.drop(look, (x + PIECE * unit, y)))
                if word.text:
                    at = x + (2 * PIECE + 5) * unit
                    drops.append(self._text(word.text, at, y + 0.36 * label, label, theme.ink))
            else:
                drops.append(self._text(word.text, x, y + 0.36 * label, label, theme.muted))
        return drops

    def _foot(self, notes: tuple[str, ...], throws: tuple[Throw, ...]) -> list[Drop]:
        (x, y), size, unit = self._layout.foot, self._layout.size(NOTE), self._layout.unit
        drops: list[Drop] = []
        for throw in throws:
            if throw.label:
                drops.append(self._text(throw.label, x, y, size, self._theme.muted))
                x += lettering.width(throw.label, size) + 10 * unit
            for face in throw.faces:
                drops.extend(self._face(throw, face, x, y - 0.36 * size))
                x += (22 if throw.kind == "sticks" else 36) * unit
            x += 16 * unit
        room = self._layout.width - x - self._layout.title[0]
        words = lettering.shorten(" · ".join(notes), size, room)
        return [*drops, self._text(words, x, y, size, self._theme.ink)] if words else drops

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
            self._text(face, middle, y + 0.36 * size, size, dress.sign, weight="semibold"),
        ]

    def _text(self, text: str, x: float, y: float, size: int, ink: RGB, *, weight: lettering.Weight = "medium") -> Drop:
        """Words with their base line's left end at a point."""
        face = lettering.font(size, weight)
        mask = Image.new("L", (math.ceil(face.getlength(text)) + 6, size + size // 2 + 4))
        ImageDraw.Draw(mask).text((2, size + 2), text, fill=255, font=face, anchor="ls")
        return Drop(ink, mask, round(x) - 2, round(y) - size - 2)

    def _pill(self, left: float, top: float, right: float, bottom: float, *, ink: RGB, bend: float = 0) -> Drop:
        """A box with round ends."""
        x, y = math.floor(left), math.floor(top)
        mask = Image.new("L", ((math.ceil(right) - x + 1) * FINE, (math.ceil(bottom) - y + 1) * FINE))
        box = ((left - x) * FINE, (top - y) * FINE, (right - x) * FINE - 1, (bottom - y) * FINE - 1)
        ImageDraw.Draw(mask).rounded_rectangle(box, (bend or (bottom - top) / 2) * FINE, fill=255)
        return Drop(ink, mask.reduce(FINE), x, y)
