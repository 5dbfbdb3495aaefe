"""A line of the table, and how its two figures are taken: alternately, in CPU time, medians compared."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Literal

SAMPLES = 9

Act = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Plot:
    """How a figure grows: for each line its name, and what stands below and beside its points."""

    title: str
    unit: str
    series: tuple[tuple[str, tuple[tuple[str, float], ...]], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured, ours, the peer's, and whether that is as good as it should be."""

    what: str
    ours: str
    peer: str = ""
    ratio: str = ""
    goal: str = ""
    met: bool | None = None
    """None = there is no goal."""
    plot: Plot | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds for one thing out of many, as samples."""

    samples: tuple[float, ...]

    @property
    def typical(self) -> float:
        return median(self.samples)

    def __str__(self) -> str:
        return f"{seconds(self.typical)} [{seconds(min(self.samples))}-{seconds(max(self.samples))}]"


def seconds(span: float) -> str:
    """A time as people read it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if span >= size:
            return f"{span / size:.3g} {unit}"
    return f"{span / 1e-9:.3g} ns"


def alternate(
    ours: Act, peer: Act | None = None, *, clock: Literal["own", "children"] = "own", samples: int = SAMPLES
) -> tuple[Timing, Timing]:
    """Both, one after the other, again and again: so slow phases of the machine hit both alike.

    Each is warmed up once, then repeated often enough within a sample for the clock to see it.
    """
    tick = process_time if clock == "own" else _children_time
    acts = [act for act in (ours, peer) if act is not None]
    repeats = [_repeats(act, tick) for act in acts]
    taken: list[list[float]] = [[] for _ in acts]
    for _ in range(samples):
        for act, times, spans in zip(acts, repeats, taken, strict=True):
            begun = tick()
            for _ in range(times):
                act()
            spans.append((tick() - begun) / times)
    timings = [Timing(tuple(spans)) for spans in taken]
    return timings[0], timings[-1]


def per(timing: Timing, many: int) -> Timing:
    """The time for one of the many things that one call did."""
    return Timing(tuple(sample / many for sample in timing.samples))


def _children_time() -> float:
    """CPU time of the processes that were started and have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


def _repeats(act: Act, tick: Callable[[], float]) -> int:
    act()
    begun = tick()
    act()
    return max(1, int(0.05 / max(tick() - begun, 1e-6)))
