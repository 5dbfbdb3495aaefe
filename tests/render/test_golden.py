"""Golden pictures: what was found good stays. `python -m tests.render.test_golden` paints them anew: look at them."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.diagram import Diagram, MarkKind
from engine.examination.journey import journey
from engine.games import GAMES
from render.compose.display_list import SIGNED
from render.drawing import marks
from render.layout.page import arrange, plan
from render.layout.words import flows, worded
from render.painter import Painter
from render.taken import show_taken
from render.theme import THEMES
from render.view import View
from tests.render.handmade import busy_diagram, grid_diagram, hex_diagram, rhomb_diagram

MIDGAMES = {
    "chirality": "P1: A34 A44 A47 C1 D1 D2 D12 D28 / P2: A3 A17 B17 B18 B44 B45 E23 E36 / res: 3 4 / to: P1",
    "ironclad": "rW: B1=1 D1=3 E1=2 D3=3 / rB: D7=1 A8=1 C8=2 D8=3 / sW: a3 c3 c4 d4 d5 e5 / sB: a2 e3 b4 b5 b6 / "
    "last: - / mode: full / owner: W / half: - / to: W",
    "tirachen": "R: W@g1 G@a3 F@h3 A@i4 C@f8 / W: G@c7 P@d7 A@g7 F@c8 S@d8 / T: e5 - / pR: C P6 / pW: M3 / "
    "mob: RW / to: R",
    "tokonoma": "f3A+/b+4S+/a+b+3B+A+/s+4B+/a+3F w",
    "veney": "W: S@Y6 $@X7 e@W6 C@Y10 J@W7 L@Z6 / B: S@X11 $@Y10 e@W9 B@Z12 G@X12 D@W12 / rW: e D G R / rB: e L R / "
    "dW: B / a: X8 / to: B",
}


def midgame(key: str) -> Diagram:
    """A position of a game with much to see in it."""
    return GAMES[key].draw(GAMES[key].decode(midgame_text(key)), None)


def midgame_text(key: str) -> str:
    """That position, or of a game that brings none one in the middle of a random match."""
    game = GAMES[key]
    walked = journey(game, 0).positions
    return MIDGAMES.get(key) or game.encode(walked[len(walked) // 2])


GOLDEN = Path(__file__).parent.parent / "golden"
PICTURES: Mapping[str, tuple[Diagram, str]] = {
    "hexes-light": (hex_diagram(), "light"),
    "hexes-marked-light": (busy_diagram(), "light"),
    "hexes-marked-dark": (busy_diagram(), "dark"),
    "hexes-marked-colour-blind": (busy_diagram(), "colour-blind"),
    "grid-light": (grid_diagram(), "light"),
    "grid-dark": (grid_diagram(), "dark"),
    "grid-colour-blind": (grid_diagram(), "colour-blind"),
    "rhombs-light": (rhomb_diagram(), "light"),
    **{f"{key}-light": (midgame(key), "light") for key in MIDGAMES},
}
SIZE = 640
Box: TypeAlias = tuple[int, int, int, int]


def painted(diagram: Diagram, theme: str) -> Image.Image:
    return Image.open(io.BytesIO(Painter().paint(diagram, View(theme, SIZE)))).convert("RGB")


def golden(name: str) -> Image.Image:
    with Image.open(GOLDEN / f"{name}.png") as image:
        return image.convert("RGB")


def boxes(diagram: Diagram, theme: str) -> Iterator[tuple[MarkKind, Box]]:
    """The pixels that each mark of a picture covers, its sign included."""
    planned = plan(diagram, SIZE)
    layout = arrange(
        diagram, planned, flows(worded(diagram, str), diagram.near, planned.room, planned.unit, narrow=planned.beside)
    )
    for mark in show_taken(diagram).marks:
        for cell in map(layout.cells.__getitem__, mark.sites):
            sprites = [marks.below(cell, mark.kind, (0, 0, 0), THEMES[theme], named=False, unit=layout.unit)]
            if mark.kind in SIGNED:
                sprites += marks.above(cell, mark.kind, THEMES[theme], layout.unit)
            lefts, tops, rights, bottoms = zip(*(sprite.box for sprite in sprites), strict=True)
            yield mark.kind, (min(lefts), min(tops), max(rights), max(bottoms))


def unlike(now: Image.Image, then: Image.Image, diagram: Diagram, theme: str) -> list[MarkKind]:
    """The kinds of marks in whose boxes two pictures differ, if only by a shade."""
    return [kind for kind, box in boxes(diagram, theme) if now.crop(box).tobytes() != then.crop(box).tobytes()]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_it_was_found_good(name: str) -> None:
    diagram, theme = PICTURES[name]
    now, then = painted(diagram, theme), golden(name)
    assert now.size == then.size
    differ = ImageChops.difference(now, then)
    # Another version of FreeType or Pillow may shade an edge otherwise; it may not move or recolour anything.
    assert max(ImageStat.Stat(differ).mean) < 1.0
    strong = differ.convert("L").point([0] * 64 + [255] * 192)
    assert ImageStat.Stat(strong).mean[0] / 255 < 0.002
    # A sign is too small for such a measure, so marks must be the same to the last pixel.
    assert unlike(now, then, diagram, theme) == []


@pytest.mark.parametrize("name", [name for name in PICTURES if "culprit" in str(PICTURES[name][0].marks)])
def test_a_culprit_and_a_blocker_exchanged_are_not_the_golden_picture(name: str) -> None:
    diagram, theme = PICTURES[name]
    other: dict[MarkKind, MarkKind] = {"culprit": "blocker", "blocker": "culprit"}
    exchanged = replace(
        diagram, marks=tuple(replace(mark, kind=other.get(mark.kind, mark.kind)) for mark in diagram.marks)
    )
    assert {"culprit", "blocker"} <= set(unlike(painted(exchanged, theme), golden(name), diagram, theme))


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, (diagram, theme) in PICTURES.items():
        (GOLDEN / f"{name}.png").write_bytes(Painter().paint(diagram, View(theme, SIZE)))
