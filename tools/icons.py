"""Makes the icons of the page that may not be drawn as SVG: `python -m tools.icons` after `icon.svg` has changed.

Phones put an installed page on their home screen by them; a maskable one is cut to a shape of the phone's own.
"""

import io
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image, ImageDraw

from render.paths import trace

PAGE = Path(__file__).parents[1] / "bot" / "adapters" / "web" / "page"
ICONS = {"icon-192.png": (192, False), "icon-512.png": (512, False), "icon-maskable.png": (512, True)}
"""Size in pixels, and whether the ground goes to the edge."""
FINER = 4
"""Times that it is drawn larger first, so that edges are smooth."""


def main() -> None:
    """Write everything anew."""
    for name, (size, maskable) in ICONS.items():
        out = io.BytesIO()
        drawn(size, maskable=maskable).save(out, "PNG", optimize=True)
        (PAGE / name).write_bytes(out.getvalue())


def drawn(size: int, *, maskable: bool) -> Image.Image:
    """The icon as `icon.svg` has it, in so many pixels."""
    root = ElementTree.parse(PAGE / "icon.svg").getroot()  # noqa: S314  (our own file)
    ground, strokes = list(root)
    unit = size * FINER / float(root.attrib["viewBox"].split()[2])
    image = Image.new("RGBA", (size * FINER, size * FINER))
    pen = ImageDraw.Draw(image)
    radius = 0 if maskable else float(ground.attrib["rx"]) * unit
    pen.rounded_rectangle((0, 0, image.width - 1, image.height - 1), radius, fill=ground.attrib["fill"])
    width, ink = float(strokes.attrib["stroke-width"]) * unit, strokes.attrib["stroke"]
    for path in strokes:
        for line in trace(path.attrib["d"]):
            points = [(x * unit, y * unit) for x, y in line.points]
            pen.line(points, fill=ink, width=round(width), joint="curve")
            for x, y in (points[0], points[-1]):
                pen.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=ink)
    return image.resize((size, size), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
