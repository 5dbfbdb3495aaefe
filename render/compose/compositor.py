"""Composes the pictures of one layout: display items become deltas over the background, and those become bands."""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial, reduce
from itertools import count, islice
from operator import or_

from engine.board import Point, Side, Site
from engine.diagram import Colour, Diagram, Figure, Link
from render.compose import png
from render.compose.background import Background, Canvas
from render.compose.cache import MOST_DEFERRED, PictureCache
from render.compose.deltas import Delta, delta_of
from render.compose.display_list import (
    TONING,
    Item,
    MarkedFigure,
    MarkItem,
    NameItem,
    TakenFigure,
    TitleItem,
    WordItem,
    display_list,
    far,
    is_transient,
)
from render.compose.layers import PlacedLayer, quantized
from render.compose.palette import ground_colour, tile_colour
from render.drawing import marks
from render.drawing.captions import Captions
from render.drawing.sprites import SHRUNK, SUPERSAMPLING, Look, PieceSprites, Sprite
from render.layout.cells import LEGIBLE, Cell
from render.layout.page import Layout
from render.layout.words import Flow, Wording
from render.theme import RGB, Theme

FEW = 4
"""Places for which the mark of a move is prepared after a turn: so many take about a millisecond."""

_numbers = count()


class Compositor:
    """Composes pictures; each starts from the one before it."""

    def __init__(
        self,
        diagram: Diagram,
        layout: Layout,
        theme: Theme,
        *,
        sprites: PieceSprites,
        cache: PictureCache,
        background: Background,
        first: bool,
    ):
        self._board = diagram.board
        self._layout = layout
        self._theme = theme
        self._colours: Mapping[Side, Colour] = dict(diagram.colours)
        self._sprites = sprites
        self._labels = diagram.labels
        self._cache = cache
        self.id = next(_numbers)
        self._background = background
        self._first = first
        """Whether its board was drawn for it: what is painted first then will be seen again and again."""
        self._style = theme.key, background.palette.bytes, sprites, layout.unit
        """All that decides how a layer looks beside what it shows: matches and layouts share them."""
        # On the instance, so that it is freed with it.
        self._place = lru_cache(maxsize=512)(self._find_place)
        self._middles = {site: _middle(cell) for site, cell in layout.cells.items()}
        self._captions = Captions(layout, theme, sprites, self._colours, background.palette.seen)
        self.forget()

    def forget(self) -> None:
        """Forgets the last picture."""
        self._items: list[Item] = []
        self._deltas: list[Delta] = []
        self._bands = self._background.bands
        self._unpolished: list[int] = []
        """New bands of the last picture, deflated quickly."""
        self._merged: list[int] = []
        """Runs of bands that were deflated as one, one bit for each band: if one changes, all do."""

    def paint(self, diagram: Diagram, wording: Wording, flows: tuple[Flow, ...], *, hurried: bool) -> bytes:
        """Returns the picture as PNG; only bands in which items came or went are made anew."""
        background, cache, first = self._background, self._cache, self._first and not self._items
        shown = display_list(diagram, wording, self._layout, flows)
        deltas, changed = self._compared(shown)
        for merged in self._merged:
            if merged & changed:
                changed |= merged
        lying = [delta for delta in deltas if delta.bands & changed]
        transient = changed & _together([delta for delta in lying if delta.transient])
        bands = self._bands.copy()
        # A band that is still there in the next picture is worth deflating better.
        cache.unpolished.extend([bands[i] for i in self._unpolished if not changed >> i & 1])
        fresh = dict[int, tuple[int, ...]]()
        for i, key in self._keys(changed & ~transient, lying):
            if known := cache.bands.get(key) if len(key) > 2 else background.bands[i]:
                bands[i] = known
            else:
                fresh[i] = key
        rows = self._painted(transient | sum([1 << i for i in fresh]), lying)
        use: png.Use = "lasting" if first and not hurried else "quick"
        for i, key in fresh.items():
            band = cache.deflater.band(rows[background.parts[i]], background.after[i], use)
            bands[i] = cache.bands.put(key, band)
        # Bands with a mark of the last turn are not used again, so neighbours are deflated together.
        merges = [merged for merged in self._merged if not merged & changed]
        for run in _runs(transient):
            band = cache.deflater.band(rows[background.part(run)], background.after[run[-1]], "quick")
            bands[run.start : run.stop] = [band, *[png.NOTHING] * (len(run) - 1)]
            merges.append((1 << run.stop) - (1 << run.start))
        # All at once, so that a failure leaves nothing half done.
        self._items, self._deltas, self._bands, self._merged = shown, deltas, bands, merges
        self._unpolished = list(fresh) if use == "quick" else []
        if len(cache.deferred) < MOST_DEFERRED:
            cache.deferred.append(self._prepare_move_marks)
        return cache.deflater.assemble(background.head, bands, len(background.canvas.rows))

    def _prepare_move_marks(self) -> None:
        """Prepares the mark of a move on a few more places; pictures of another height of the same board share it."""
        for site in islice(self._background.unmarked, FEW):
            self._delta(MarkItem(site, TONING))
            self._delta(MarkItem(site, "left"))

    def _keys(self, bands: int, deltas: list[Delta]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yields each band's key: its background, its number and the deltas on it."""
        found: dict[int, list[int]] = {i: [] for run in _runs(bands) for i in run}
        for delta in deltas:
            for i in delta.touched:
                if i in found:
                    found[i].append(delta.id)
        for i, ids in found.items():
            yield i, (self._background.id, i, *ids)

    def _compared(self, shown: list[Item]) -> tuple[list[Delta], int]:
        """Returns the deltas of items, and the bands in which one came or went since the picture before."""
        old, before = self._items, self._deltas
        # Most of a picture is as it was, at its beginning and at its end.
        most = min(len(old), len(shown))
        head = next((i for i in range(most) if shown[i] != old[i]), most)
        tail = next((i for i in range(most - head) if shown[~i] != old[~i]), most - head)
        items_before, deltas_before = old[head : len(old) - tail], before[head : len(old) - tail]
        places = {item: i for i, item in enumerate(items_before)}
        middle = shown[head : len(shown) - tail]
        were = [places.get(item) for item in middle]
        found = [self._delta(item) if i is None else deltas_before[i] for i, item in zip(were, middle, strict=True)]
        deltas = [*before[:head], *found, *before[len(old) - tail :]]
        stayed = [i for i in were if i is not None]
        if stayed != sorted(stayed):
            # The order changed, and where items overlap the last one is seen.
            return deltas, _together(found) | _together(deltas_before)
        came = [delta for i, delta in zip(were, found, strict=True) if i is None]
        gone = {*places.values()}.difference(stayed)
        return deltas, _together(came) | _together([deltas_before[i] for i in gone])

    def _painted(self, fresh: int, deltas: list[Delta]) -> memoryview:
        """Returns scanlines with the `fresh` bands painted, on the canvas that all backgrounds of this size share."""
        background, cache = self._background, self._cache
        size = background.canvas.picture.size
        canvas = cache.canvases.get(size) or cache.canvases.put(size, Canvas(size, bytearray(size[0] * size[1])))
        for run in _runs(fresh):
            part = background.part(run)
            canvas.rows[part] = background.canvas.rows[part]
        # A delta also paints on the other bands that it touches, which are not read.
        paste = canvas.picture.im.paste
        for delta in deltas:
            if delta.bands & fresh:
                paste(delta.pixels.values, delta.box, delta.pixels.changed)
        return canvas.rows

    # --- deltas ---------------------------------------------------------------------------------------
    def _delta(self, item: Item) -> Delta:
        background, cache, key = self._background, self._cache, (self._background.id, item)
        known = cache.deltas.get(key)
        if known is None:
            layers, over, transient = self._layers(item), self._over(item), is_transient(item)
            known = cache.deltas.put(key, delta_of(layers, background, cache.shared, over=over, transient=transient))
        return known

    def _over(self, item: Item) -> int | None:
        """Returns the number of the colour that an item lies on, where that is not the background's."""
        match item:
            case MarkedFigure(figure):
                return self._tone_below(figure.site)
            case TakenFigure(figure):
                return self._background.palette.number(marks.toned("taken", self._place(figure.site)[0], self._theme))
            case NameItem():
                return self._background.palette.number(self._ground(item))
        return None

    def _layers(self, item: Item) -> list[PlacedLayer]:
        """Returns an item's layers, in drawing order."""
        match item:
            case Figure():
                return self._figure(item)
            case MarkedFigure(figure):
                return self._figure(figure, toned=True)
            case TakenFigure(figure):
                return self._figure(figure, taken=True)
            case MarkItem(site, ("culprit" | "blocker") as kind, True):
                return self._placed(*marks.above(self._layout.cells[site], kind, self._theme, self._layout.unit))
            case MarkItem(site, kind, _, falling, toned):
                return self._mark(self._layout.cells[site], kind, falling=falling, toned=toned)
            case NameItem(site, _, plate):
                draw = self._captions.no_label if plate else self._captions.label_on_mark
                return self._placed(draw(self._layout.cells[site], self._ground(item)))
            case Link():
                return [self._link(item)]
            case TitleItem(text):
                return self._placed(*self._captions.title(text))
            case WordItem(side, x, y, word, said, won):
                return self._placed(*self._captions.word(side, x, y, word, said, won=won))

    def _placed(self, *sprites: Sprite) -> list[PlacedLayer]:
        return [self._cache.layer(sprite, self._background.palette) for sprite in sprites]

    def _shared(self, key: tuple[Hashable, ...], x: int, y: int, draw: Callable[[], Sprite]) -> PlacedLayer:
        """Returns a layer that is drawn once, near the origin, and placed at x and y wherever the same is needed."""
        known = self._style, key
        layer = self._cache.layers.get(known)
        if layer is None:
            sprite = draw()
            layer = quantized(sprite, self._background.palette)
            layer = self._cache.layers.put(known, layer._replace(x=sprite.x + layer.x + 1, y=sprite.y + layer.y))
        return layer, x + layer.x, y + layer.y

    # --- places ---------------------------------------------------------------------------------------
    def _figure(self, figure: Figure, *, toned: bool = False, taken: bool = False) -> list[PlacedLayer]:
        """Returns a piece; the name that lies in the middle of its place is printed on it, or else hidden."""
        cell, colour = self._layout.cells[figure.site], self._colours.get(figure.side, "neutral")
        (x, y), middle = self._middles[figure.site]
        look = self._look(figure, colour, cell, taken=taken)

        def draw() -> Sprite:
            return self._sprites.sprite(look, middle)

        piece = self._shared((middle, look), x, y, draw)
        if figure.token or (figure.ghost and not taken) or cell.label != cell.centre or cell.site not in self._labels:
            return [piece]
        if cell.label_size < LEGIBLE:
            return [piece]
        if cell.covered:
            on = replace(cell, radius=SHRUNK * cell.radius) if taken else cell
            return [piece, *self._placed(*self._captions.label_on_piece(on, figure.kind, colour))]
        tone = self._place(cell.site)[0]
        bare = self._captions.no_label(cell, marks.toned(TONING, tone, self._theme) if toned else tone)
        return [*self._placed(bare), piece]

    def _look(self, figure: Figure, colour: Colour, cell: Cell, *, taken: bool) -> Look:
        return Look(
            kinds=(*figure.under, figure.kind),
            colour=colour,
            radius=cell.radius,
            token=figure.token,
            ghost=figure.ghost and not taken,
            taken=taken,
            badge=figure.badge,
            badge_colour=self._colours.get(figure.badge_side, "neutral"),
            tilt=cell.tilt,
        )

    def _tone_below(self, site: Site) -> int:
        """Returns the number of a place's colour under the mark of a move."""
        return self._background.palette.number(marks.toned(TONING, self._place(site)[0], self._theme))

    def _mark(self, cell: Cell, kind: marks.Sign, *, falling: bool, toned: bool) -> list[PlacedLayer]:
        """Returns what a mark lays below the piece; tiles of one shape share it."""
        tone, named, (shape, x, y) = self._place(cell.site)
        tone = marks.toned(TONING, tone, self._theme) if toned else tone

        def draw() -> Sprite:
            unit = self._layout.unit
            return marks.below(shape, kind, tone, self._theme, named=named, unit=unit, falling=falling)

        # Not its name's place, nor its middle: both hang together with its corners and the size of its pieces.
        form = shape.corners, shape.radius, shape.round, shape.label == shape.centre
        drawn = [self._shared((kind, tone, form, named, falling), x, y, draw)]
        if kind in marks.EDGED:
            edge = partial(marks.edge, shape, kind, self._theme, self._layout.unit)
            drawn.insert(0, self._shared((kind, form), x, y, edge))
        if not named:
            return drawn
        ground = ground_colour(self._board, self._theme, cell) if cell.round else marks.toned(kind, tone, self._theme)
        plate = [self._captions.no_label(cell, ground)] if cell.tight else []
        return [*drawn, *self._placed(*plate, self._captions.label_on_mark(cell, ground))]

    def _ground(self, item: NameItem) -> RGB:
        """Returns the tone of what a place's own name stands on."""
        cell = self._layout.cells[item.site]
        ground = ground_colour(self._board, self._theme, cell)
        return marks.toned(item.kind, ground, self._theme) if item.kind and not cell.round else ground

    def _find_place(self, site: Site) -> tuple[RGB, bool, tuple[Cell, int, int]]:
        """Returns a place's tone, whether its name is printed on it, and its shape."""
        cell = self._layout.cells[site]
        tone = self._theme.paper if cell.round else tile_colour(self._board, self._theme, site)
        return tone, site in self._labels and cell.label_size >= LEGIBLE, cell.shape()

    def _with_its_name(self, a: Cell, b: Cell) -> Cell:
        """Returns a place as large as an arrow from another one, or to it, must see it: its name would hide an end."""
        named = b.site in self._labels and b.label_size >= LEGIBLE and b.label != b.centre
        if named and far(b.label, a.centre, b.centre) < 0.7 * b.label_size:
            return replace(b, radius=math.dist(b.label, b.centre) + 0.7 * b.label_size)
        return b

    def _link(self, link: Link) -> PlacedLayer:
        """Returns the line between two places; pairs of one direction and length share it."""
        a, b = self._layout.cells[link.start], self._layout.cells[link.end]
        if link.style == "arrow":
            a, b = self._with_its_name(b, a), self._with_its_name(a, b)
        x, y = map(math.floor, a.centre)
        here, there = (a.centre[0] - x, a.centre[1] - y), (b.centre[0] - x, b.centre[1] - y)

        def draw() -> Sprite:
            ends, scheme = (replace(a, centre=here), replace(b, centre=there)), self._theme.schemes[colour]
            return marks.link(link, ends, scheme, self._theme, self._layout.unit)

        colour = self._colours.get(link.side, "neutral")
        return self._shared((link.style, colour, here, there, a.radius, b.radius), x, y, draw)


def _middle(cell: Cell) -> tuple[tuple[int, int], Point]:
    """Returns the pixel of a place's middle, and the fraction of a pixel beyond it, as finely as pieces are drawn."""
    (x, dx), (y, dy) = (divmod(round(at * SUPERSAMPLING), SUPERSAMPLING) for at in cell.centre)
    return (x, y), (dx / SUPERSAMPLING, dy / SUPERSAMPLING)


def _together(deltas: list[Delta]) -> int:
    """Returns the bands that any delta touches, one bit each."""
    return reduce(or_, [delta.bands for delta in deltas], 0)


def _runs(bands: int) -> Iterator[range]:
    """Yields the runs of neighbouring bands."""
    start = 0
    while bands >> start:
        rest = bands >> start
        start += (rest & -rest).bit_length() - 1
        rest = bands >> start
        many = (~rest & rest + 1).bit_length() - 1
        yield range(start, start + many)
        start += many
