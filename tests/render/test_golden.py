"""Golden pictures: what was found good stays. `python -m tests.render.test_golden` paints them anew: look at them."""

import io
from collections.abc import Mapping
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.diagram import Diagram
from render.painter import Painter
from tests.render.handmade import busy_diagram, grid_diagram, hex_diagram, rhomb_diagram

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
}
SIZE = 640


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_as_it_was_found_good(name: str) -> None:
    diagram, theme = PICTURES[name]
    now = Image.open(io.BytesIO(Painter().paint(diagram, theme=theme, size=SIZE))).convert("RGB")
    with Image.open(GOLDEN / f"{name}.png") as image:
        then = image.convert("RGB")
    assert now.size == then.size
    differ = ImageChops.difference(now, then)
    # Another version of FreeType or Pillow may shade an edge otherwise; it may not move or recolour anything.
    assert max(ImageStat.Stat(differ).mean) < 1.0
    strong = differ.convert("L").point([0] * 64 + [255] * 192)
    assert ImageStat.Stat(strong).mean[0] / 255 < 0.002


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, (diagram, theme) in PICTURES.items():
        (GOLDEN / f"{name}.png").write_bytes(Painter().paint(diagram, theme=theme, size=SIZE))
