"""A plot as a picture: lines or bars over what they stand for."""

import math
from collections.abc import Sequence
from itertools import pairwise

from PIL import Image, ImageDraw

from engine.chart import Chart, Series
from render import lettering
from render.charts.canvas import MARGIN, SUBTITLE, TITLE, Canvas, sheet, shown
from render.theme import RGB, Theme, blend
from render.view import View

WIDTH, HEIGHT = 900, 460
HEAD, FOOT, LEFT = 96, 46, 78
"""Above, below and beside the plot itself."""
SMALL = 20
"""Size of the letters beside lines, in pixels: the picture is as wide as a phone, less than half as many."""
FINE = 3
"""Lines are drawn so many times larger and made smaller: smooth."""
STEPS = (1, 2, 2.5, 5, 10)
LEAST = 70.0
"""Pixels that each name of several lines has beside the title, at least."""
MOST_LINES = 6
"""Lines across, at most."""
MOST_ALONE, MOST_EACH = 60, 12
"""Dots on a line, at most: on one alone, and on each of several."""
SMALL_DOT, LARGE_DOT = 4, 6.5
"""Their radii: on one line alone, and on several, whose shapes tell them apart on a phone, too."""
SHAPES: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-1.1, -1.1), (1.1, -1.1), (1.1, 1.1), (-1.1, 1.1)),
    ((0, -1.6), (1.5, 1.1), (-1.5, 1.1)),
    ((0, -1.7), (1.4, 0), (0, 1.7), (-1.4, 0)),
    ((0, 1.6), (1.5, -1.1), (-1.5, -1.1)),
    ((-1.9, -0.6), (1.9, -0.6), (1.9, 0.6), (-1.9, 0.6)),
)
"""Of the dots on several lines, by their corners in radii: a disc, a square, a triangle, a diamond, and so on."""
SQUARE = 1
Box = tuple[float, float, float, float]


def plotted(chart: Chart, view: View) -> Image.Image:
    """Returns the picture of a plot."""
    canvas = sheet(WIDTH, HEIGHT, view)
    theme = canvas.theme
    taken = len(chart.series) * (LEAST + 40) if len(chart.series) > 1 else 0
    canvas.word(chart.title, (MARGIN, 44), TITLE, theme.ink, weight="semibold", room=WIDTH - 2 * MARGIN - taken)
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
        half = lettering.width(shown(text), SMALL) / 2 + 4
        middle = min(max(at(x, low)[0], half), WIDTH - half)  # the first and the last are seen whole
        canvas.word(text, (middle, HEIGHT - FOOT + 28), SMALL, theme.muted, align="middle")
    draw = _bars if chart.form == "bars" else _lines
    drawn = [tuple(at(x, y) for x, y in series.points) for series in chart.series]
    draw(canvas, chart.series, drawn, at(0, max(low, 0.0))[1])
    if len(chart.series) > 1:
        _legend(canvas, chart)
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
        canvas.word(written, (box[0] - 12, y + 7), SMALL, theme.muted, align="right")


def colours(theme: Theme) -> Sequence[RGB]:
    """Returns the colours of several lines, in their order."""
    marks = theme.marks
    return (marks["moved"], theme.accent, marks["blocker"], marks["zone"], marks["reach"], theme.muted)


def _lines(canvas: Canvas, series: Sequence[Series], drawn: Sequence[Sequence[tuple[float, float]]], _: float) -> None:
    """Lines, each with its points; drawn large and made smaller."""
    size = canvas.image.size
    most, radius = (MOST_EACH, LARGE_DOT) if len(drawn) > 1 else (MOST_ALONE, SMALL_DOT)
    for at, points in enumerate(drawn):
        ink = colours(canvas.theme)[at % len(colours(canvas.theme))]
        mask = Image.new("L", (size[0] * FINE, size[1] * FINE), 0)
        pen = ImageDraw.Draw(mask)
        large = [(x * FINE, y * FINE) for x, y in points]
        if len(large) > 1:
            pen.line(large, fill=255, width=3 * FINE, joint="curve")
        apart = math.ceil(len(large) / most)
        for x, y in large[at * apart // len(drawn) :: apart]:  # of several lines each has its dots elsewhere
            _mark(pen, at, (x, y), radius * FINE)
        canvas.image.paste(ink, mask=mask.resize(size, Image.Resampling.LANCZOS))


def _mark(pen: ImageDraw.ImageDraw, at: int, middle: tuple[float, float], radius: float) -> None:
    """A dot whose shape is its line's own, for those who do not see its colour."""
    x, y = middle
    corners = SHAPES[at % len(SHAPES)]
    if corners:
        pen.polygon([(x + radius * across, y + radius * down) for across, down in corners], fill=255)
    else:
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)


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


def _legend(canvas: Canvas, chart: Chart) -> None:
    """Which colour, and which dots, are whose, from the right."""
    right = float(WIDTH - MARGIN)
    titled = lettering.width(shown(chart.title), TITLE, "semibold") + 12
    room = max(LEAST, (WIDTH - 2 * MARGIN - titled) / len(chart.series) - 40)
    for at in reversed(range(len(chart.series))):
        name = lettering.shorten(shown(chart.series[at].name), SMALL, room)
        ink = colours(canvas.theme)[at % len(colours(canvas.theme))]
        canvas.word(name, (right, 44), SMALL, canvas.theme.ink, align="right")
        right -= lettering.width(name, SMALL) + 22
        mask = Image.new("L", (20 * FINE, 20 * FINE), 0)
        _mark(ImageDraw.Draw(mask), at if chart.form == "line" else SQUARE, (10 * FINE, 10 * FINE), LARGE_DOT * FINE)
        canvas.image.paste(ink, (round(right) - 6, 29), mask.resize((20, 20), Image.Resampling.LANCZOS))
        right -= 18
