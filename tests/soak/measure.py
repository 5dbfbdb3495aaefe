"""What is measured in a long run, and what a straight line through it says of growth."""

import ctypes
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt
from statistics import mean


@dataclass(frozen=True, slots=True)
class Sample:
    """What was measured after so many turns."""

    turns: int
    memory: float
    """MiB, once what the allocator holds free was given back."""
    files: float
    tasks: float
    stored: float
    """Bytes of the database that are in use, for each turn ever made."""
    kept: float = 0.0
    """MiB that matches at hand and pictures' parts take, by their own account: what has a bound may fill up to it."""

    @property
    def beside(self) -> float:
        """MiB of all else: a leak is found here, and in no cache."""
        return self.memory - self.kept


@dataclass(frozen=True, slots=True)
class Trend:
    """A straight line through the later samples."""

    begins: float
    """What it says of the first of these."""
    grows: float
    """How much more it says of the last, as a share of that."""
    surely: float
    """How much more at least, with 95 % confidence."""


def trim() -> None:
    """Have the allocator give back what it holds free, where it can (glibc)."""
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def trend(samples: Sequence[Sample], what: str) -> Trend:
    """How a figure goes on over the later two thirds of a run, by least squares."""
    later = samples[len(samples) // 3 :]
    xs, ys = [float(sample.turns) for sample in later], [float(getattr(sample, what)) for sample in later]
    middle, level, n = mean(xs), mean(ys), len(xs)
    spread = sum((x - middle) ** 2 for x in xs)
    slope = sum((x - middle) * (y - level) for x, y in zip(xs, ys, strict=True)) / spread
    begins = level + slope * (xs[0] - middle)
    apart = sum((y - level - slope * (x - middle)) ** 2 for x, y in zip(xs, ys, strict=True))
    error = sqrt(apart / (n - 2) / spread)
    span = (xs[-1] - xs[0]) / begins
    return Trend(begins, slope * span, (slope - 2 * error) * span)
