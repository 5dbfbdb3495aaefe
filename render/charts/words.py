"""A table or a plot in sentences, for those who do not see it."""

from collections.abc import Iterator

from engine.chart import Chart, Series
from engine.text import Listing, Phrase, Text

MOST_ROWS = 20


def read_aloud(chart: Chart) -> Iterator[Text]:
    """Yields all that a chart shows, a sentence each."""
    yield Text("{title}.", title=chart.title)
    if chart.subtitle:
        yield Text("{title}.", title=chart.subtitle)
    for row in chart.rows[:MOST_ROWS]:
        cells = [
            Phrase("{heading} {value}", heading=column.title, value=value)
            for column, value in zip(chart.columns, row, strict=True)
            if value not in ("", "■")
        ]
        yield Text("{cells}.", cells=Listing(tuple(cells), "unit"))
    if len(chart.rows) > MOST_ROWS:
        yield Text("More rows follow.")
    for series in chart.series:
        yield _course(series, len(chart.series) > 1)


def _course(series: Series, named: bool) -> Text:
    values = [round(value) for _, value in series.points]
    told = {"first": values[0], "last": values[-1], "low": min(values), "high": max(values)}
    if named:
        return Text("{name}: from {first} to {last}, between {low} and {high}.", name=series.name, **told)
    return Text("From {first} to {last}, between {low} and {high}.", **told)
