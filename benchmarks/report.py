"""Writes the last results of each topic into docs/performance.md, and draws their plots with Riposte's own painter."""

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from platform import python_version

from benchmarks.table import Plot, Row
from engine.chart import Chart, Series
from engine.text import Term
from render.charts import drawn

PAGE = Path(__file__).parents[1] / "docs/performance.md"
PICTURES = PAGE.parent / "pictures"
HEAD = "| what | ours | beside | ratio | goal |\n|---|---|---|---|---|\n"


def keep(topic: str, rows: Sequence[Row]) -> None:
    """Replace a topic's part of the page."""
    begin, end = f"<!-- results: {topic} -->", f"<!-- end of {topic} -->"
    text = PAGE.read_text("utf-8")
    part = f"{begin}\n{_told(topic, rows)}{end}"
    if begin in text:
        text = re.sub(rf"{re.escape(begin)}.*?{re.escape(end)}", lambda _: part, text, flags=re.DOTALL)
    else:
        text = f"{text.rstrip()}\n\n{part}\n"
    PAGE.write_text(text, "utf-8")


def _told(topic: str, rows: Sequence[Row]) -> str:
    load, cores = os.getloadavg()[0], os.cpu_count()
    told = [
        f"`python -m benchmarks {topic}`, {datetime.now(UTC):%B %d, %Y}, Python {python_version()}, {cores} cores, "
        f"load {load:.0f}:\n\n",
        HEAD,
    ]
    for row in rows:
        verdict = "" if row.met is None else "met" if row.met else "missed"
        told.append(f"| {row.what} | {row.ours} | {row.peer} | {row.ratio} | {f'{row.goal} {verdict}'.strip()} |\n")
    told.append("\n")
    for number, plot in enumerate(row.plot for row in rows if row.plot is not None):
        picture = PICTURES / f"{topic}-{number + 1}.png"
        picture.write_bytes(drawn(_chart(plot)))
        told.append(f"![{plot.title}: {plot.unit}](pictures/{picture.name})\n\n")
    return "".join(told)


def _chart(plot: Plot) -> Chart:
    labels = list(dict.fromkeys(label for _, points in plot.series for label, _ in points))
    series = [
        Series(name, tuple((float(labels.index(label)), value) for label, value in points))
        for name, points in plot.series
    ]
    ticks = tuple((float(at), label) for at, label in enumerate(labels))
    return Chart(plot.title, form="bars", series=tuple(series), ticks=ticks, unit=Term(plot.unit))
