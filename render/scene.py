"""One board in one theme and layout: turns what a diagram shows into patches over its ground, and those into bands."""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial, reduce
from itertools import count, islice
from operator import or_

from engine.board import Point, Side, Site
from engine.diagram import Colour, Diagram, Figure, Link, MarkKind
from render import marking, png
from render.captions import Captions
from render.cells import LEGIBLE, Cell
from render.coats import Placed, brought
from render.ground import Canvas, Ground
from render.layout import Flow, Layout
from render.memory import LATER, Memory
from render.palette import tile_colour
from render.patches import Patch, lay
from render.sprites import FINE, Drop, Look, Sprites
from render.staging import WASH, Marked, Stamp, Titled, Washed, Worded, left, passes, stamps
from render.theme import RGB, Theme

FEW = 4
"""Places that a board is acquainted with after a turn: so many take about a millisecond."""

_numbers = count()


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
        self.id = next(_numbers)
        self._ground = on
        # On the instance, so that it goes when it goes.
        self._place = lru_cache(maxsize=512)(self._find_place)
        self._middles = {site: _middle(cell) for site, cell in layout.cells.items()}
        self._captions = Captions(layout, theme, sprites, self._colours)
        self.forget()

    def forget(self) -> None:
        """Forget the picture before."""
        self._stamps: list[Stamp] = []
        self._patches: list[Patch] = []
        self._bands = self._ground.bands
        self._rough: list[int] = []
        """Bands that came with the last picture and were deflated quickly."""
        self._tied: list[int] = []
        """Runs of bands that were deflated as one, a bit each: where one changes, all do."""

    def paint(self, diagram: Diagram, flows: tuple[Flow, ...], *, hurried: bool) -> bytes:
        """The picture of a position: that of the picture before, but for the bands of what came and what went."""
        ground, memory, new = self._ground, self._memory, not self._stamps
        shown = stamps(diagram, self._layout, flows)
        patches, changed = self._found(shown)
        for tie in self._tied:
            if tie & changed:
                changed |= tie
        lying = [patch for patch in patches if patch.bands & changed]
        passing = changed & _together([patch for patch in lying if patch.passing])
        bands = self._bands.copy()
        # What is there a second time is worth polishing.
        memory.later.extend([partial(memory.deflater.polish, bands[i]) for i in self._rough if not changed >> i & 1])
        fresh = dict[int, tuple[int, ...]]()
        for i, key in self._keys(changed & ~passing, lying):
            if known := memory.bands.get(key) if len(key) > 2 else ground.bands[i]:
                bands[i] = known
            else:
                fresh[i] = key
        rows = self._painted(passing | sum([1 << i for i in fresh]), lying)
        use: png.Use = "lasting" if new and not hurried else "quick"
        for i, key in fresh.items():
            band = memory.deflater.band(rows[ground.parts[i]], ground.after[i], use)
            bands[i] = memory.bands.put(key, band)
        # Bands with a mark of the last turn are not seen again, so those beside one another are deflated together.
        tied = [tie for tie in self._tied if not tie & changed]
        for run in _runs(passing):
            band = memory.deflater.band(rows[ground.part(run)], ground.after[run[-1]], "quick")
            bands[run.start : run.stop] = [band, *[png.NOTHING] * (len(run) - 1)]
            tied.append((1 << run.stop) - (1 << run.start))
        # All at once, so that a picture that could not be painted leaves nothing half done.
        self._stamps, self._patches, self._bands, self._tied = shown, patches, bands, tied
        self._rough = list(fresh) if use == "quick" else []
        memory.later.append(partial(self._look_ahead, patches))
        if len(memory.later) < LATER:
            memory.later.appendleft(self._acquaint)
        return memory.deflater.assemble(ground.head, bands, len(ground.canvas.rows))

    def _acquaint(self) -> None:
        """Lay the mark of a move on some more places, before the first turn that needs it there."""
        for site in islice(self._ground.unmarked, FEW):
            self._patch(Marked(site, WASH))

    def _look_ahead(self, patches: list[Patch]) -> None:
        """Prepare the bands with marks of the last turn as they are once the next turn leaves them alone."""
        if patches is not self._patches:
            return  # The next picture was painted meanwhile.
        passing = _together([patch for patch in patches if patch.passing])
        stay = [(left(stamp), patch) for stamp, patch in zip(self._stamps, patches, strict=True)]
        lasting = [self._patch(stamp) if patch.passing else patch for stamp, patch in stay if stamp]
        lying = [patch for patch in lasting if patch.bands & passing]
        for i, key in self._keys(passing, lying):
            if len(key) > 2 and not self._memory.bands.get(key):
                self._memory.later.append(partial(self._prepare, i, key, lying))

    def _prepare(self, i: int, key: tuple[int, ...], patches: list[Patch]) -> None:
        """Remember a band with these patches."""
        rows = self._painted(1 << i, patches)[self._ground.parts[i]]
        self._memory.bands.put(key, self._memory.deflater.band(rows, self._ground.after[i], "polished"))

    def _keys(self, bands: int, patches: list[Patch]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """For each band what it is remembered by: its ground, its number and what lies on it."""
        found: dict[int, list[int]] = {i: [] for run in _runs(bands) for i in run}
        for patch in patches:
            for i in patch.touched:
                if i in found:
                    found[i].append(patch.id)
        for i, ids in found.items():
            yield i, (self._ground.id, i, *ids)

    def _found(self, shown: list[Stamp]) -> tuple[list[Patch], int]:
        """The patches of stamps, and the bands in which one came or went since the picture before."""
        old, before = self._stamps, self._patches
        # Most of a picture is as it was, at its beginning and at its end.
        most = min(len(old), len(shown))
        head = next((i for i in range(most) if shown[i] != old[i]), most)
        tail = next((i for i in range(most - head) if shown[~i] != old[~i]), most - head)
        stamps_before, patches_before = old[head : len(old) - tail], before[head : len(old) - tail]
        places = {stamp: i for i, stamp in enumerate(stamps_before)}
        middle = shown[head : len(shown) - tail]
        were = [places.get(stamp) for stamp in middle]
        found = [self._patch(stamp) if i is None else patches_before[i] for i, stamp in zip(were, middle, strict=True)]
        patches = [*before[:head], *found, *before[len(old) - tail :]]
        stayed = [i for i in were if i is not None]
        if stayed != sorted(stayed):
            # Small overlaps show which was painted last.
            return patches, _together(found) | _together(patches_before)
        came = [patch for i, patch in zip(were, found, strict=True) if i is None]
        gone = {*places.values()}.difference(stayed)
        return patches, _together(came) | _together([patches_before[i] for i in gone])

    def _painted(self, fresh: int, patches: list[Patch]) -> memoryview:
        """Scanlines of which some bands are painted anew, on the canvas that all grounds of this size share."""
        ground, memory = self._ground, self._memory
        size = ground.canvas.picture.size
        canvas = memory.canvases.get(size) or memory.canvases.put(size, Canvas(size, bytearray(size[0] * size[1])))
        for run in _runs(fresh):
            part = ground.part(run)
            canvas.rows[part] = ground.canvas.rows[part]
        # A patch that also touches other bands leaves its traces there, which nobody sees.
        paste = canvas.picture.im.paste
        for patch in patches:
            if patch.bands & fresh:
                paste(patch.skin.pixels, patch.box, patch.skin.changed)
        return canvas.rows

    # --- patches --------------------------------------------------------------------------------------
    def _patch(self, stamp: Stamp) -> Patch:
        ground, memory, key = self._ground, self._memory, (self._ground.id, stamp)
        known = memory.patches.get(key)
        if known is None:
            over = self._wash(stamp.figure.site) if isinstance(stamp, Washed) else None
            known = memory.patches.put(
                key, lay(self._coats(stamp), ground, memory.skins, over=over, passing=passes(stamp))
            )
        return known

    def _coats(self, stamp: Stamp) -> list[Placed]:
        """What a stamp lays on the ground, in drawing order."""
        match stamp:
            case Figure():
                return self._figure(stamp)
            case Washed(figure):
                return self._figure(figure)
            case Marked(site, kind, sign):
                cell = self._layout.cells[site]
                if sign:
                    return self._placed(*marking.above(cell, kind, self._theme, self._layout.unit))
                return self._mark(cell, kind)
            case Link():
                return [self._link(stamp)]
            case Titled(text):
                return self._placed(*self._captions.title(text))
            case Worded(side, x, y, word, acts):
                return self._placed(*self._captions.word(side, x, y, word, acts))

    def _placed(self, *drops: Drop) -> list[Placed]:
        return [self._memory.coat(drop, self._ground.palette) for drop in drops]

    def _shared(self, key: Hashable, x: int, y: int, draw: Callable[[], Drop]) -> Placed:
        """What looks alike wherever it lies, but for whole pixels: drawn once, near the origin, and laid at x and y."""
        coat = self._memory.coats.get(key)
        if coat is None:
            drop = draw()
            coat = brought(drop, self._ground.palette)
            coat = self._memory.coats.put(key, coat._replace(x=drop.x + coat.x + 1, y=drop.y + coat.y))
        return coat, x + coat.x, y + coat.y

    # --- places ---------------------------------------------------------------------------------------
    def _figure(self, figure: Figure) -> list[Placed]:
        """A piece, and the name of its place on its face where that covers it."""
        cell, colour = self._layout.cells[figure.site], self._colours.get(figure.side, "neutral")
        (x, y), middle = self._middles[figure.site]

        def draw() -> Drop:
            return self._sprites.drop(self._look(figure, colour, cell.radius), middle)

        piece = self._shared((self.id, middle, cell.radius, *figure[1:]), x, y, draw)
        if figure.token or figure.ghost or cell.label != cell.centre or cell.site not in self._labels:
            return [piece]
        return [piece, *self._placed(*self._captions.face(cell, figure.kind, colour))]

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

    def _wash(self, site: Site) -> int:
        """The number of a place's tone once it is marked."""
        return self._ground.palette.number(marking.toned(WASH, self._place(site)[0], self._theme))

    def _mark(self, cell: Cell, kind: MarkKind) -> list[Placed]:
        """What a mark lays below the piece; tiles of one shape share it."""
        tone, named, (shape, x, y) = self._place(cell.site)

        def draw() -> Drop:
            return marking.below(shape, kind, tone, self._theme, named=named, unit=self._layout.unit)

        mark = self._shared((self._ground.id, kind, tone, shape.corners, named), x, y, draw)
        if not named:
            return [mark]
        return [mark, *self._placed(self._captions.again(cell, marking.toned(kind, tone, self._theme)))]

    def _find_place(self, site: Site) -> tuple[RGB, bool, tuple[Cell, int, int]]:
        """A place's tone, whether its name is printed on it, and its shape."""
        cell = self._layout.cells[site]
        tone = self._theme.paper if cell.round else tile_colour(self._board, self._theme, site)
        return tone, site in self._labels and cell.label_size >= LEGIBLE, cell.shape()

    def _link(self, link: Link) -> Placed:
        """What joins two places; pairs of one direction and length share it."""
        a, b = self._layout.cells[link.start], self._layout.cells[link.end]
        x, y = map(math.floor, a.centre)
        here, there = (a.centre[0] - x, a.centre[1] - y), (b.centre[0] - x, b.centre[1] - y)

        def draw() -> Drop:
            ends, dress = (replace(a, centre=here), replace(b, centre=there)), self._theme.dresses[colour]
            return marking.link(link, ends, dress, self._theme, self._layout.unit)

        colour = self._colours.get(link.side, "neutral")
        return self._shared((self._ground.id, link.style, colour, here, there, a.radius, b.radius), x, y, draw)


def _middle(cell: Cell) -> tuple[tuple[int, int], Point]:
    """The pixel of a place's middle, and where in it the middle lies, to what pieces are drawn to."""
    (x, dx), (y, dy) = (divmod(round(at * FINE), FINE) for at in cell.centre)
    return (x, y), (dx / FINE, dy / FINE)


def _together(patches: list[Patch]) -> int:
    """The bands that any of them touches, one bit each."""
    return reduce(or_, [patch.bands for patch in patches], 0)


def _runs(bands: int) -> Iterator[range]:
    """Bands that lie beside one another."""
    start = 0
    while bands >> start:
        rest = bands >> start
        start += (rest & -rest).bit_length() - 1
        rest = bands >> start
        many = (~rest & rest + 1).bit_length() - 1
        yield range(start, start + many)
        start += many
