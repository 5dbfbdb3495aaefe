"""Tables and plots: names in any script that the fonts have, and lines told apart by the shape of their points."""

import io
from collections import Counter
from typing import Literal

import pytest
from PIL import Image, ImageChops

from engine.chart import Chart, Column, Series
from engine.text import Term
from render.charts import drawn
from render.charts.plot import SHAPES, colours
from render.charts.table import HEAD, ROW
from render.theme import THEMES, contrast
from render.view import View

RANK = Column(Term(""))
PLAYERS = Column(Term("player"), "left")


def picture(chart: Chart, theme: str = "light") -> Image.Image:
    return Image.open(io.BytesIO(drawn(chart, View(theme)))).convert("RGB")


@pytest.mark.parametrize("name", ["Anna", "黒川健太郎", "Анна", "Άννα"])
def test_a_name_in_a_table_is_written_whatever_its_script(name: str) -> None:
    written, empty = (picture(Chart("Cup", columns=(RANK, PLAYERS), rows=(("1", row),))) for row in (name, ""))
    assert written.size == empty.size
    assert written.tobytes() != empty.tobytes()


def test_each_line_of_a_plot_has_points_of_its_own_shape() -> None:
    assert len(set(SHAPES)) == len(SHAPES)
    assert len(SHAPES) == len(colours(THEMES["light"]))
    one, two = (Series(name, ((0.0, 1.0), (1.0, 2.0))) for name in ("Anna", "Ben"))
    chart = Chart("", form="line", series=(one, two))
    other = picture(Chart("", form="line", series=(two, one))).convert("L").point([255 * (n > 200) for n in range(256)])
    assert picture(chart).convert("L").point([255 * (n > 200) for n in range(256)]).tobytes() != other.tobytes()


def test_long_names_of_lines_leave_the_title_whole() -> None:
    points = ((0.0, 1.0), (1.0, 2.0))
    seen = []
    for names in (("Al", "Bo", "Cy"), ("Maximiliane-Theodora von Hohenstein",) * 3):
        chart = Chart("Ratings of Tokonoma", form="line", series=tuple(Series(name, points) for name in names))
        seen.append(picture(chart).crop((0, 0, 330, 60)).convert("L"))
    assert ImageChops.difference(*seen).getextrema()[1] < 30, "the palettes differ a little"


@pytest.mark.parametrize("at", [0.0, 1.0])
def test_what_stands_below_either_end_of_a_plot_is_seen_whole(at: float) -> None:
    chart = Chart("", form="line", series=(Series("", ((0.0, 1.0), (1.0, 2.0))),), ticks=((at, "28 November 2026"),))
    drawn_at = picture(chart)
    paper = drawn_at.getpixel((2, 2))
    rim = [drawn_at.getpixel((x, y)) for x in (0, 1, 898, 899) for y in range(drawn_at.height)]
    assert set(rim) == {paper}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("form", ["table", "line", "bars"])
def test_every_word_of_a_table_or_plot_stands_out(form: Literal["table", "line", "bars"], theme: str) -> None:
    points = ((0.0, 1.0), (1.0, 2.0))
    if form == "table":
        columns, rows = (RANK, PLAYERS), (("1", "Anna"), ("2", "Ben"), ("3", "Cleo"))
        drawn_at = picture(Chart("Cup", Term("Swiss"), columns, rows, marked=(0,), faded=(2,)), theme)
        tops = [18, 52, HEAD - 26, *(HEAD + ROW * row + 2 for row in range(3))]
        parts = [(30, top, 200, top + 28) for top in tops]
    else:
        lines = (Series("Anna", points), Series("Ben", points))
        chart = Chart("Cup", Term("Swiss"), form=form, series=lines, ticks=((0.5, "May"),), unit=Term("points"))
        drawn_at = picture(chart, theme)
        parts = [(28, 20, 300, 50), (28, 54, 300, 76), (700, 54, 900, 76), (0, 90, 70, 400), (0, 424, 900, 456)]
    measured = []
    for part in parts:
        seen = Counter(drawn_at.crop(part).get_flattened_data())
        ground = seen.most_common(1)[0][0]
        if len(seen) > 5:  # words, and no line alone
            measured.append(max(contrast(ground, colour) for colour in seen))
    assert len(measured) >= 5
    assert min(measured) >= 4.5
