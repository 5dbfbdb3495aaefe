"""Every word printed on a picture is measured on the picture itself: it contrasts with what it stands on, and nothing
lies over it."""

import io
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from engine.board import Site
from engine.diagram import Diagram, Figure, Mark
from engine.dice import Dice
from engine.games import GAMES
from render import lettering
from render.drawing.captions import Captions
from render.drawing.sprites import SHRUNK, PieceSprites, Sprite, SpriteCache
from render.layout.cells import LEGIBLE
from render.layout.close_up import close_up
from render.layout.page import Layout, arrange, plan
from render.layout.words import flows, worded
from render.painter import Painter
from render.taken import show_taken
from render.theme import THEMES, contrast
from render.view import View
from tests.render.handmade import busy_diagram
from tests.render.test_golden import midgame
from tools.sheets import held, pictures

SIZE, SMALL = 1024, 480
ENOUGH, WHOLE = 4.5, 0.8
"""Contrast of words, and the share of their pixels that nothing else may cover."""
ALIKE = 40
"""Colours of a palette nearer than that are one."""
FULL = 250
"""Of a mask: where there is nothing but ink."""


class Printed(NamedTuple):
    """Something printed: where its mask lies on the picture."""

    text: str
    mask: Image.Image
    x: int
    y: int


@lru_cache
def shown(key: str) -> tuple[tuple[str, Diagram], ...]:
    """Pictures of a game with all that they can hold, and one on which each place has its name."""
    labelled = replace(midgame(key), labels=frozenset(midgame(key).board.outlines))
    found, seen = [], set[tuple[object, ...]]()
    close = [(f"near {site}", near(midgame(key), site)) for site in ("B17", "E36") if site in midgame(key).standing]
    for name, diagram in (("midgame", midgame(key)), ("every name", labelled), *close, *pictures(GAMES[key], 1)):
        if name == "every name" or name.startswith("near") or not held(diagram) <= seen:
            found.append((name, diagram))
            seen |= held(diagram)
    return tuple(found)


def near(diagram: Diagram, site: Site) -> Diagram:
    """A close-up of a place to which a piece has moved: what stands on a mark."""
    return close_up(diagram.marked((Mark("moved", (site,)),)), site)


def printed(diagram: Diagram, theme: str, size: int = SIZE) -> Iterator[Printed]:
    """All words of a picture."""
    wording, planned = worded(diagram, str), plan(diagram, size)
    words = flows(wording, diagram.near, planned.room, planned.unit, narrow=planned.beside)
    layout = arrange(diagram, planned, words)
    sprites = PieceSprites(THEMES[theme], diagram.glyphs, SpriteCache())
    captions = Captions(layout, THEMES[theme], sprites, dict(diagram.colours), lambda colour: colour)
    yield from _lettered(wording.title, captions.title(wording.title))
    said = dict.fromkeys(diagram.winners, wording.won) if diagram.to_act is None else {diagram.to_act: wording.to_move}
    for (side, x, y), flow in zip((*layout.blocks, layout.foot), words, strict=True):
        for word in flow.words:
            won = diagram.to_act is None and side in diagram.winners
            after = said.get(side, "") if word.sort in ("name", "names") else ""
            yield from _lettered(word.text, captions.word(side, x, y, word, after, won=won))
    for text, (x, y) in layout.legends:
        yield _written(text, x, y, layout.legend_size)
    yield from _names(diagram, layout, captions)


