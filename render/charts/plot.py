"""A plot as a picture: lines or bars over what they stand for."""

import math
from collections.abc import Sequence
from itertools import pairwise

from PIL import Image, ImageDraw

from engine.chart import Chart, Series
from render import lettering
from render.charts.canvas import MARGIN, SMALL, SUBTITLE, TITLE, Canvas, sheet, shown
from render.theme import RGB, Theme, blend
from render.view import View

WIDTH, HEIGHT = 900, 460
HEAD, FOOT, LEFT = 96, 46, 78
"""Above, below and beside the plot itself."""
FINE = 3
"""Lines are drawn so many times larger and made smaller: smooth."""
STEPS = (1, 2, 2.5, 5, 10)
MOST_LINES = 6
"""Lines across, at most."""
Box = tuple[float, float, float, float]


def plotted(chart: Chart, view: View) -> Image.Image:
    """Returns the picture of a plot."""
    canvas = sheet(WIDTH, HEIGHT, view)
    theme = canvas.theme
    canvas.word(chart.title, (MARGIN, 44), TITLE, theme.ink, weight="semibold", room=WIDTH - 2 * MARGIN)
    canvas.word(view.say(chart.subtitle) if chart.subtitle else "", (MARGIN, 70), SUBTITLE, theme.muted)
    if chart.unit:
        canvas.word(view.say(chart.unit), (WIDTH - MARGIN, 70), SUBTITLE, theme.muted, align="right")
    box = (float(LEFT), float(HEAD), float(WIDTH - MARGIN), float(HEIGHT - FOOT))
    xs = [x for series in chart.series for x, _ in series.points] or [0.0]
    ys = [y for series in chart.series for _, y in series.points] or [0.0]
    low, high, step = _scale(min([*ys, 0.0]) if chart.form == "bars" else min(ys), max(ys))
    left, right = (min(xs), max(xs)) if max(xs) > min(xs) else (min(xs) - 1, max(xs) + 1)
    if chart.form == "bars":
        left, right = left - 0.6, right + 0.6
    _grid(canvas, box, (low, high, step))

    def at(x: float, y: float) -> tuple[float, float]:
        across, up = (x - left) / (right - left), (y - low) / (high - low)
        return box[0] + across * (box[2] - box[0]), box[3] - up * (box[3] - box[1])

    for x, text in chart.ticks:
        canvas.word(text, (at(x, low)[0], HEIGHT - FOOT + 24), SMALL, theme.muted, align="middle")
    draw = _bars if chart.form == "bars" else _lines
    drawn = [tuple(at(x, y) for x, y in series.points) for series in chart.series]
    draw(canvas, chart.series, drawn, at(0, max(low, 0.0))[1])
    if len(chart.series) > 1:
        _legend(canvas, chart.series)
    return canvas.image


def _scale(low: float, high: float) -> tuple[float, float, float]:
    """Where a plot begins and ends, and from line to line: round numbers."""
    span = max(high - low, 1.0 if high < 100 else 10.0)
    rough = span / (MOST_LINES - 1)
    size = 10 ** math.floor(math.log10(rough))
    step = next(size * one for one in STEPS if size * one >= rough)
    bottom = math.floor(low / step) * step
    top = math.ceil(max(high, low + step) / step) * step
    return bottom, top, step


def _grid(canvas: Canvas, box: Box, scale: tuple[float, float, float]) -> None:
    low, high, step = scale
    theme = canvas.theme
    for number in range(round((high - low) / step) + 1):
        value = low + number * step
        y = box[3] - (value - low) / (high - low) * (box[3] - box[1])
        canvas.pen.line((box[0], y, box[2], y), fill=blend(theme.paper, theme.line, 0.7 if number == 0 else 0.4))
        written = f"{value:g}" if step < 1 else f"{value:.0f}"
        canvas.word(written, (box[0] - 12, y + 5), SMALL, theme.muted, align="right")


def colours(theme: Theme) -> Sequence[RGB]:
    """Returns the colours of several lines, in their order."""
    marks = theme.marks
    return (marks["moved"], theme.accent, marks["blocker"], marks["zone"], marks["reach"], theme.muted)


def _lines(canvas: Canvas, series: Sequence[Series], drawn: Sequence[Sequence[tuple[float, float]]], _: float) -> None:
    """Lines, each with its points; drawn large and made smaller."""
    size = canvas.image.size
    for at, points in enumerate(drawn):
        ink = colours(canvas.theme)[at % len(colours(canvas.theme))]
        mask = Image.new("L", (size[0] * FINE, size[1] * FINE), 0)
        pen = ImageDraw.Draw(mask)
        large = [(x * FINE, y * FINE) for x, y in points]
        if len(large) > 1:
            pen.line(large, fill=255, width=3 * FINE, joint="curve")
        if len(large) <= 60:
            for x, y in large:
                pen.ellipse((x - 4 * FINE, y - 4 * FINE, x + 4 * FINE, y + 4 * FINE), fill=255)
        canvas.image.paste(ink, mask=mask.resize(size, Image.Resampling.LANCZOS))


def _bars(
    canvas: Canvas, series: Sequence[Series], drawn: Sequence[Sequence[tuple[float, float]]], base: float
) -> None:
    """Bars, those of several series side by side."""
    count = len(series)
    for at, points in enumerate(drawn):
        ink = colours(canvas.theme)[at % len(colours(canvas.theme))]
        gaps = [b[0] - a[0] for a, b in pairwise(points)]
        wide = min([*gaps, 120.0]) * 0.72 / count
        for x, y in points:
            left = x - wide * count / 2 + at * wide
            canvas.pen.rectangle((round(left), round(min(y, base)), round(left + wide) - 1, round(base)), fill=ink)


def _legend(canvas: Canvas, series: Sequence[Series]) -> None:
    """Which colour is whose, from the right."""
    right = float(WIDTH - MARGIN)
    for at in reversed(range(len(series))):
        name, ink = shown(series[at].name), colours(canvas.theme)[at % len(colours(canvas.theme))]
        canvas.word(name, (right, 44), SMALL, canvas.theme.ink, align="right")
        right -= lettering.width(name, SMALL) + 22
        canvas.pen.rectangle((right, 32, right + 12, 44), fill=ink)
        right -= 18
