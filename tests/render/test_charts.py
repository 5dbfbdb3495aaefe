"""Tables and plots: names in any script that the fonts have, and lines told apart by the shape of their points."""

import io

import pytest
from PIL import Image

from engine.chart import Chart, Column, Series
from engine.text import Term
from render.charts import drawn
from render.charts.plot import SHAPES, colours
from render.theme import THEMES
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
