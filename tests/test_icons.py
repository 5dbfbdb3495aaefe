"""The icons by which phones show the installed page: made from the drawing, listed in the manifest, served."""

import json
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat

from tests.adapters.web_room import open_room
from tools.icons import ICONS, PAGE, drawn


@pytest.mark.parametrize("name", ICONS)
def test_the_icons_are_those_that_the_drawing_makes(name: str) -> None:
    size, maskable = ICONS[name]
    with Image.open(PAGE / name) as kept:
        difference = ImageChops.difference(kept.convert("RGBA"), drawn(size, maskable=maskable))
    assert max(ImageStat.Stat(difference).mean) < 0.5, "python -m tools.icons makes them anew"


def test_a_maskable_icon_fills_its_corners_and_keeps_its_strokes_within_the_safe_circle() -> None:
    with Image.open(PAGE / "icon-maskable.png") as icon:
        ground = icon.convert("RGBA").getpixel((0, 0))
        assert ground is not None
        plain = Image.new("RGBA", icon.size, ground)
        inked = ImageChops.difference(icon.convert("RGBA"), plain).convert("L")
    assert inked.getbbox() is not None
    ImageDraw.Draw(inked).circle((256, 256), 512 * 0.4, fill=0)  # what phones leave, whatever their shape
    assert inked.getbbox() is None


async def test_every_icon_of_the_manifest_is_served_in_its_size(tmp_path: Path) -> None:
    manifest = json.loads((PAGE / "app.webmanifest").read_text("utf-8"))
    assert {icon["src"] for icon in manifest["icons"]} == {"/icon.svg", *(f"/{name}" for name in ICONS)}
    assert [icon["sizes"] for icon in manifest["icons"]] == ["any", "192x192", "512x512", "512x512"]
    async with open_room(tmp_path) as room:
        for icon in manifest["icons"]:
            async with room.session.get(f"{room.address}{icon['src'].lstrip('/')}") as answer:
                assert answer.status == 200
                assert answer.content_type == icon["type"]
