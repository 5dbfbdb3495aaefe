"""Tables and plots as PNG, in the colours and letters of all pictures."""

import io
from collections.abc import Sequence

from PIL import Image

from engine.chart import Chart
from render.charts.canvas import sheet
from render.charts.plot import plotted
from render.charts.table import tabled
from render.view import PLAIN, View

COLOURS = 64
COLUMNS, GAP = 3, 12
"""Pictures side by side on a sheet, and pixels between them."""


def drawn(chart: Chart, view: View = PLAIN) -> bytes:
    """Returns a table or a plot as PNG; equal charts give the same bytes."""
    image = tabled(chart, view) if chart.columns else plotted(chart, view)
    return _saved(image)


def gathered(pictures: Sequence[bytes], view: View = PLAIN) -> bytes:
    """Returns several pictures on one sheet, line by line, each in the middle of its place, as PNG."""
    images = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    wide, high = max(image.width for image in images), max(image.height for image in images)
    columns = min(COLUMNS, len(images))
    lines = -(-len(images) // columns)
    canvas = sheet(columns * (wide + GAP) + GAP, lines * (high + GAP) + GAP, view)
    for at, image in enumerate(images):
        left, top = GAP + at % columns * (wide + GAP), GAP + at // columns * (high + GAP)
        canvas.image.paste(image, (left + (wide - image.width) // 2, top + (high - image.height) // 2))
    return _saved(canvas.image)


def _saved(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()
