"""One board in one theme and layout: turns what a diagram shows into patches over its ground, and those into bands."""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, count, groupby, pairwise

from engine.board import Side
from engine.diagram import Colour, Diagram, Figure, Link, MarkKind
from render import ground, marking, png
from render.caches import Cache
from render.captions import Captions
from render.cells import LEGIBLE, Cell
from render.cuts import cuts
from render.layout import Layout
from render.palette import Raw, gather, tile_colour
from render.png import Band
from render.sprites import Drop, Look, Sprites
from render.staging import Cluster, Half, Heap, Staging, Stamp, Titled, Worded
from render.theme import Theme

ORDER: tuple[MarkKind, ...] = ("moved", "zone", "reach", "blocker", "culprit", "taken")
"""In which marks lie on one another."""
TINY = 0.001
"""A sum divided by this is 0 or more than any pixel can hold."""
MIB = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """Changed pixels: only those, so that patches beside or within one another do not meet."""

    id: int
    pixels: Raw
    changed: Raw
    box: tuple[int, int, int, int]
    """Where they lie in scanlines, which begin with a filter byte."""
    bands: range
    """Those that it touches."""
    passing: bool
    """It is gone with the next turn, so its bands are not worth the best deflating."""


class Memory:
    """What scenes remember, together within one budget; keys begin with the ground's number."""

    def __init__(self) -> None:
        self.numbers = count()
        """Of patches and scenes."""
        self.patches: Cache[tuple[int, Stamp], Patch] = Cache(
            6 * MIB, lambda patch: (patch.box[2] - patch.box[0]) * (patch.box[3] - patch.box[1]) * 2 + 2000
        )
        self.bands: Cache[tuple[int, ...], Band] = Cache(6 * MIB, lambda band: len(band.data) + 300)
        self.drops: Cache[Hashable, list[Drop]] = Cache(
            2 * MIB, lambda drops: 200 + sum(drop.mask.width * drop.mask.height * 5 for drop in drops)
        )
        self.deflaters = {passing: png.Deflater(png.HASTY if passing else png.QUICK) for passing in (False, True)}

    def clear(self) -> None:
        """Forget all but how marks look."""
        self.patches.clear()
        self.bands.clear()


class Ground:
    """A board in one theme, scale and palette, without anything on it."""

    _numbers = count()

    def __init__(self, diagram: Diagram, layout: Layout, theme: Theme):
        self.id = next(Ground._numbers)
        self.palette = gather(diagram.board, theme, [*diagram.colours.values(), "neutral"])
        self.picture = ground.draw(diagram, layout, theme, self.palette)
        """Palette numbers, with PNG's filter byte (none) as the first column."""
        self.head = png.head(layout.width, layout.height, self.palette.bytes)
        self.cuts = cuts(layout)
        """The first row of each band, and the height."""
        deflater = png.Deflater(png.THOROUGH)
        rows, width = memoryview(self.picture.tobytes()), self.picture.width
        self.bands = [
            deflater.band(rows[start * width : end * width], self.after(i))
            for i, (start, end) in enumerate(pairwise(self.cuts))
        ]
        """Deflated once and well."""

    def after(self, i: int) -> int:
        """Bytes of scanlines after a band."""
        return (self.cuts[-1] - self.cuts[i + 1]) * self.picture.width

    def touched(self, top: int, bottom: int) -> range:
        """The bands that have some of these rows."""
        return range(bisect_right(self.cuts, top) - 1, bisect_left(self.cuts, bottom))

    @property
    def weight(self) -> int:
        """Bytes that it holds."""
        return self.picture.width * self.picture.height + sum(len(band.data) for band in self.bands)


