"""Tables and plots as PNG, in the colours and letters of all pictures."""

import io

from PIL import Image

from engine.chart import Chart
from render.charts.plot import plotted
from render.charts.table import tabled
from render.view import PLAIN, View

COLOURS = 64


def drawn(chart: Chart, view: View = PLAIN) -> bytes:
    """Returns a table or a plot as PNG; equal charts give the same bytes."""
    image = tabled(chart, view) if chart.columns else plotted(chart, view)
    file = io.BytesIO()
    image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()
