"""What a table or a plot holds, as data: the painter draws it and the alt text reads it aloud."""

from dataclasses import dataclass
from typing import Literal

from engine.text import Term

NONE = Term("")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    title: Term
    align: Literal["left", "middle", "right"] = "middle"


@dataclass(frozen=True, slots=True)
class Series:
    """A line of a plot, or its bars."""

    name: str
    points: tuple[tuple[float, float], ...]
    """From left to right."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A table where it has columns, else a plot."""

    title: str
    """A name that somebody gave, shown as it is."""
    subtitle: Term = NONE
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    marked: tuple[int, ...] = ()
    """Rows that stand out: who has won."""
    faded: tuple[int, ...] = ()
    """Rows of those who have gone."""
    form: Literal["table", "line", "bars"] = "table"
    series: tuple[Series, ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    """What stands below a plot, and where."""
    unit: Term = NONE
    """Of the numbers beside a plot."""
