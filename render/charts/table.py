"""A table as a picture: a row for each, thin lines between, what stands out on a pill."""

from collections.abc import Sequence

from PIL import Image

from engine.chart import Chart
from render import lettering
from render.charts.canvas import CELL, MARGIN, SMALL, SUBTITLE, TITLE, Canvas, sheet, shown
from render.theme import blend
from render.view import View

ROW, GAP, HEAD = 36, 22, 108
"""Height of a row; between two columns; above the first row."""
WIDEST = 320
"""Pixels of the widest column."""
NARROWEST = 360
"""Of a whole picture."""


def tabled(chart: Chart, view: View) -> Image.Image:
    """Returns the picture of a table."""
    titles = [shown(view.say(column.title)) for column in chart.columns]
    widths = [_wide(titles[at], [row[at] for row in chart.rows]) for at in range(len(titles))]
    subtitle = view.say(chart.subtitle) if chart.subtitle else ""
    inner = max(sum(widths) + GAP * (len(widths) - 1), NARROWEST - 2 * MARGIN)
    canvas = sheet(round(inner) + 2 * MARGIN, HEAD + ROW * len(chart.rows) + MARGIN, view)
    theme = canvas.theme
    canvas.word(chart.title, (MARGIN, 44), TITLE, theme.ink, weight="semibold", room=inner)
    canvas.word(subtitle, (MARGIN, 68), SUBTITLE, theme.muted, room=inner)
    lefts = [MARGIN + sum(widths[:at]) + GAP * at for at in range(len(widths))]
    for title, column, left, wide in zip(titles, chart.columns, lefts, widths, strict=True):
        canvas.word(title, (_end(left, wide, column.align), HEAD - 8), SMALL, theme.muted, align=column.align)
    for at in range(len(chart.rows)):
        _row(canvas, chart, at, [*zip(lefts, widths, strict=True)])
    return canvas.image


def _row(canvas: Canvas, chart: Chart, at: int, places: Sequence[tuple[float, float]]) -> None:
    theme, top = canvas.theme, HEAD + ROW * at
    right = canvas.image.width - MARGIN
    if at in chart.marked:
        canvas.pen.rounded_rectangle((MARGIN - 10, top + 2, right + 10, top + ROW - 2), 9, fill=theme.pill)
    elif at:
        canvas.pen.line((MARGIN, top, right, top), fill=blend(theme.paper, theme.line, 0.55))
    ink = theme.muted if at in chart.faded else theme.ink
    for text, column, (left, wide) in zip(chart.rows[at], chart.columns, places, strict=True):
        bold = at in chart.marked or column is chart.columns[1]
        middle = (left + wide / 2, top + ROW / 2)
        if text == "■":  # nobody meets themselves
            canvas.pen.rectangle(
                (middle[0] - 9, middle[1] - 9, middle[0] + 9, middle[1] + 9), fill=blend(theme.paper, theme.line, 0.5)
            )
            continue
        canvas.word(
            text,
            (_end(left, wide, column.align), top + 25),
            CELL,
            ink,
            align=column.align,
            weight="semibold" if bold else "medium",
            room=wide,
        )


def _wide(title: str, cells: list[str]) -> float:
    """The width of a column: of its widest word, within reason."""
    widest = max((lettering.width(shown(cell), CELL, "semibold") for cell in cells), default=0.0)
    return min(max(widest, lettering.width(title, SMALL)), WIDEST) + 1


def _end(left: float, wide: float, align: str) -> float:
    return left + {"left": 0.0, "middle": wide / 2, "right": wide}[align]