class Scene:
    """What the pictures of one layout share."""

    def __init__(self, diagram: Diagram, layout: Layout, theme: Theme, *, sprites: Sprites, memory: Memory, on: Ground):
        self._board = diagram.board
        self._layout = layout
        self._theme = theme
        self._colours: Mapping[Side, Colour] = dict(diagram.colours)
        self._sprites = sprites
        self._labels = diagram.labels
        self._memory = memory
        self.id = next(memory.numbers)
        self._ground = on
        self._staging = Staging(layout)
        self._captions = Captions(layout, theme, sprites, self._colours)
        self._last: dict[int, tuple[list[Patch], Band]] = {}
        """What lay on each band of the picture before, and the band."""

    def forget(self) -> None:
        """Forget the picture before."""
        self._last = {}

    def paint(self, diagram: Diagram) -> bytes:
        """The picture of a position."""
        patches = [self._patch(stamp) for stamp in self._staging.stamps(diagram)]
        bands, last = self._ground.bands.copy(), self._last
        covered: list[list[Patch]] = [[] for _ in bands]
        for patch in patches:
            for i in patch.bands:
                covered[i].append(patch)
        self._last, fresh = {}, []
        for i, those in enumerate(covered):
            if those:
                same = last.get(i)
                # Comparing with the picture before is quicker than looking up, and most bands are the same.
                known = same[1] if same and same[0] == those else self._memory.bands.get(self._key(i, those))
                if known:
                    self._last[i], bands[i] = (those, known), known
                else:
                    fresh.append(i)
        for i, band in self._deflated(fresh, patches):
            self._memory.bands.put(self._key(i, covered[i]), band)
            self._last[i], bands[i] = (covered[i], band), band
        picture = self._ground.picture
        return png.assemble(self._ground.head, bands, picture.width * picture.height)

    def _key(self, i: int, patches: list[Patch]) -> tuple[int, ...]:
        return (self._ground.id, i, *[patch.id for patch in patches])

    def _deflated(self, fresh: list[int], patches: list[Patch]) -> Iterator[tuple[int, Band]]:
        """New bands; those that follow one another are put together as one."""
        ground, width = self._ground, self._ground.picture.width
        for _, run in groupby(enumerate(fresh), lambda numbered: numbered[1] - numbered[0]):
            bands = [i for _, i in run]
            first, end = bands[0], bands[-1] + 1
            top = ground.cuts[first]
            rows = ground.picture.crop((0, top, width, ground.cuts[end]))
            there = [patch for patch in patches if patch.bands.start < end and patch.bands.stop > first]
            for patch in there:
                x, y, right, bottom = patch.box
                rows.im.paste(patch.pixels, (x, y - top, right, bottom - top), patch.changed)
            data = memoryview(rows.tobytes())
            for i in bands:
                part = data[(ground.cuts[i] - top) * width : (ground.cuts[i + 1] - top) * width]
                hasty = any(patch.passing and i in patch.bands for patch in there)
                yield i, self._memory.deflaters[hasty].band(part, ground.after(i))

    # --- patches --------------------------------------------------------------------------------------
    def _patch(self, stamp: Stamp) -> Patch:
        key = (self._ground.id, stamp)
        return self._memory.patches.get(key) or self._memory.patches.put(
            key, self._lay(self._drops(stamp), _passes(stamp))
        )

    def _drops(self, stamp: Stamp) -> list[Drop]:
        match stamp:
            case Figure():
                return self._figures((stamp,))
            case Heap():
                return [*chain(*self._heap(stamp))]
            case Cluster(links, heaps):
                layers = [self._heap(heap) for heap in heaps]
                low, middle, high = (list(chain(*(layer[i] for layer in layers))) for i in range(3))
                return [*low, *middle, *chain(*(self._link(link) for link in links if link.style != "string")), *high]
            case Titled(text):
                return self._captions.title(text)
            case Worded(side, x, y, word, acts):
                return self._captions.word(side, x, y, word, acts)

    def _lay(self, drops: list[Drop], passing: bool) -> Patch:
        """The ground with the drops on it, where it differs from the ground."""
        number = next(self._memory.numbers)
        boxes = [drop.box for drop in drops] or [(0, 0, 0, 0)]
        left, top = max(0, min(b[0] for b in boxes)), max(0, min(b[1] for b in boxes))
        right = min(self._layout.width, max(b[2] for b in boxes))
        bottom = min(self._layout.height, max(b[3] for b in boxes))
        if right <= left or bottom <= top:
            return Patch(number, None, None, (0, 0, 0, 0), range(0), passing)
        part = left + 1, top, right + 1, bottom
        before = self._ground.picture.im.crop(part)
        picture = self._ground.palette.colour_raw(self._ground.picture.im.crop(part))
        for drop in drops:
            x, y, over, under = drop.box
            ink = drop.ink if isinstance(drop.ink, tuple) else drop.ink.im
            picture.paste(ink, (x - left, y - top, over - left, under - top), drop.mask.im)
        after = self._ground.palette.index_raw(picture)
        changed = before.chop_difference(after)
        box = changed.getbbox(False) or (0, 0, 1, 1)
        changed = changed.crop(box)
        # Any difference is as good as a great one.
        mask = changed.chop_add(changed, TINY, 0)
        x, y, right, bottom = left + 1 + box[0], top + box[1], left + 1 + box[2], top + box[3]
        return Patch(number, after.crop(box), mask, (x, y, right, bottom), self._ground.touched(y, bottom), passing)

    # --- places ---------------------------------------------------------------------------------------
    def _heap(self, heap: Heap) -> tuple[list[Drop], list[Drop], list[Drop]]:
        """Below, at the height of, and above the pieces of one place."""
        cell = self._layout.cells[heap.site]
        kinds = sorted(dict.fromkeys(heap.marks), key=ORDER.index)
        low = [*chain(*(self._mark(cell, kind) for kind in kinds)), *chain(*(self._half(cell, h) for h in heap.halves))]
        high = [*chain(*(marking.above(cell, kind, self._theme, self._layout.unit) for kind in kinds))]
        return low, self._figures(heap.figures), high

    def _mark(self, cell: Cell, kind: MarkKind) -> list[Drop]:
        """The part of a mark that lies below the piece; tiles of one shape share it."""
        tone = self._theme.paper if cell.round else tile_colour(self._board, self._theme, cell.site)
        named = cell.site in self._labels and cell.label_size >= LEGIBLE
        shape, x, y = cell.shape()
        key = (self._ground.id, kind, tone, shape.corners, named)
        drops = self._memory.drops.get(key)
        if drops is None:
            drops = marking.below(shape, kind, tone, self._theme, named=named, unit=self._layout.unit)
            self._memory.drops.put(key, drops)
        moved = [replace(drop, x=drop.x + x, y=drop.y + y) for drop in drops]
        return [*moved, self._captions.again(cell, marking.below_name(kind, tone, self._theme))] if named else moved

    def _figures(self, figures: tuple[Figure, ...]) -> list[Drop]:
        """Pieces on their places; ghosts below what stands there now."""
        drops = []
        for figure in sorted(figures, key=lambda figure: not figure.ghost):
            cell, colour = self._layout.cells[figure.site], self._colours.get(figure.side, "neutral")
            drops.append(self._sprites.drop(self._look(figure, colour, cell.radius), cell.centre))
            if cell.label == cell.centre and cell.site in self._labels and not figure.token and not figure.ghost:
                drops.extend(self._captions.face(cell, figure.kind, colour))
        return drops

    def _look(self, figure: Figure, colour: Colour, radius: float) -> Look:
        return Look(
            kinds=(*figure.under, figure.kind),
            colour=colour,
            radius=radius,
            token=figure.token,
            ghost=figure.ghost,
            badge=figure.badge,
            badge_colour=self._colours.get(figure.badge_side, "neutral"),
        )

    def _half(self, cell: Cell, half: Half) -> list[Drop]:
        key = (self._ground.id, cell.site, half)
        drops = self._memory.drops.get(key)
        if drops is None:
            a, b = cell, self._layout.cells[half.to]
            dress = self._theme.dresses[self._colours.get(half.side, "neutral")]
            whole = marking.string(*((a, b) if half.first else (b, a)), dress.fill, dress.rim)
            drops = [marking.on_one_side(drop, a.centre, b.centre, half.first) for drop in whole]
            self._memory.drops.put(key, drops)
        return drops

    def _link(self, link: Link) -> list[Drop]:
        a, b = self._layout.cells[link.start], self._layout.cells[link.end]
        if link.style == "arrow":
            return marking.arrow(a, b, self._theme.accent, self._theme.paper, self._layout.unit)
        dress = self._theme.dresses[self._colours.get(link.side, "neutral")]
        return marking.dash(a, b, dress.rim, self._layout.unit)


def _passes(stamp: Stamp) -> bool:
    """Whether it has marks of the last turn or of a call; zones stay."""
    heaps = stamp.heaps if isinstance(stamp, Cluster) else (stamp,) if isinstance(stamp, Heap) else ()
    return any(mark != "zone" for heap in heaps for mark in heap.marks)