def _names(diagram: Diagram, layout: Layout, captions: Captions) -> Iterator[Printed]:
    """The names of places: beside pieces, or on them."""
    taken = {site for mark in diagram.marks if mark.kind == "taken" for site in mark.sites}
    standing: dict[str, Figure] = {one.site: one for one in diagram.figures if not one.ghost or one.site in taken}
    for site in diagram.labels:
        cell = layout.cells[site]
        if site in standing and cell.label == cell.centre:
            one = standing[site]
            if cell.covered and not one.token:
                colour = diagram.colours.get(one.side, "neutral")
                on = replace(cell, radius=SHRUNK * cell.radius) if one.ghost else cell
                yield from _lettered(site, captions.label_on_piece(on, one.kind, colour))
        elif cell.label_size >= LEGIBLE and cell.tilt is not None:
            mask = lettering.turned(site, cell.label_size, cell.tilt)
            x, y = (round(at) - mask.width // 2 for at in cell.label)
            yield Printed(site, mask, x, y)
        elif cell.label_size >= LEGIBLE:
            yield _written(site, *cell.label, cell.label_size)


def _lettered(text: str, sprites: list[Sprite]) -> Iterator[Printed]:
    """The sprites that are words: thinner than pills, of one colour, unlike pieces."""
    for sprite in sprites:
        if isinstance(sprite.ink, tuple) and sprite.edge is None and _share(sprite.mask) < 0.6:
            yield Printed(text, sprite.mask, sprite.x, sprite.y)


def _share(mask: Image.Image) -> float:
    box = mask.getbbox() or (0, 0, 1, 1)
    return sum(mask.crop(box).histogram()[FULL:]) / ((box[2] - box[0]) * (box[3] - box[1]))


def _written(text: str, x: float, y: float, size: int) -> Printed:
    left, base = round(x - lettering.width(text, size) / 2), round(y + 0.36 * size)
    mask = Image.new("L", (round(lettering.width(text, size)) + 6, 2 * size))
    lettering.write(ImageDraw.Draw(mask), (2, size + 2), text, 255, size)
    return Printed(text, mask, left - 2, base - size - 2)


def measured(one: Printed, picture: Image.Image) -> tuple[float, float]:
    """The contrast of words with most of what is round them, and the share of them that is seen."""
    part = picture.crop((one.x, one.y, one.x + one.mask.width, one.y + one.mask.height))
    near = one.mask.filter(ImageFilter.MaxFilter(5)).point([0] + [255] * 255)
    bare = ImageChops.multiply(near, one.mask.point([255] + [0] * 255))
    full = one.mask.point([255 * (value >= FULL) for value in range(256)])
    inks, grounds = _colours(part, full), _colours(part, bare)
    if not inks or not grounds:
        return 21.0, 1.0
    (ink, _), (ground, _) = inks.most_common(1)[0], grounds.most_common(1)[0]
    seen = sum(count for colour, count in inks.items() if math.dist(colour, ink) < ALIKE)
    return contrast(ink, ground), seen / inks.total()


def _colours(part: Image.Image, mask: Image.Image) -> Counter[tuple[int, int, int]]:
    pixels, chosen = part.get_flattened_data(), mask.get_flattened_data()
    return Counter(pixel for pixel, there in zip(pixels, chosen, strict=True) if there)  # type: ignore[misc]


@pytest.mark.parametrize("size", [SIZE, SMALL])
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("key", GAMES)
def test_every_word_on_every_picture_is_read_with_ease(key: str, theme: str, size: int) -> None:
    painter, faults = Painter(), []
    for name, diagram in (*shown(key), ("handmade", busy_diagram())):
        picture = Image.open(io.BytesIO(painter.paint(diagram, View(theme, size)))).convert("RGB")
        for one in printed(show_taken(diagram), theme, size):
            found, seen = measured(one, picture)
            if found < ENOUGH or seen < WHOLE:
                faults.append(f"{name}: {one.text!r} at {one.x}, {one.y}: {found:.1f}, {seen:.2f}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("viewer", [None, "W", "B"])
def test_every_tile_of_tokonoma_has_its_name_on_a_small_picture_whatever_stands_there(viewer: str | None) -> None:
    game = GAMES["tokonoma"]
    diagram = game.draw(game.setup({}, Dice(bytes(32))), viewer)
    layout = arranged(diagram, SMALL)
    for site in diagram.board.outlines:
        cell = layout.cells[site]
        assert cell.label_size >= LEGIBLE
        assert math.dist(cell.label, cell.centre) > cell.radius


def test_all_tiles_of_chirality_have_names_of_one_size_for_two_on_a_small_picture_and_for_five_on_the_usual_one() -> (
    None
):
    game = GAMES["chirality"]
    for players, size in (("2", SMALL), ("5", SIZE)):
        diagram = game.draw(game.setup({"players": players}, Dice(bytes(32))), None)
        sizes = {cell.label_size for cell in arranged(diagram, size).cells.values()}
        assert len(sizes) == 1
        assert min(sizes) >= LEGIBLE


def arranged(diagram: Diagram, size: int) -> Layout:
    planned = plan(diagram, size)
    words = flows(worded(diagram, str), diagram.near, planned.room, planned.unit, narrow=planned.beside)
    return arrange(diagram, planned, words)
