"""What a long run is found to have been: a line and a plot for each figure, and whether any of them grows."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.chart import Chart, Series
from engine.text import Term
from render.charts import drawn
from tests.soak.measure import Sample, trend

ALLOWED = {"beside": 0.10, "files": 0.0, "tasks": 0.0, "stored": 0.0}
"""By how much each may surely have grown over the later two thirds; what caches hold may, up to their bound."""
NAMES = {
    "memory": ("Memory", "MiB"),
    "kept": ("Caches", "MiB"),
    "beside": ("Memory beside caches", "MiB"),
    "files": ("Open files", "files"),
    "tasks": ("Tasks", "tasks"),
    "stored": ("Database", "bytes a turn"),
}


def told(samples: Sequence[Sample], plots: Path | None, more: Mapping[str, tuple[str, str]] | None = None) -> bool:
    """Prints what each figure did and draws it; returns whether any grows that may not."""
    grown = False
    for what, (title, unit) in {**NAMES, **(more or {})}.items():
        found = trend(samples, what)
        allowed = ALLOWED.get(what)
        grows = allowed is not None and found.surely > allowed
        said = "" if allowed is None else ": GROWS" if grows else ": flat"
        grown |= grows
        print(
            f"{title}: {found.begins:.1f} {unit} after a third, {found.grows:+.1%} since, at least "
            f"{found.surely:+.1%} with 95 % confidence{said}"
        )
        if plots is not None:
            plots.mkdir(parents=True, exist_ok=True)
            (plots / f"{what}.png").write_bytes(drawn(plot(samples, what, title, unit)))
    return grown


def plot(samples: Sequence[Sample], what: str, title: str, unit: str) -> Chart:
    """A figure over the turns."""
    points = tuple((float(sample.turns), float(getattr(sample, what))) for sample in samples)
    ticks = tuple((x, f"{x:,.0f}") for x, _ in points[:: max(1, len(points) // 5)])
    return Chart(
        title, Term("after so many turns"), form="line", series=(Series("", points),), ticks=ticks, unit=Term(unit)
    )
